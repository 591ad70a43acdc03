DROP TABLE charges;
DROP TABLE refunds;
DROP TABLE failed_charges;
DROP TABLE notifications;
DROP TABLE messages;
DROP TABLE subscriptions;
DROP TABLE opt_ins;
