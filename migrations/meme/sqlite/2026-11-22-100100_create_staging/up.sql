-- A manifest on its way in: sent in batches, compared, and then taken over in one transaction.

CREATE TABLE open_imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    service TEXT NOT NULL,
    digest TEXT NOT NULL,
    prune BOOLEAN NOT NULL,
    at TIMESTAMP NOT NULL
);

CREATE TABLE staged_categories (
    import_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    publish_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL
);

CREATE INDEX staged_categories_by_slug ON staged_categories (import_id, slug);

CREATE TABLE staged_memes (
    import_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    slug TEXT NOT NULL,
    parent TEXT NOT NULL,
    title TEXT NOT NULL,
    image TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    state TEXT NOT NULL,
    publish_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL
);

CREATE INDEX staged_memes_by_slug ON staged_memes (import_id, slug);
