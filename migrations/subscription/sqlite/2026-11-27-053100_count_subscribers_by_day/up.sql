-- Joins and leaves of each Johannesburg day, by the brand, network and price that the subscription has when the day is counted. Finance's
-- charts read them instead of the events.
CREATE TABLE daily_joins (
    day TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    network TEXT NOT NULL,
    price_cents BIGINT NOT NULL,
    joins BIGINT NOT NULL,
    leaves BIGINT NOT NULL,
    PRIMARY KEY (day, svc_id, network, price_cents)
);

-- The subscriptions that ran when they were counted last on that day.
CREATE TABLE daily_running (
    day TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    network TEXT NOT NULL,
    price_cents BIGINT NOT NULL,
    subscriptions BIGINT NOT NULL,
    PRIMARY KEY (day, svc_id, network, price_cents)
);

-- What happened before they were counted. Johannesburg is two hours ahead of UTC all year.
INSERT INTO daily_joins (day, svc_id, network, price_cents, joins, leaves)
SELECT date(e.at, '+2 hours'), s.svc_id, s.network, s.price_cents,
    COUNT(CASE WHEN e.to_state = 'active' AND COALESCE(e.from_state, '') <> 'suspended' THEN 1 END),
    COUNT(CASE WHEN e.to_state = 'cancelled' AND COALESCE(e.from_state, '') <> 'pending' THEN 1 END)
FROM events e JOIN subscriptions s ON s.id = e.subscription_id
WHERE e.to_state IN ('active', 'cancelled') GROUP BY 1, 2, 3, 4;
