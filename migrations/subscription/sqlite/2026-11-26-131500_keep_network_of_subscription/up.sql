-- The network that bills the subscription: the one that confirmed it last. Empty until then, and in rows of earlier releases, which the
-- service fills in by the networks' own subscriptions.
ALTER TABLE subscriptions ADD COLUMN network TEXT NOT NULL DEFAULT '';
CREATE INDEX subscriptions_by_network ON subscriptions (network, id) WHERE state IN ('active', 'suspended');
