-- choice: the id of the first refund of those that were chosen together; NULL in rows of a release before this one, each of which is a choice of its own.
ALTER TABLE refunds ADD COLUMN choice BIGINT;
-- Whether it is decided, and the subscription service has not confirmed it yet.
ALTER TABLE refunds ADD COLUMN is_open BOOLEAN NOT NULL DEFAULT FALSE;
-- The charge's day and brand; empty in rows of a release before this one.
ALTER TABLE refunds ADD COLUMN day TEXT NOT NULL DEFAULT '';
ALTER TABLE refunds ADD COLUMN service TEXT NOT NULL DEFAULT '';
