-- The subscriptions that networks keep on their side. One that has ended never begins again, in whatever order its events come.
CREATE TABLE holds (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    network_ref TEXT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    started_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP,
    -- Not the network's id alone: a network may number each service's subscriptions from 1.
    UNIQUE (subscription_id, network, network_ref)
);

CREATE INDEX holds_by_network_ref ON holds (network_ref);
