-- Translations of a record's texts: a JSON object whose names are of a field and a language, `video_name.zu`. Null: none.

ALTER TABLE artists ADD COLUMN translations TEXT;
ALTER TABLE staged_artists ADD COLUMN translations TEXT;
ALTER TABLE videos ADD COLUMN translations TEXT;
ALTER TABLE staged_videos ADD COLUMN translations TEXT;

-- Search finds a record by the words of every language.
CREATE OR REPLACE FUNCTION set_artist_words() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.words := words_of(concat_ws(' ', NEW.artist, NEW.description, (SELECT string_agg(value, ' ') FROM json_each_text(NEW.translations::json))));
    RETURN NEW;
END
$$;
DROP TRIGGER set_artist_words ON artists;
CREATE TRIGGER set_artist_words BEFORE INSERT OR UPDATE OF artist, description, translations ON artists
    FOR EACH ROW EXECUTE FUNCTION set_artist_words();
DROP TRIGGER add_changed_artist_terms ON artists;
CREATE TRIGGER add_changed_artist_terms AFTER UPDATE OF artist, description, translations ON artists
    FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION add_changed_artist_terms();
CREATE OR REPLACE FUNCTION set_video_words() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.words := words_of(concat_ws(' ', NEW.video_name, (SELECT p.artist FROM artists p WHERE p.id = NEW.artist_id), (SELECT string_agg(value, ' ') FROM json_each_text(NEW.translations::json))));
    RETURN NEW;
END
$$;
DROP TRIGGER set_video_words ON videos;
CREATE TRIGGER set_video_words BEFORE INSERT OR UPDATE OF video_name, artist_id, translations ON videos
    FOR EACH ROW EXECUTE FUNCTION set_video_words();
DROP TRIGGER add_changed_video_terms ON videos;
CREATE TRIGGER add_changed_video_terms AFTER UPDATE OF video_name, artist_id, translations ON videos
    FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION add_changed_video_terms();
