-- What imports did to each record, by whom, and the record as it was before, as JSON: only ever added to.

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

-- Lists of editors, which have every state: each page is one walk along an index.
CREATE INDEX artists_by_service ON artists (service, id);
CREATE INDEX videos_by_service ON videos (service, id);
CREATE INDEX videos_by_parent ON videos (artist_id, id);
CREATE INDEX videos_by_state ON videos (service, state, id);
