-- Append-only: every move of a subscription's state, with its cause and the evidence for it (JSON).
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    at TIMESTAMP NOT NULL,
    from_state TEXT,
    to_state TEXT NOT NULL,
    cause TEXT NOT NULL,
    evidence TEXT NOT NULL
);

CREATE INDEX events_of_subscription ON events (subscription_id, id);
