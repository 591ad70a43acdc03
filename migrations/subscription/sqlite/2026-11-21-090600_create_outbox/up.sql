-- What a network must still be told, written in the transaction that made it necessary.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at TIMESTAMP NOT NULL,
    done_at TIMESTAMP
);

CREATE INDEX outbox_due ON outbox (done_at, next_at);
