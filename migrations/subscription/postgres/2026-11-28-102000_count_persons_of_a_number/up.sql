-- A number is a person only for a while. The person, by the day (counted from the year 1) from which on the number was theirs, 0 in rows of
-- earlier releases; since when it is, where it had another owner; and what former owners have paid, which is not part of this person's total.
ALTER TABLE subscriptions ADD COLUMN person INTEGER NOT NULL DEFAULT 0;
ALTER TABLE subscriptions ADD COLUMN person_since TIMESTAMP;
ALTER TABLE subscriptions ADD COLUMN former_cents BIGINT NOT NULL DEFAULT 0;
