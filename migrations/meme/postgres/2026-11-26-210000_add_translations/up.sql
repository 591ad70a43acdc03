-- Translations of a record's texts: a JSON object whose names are of a field and a language, `video_name.zu`. Null: none.

ALTER TABLE categories ADD COLUMN translations TEXT;
ALTER TABLE staged_categories ADD COLUMN translations TEXT;
ALTER TABLE memes ADD COLUMN translations TEXT;
ALTER TABLE staged_memes ADD COLUMN translations TEXT;

-- Search finds a record by the words of every language.
CREATE OR REPLACE FUNCTION set_meme_words() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.words := words_of(concat_ws(' ', NEW.title, (SELECT concat_ws(' ', p.name, (SELECT string_agg(value, ' ') FROM json_each_text(p.translations::json))) FROM categories p WHERE p.id = NEW.category_id), (SELECT string_agg(value, ' ') FROM json_each_text(NEW.translations::json))));
    RETURN NEW;
END
$$;
DROP TRIGGER set_meme_words ON memes;
CREATE TRIGGER set_meme_words BEFORE INSERT OR UPDATE OF title, category_id, translations ON memes
    FOR EACH ROW EXECUTE FUNCTION set_meme_words();
DROP TRIGGER add_changed_meme_terms ON memes;
CREATE TRIGGER add_changed_meme_terms AFTER UPDATE OF title, category_id, translations ON memes
    FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION add_changed_meme_terms();
DROP TRIGGER set_words_of_category ON categories;
CREATE TRIGGER set_words_of_category AFTER UPDATE OF name, translations ON categories
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.translations IS DISTINCT FROM NEW.translations) EXECUTE FUNCTION set_words_of_category();
