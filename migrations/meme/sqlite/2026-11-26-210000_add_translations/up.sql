-- Translations of a record's texts: a JSON object whose names are of a field and a language, `video_name.zu`. Null: none.

ALTER TABLE categories ADD COLUMN translations TEXT;
ALTER TABLE staged_categories ADD COLUMN translations TEXT;
ALTER TABLE memes ADD COLUMN translations TEXT;
ALTER TABLE staged_memes ADD COLUMN translations TEXT;

-- Search finds a record by the words of every language.
DROP TRIGGER add_meme_words;
DROP TRIGGER set_meme_words;
CREATE TRIGGER add_meme_words AFTER INSERT ON memes BEGIN
    INSERT INTO memes_words (rowid, words) VALUES (NEW.id, NEW.title || ' ' || (SELECT p.name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = NEW.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;
CREATE TRIGGER set_meme_words AFTER UPDATE OF title, category_id, translations ON memes BEGIN
    DELETE FROM memes_words WHERE rowid = OLD.id;
    INSERT INTO memes_words (rowid, words) VALUES (NEW.id, NEW.title || ' ' || (SELECT p.name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = NEW.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;
DROP TRIGGER set_words_of_category;
CREATE TRIGGER set_words_of_category AFTER UPDATE OF name, translations ON categories WHEN OLD.name IS NOT NEW.name OR OLD.translations IS NOT NEW.translations BEGIN
    UPDATE memes SET category_id = category_id WHERE category_id = NEW.id;
END;
