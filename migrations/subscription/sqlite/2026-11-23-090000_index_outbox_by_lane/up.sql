-- The courier asks for what waits of one kind for one network, and never for what was delivered.
CREATE INDEX outbox_lane ON outbox (network, kind, next_at, id) WHERE done_at IS NULL;
DROP INDEX outbox_due;
