ALTER TABLE videos ADD COLUMN likes BIGINT NOT NULL DEFAULT 0;

-- The engine counts, so that likes of a program of the last release, and erased ones, count as well.
CREATE TRIGGER count_like AFTER INSERT ON likes BEGIN
    UPDATE videos SET likes = likes + 1 WHERE id = NEW.video_id;
END;

CREATE TRIGGER uncount_like AFTER DELETE ON likes BEGIN
    UPDATE videos SET likes = likes - 1 WHERE id = OLD.video_id;
END;

UPDATE videos SET likes = counted.likes
FROM (SELECT video_id, count(*) AS likes FROM likes GROUP BY video_id) AS counted WHERE counted.video_id = videos.id;

-- The newest and the most liked videos of a service: one walk along an index.
CREATE INDEX videos_by_date ON videos (service, state, datetime, id);
CREATE INDEX videos_by_likes ON videos (service, state, likes, id);
