-- The words of each meme, for search: those of its title and its category.

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

ALTER TABLE memes ADD COLUMN words TSVECTOR NOT NULL DEFAULT '';

CREATE FUNCTION set_meme_words() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.words := words_of(concat_ws(' ', NEW.title, (SELECT p.name FROM categories p WHERE p.id = NEW.category_id)));
    RETURN NEW;
END
$$;

CREATE TRIGGER set_meme_words BEFORE INSERT OR UPDATE OF title, category_id ON memes
    FOR EACH ROW EXECUTE FUNCTION set_meme_words();

UPDATE memes SET title = title;
-- Without a list of pending entries, which every search after a large import would read through.
CREATE INDEX memes_by_words ON memes USING GIN (words) WITH (fastupdate = off);

-- Every word once: what a word with a wrong letter is compared with. A word stays when the last meme that has it is gone.
CREATE TABLE memes_vocabulary (term TEXT PRIMARY KEY NOT NULL);

INSERT INTO memes_vocabulary SELECT DISTINCT unnest(tsvector_to_array(words)) FROM memes;

CREATE FUNCTION add_meme_terms() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO memes_vocabulary SELECT DISTINCT unnest(tsvector_to_array(words)) FROM added ORDER BY 1 ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE FUNCTION add_changed_meme_terms() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO memes_vocabulary SELECT unnest(tsvector_to_array(NEW.words)) ORDER BY 1 ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER add_meme_terms AFTER INSERT ON memes REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION add_meme_terms();
CREATE TRIGGER add_changed_meme_terms AFTER UPDATE OF title, category_id ON memes
    FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION add_changed_meme_terms();

CREATE FUNCTION set_words_of_category() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE memes SET category_id = category_id WHERE category_id = NEW.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER set_words_of_category AFTER UPDATE OF name ON categories
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION set_words_of_category();
