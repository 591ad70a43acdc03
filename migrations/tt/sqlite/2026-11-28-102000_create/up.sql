CREATE TABLE categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    service TEXT NOT NULL,
    slug TEXT NOT NULL,
    category_name TEXT NOT NULL,
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
CREATE INDEX categories_of_service ON categories (service, state, id);
-- Lists of editors, which have every state: each page is one walk along an index.
CREATE INDEX categories_by_service ON categories (service, id);
CREATE INDEX categories_in_order ON categories (service, state, rank, id);
CREATE INDEX categories_by_rank ON categories (service, rank, id);
-- Lists of editors by title: its first hundred letters, without case. An index takes no longer text on PostgreSQL.
CREATE INDEX categories_by_title ON categories (service, lower(substr(category_name, 1, 100)), id);

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
    state TEXT NOT NULL DEFAULT 'listed' CHECK (state IN ('listed', 'unlisted', 'deleted')),
    publish_at TIMESTAMP NOT NULL DEFAULT '1970-01-01 00:00:00',
    expires_at TIMESTAMP NOT NULL DEFAULT '9999-12-31 23:59:59',
    held BOOLEAN NOT NULL DEFAULT FALSE,
    captions TEXT,
    card TEXT GENERATED ALWAYS AS
    ('{"id":' || id || ',"imgurl":' || json_quote(image) || ',"name":' || json_quote(name) || ',"video_name":' || json_quote(video_name) ||
    ',"duration_s":' || duration_s || ',"bytes":' || bytes || '}') VIRTUAL,
    translations TEXT,
    UNIQUE (service, slug)
);
CREATE INDEX videos_of_status ON videos (service, status, state, id);
CREATE INDEX videos_of_category ON videos (category_id, state, id, publish_at, expires_at, card);
CREATE INDEX videos_by_service ON videos (service, id);
CREATE INDEX videos_by_parent ON videos (category_id, id);
CREATE INDEX videos_by_state ON videos (service, state, id);
CREATE INDEX videos_by_title ON videos (service, lower(substr(name, 1, 100)), id);

CREATE TABLE banners (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    service TEXT NOT NULL,
    slug TEXT NOT NULL,
    title TEXT NOT NULL,
    image TEXT NOT NULL,
    video_id BIGINT REFERENCES videos (id),
    state TEXT NOT NULL DEFAULT 'listed' CHECK (state IN ('listed', 'unlisted', 'deleted')),
    publish_at TIMESTAMP NOT NULL DEFAULT '1970-01-01 00:00:00',
    expires_at TIMESTAMP NOT NULL DEFAULT '9999-12-31 23:59:59',
    held BOOLEAN NOT NULL DEFAULT FALSE,
    translations TEXT,
    position BIGINT,
    rank BIGINT GENERATED ALWAYS AS (COALESCE(position, 9223372036854775807)) VIRTUAL,
    UNIQUE (service, slug)
);
CREATE INDEX banners_of_service ON banners (service, state, id);
CREATE INDEX banners_by_service ON banners (service, id);
CREATE INDEX banners_in_order ON banners (service, state, rank, id);
CREATE INDEX banners_by_rank ON banners (service, rank, id);
CREATE INDEX banners_by_title ON banners (service, lower(substr(title, 1, 100)), id);

CREATE TABLE likes (
    msisdn TEXT NOT NULL,
    video_id BIGINT NOT NULL REFERENCES videos (id),
    service TEXT NOT NULL,
    created TIMESTAMP NOT NULL,
    -- Whose it is, as the session says: a number is a person only for a while. What its former owners marked is not shown.
    person INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (msisdn, video_id)
);
CREATE INDEX likes_of_number ON likes (msisdn, service, video_id);

CREATE TABLE watchlist (
    msisdn TEXT NOT NULL,
    video_id BIGINT NOT NULL REFERENCES videos (id),
    service TEXT NOT NULL,
    created TIMESTAMP NOT NULL,
    person INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (msisdn, video_id)
);
CREATE INDEX watchlist_of_number ON watchlist (msisdn, service, created, video_id);

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

CREATE TABLE staged_categories (
    import_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    slug TEXT NOT NULL,
    category_name TEXT NOT NULL,
    state TEXT NOT NULL,
    publish_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL,
    translations TEXT,
    position BIGINT
);
CREATE INDEX staged_categories_by_slug ON staged_categories (import_id, slug);

CREATE TABLE staged_videos (
    import_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    slug TEXT NOT NULL,
    parent TEXT NOT NULL,
    name TEXT NOT NULL,
    video_name TEXT NOT NULL,
    artist TEXT NOT NULL,
    status TEXT NOT NULL,
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

CREATE TABLE staged_banners (
    import_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    slug TEXT NOT NULL,
    title TEXT NOT NULL,
    image TEXT NOT NULL,
    video TEXT,
    state TEXT NOT NULL,
    publish_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL,
    translations TEXT,
    position BIGINT
);
CREATE INDEX staged_banners_by_slug ON staged_banners (import_id, slug);

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

CREATE TRIGGER remove_video_words AFTER DELETE ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
END;

CREATE TRIGGER add_video_words AFTER INSERT ON videos BEGIN
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || NEW.name || ' ' || NEW.artist || ' ' || (SELECT p.category_name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = NEW.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

CREATE TRIGGER set_video_words AFTER UPDATE OF video_name, name, artist, category_id, translations ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
    INSERT INTO videos_words (rowid, words) VALUES (NEW.id, NEW.video_name || ' ' || NEW.name || ' ' || NEW.artist || ' ' || (SELECT p.category_name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = NEW.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

CREATE TRIGGER set_words_of_category AFTER UPDATE OF category_name, translations ON categories WHEN OLD.category_name IS NOT NEW.category_name OR OLD.translations IS NOT NEW.translations BEGIN
    UPDATE videos SET category_id = category_id WHERE category_id = NEW.id;
END;
