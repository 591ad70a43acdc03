ALTER TABLE subscriptions DROP COLUMN language;
ALTER TABLE tries DROP COLUMN language;
