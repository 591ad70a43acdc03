DROP TABLE billing_events;
