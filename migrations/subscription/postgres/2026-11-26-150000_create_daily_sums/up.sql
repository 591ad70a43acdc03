-- The sums of each Johannesburg day by brand, network and price, which finance's books read instead of the ledger. The price is that of each
-- row, so that cents are entries times price.
CREATE TABLE daily_sums (
    day TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    network TEXT NOT NULL,
    price_cents BIGINT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    entries BIGINT NOT NULL,
    PRIMARY KEY (day, svc_id, network, price_cents, kind, status)
);

-- What happened before there were sums.
INSERT INTO daily_sums (day, svc_id, network, price_cents, kind, status, entries)
SELECT l.day, s.svc_id, l.network, l.cents, l.kind, l.status, COUNT(*)
FROM ledger l JOIN subscriptions s ON s.id = l.subscription_id
GROUP BY l.day, s.svc_id, l.network, l.cents, l.kind, l.status;
