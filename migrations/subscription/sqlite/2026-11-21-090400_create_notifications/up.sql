-- What networks sent, as it came, before anything else was done with it. accepted_key is set on the first believed copy.
CREATE TABLE notifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    webhook_timestamp TEXT NOT NULL,
    webhook_signature TEXT NOT NULL,
    body TEXT NOT NULL,
    received_at TIMESTAMP NOT NULL,
    outcome TEXT NOT NULL,
    accepted_key TEXT UNIQUE
);

CREATE INDEX notifications_by_outcome ON notifications (outcome, received_at);
