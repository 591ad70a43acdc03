CREATE OR REPLACE FUNCTION set_meme_words() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.words := words_of(concat_ws(' ', NEW.title, (SELECT p.name FROM categories p WHERE p.id = NEW.category_id)));
    RETURN NEW;
END
$$;
DROP TRIGGER set_meme_words ON memes;
CREATE TRIGGER set_meme_words BEFORE INSERT OR UPDATE OF title, category_id ON memes
    FOR EACH ROW EXECUTE FUNCTION set_meme_words();
DROP TRIGGER add_changed_meme_terms ON memes;
CREATE TRIGGER add_changed_meme_terms AFTER UPDATE OF title, category_id ON memes
    FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION add_changed_meme_terms();
DROP TRIGGER set_words_of_category ON categories;
CREATE TRIGGER set_words_of_category AFTER UPDATE OF name ON categories
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION set_words_of_category();
ALTER TABLE staged_memes DROP COLUMN translations;
ALTER TABLE memes DROP COLUMN translations;
ALTER TABLE staged_categories DROP COLUMN translations;
ALTER TABLE categories DROP COLUMN translations;
