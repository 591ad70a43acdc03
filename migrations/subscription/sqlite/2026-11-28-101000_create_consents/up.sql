-- Every consent, as it was shown: rows are only added. The words, the page and the answer stand in the attempt; empty: none is kept.
CREATE TABLE consents (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    attempt TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    price_cents BIGINT NOT NULL,
    period TEXT NOT NULL,
    parts TEXT NOT NULL,
    UNIQUE (subscription_id, attempt)
);
-- The newest consent of a subscription, and the consent that allows a charge; null in rows of an earlier release.
ALTER TABLE subscriptions ADD COLUMN consent_id BIGINT;
ALTER TABLE ledger ADD COLUMN consent_id BIGINT;
-- What runs is charged by the consent that it has.
INSERT INTO consents (subscription_id, attempt, at, price_cents, period, parts)
SELECT id, COALESCE((
    SELECT tries.id FROM tries
    WHERE tries.subscription_id = subscriptions.id AND tries.kind IN ('opt_in', 'at_network') AND tries.status = 'confirmed'
    ORDER BY tries.created_at DESC LIMIT 1
), ''), since, price_cents, period, parts FROM subscriptions WHERE state IN ('active', 'suspended');
UPDATE subscriptions SET consent_id = (SELECT consents.id FROM consents WHERE consents.subscription_id = subscriptions.id)
WHERE state IN ('active', 'suspended');
