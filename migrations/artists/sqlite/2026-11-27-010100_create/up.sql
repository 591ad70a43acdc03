CREATE TABLE artists (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    service TEXT NOT NULL,
    slug TEXT NOT NULL,
    artist TEXT NOT NULL,
    description TEXT NOT NULL,
    image TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'listed' CHECK (state IN ('listed', 'unlisted', 'deleted')),
    publish_at TIMESTAMP NOT NULL DEFAULT '1970-01-01 00:00:00',
    expires_at TIMESTAMP NOT NULL DEFAULT '9999-12-31 23:59:59',
    held BOOLEAN NOT NULL DEFAULT FALSE,
    translations TEXT,
    -- The order that editors give to the records of a list. Null: behind all that have a position, in the order of ids, as before.
    position BIGINT,
    -- What lists are sorted by: the engine makes it of the position. Visitors' lists have one state, those of editors have every state.
    rank BIGINT GENERATED ALWAYS AS (COALESCE(position, 9223372036854775807)) VIRTUAL,
    UNIQUE (service, slug)
);
CREATE INDEX artists_of_service ON artists (service, state, id);
-- Lists of editors, which have every state: each page is one walk along an index.
CREATE INDEX artists_by_service ON artists (service, id);
CREATE INDEX artists_in_order ON artists (service, state, rank, id);
CREATE INDEX artists_by_rank ON artists (service, rank, id);
-- Lists of editors by title: its first hundred letters, without case. An index takes no longer text on PostgreSQL.
CREATE INDEX artists_by_title ON artists (service, lower(substr(artist, 1, 100)), id);

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
    state TEXT NOT NULL DEFAULT 'listed' CHECK (state IN ('listed', 'unlisted', 'deleted')),
    publish_at TIMESTAMP NOT NULL DEFAULT '1970-01-01 00:00:00',
    expires_at TIMESTAMP NOT NULL DEFAULT '9999-12-31 23:59:59',
    held BOOLEAN NOT NULL DEFAULT FALSE,
    captions TEXT,
    translations TEXT,
    UNIQUE (service, slug)
);
CREATE INDEX videos_of_artist ON videos (artist_id, state, id);
CREATE INDEX videos_by_service ON videos (service, id);
CREATE INDEX videos_by_parent ON videos (artist_id, id);
CREATE INDEX videos_by_state ON videos (service, state, id);
CREATE INDEX videos_by_title ON videos (service, lower(substr(video_name, 1, 100)), id);

CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    service TEXT NOT NULL,
    digest TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);
CREATE INDEX imports_by_digest ON imports (service, digest);

CREATE TABLE open_imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    service TEXT NOT NULL,
    digest TEXT NOT NULL,
    prune BOOLEAN NOT NULL,
    at TIMESTAMP NOT NULL,
    file TEXT,
    sha256 TEXT,
    who TEXT,
    records BIGINT
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
    expires_at TIMESTAMP NOT NULL,
    translations TEXT,
    position BIGINT
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
    expires_at TIMESTAMP NOT NULL,
    captions TEXT,
    translations TEXT
);
CREATE INDEX staged_videos_by_slug ON staged_videos (import_id, slug);

CREATE TABLE take_downs (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    at TIMESTAMP NOT NULL,
    who TEXT NOT NULL,
    service TEXT NOT NULL,
    kind TEXT NOT NULL,
    record_id BIGINT NOT NULL,
    slug TEXT NOT NULL,
    from_state TEXT NOT NULL,
    to_state TEXT NOT NULL,
    reason TEXT NOT NULL
);
CREATE INDEX take_downs_of_service ON take_downs (service, id);

CREATE VIRTUAL TABLE artists_words USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);

-- Every word once: what a word with a wrong letter is compared with.
CREATE VIRTUAL TABLE artists_vocabulary USING fts5vocab (artists_words, row);

CREATE VIRTUAL TABLE videos_words USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);

-- Every word once: what a word with a wrong letter is compared with.
CREATE VIRTUAL TABLE videos_vocabulary USING fts5vocab (videos_words, row);

CREATE TABLE changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    at TIMESTAMP NOT NULL,
    who TEXT NOT NULL,
    service TEXT NOT NULL,
    kind TEXT NOT NULL,
    record_id BIGINT NOT NULL,
    action TEXT NOT NULL,
    before TEXT
);
CREATE INDEX changes_of_record ON changes (record_id, kind, id);

CREATE TRIGGER remove_artist_words AFTER DELETE ON artists BEGIN
    DELETE FROM artists_words WHERE rowid = OLD.id;
END;

CREATE TRIGGER remove_video_words AFTER DELETE ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
END;

CREATE TRIGGER set_words_of_artist AFTER UPDATE OF artist ON artists WHEN OLD.artist IS NOT NEW.artist BEGIN
    UPDATE videos SET artist_id = artist_id WHERE artist_id = NEW.id;
END;

CREATE TRIGGER add_artist_words AFTER INSERT ON artists BEGIN
    INSERT INTO artists_words (rowid, words) VALUES (NEW.id, NEW.artist || ' ' || NEW.description || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

CREATE TRIGGER set_artist_words AFTER UPDATE OF artist, description, translations ON artists BEGIN
    DELETE FROM artists_words WHERE rowid = OLD.id;
    INSERT INTO artists_words (rowid, words) VALUES (NEW.id, NEW.artist || ' ' || NEW.description || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

CREATE TRIGGER add_video_words AFTER INSERT ON videos BEGIN
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || (SELECT p.artist FROM artists p WHERE p.id = NEW.artist_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

CREATE TRIGGER set_video_words AFTER UPDATE OF video_name, artist_id, translations ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || (SELECT p.artist FROM artists p WHERE p.id = NEW.artist_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;
