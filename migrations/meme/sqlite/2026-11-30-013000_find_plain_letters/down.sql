DROP TRIGGER add_meme_words;
CREATE TRIGGER add_meme_words AFTER INSERT ON memes BEGIN
    INSERT INTO memes_words (rowid, words) VALUES (NEW.id, NEW.title || ' ' || (SELECT p.name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = NEW.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

DROP TRIGGER set_meme_words;
CREATE TRIGGER set_meme_words AFTER UPDATE OF title, category_id, translations ON memes BEGIN
    DELETE FROM memes_words WHERE rowid = OLD.id;
    INSERT INTO memes_words (rowid, words) VALUES (NEW.id, NEW.title || ' ' || (SELECT p.name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = NEW.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

DROP VIEW meme_texts;
