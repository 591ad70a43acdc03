-- The words of each video, for search: those of its titles, its artist and its category.

CREATE VIRTUAL TABLE videos_words USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);
-- Every word once: what a word with a wrong letter is compared with.
CREATE VIRTUAL TABLE videos_vocabulary USING fts5vocab (videos_words, row);

INSERT INTO videos_words (rowid, words) SELECT t.id, t.video_name || ' ' || t.name || ' ' || t.artist || ' ' || (SELECT p.category_name FROM categories p WHERE p.id = t.category_id) FROM videos t;

CREATE TRIGGER add_video_words AFTER INSERT ON videos BEGIN
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || NEW.name || ' ' || NEW.artist || ' ' || (SELECT p.category_name FROM categories p WHERE p.id = NEW.category_id));
END;

CREATE TRIGGER set_video_words AFTER UPDATE OF video_name, name, artist, category_id ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || NEW.name || ' ' || NEW.artist || ' ' || (SELECT p.category_name FROM categories p WHERE p.id = NEW.category_id));
END;

CREATE TRIGGER remove_video_words AFTER DELETE ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
END;

CREATE TRIGGER set_words_of_category AFTER UPDATE OF category_name ON categories WHEN OLD.category_name IS NOT NEW.category_name BEGIN
    UPDATE videos SET category_id = category_id WHERE category_id = NEW.id;
END;
