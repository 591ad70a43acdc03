DROP INDEX subscriptions_by_network;
ALTER TABLE subscriptions DROP COLUMN network;
