-- The key of an SMS, by which its network names it in a delivery receipt, and what the receipt tells.
ALTER TABLE outbox ADD COLUMN message_key TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN delivery TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN delivery_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN delivery_at TIMESTAMP;
CREATE INDEX outbox_by_message ON outbox (message_key) WHERE message_key <> '';
