CREATE TABLE categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    service TEXT NOT NULL,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
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
CREATE INDEX categories_by_title ON categories (service, lower(substr(name, 1, 100)), id);

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
    state TEXT NOT NULL DEFAULT 'listed' CHECK (state IN ('listed', 'unlisted', 'deleted')),
    publish_at TIMESTAMP NOT NULL DEFAULT '1970-01-01 00:00:00',
    expires_at TIMESTAMP NOT NULL DEFAULT '9999-12-31 23:59:59',
    held BOOLEAN NOT NULL DEFAULT FALSE,
    translations TEXT,
    UNIQUE (service, slug)
);
CREATE INDEX memes_of_category ON memes (category_id, state, id);
CREATE INDEX memes_of_service ON memes (service, state, id);
CREATE INDEX memes_by_service ON memes (service, id);
CREATE INDEX memes_by_parent ON memes (category_id, id);
CREATE INDEX memes_by_title ON memes (service, lower(substr(title, 1, 100)), id);

CREATE TABLE likes (
    msisdn TEXT NOT NULL,
    meme_id BIGINT NOT NULL REFERENCES memes (id),
    created TIMESTAMP NOT NULL,
    -- Whose it is, as the session says: a number is a person only for a while. What its former owners marked is not shown.
    person INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (msisdn, meme_id)
);

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
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    publish_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL,
    translations TEXT,
    position BIGINT
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
    expires_at TIMESTAMP NOT NULL,
    translations TEXT
);
CREATE INDEX staged_memes_by_slug ON staged_memes (import_id, slug);

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

CREATE VIRTUAL TABLE memes_words USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);

-- Every word once: what a word with a wrong letter is compared with.
CREATE VIRTUAL TABLE memes_vocabulary USING fts5vocab (memes_words, row);

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

CREATE TRIGGER remove_meme_words AFTER DELETE ON memes BEGIN
    DELETE FROM memes_words WHERE rowid = OLD.id;
END;

CREATE TRIGGER add_meme_words AFTER INSERT ON memes BEGIN
    INSERT INTO memes_words (rowid, words) VALUES (NEW.id, NEW.title || ' ' || (SELECT p.name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = NEW.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

CREATE TRIGGER set_meme_words AFTER UPDATE OF title, category_id, translations ON memes BEGIN
    DELETE FROM memes_words WHERE rowid = OLD.id;
    INSERT INTO memes_words (rowid, words) VALUES (NEW.id, NEW.title || ' ' || (SELECT p.name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = NEW.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(NEW.translations)), ''));
END;

CREATE TRIGGER set_words_of_category AFTER UPDATE OF name, translations ON categories WHEN OLD.name IS NOT NEW.name OR OLD.translations IS NOT NEW.translations BEGIN
    UPDATE memes SET category_id = category_id WHERE category_id = NEW.id;
END;
