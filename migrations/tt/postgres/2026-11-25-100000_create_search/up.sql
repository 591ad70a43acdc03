-- The words of each video, for search: those of its titles, its artist and its category.

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

ALTER TABLE videos ADD COLUMN words TSVECTOR NOT NULL DEFAULT '';

CREATE FUNCTION set_video_words() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.words := words_of(concat_ws(' ', NEW.video_name, NEW.name, NEW.artist, (SELECT p.category_name FROM categories p WHERE p.id = NEW.category_id)));
    RETURN NEW;
END
$$;

CREATE TRIGGER set_video_words BEFORE INSERT OR UPDATE OF video_name, name, artist, category_id ON videos
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
CREATE TRIGGER add_changed_video_terms AFTER UPDATE OF video_name, name, artist, category_id ON videos
    FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION add_changed_video_terms();

CREATE FUNCTION set_words_of_category() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE videos SET category_id = category_id WHERE category_id = NEW.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER set_words_of_category AFTER UPDATE OF category_name ON categories
    FOR EACH ROW WHEN (OLD.category_name IS DISTINCT FROM NEW.category_name) EXECUTE FUNCTION set_words_of_category();
