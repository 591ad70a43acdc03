-- The words of each meme, for search: those of its title and its category.

CREATE VIRTUAL TABLE memes_words USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);
-- Every word once: what a word with a wrong letter is compared with.
CREATE VIRTUAL TABLE memes_vocabulary USING fts5vocab (memes_words, row);

INSERT INTO memes_words (rowid, words) SELECT t.id, t.title || ' ' || (SELECT p.name FROM categories p WHERE p.id = t.category_id) FROM memes t;

CREATE TRIGGER add_meme_words AFTER INSERT ON memes BEGIN
    INSERT INTO memes_words (rowid, words) VALUES (NEW.id, NEW.title || ' ' || (SELECT p.name FROM categories p WHERE p.id = NEW.category_id));
END;

CREATE TRIGGER set_meme_words AFTER UPDATE OF title, category_id ON memes BEGIN
    DELETE FROM memes_words WHERE rowid = OLD.id;
    INSERT INTO memes_words (rowid, words) VALUES (NEW.id, NEW.title || ' ' || (SELECT p.name FROM categories p WHERE p.id = NEW.category_id));
END;

CREATE TRIGGER remove_meme_words AFTER DELETE ON memes BEGIN
    DELETE FROM memes_words WHERE rowid = OLD.id;
END;

CREATE TRIGGER set_words_of_category AFTER UPDATE OF name ON categories WHEN OLD.name IS NOT NEW.name BEGIN
    UPDATE memes SET category_id = category_id WHERE category_id = NEW.id;
END;
