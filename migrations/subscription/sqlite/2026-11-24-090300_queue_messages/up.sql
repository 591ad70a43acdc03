-- The number a message is about: SMSes to one number go out in order.
ALTER TABLE outbox ADD COLUMN msisdn TEXT NOT NULL DEFAULT '';
-- 0: urgent, an answer to what a person just did; 1: normal; 2: bulk.
ALTER TABLE outbox ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN created_at TIMESTAMP;
-- When delivery was given up: the network refused the message for good. A person has to look at it.
ALTER TABLE outbox ADD COLUMN dead_at TIMESTAMP;
ALTER TABLE outbox ADD COLUMN last_error TEXT NOT NULL DEFAULT '';
-- The subscription whose state an SMS tells. When that state changes, an SMS that was never sent is no longer true and is deleted.
ALTER TABLE outbox ADD COLUMN state_of BIGINT;
UPDATE outbox SET msisdn = COALESCE(json_extract(body, '$.msisdn'), ''), created_at = COALESCE(done_at, next_at);
-- What is due, by priority; what was postponed lies behind it and is not read.
CREATE INDEX outbox_queue ON outbox (network, kind, priority, next_at, id) WHERE done_at IS NULL AND dead_at IS NULL;
DROP INDEX outbox_lane;
CREATE INDEX outbox_waiting_of_number ON outbox (msisdn, network, kind, id) WHERE done_at IS NULL AND dead_at IS NULL;
CREATE INDEX outbox_of_number ON outbox (msisdn, id);
CREATE INDEX outbox_dead ON outbox (id) WHERE dead_at IS NOT NULL;
-- Delivered messages are deleted after their retention time.
CREATE INDEX outbox_delivered ON outbox (done_at) WHERE done_at IS NOT NULL;
