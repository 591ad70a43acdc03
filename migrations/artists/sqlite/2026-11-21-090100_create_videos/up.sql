CREATE TABLE videos (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    artist_id BIGINT NOT NULL REFERENCES artists (id),
    service TEXT NOT NULL,
    slug TEXT NOT NULL,
    video_name TEXT NOT NULL,
    media TEXT NOT NULL,
    image TEXT NOT NULL,
    datetime TIMESTAMP NOT NULL,
    duration_s BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    UNIQUE (service, slug)
);

CREATE INDEX videos_of_artist ON videos (artist_id, id);
