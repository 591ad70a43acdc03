CREATE TABLE memes (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    category_id BIGINT NOT NULL REFERENCES categories (id),
    service TEXT NOT NULL,
    slug TEXT NOT NULL,
    title TEXT NOT NULL,
    -- The specification shows no other.
    image TEXT NOT NULL CHECK (image LIKE 'https://%'),
    created_at TIMESTAMP NOT NULL,
    likes BIGINT NOT NULL DEFAULT 0,
    UNIQUE (service, slug)
);

CREATE INDEX memes_of_category ON memes (category_id, id);
