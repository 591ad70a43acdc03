ALTER TABLE videos ADD COLUMN likes BIGINT NOT NULL DEFAULT 0;

-- The engine counts, so that likes of a program of the last release, and erased ones, count as well.
CREATE FUNCTION count_like() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE videos SET likes = likes + 1 WHERE id = NEW.video_id;
    RETURN NULL;
END
$$;

CREATE FUNCTION uncount_like() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE videos SET likes = likes - 1 WHERE id = OLD.video_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER count_like AFTER INSERT ON likes FOR EACH ROW EXECUTE FUNCTION count_like();

CREATE TRIGGER uncount_like AFTER DELETE ON likes FOR EACH ROW EXECUTE FUNCTION uncount_like();

UPDATE videos SET likes = counted.likes
FROM (SELECT video_id, count(*) AS likes FROM likes GROUP BY video_id) AS counted WHERE counted.video_id = videos.id;

-- The newest and the most liked videos of a service: one walk along an index.
CREATE INDEX videos_by_date ON videos (service, state, datetime, id);
CREATE INDEX videos_by_likes ON videos (service, state, likes, id);
