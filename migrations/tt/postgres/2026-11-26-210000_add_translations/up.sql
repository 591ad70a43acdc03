-- Translations of a record's texts: a JSON object whose names are of a field and a language, `video_name.zu`. Null: none.

ALTER TABLE categories ADD COLUMN translations TEXT;
ALTER TABLE staged_categories ADD COLUMN translations TEXT;
ALTER TABLE videos ADD COLUMN translations TEXT;
ALTER TABLE staged_videos ADD COLUMN translations TEXT;
ALTER TABLE banners ADD COLUMN translations TEXT;
ALTER TABLE staged_banners ADD COLUMN translations TEXT;

-- Search finds a record by the words of every language.
CREATE OR REPLACE FUNCTION set_video_words() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.words := words_of(concat_ws(' ', NEW.video_name, NEW.name, NEW.artist, (SELECT concat_ws(' ', p.category_name, (SELECT string_agg(value, ' ') FROM json_each_text(p.translations::json))) FROM categories p WHERE p.id = NEW.category_id), (SELECT string_agg(value, ' ') FROM json_each_text(NEW.translations::json))));
    RETURN NEW;
END
$$;
DROP TRIGGER set_video_words ON videos;
CREATE TRIGGER set_video_words BEFORE INSERT OR UPDATE OF video_name, name, artist, category_id, translations ON videos
    FOR EACH ROW EXECUTE FUNCTION set_video_words();
DROP TRIGGER add_changed_video_terms ON videos;
CREATE TRIGGER add_changed_video_terms AFTER UPDATE OF video_name, name, artist, category_id, translations ON videos
    FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION add_changed_video_terms();
DROP TRIGGER set_words_of_category ON categories;
CREATE TRIGGER set_words_of_category AFTER UPDATE OF category_name, translations ON categories
    FOR EACH ROW WHEN (OLD.category_name IS DISTINCT FROM NEW.category_name OR OLD.translations IS DISTINCT FROM NEW.translations) EXECUTE FUNCTION set_words_of_category();
