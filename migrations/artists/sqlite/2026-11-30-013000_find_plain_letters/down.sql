DROP TRIGGER add_artist_words;
CREATE TRIGGER add_artist_words AFTER INSERT ON artists BEGIN
    INSERT INTO artists_words (rowid, words) VALUES (NEW.id, NEW.artist || ' ' || NEW.description || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

DROP TRIGGER set_artist_words;
CREATE TRIGGER set_artist_words AFTER UPDATE OF artist, description, translations ON artists BEGIN
    DELETE FROM artists_words WHERE rowid = OLD.id;
    INSERT INTO artists_words (rowid, words) VALUES (NEW.id, NEW.artist || ' ' || NEW.description || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

DROP VIEW artist_texts;

DROP TRIGGER add_video_words;
CREATE TRIGGER add_video_words AFTER INSERT ON videos BEGIN
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || (SELECT p.artist FROM artists p WHERE p.id = NEW.artist_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

DROP TRIGGER set_video_words;
CREATE TRIGGER set_video_words AFTER UPDATE OF video_name, artist_id, translations ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || (SELECT p.artist FROM artists p WHERE p.id = NEW.artist_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

DROP VIEW video_texts;
