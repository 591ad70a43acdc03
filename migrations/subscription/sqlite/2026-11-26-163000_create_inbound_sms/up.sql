-- SMSes that persons sent to our short codes, as their networks passed them on: what they asked for, and evidence of a consent by SMS.
CREATE TABLE inbound_sms (
    id INTEGER PRIMARY KEY NOT NULL,
    network TEXT NOT NULL,
    -- The network's own id of the SMS; empty where it has none.
    network_ref TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    sent_to TEXT NOT NULL,
    text TEXT NOT NULL,
    keyword TEXT NOT NULL,
    language TEXT NOT NULL,
    -- Replies per number and day are limited.
    replied BOOLEAN NOT NULL,
    sent_at TIMESTAMP NOT NULL,
    received_at TIMESTAMP NOT NULL,
    kept_until TIMESTAMP NOT NULL
);
CREATE UNIQUE INDEX inbound_sms_known ON inbound_sms (network, network_ref, msisdn, keyword) WHERE network_ref <> '';
CREATE INDEX inbound_sms_of_number ON inbound_sms (msisdn, id);
CREATE INDEX inbound_sms_expired ON inbound_sms (kept_until);
