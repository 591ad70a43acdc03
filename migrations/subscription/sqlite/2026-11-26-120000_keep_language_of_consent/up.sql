-- The language (ISO 639-1) in which the person read what they consented to; SMSes to them are in it.
ALTER TABLE subscriptions ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
ALTER TABLE tries ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
