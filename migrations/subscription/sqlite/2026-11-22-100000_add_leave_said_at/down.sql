ALTER TABLE subscriptions DROP COLUMN leave_said_at;
