CREATE INDEX outbox_due ON outbox (done_at, next_at);
DROP INDEX outbox_lane;
