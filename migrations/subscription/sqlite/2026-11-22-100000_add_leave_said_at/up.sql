-- When the person last said that it is to end, also where it had ended already.
ALTER TABLE subscriptions ADD COLUMN leave_said_at TIMESTAMP;
