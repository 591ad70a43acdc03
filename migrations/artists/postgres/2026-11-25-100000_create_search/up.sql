-- The words of artists and of videos, for search: of an artist's name and description; of a video's title and its artist's name.

-- The words of a text, without case and accents. What separates words is blanks and marks: those of ASCII, and the usual others.
CREATE FUNCTION words_of(phrase TEXT) RETURNS TSVECTOR LANGUAGE SQL IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(ARRAY(
        SELECT DISTINCT left(word, 100)
        FROM regexp_split_to_table(
            lower(regexp_replace(normalize(phrase, NFD), '[\u0300-\u036f]', '', 'g')),
            '[\s!-/:-@\[-`{-~\u0080-\u00bf\u2000-\u206f\ufe0f]+'
        ) AS word
        WHERE word <> ''
    ))
$$;

ALTER TABLE artists ADD COLUMN words TSVECTOR NOT NULL DEFAULT '';

CREATE FUNCTION set_artist_words() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.words := words_of(concat_ws(' ', NEW.artist, NEW.description));
    RETURN NEW;
END
$$;

CREATE TRIGGER set_artist_words BEFORE INSERT OR UPDATE OF artist, description ON artists
    FOR EACH ROW EXECUTE FUNCTION set_artist_words();

UPDATE artists SET artist = artist;
-- Without a list of pending entries, which every search after a large import would read through.
CREATE INDEX artists_by_words ON artists USING GIN (words) WITH (fastupdate = off);

-- Every word once: what a word with a wrong letter is compared with. A word stays when the last artist that has it is gone.
CREATE TABLE artists_vocabulary (term TEXT PRIMARY KEY NOT NULL);

INSERT INTO artists_vocabulary SELECT DISTINCT unnest(tsvector_to_array(words)) FROM artists;

CREATE FUNCTION add_artist_terms() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO artists_vocabulary SELECT DISTINCT unnest(tsvector_to_array(words)) FROM added ORDER BY 1 ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE FUNCTION add_changed_artist_terms() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO artists_vocabulary SELECT unnest(tsvector_to_array(NEW.words)) ORDER BY 1 ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER add_artist_terms AFTER INSERT ON artists REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION add_artist_terms();
CREATE TRIGGER add_changed_artist_terms AFTER UPDATE OF artist, description ON artists
    FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION add_changed_artist_terms();

ALTER TABLE videos ADD COLUMN words TSVECTOR NOT NULL DEFAULT '';

CREATE FUNCTION set_video_words() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.words := words_of(concat_ws(' ', NEW.video_name, (SELECT p.artist FROM artists p WHERE p.id = NEW.artist_id)));
    RETURN NEW;
END
$$;

CREATE TRIGGER set_video_words BEFORE INSERT OR UPDATE OF video_name, artist_id ON videos
    FOR EACH ROW EXECUTE FUNCTION set_video_words();

UPDATE videos SET video_name = video_name;
-- Without a list of pending entries, which every search after a large import would read through.
CREATE INDEX videos_by_words ON videos USING GIN (words) WITH (fastupdate = off);

-- Every word once: what a word with a wrong letter is compared with. A word stays when the last video that has it is gone.
CREATE TABLE videos_vocabulary (term TEXT PRIMARY KEY NOT NULL);

INSERT INTO videos_vocabulary SELECT DISTINCT unnest(tsvector_to_array(words)) FROM videos;

CREATE FUNCTION add_video_terms() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO videos_vocabulary SELECT DISTINCT unnest(tsvector_to_array(words)) FROM added ORDER BY 1 ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE FUNCTION add_changed_video_terms() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO videos_vocabulary SELECT unnest(tsvector_to_array(NEW.words)) ORDER BY 1 ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER add_video_terms AFTER INSERT ON videos REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION add_video_terms();
CREATE TRIGGER add_changed_video_terms AFTER UPDATE OF video_name, artist_id ON videos
    FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION add_changed_video_terms();

CREATE FUNCTION set_words_of_artist() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE videos SET artist_id = artist_id WHERE artist_id = NEW.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER set_words_of_artist AFTER UPDATE OF artist ON artists
    FOR EACH ROW WHEN (OLD.artist IS DISTINCT FROM NEW.artist) EXECUTE FUNCTION set_words_of_artist();
