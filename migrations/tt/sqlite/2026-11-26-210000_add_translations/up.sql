-- Translations of a record's texts: a JSON object whose names are of a field and a language, `video_name.zu`. Null: none.

ALTER TABLE categories ADD COLUMN translations TEXT;
ALTER TABLE staged_categories ADD COLUMN translations TEXT;
ALTER TABLE videos ADD COLUMN translations TEXT;
ALTER TABLE staged_videos ADD COLUMN translations TEXT;
ALTER TABLE banners ADD COLUMN translations TEXT;
ALTER TABLE staged_banners ADD COLUMN translations TEXT;

-- Search finds a record by the words of every language.
DROP TRIGGER add_video_words;
DROP TRIGGER set_video_words;
CREATE TRIGGER add_video_words AFTER INSERT ON videos BEGIN
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || NEW.name || ' ' || NEW.artist || ' ' || (SELECT p.category_name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = NEW.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;
CREATE TRIGGER set_video_words AFTER UPDATE OF video_name, name, artist, category_id, translations ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || NEW.name || ' ' || NEW.artist || ' ' || (SELECT p.category_name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = NEW.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;
DROP TRIGGER set_words_of_category;
CREATE TRIGGER set_words_of_category AFTER UPDATE OF category_name, translations ON categories WHEN OLD.category_name IS NOT NEW.category_name OR OLD.translations IS NOT NEW.translations BEGIN
    UPDATE videos SET category_id = category_id WHERE category_id = NEW.id;
END;
