-- What we still owe the other side's notify address, and what we have delivered.
CREATE TABLE notifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    webhook_id TEXT NOT NULL UNIQUE,
    network TEXT NOT NULL,
    body TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at TIMESTAMP NOT NULL,
    delivered_at TIMESTAMP
);

CREATE INDEX notifications_due ON notifications (delivered_at, next_at);
