CREATE TABLE categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    service TEXT NOT NULL,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (service, slug)
);
