-- What a join page's challenge and signals may be used for once: digests, until they expire.
CREATE TABLE used_challenges (
    id TEXT PRIMARY KEY NOT NULL,
    expires_at TIMESTAMP NOT NULL
);
CREATE INDEX used_challenges_expired ON used_challenges (expires_at);
-- Joins that did not look like a person's: evidence for disputes with the publisher that brought them. The number is masked.
CREATE TABLE held_joins (
    id TEXT PRIMARY KEY NOT NULL,
    at TIMESTAMP NOT NULL,
    ext_ref TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    rule TEXT NOT NULL,
    masked TEXT NOT NULL
);
CREATE INDEX held_joins_of_publisher ON held_joins (ext_ref, at, id);
CREATE INDEX held_joins_by_time ON held_joins (at);
-- What became of publishers' joins, a row for each: maintenance adds them to the counts below.
CREATE TABLE publisher_events (
    id INTEGER PRIMARY KEY NOT NULL,
    ext_ref TEXT NOT NULL,
    day TEXT NOT NULL,
    event TEXT NOT NULL
);
CREATE INDEX publisher_events_of_publisher ON publisher_events (ext_ref, day);
-- The same, counted by Johannesburg day.
CREATE TABLE publisher_days (
    ext_ref TEXT NOT NULL,
    day TEXT NOT NULL,
    event TEXT NOT NULL,
    joins BIGINT NOT NULL,
    PRIMARY KEY (ext_ref, day, event)
);
CREATE INDEX publisher_days_by_day ON publisher_days (day, ext_ref, event);
-- Publishers all of whose joins are held, and those that staff released.
CREATE TABLE held_publishers (
    ext_ref TEXT PRIMARY KEY NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    made_by TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);
