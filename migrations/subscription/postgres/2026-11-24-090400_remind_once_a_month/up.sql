-- The calendar month (Johannesburg, YYYY-MM) that a reminder belongs to; empty for those sent before months were kept.
ALTER TABLE reminders ADD COLUMN month TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX reminders_one_a_month ON reminders (subscription_id, month) WHERE month <> '';
CREATE INDEX subscriptions_by_reminder_day ON subscriptions (reminder_day, id) WHERE state IN ('active', 'suspended');
-- The days (Johannesburg) on which all reminders of a network's services were written.
CREATE TABLE reminder_runs (
    network TEXT NOT NULL,
    day TEXT NOT NULL,
    finished_at TIMESTAMP NOT NULL,
    PRIMARY KEY (network, day)
);
