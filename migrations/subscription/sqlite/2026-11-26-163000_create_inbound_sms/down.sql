DROP TABLE inbound_sms;
