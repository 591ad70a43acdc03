CREATE TABLE banners (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    service TEXT NOT NULL,
    slug TEXT NOT NULL,
    title TEXT NOT NULL,
    image TEXT NOT NULL,
    video_id BIGINT REFERENCES videos (id),
    UNIQUE (service, slug)
);
