DROP TRIGGER add_video_words;
DROP TRIGGER set_video_words;
CREATE TRIGGER add_video_words AFTER INSERT ON videos BEGIN
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || NEW.name || ' ' || NEW.artist || ' ' || (SELECT p.category_name FROM categories p WHERE p.id = NEW.category_id));
END;
CREATE TRIGGER set_video_words AFTER UPDATE OF video_name, name, artist, category_id ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || NEW.name || ' ' || NEW.artist || ' ' || (SELECT p.category_name FROM categories p WHERE p.id = NEW.category_id));
END;
DROP TRIGGER set_words_of_category;
CREATE TRIGGER set_words_of_category AFTER UPDATE OF category_name ON categories WHEN OLD.category_name IS NOT NEW.category_name BEGIN
    UPDATE videos SET category_id = category_id WHERE category_id = NEW.id;
END;
ALTER TABLE staged_banners DROP COLUMN translations;
ALTER TABLE banners DROP COLUMN translations;
ALTER TABLE staged_videos DROP COLUMN translations;
ALTER TABLE videos DROP COLUMN translations;
ALTER TABLE staged_categories DROP COLUMN translations;
ALTER TABLE categories DROP COLUMN translations;
