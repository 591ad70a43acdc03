-- Who took what off the lists or put it back, when and why: only ever added to.

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
