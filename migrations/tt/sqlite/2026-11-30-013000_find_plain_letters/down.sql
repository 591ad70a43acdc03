DROP TRIGGER add_video_words;
CREATE TRIGGER add_video_words AFTER INSERT ON videos BEGIN
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || NEW.name || ' ' || NEW.artist || ' ' || (SELECT p.category_name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = NEW.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

DROP TRIGGER set_video_words;
CREATE TRIGGER set_video_words AFTER UPDATE OF video_name, name, artist, category_id, translations ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || NEW.name || ' ' || NEW.artist || ' ' || (SELECT p.category_name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = NEW.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

DROP VIEW video_texts;
