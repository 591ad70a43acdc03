CREATE TABLE opt_ins (
    reference TEXT PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    service TEXT NOT NULL,
    price_cents BIGINT NOT NULL,
    ext_ref TEXT NOT NULL,
    partner_ref TEXT,
    return_url TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    decided_at TIMESTAMP,
    subscription_id BIGINT,
    -- The network that was called; empty in rows from before. Networks know nothing of each other: each has charges and subscriptions of its own.
    network TEXT NOT NULL DEFAULT '',
    -- How often the price on the page is charged: day, week or month.
    period TEXT NOT NULL DEFAULT 'day',
    -- The day of the first charge where the days before it are free, and the amounts of part charges, such as 300,200,100.
    first_charge TEXT NOT NULL DEFAULT '',
    parts TEXT NOT NULL DEFAULT '',
    -- The token of the network's protection against fraud, as the other side passed it on.
    anti_fraud_token TEXT NOT NULL DEFAULT ''
);

-- The network's own subscriptions; one per opt-in that was confirmed while none ran.
CREATE TABLE subscriptions (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    ext_ref TEXT NOT NULL,
    partner_ref TEXT,
    started_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP,
    last_billed_at TIMESTAMP
);
CREATE INDEX subscriptions_of_number ON subscriptions (msisdn, svc_id);
CREATE UNIQUE INDEX subscriptions_one_running ON subscriptions (msisdn, svc_id, network) WHERE ended_at IS NULL;

-- SMSes: to a number (inbox), or from it.
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    message_key TEXT NOT NULL UNIQUE,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    text TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    -- How long an SMS was worth delivering, in seconds.
    valid_seconds BIGINT NOT NULL DEFAULT 86400
);
CREATE INDEX messages_of_number ON messages (msisdn, id);

-- What we still owe the other side's notify address, and what we have delivered.
CREATE TABLE notifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    webhook_id TEXT NOT NULL UNIQUE,
    network TEXT NOT NULL,
    body TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at TIMESTAMP NOT NULL,
    delivered_at TIMESTAMP,
    -- Whom a notification is about: those about one number are delivered in their order, others side by side.
    msisdn TEXT NOT NULL DEFAULT ''
);
CREATE INDEX notifications_due ON notifications (delivered_at, next_at);

-- Charges that were tried and not made, by how the last try ended.
CREATE TABLE failed_charges (
    charge_key TEXT PRIMARY KEY NOT NULL,
    outcome TEXT NOT NULL,
    tries INTEGER NOT NULL,
    at TIMESTAMP NOT NULL
);

-- What was given back of charges; the day is the charge's.
CREATE TABLE refunds (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    refund_key TEXT NOT NULL UNIQUE,
    charge_key TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    cents BIGINT NOT NULL,
    reason TEXT NOT NULL,
    day TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);
CREATE INDEX refunds_of_charge ON refunds (charge_key);
CREATE INDEX refunds_of_day ON refunds (day, id);

CREATE TABLE charges (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    charge_key TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    cents BIGINT NOT NULL,
    day TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    network TEXT NOT NULL DEFAULT ''
);
CREATE INDEX charges_of_day ON charges (day, id);
CREATE UNIQUE INDEX charges_by_key_and_network ON charges (charge_key, network);
