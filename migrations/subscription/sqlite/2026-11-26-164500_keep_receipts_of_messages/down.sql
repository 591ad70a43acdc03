DROP INDEX outbox_by_message;
ALTER TABLE outbox DROP COLUMN delivery_at;
ALTER TABLE outbox DROP COLUMN delivery_reason;
ALTER TABLE outbox DROP COLUMN delivery;
ALTER TABLE outbox DROP COLUMN message_key;
