ALTER TABLE subscriptions DROP COLUMN former_cents;
ALTER TABLE subscriptions DROP COLUMN person_since;
ALTER TABLE subscriptions DROP COLUMN person;
