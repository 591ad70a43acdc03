-- Whom a notification is about: those about one number are delivered in their order, others side by side.
ALTER TABLE notifications ADD COLUMN msisdn TEXT NOT NULL DEFAULT '';
