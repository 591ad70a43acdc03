-- The monthly reminders that were sent.
CREATE TABLE reminders (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    at TIMESTAMP NOT NULL
);

CREATE INDEX reminders_of_subscription ON reminders (subscription_id, at);
