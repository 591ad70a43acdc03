CREATE TABLE videos (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    category_id BIGINT NOT NULL REFERENCES categories (id),
    service TEXT NOT NULL,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    video_name TEXT NOT NULL,
    artist TEXT NOT NULL,
    status TEXT NOT NULL,
    media TEXT NOT NULL,
    image TEXT NOT NULL,
    datetime TIMESTAMP NOT NULL,
    duration_s BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    UNIQUE (service, slug)
);

CREATE INDEX videos_of_category ON videos (category_id, id);
CREATE INDEX videos_of_status ON videos (service, status, id);
