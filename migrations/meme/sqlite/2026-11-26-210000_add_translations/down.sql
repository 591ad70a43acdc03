DROP TRIGGER add_meme_words;
DROP TRIGGER set_meme_words;
CREATE TRIGGER add_meme_words AFTER INSERT ON memes BEGIN
    INSERT INTO memes_words (rowid, words) VALUES (NEW.id, NEW.title || ' ' || (SELECT p.name FROM categories p WHERE p.id = NEW.category_id));
END;
CREATE TRIGGER set_meme_words AFTER UPDATE OF title, category_id ON memes BEGIN
    DELETE FROM memes_words WHERE rowid = OLD.id;
    INSERT INTO memes_words (rowid, words) VALUES (NEW.id, NEW.title || ' ' || (SELECT p.name FROM categories p WHERE p.id = NEW.category_id));
END;
DROP TRIGGER set_words_of_category;
CREATE TRIGGER set_words_of_category AFTER UPDATE OF name ON categories WHEN OLD.name IS NOT NEW.name BEGIN
    UPDATE memes SET category_id = category_id WHERE category_id = NEW.id;
END;
ALTER TABLE staged_memes DROP COLUMN translations;
ALTER TABLE memes DROP COLUMN translations;
ALTER TABLE staged_categories DROP COLUMN translations;
ALTER TABLE categories DROP COLUMN translations;
