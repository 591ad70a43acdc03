-- A manifest on its way in: sent in batches, compared, and then taken over in one transaction.

CREATE TABLE open_imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    service TEXT NOT NULL,
    digest TEXT NOT NULL,
    prune BOOLEAN NOT NULL,
    at TIMESTAMP NOT NULL
);

CREATE TABLE staged_artists (
    import_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    slug TEXT NOT NULL,
    artist TEXT NOT NULL,
    description TEXT NOT NULL,
    image TEXT NOT NULL,
    state TEXT NOT NULL,
    publish_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL
);

CREATE INDEX staged_artists_by_slug ON staged_artists (import_id, slug);

CREATE TABLE staged_videos (
    import_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    slug TEXT NOT NULL,
    parent TEXT NOT NULL,
    video_name TEXT NOT NULL,
    media TEXT NOT NULL,
    image TEXT NOT NULL,
    datetime TIMESTAMP NOT NULL,
    duration_s BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    state TEXT NOT NULL,
    publish_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL
);

CREATE INDEX staged_videos_by_slug ON staged_videos (import_id, slug);
