CREATE OR REPLACE FUNCTION set_video_words() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.words := words_of(concat_ws(' ', NEW.video_name, NEW.name, NEW.artist, (SELECT p.category_name FROM categories p WHERE p.id = NEW.category_id)));
    RETURN NEW;
END
$$;
DROP TRIGGER set_video_words ON videos;
CREATE TRIGGER set_video_words BEFORE INSERT OR UPDATE OF video_name, name, artist, category_id ON videos
    FOR EACH ROW EXECUTE FUNCTION set_video_words();
DROP TRIGGER add_changed_video_terms ON videos;
CREATE TRIGGER add_changed_video_terms AFTER UPDATE OF video_name, name, artist, category_id ON videos
    FOR EACH ROW WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION add_changed_video_terms();
DROP TRIGGER set_words_of_category ON categories;
CREATE TRIGGER set_words_of_category AFTER UPDATE OF category_name ON categories
    FOR EACH ROW WHEN (OLD.category_name IS DISTINCT FROM NEW.category_name) EXECUTE FUNCTION set_words_of_category();
ALTER TABLE staged_banners DROP COLUMN translations;
ALTER TABLE banners DROP COLUMN translations;
ALTER TABLE staged_videos DROP COLUMN translations;
ALTER TABLE videos DROP COLUMN translations;
ALTER TABLE staged_categories DROP COLUMN translations;
ALTER TABLE categories DROP COLUMN translations;
