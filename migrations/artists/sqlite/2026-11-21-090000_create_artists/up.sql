CREATE TABLE artists (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    service TEXT NOT NULL,
    slug TEXT NOT NULL,
    artist TEXT NOT NULL,
    description TEXT NOT NULL,
    image TEXT NOT NULL,
    UNIQUE (service, slug)
);

CREATE INDEX artists_of_service ON artists (service, id);
