-- The words of artists and of videos, for search: of an artist's name and description; of a video's title and its artist's name.

CREATE VIRTUAL TABLE artists_words USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);
-- Every word once: what a word with a wrong letter is compared with.
CREATE VIRTUAL TABLE artists_vocabulary USING fts5vocab (artists_words, row);

INSERT INTO artists_words (rowid, words) SELECT t.id, t.artist || ' ' || t.description FROM artists t;

CREATE TRIGGER add_artist_words AFTER INSERT ON artists BEGIN
    INSERT INTO artists_words (rowid, words) VALUES (NEW.id, NEW.artist || ' ' || NEW.description);
END;

CREATE TRIGGER set_artist_words AFTER UPDATE OF artist, description ON artists BEGIN
    DELETE FROM artists_words WHERE rowid = OLD.id;
    INSERT INTO artists_words (rowid, words) VALUES (NEW.id, NEW.artist || ' ' || NEW.description);
END;

CREATE TRIGGER remove_artist_words AFTER DELETE ON artists BEGIN
    DELETE FROM artists_words WHERE rowid = OLD.id;
END;

CREATE VIRTUAL TABLE videos_words USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);
-- Every word once: what a word with a wrong letter is compared with.
CREATE VIRTUAL TABLE videos_vocabulary USING fts5vocab (videos_words, row);

INSERT INTO videos_words (rowid, words) SELECT t.id, t.video_name || ' ' || (SELECT p.artist FROM artists p WHERE p.id = t.artist_id) FROM videos t;

CREATE TRIGGER add_video_words AFTER INSERT ON videos BEGIN
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || (SELECT p.artist FROM artists p WHERE p.id = NEW.artist_id));
END;

CREATE TRIGGER set_video_words AFTER UPDATE OF video_name, artist_id ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || (SELECT p.artist FROM artists p WHERE p.id = NEW.artist_id));
END;

CREATE TRIGGER remove_video_words AFTER DELETE ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
END;

CREATE TRIGGER set_words_of_artist AFTER UPDATE OF artist ON artists WHEN OLD.artist IS NOT NEW.artist BEGIN
    UPDATE videos SET artist_id = artist_id WHERE artist_id = NEW.id;
END;
