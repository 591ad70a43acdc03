DROP TRIGGER add_artist_words;
DROP TRIGGER set_artist_words;
CREATE TRIGGER add_artist_words AFTER INSERT ON artists BEGIN
    INSERT INTO artists_words (rowid, words) VALUES (NEW.id, NEW.artist || ' ' || NEW.description);
END;
CREATE TRIGGER set_artist_words AFTER UPDATE OF artist, description ON artists BEGIN
    DELETE FROM artists_words WHERE rowid = OLD.id;
    INSERT INTO artists_words (rowid, words) VALUES (NEW.id, NEW.artist || ' ' || NEW.description);
END;
DROP TRIGGER add_video_words;
DROP TRIGGER set_video_words;
CREATE TRIGGER add_video_words AFTER INSERT ON videos BEGIN
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || (SELECT p.artist FROM artists p WHERE p.id = NEW.artist_id));
END;
CREATE TRIGGER set_video_words AFTER UPDATE OF video_name, artist_id ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || (SELECT p.artist FROM artists p WHERE p.id = NEW.artist_id));
END;
ALTER TABLE staged_videos DROP COLUMN translations;
ALTER TABLE videos DROP COLUMN translations;
ALTER TABLE staged_artists DROP COLUMN translations;
ALTER TABLE artists DROP COLUMN translations;
