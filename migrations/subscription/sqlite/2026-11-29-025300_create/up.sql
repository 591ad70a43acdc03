-- One row per number and service, for life: who leaves and comes back is the same row.
CREATE TABLE subscriptions (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    state TEXT NOT NULL,
    since TIMESTAMP NOT NULL,
    left_at TIMESTAMP,
    -- When the person last said that it is to end, also where it had ended already.
    leave_said_at TIMESTAMP,
    -- What the person consented to, and what is charged: the price in South African cents, VAT included, for each period.
    price_cents BIGINT NOT NULL DEFAULT 300,
    period TEXT NOT NULL DEFAULT 'day',
    -- How often the subscription has ended. A session carries the generation in which it was opened and ends with it.
    generation INTEGER NOT NULL DEFAULT 0,
    -- The day of the month (Johannesburg) on which the monthly reminder is due; in a shorter month its last day.
    reminder_day INTEGER NOT NULL DEFAULT 1,
    -- The language (ISO 639-1) in which the person read what they consented to; SMSes to them are in it.
    language TEXT NOT NULL DEFAULT 'en',
    -- The network that bills the subscription: the one that confirmed it last. Empty until then, and in rows of earlier releases, which the
    -- service fills in by the networks' own subscriptions.
    network TEXT NOT NULL DEFAULT '',
    -- Whether more than a day was ever to be charged at once: then earlier charges decide whether a day is due.
    had_long_period BOOLEAN NOT NULL DEFAULT FALSE,
    -- The highest price that it was ever to be charged at since this was kept; the current price may be higher. It shows which numbers cannot reach
    -- the monthly limit.
    highest_price_cents BIGINT NOT NULL DEFAULT 0,
    -- The first day that may be charged, of a number that had a free day; empty: it had none. It is never emptied: a number has one for each service.
    free_until TEXT NOT NULL DEFAULT '',
    -- The amounts that the subscriber agreed to for a day, the price first, such as 300,200,100; empty: the price alone.
    parts TEXT NOT NULL DEFAULT '',
    -- The newest consent of a subscription, and the consent that allows a charge; null in rows of an earlier release.
    consent_id BIGINT,
    -- A number is a person only for a while. The person, by the day (counted from the year 1) from which on the number was theirs, 0 in rows of
    -- earlier releases; since when it is, where it had another owner; and what former owners have paid, which is not part of this person's total.
    person INTEGER NOT NULL DEFAULT 0,
    person_since TIMESTAMP,
    former_cents BIGINT NOT NULL DEFAULT 0,
    UNIQUE (msisdn, svc_id)
);
CREATE INDEX subscriptions_by_state ON subscriptions (state, since);
CREATE INDEX subscriptions_by_reminder_day ON subscriptions (reminder_day, id) WHERE state IN ('active', 'suspended');
CREATE INDEX subscriptions_by_network ON subscriptions (network, id) WHERE state IN ('active', 'suspended');

-- Every visit to the network's page is a row of its own, with what the person had seen and agreed to.
CREATE TABLE tries (
    id TEXT PRIMARY KEY NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    network TEXT NOT NULL,
    reference TEXT NOT NULL,
    label TEXT NOT NULL,
    browser_hash TEXT NOT NULL,
    ext_ref TEXT NOT NULL,
    page TEXT NOT NULL,
    terms_version TEXT NOT NULL,
    address TEXT NOT NULL,
    agent TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    decided_at TIMESTAMP,
    opened_at TIMESTAMP,
    -- What the page showed: the price and period, and its consent text with the SHA-256 of that text.
    price_cents BIGINT NOT NULL DEFAULT 300,
    period TEXT NOT NULL DEFAULT 'day',
    wording TEXT NOT NULL DEFAULT '',
    wording_hash TEXT NOT NULL DEFAULT '',
    -- The network's own id of the subscription that a confirmed opt-in began.
    network_ref TEXT,
    language TEXT NOT NULL DEFAULT 'en',
    -- What the page showed: the free days that this attempt starts, and the amounts.
    free_days INTEGER NOT NULL DEFAULT 0,
    parts TEXT NOT NULL DEFAULT '',
    -- Whether the number's SIM was swapped lately, as its network told when the attempt began.
    sim_swapped BOOLEAN NOT NULL DEFAULT FALSE,
    -- What the words were that a person read before a consent: "original", or a translation, "checked" or "unchecked" by a speaker at that time. Empty: no words,
    -- or an attempt of before this was kept.
    translation TEXT NOT NULL DEFAULT '',
    -- The page of the brand that the visitor wanted before the network's page; empty: none.
    continue_to TEXT NOT NULL DEFAULT '',
    -- Who showed the price: `page` (ours, which said so with the join), `network`, `sms`; empty: it is not recorded. Attempts of the first release
    -- have no words, and a price that is only the default of a column.
    price_source TEXT NOT NULL DEFAULT ''
);
CREATE INDEX tries_of_subscription ON tries (subscription_id, created_at);
-- Tries that were never confirmed are deleted after some months.
CREATE INDEX tries_not_confirmed ON tries (created_at) WHERE status <> 'confirmed';

-- Append-only: every move of a subscription's state, with its cause and the evidence for it (JSON).
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    at TIMESTAMP NOT NULL,
    from_state TEXT,
    to_state TEXT NOT NULL,
    cause TEXT NOT NULL,
    evidence TEXT NOT NULL
);
CREATE INDEX events_of_subscription ON events (subscription_id, id);
-- A day's events are counted without a read of all.
CREATE INDEX events_by_at ON events (at);

-- The subscriptions that networks keep on their side. One that has ended never begins again, in whatever order its events come.
CREATE TABLE holds (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    network_ref TEXT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    started_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP,
    -- Who ended it: 'network' by its own notification, 'us' by telling the network to stop.
    ended_by TEXT NOT NULL DEFAULT '',
    UNIQUE (subscription_id, network, network_ref)
);
CREATE INDEX holds_by_network_ref ON holds (network_ref);

-- What networks sent, as it came, before anything else was done with it. accepted_key is set on the first believed copy.
CREATE TABLE notifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    webhook_timestamp TEXT NOT NULL,
    webhook_signature TEXT NOT NULL,
    body TEXT NOT NULL,
    received_at TIMESTAMP NOT NULL,
    outcome TEXT NOT NULL,
    accepted_key TEXT UNIQUE
);
CREATE INDEX notifications_by_outcome ON notifications (outcome, received_at);

-- What push networks say they charged, or could not.
CREATE TABLE billing_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    billing_ref TEXT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    notification_id BIGINT NOT NULL REFERENCES notifications (id),
    cents BIGINT NOT NULL,
    result TEXT NOT NULL,
    billed_at TIMESTAMP NOT NULL,
    UNIQUE (network, billing_ref)
);
CREATE INDEX billing_events_of_subscription ON billing_events (subscription_id, billed_at);

-- What a network must still be told, written in the transaction that made it necessary.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at TIMESTAMP NOT NULL,
    done_at TIMESTAMP,
    -- The number a message is about: SMSes to one number go out in order.
    msisdn TEXT NOT NULL DEFAULT '',
    -- 0: urgent, an answer to what a person just did; 1: normal; 2: bulk.
    priority INTEGER NOT NULL DEFAULT 0,
    created_at TIMESTAMP,
    -- When delivery was given up: the network refused the message for good. A person has to look at it.
    dead_at TIMESTAMP,
    last_error TEXT NOT NULL DEFAULT '',
    -- The subscription whose state an SMS tells. When that state changes, an SMS that was never sent is no longer true and is deleted.
    state_of BIGINT,
    -- The key of an SMS, by which its network names it in a delivery receipt, and what the receipt tells.
    message_key TEXT NOT NULL DEFAULT '',
    delivery TEXT NOT NULL DEFAULT '',
    delivery_reason TEXT NOT NULL DEFAULT '',
    delivery_at TIMESTAMP
);
-- What is due, by priority; what was postponed lies behind it and is not read.
CREATE INDEX outbox_queue ON outbox (network, kind, priority, next_at, id) WHERE done_at IS NULL AND dead_at IS NULL;
CREATE INDEX outbox_waiting_of_number ON outbox (msisdn, network, kind, id) WHERE done_at IS NULL AND dead_at IS NULL;
CREATE INDEX outbox_of_number ON outbox (msisdn, id);
CREATE INDEX outbox_dead ON outbox (id) WHERE dead_at IS NOT NULL;
-- Delivered messages are deleted after their retention time.
CREATE INDEX outbox_delivered ON outbox (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX outbox_by_message ON outbox (message_key) WHERE message_key <> '';

-- The day's rounds of charging. One that is not finished is joined, and taken up again after a crash.
CREATE TABLE billing_passes (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    day TEXT NOT NULL,
    number INTEGER NOT NULL,
    started_at TIMESTAMP NOT NULL,
    finished_at TIMESTAMP,
    UNIQUE (day, number)
);

-- One row a day, locked while charges are claimed: replicas take turns, so that the bounds hold over all of them.
CREATE TABLE billing_days (
    day TEXT PRIMARY KEY NOT NULL
);

-- The processes that send charges; the claims of one that is silent are taken over. By the real clock.
CREATE TABLE billing_runners (
    token TEXT PRIMARY KEY NOT NULL,
    alive_until TIMESTAMP NOT NULL
);

-- How many charges went to a network in an hour.
CREATE TABLE charge_hours (
    network TEXT NOT NULL,
    hour TEXT NOT NULL,
    sent BIGINT NOT NULL,
    PRIMARY KEY (network, hour)
);

-- Charges a network made beyond the one that was owed: given back at the network, and never part of the ledger.
CREATE TABLE surplus_charges (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    charge_key TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    day TEXT NOT NULL,
    cents BIGINT NOT NULL,
    found_at TIMESTAMP NOT NULL,
    UNIQUE (network, charge_key)
);
-- A number's account names the charges that a network made twice.
CREATE INDEX surplus_charges_of_number ON surplus_charges (msisdn);

-- The monthly reminders that were sent.
CREATE TABLE reminders (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    at TIMESTAMP NOT NULL,
    -- The calendar month (Johannesburg, YYYY-MM) that a reminder belongs to; empty for those sent before months were kept.
    month TEXT NOT NULL DEFAULT ''
);
CREATE INDEX reminders_of_subscription ON reminders (subscription_id, at);
CREATE UNIQUE INDEX reminders_one_a_month ON reminders (subscription_id, month) WHERE month <> '';

-- The days (Johannesburg) on which all reminders of a network's services were written.
CREATE TABLE reminder_runs (
    network TEXT NOT NULL,
    day TEXT NOT NULL,
    finished_at TIMESTAMP NOT NULL,
    PRIMARY KEY (network, day)
);

-- A network's own list of a day's charges, as it was fetched last.
CREATE TABLE listed_charges (
    network TEXT NOT NULL,
    day TEXT NOT NULL,
    charge_key TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    cents BIGINT NOT NULL,
    at TIMESTAMP,
    -- own; other: of another network at the same address, which lists both; unreadable: only its key could be read.
    status TEXT NOT NULL,
    -- The network's own reference of a listed charge; and for a second debit under one key, that key.
    network_ref TEXT NOT NULL DEFAULT '',
    of_key TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (network, day, charge_key)
);
CREATE INDEX listed_charges_of_number ON listed_charges (network, day, msisdn, svc_id);

-- The comparison of each day with each network: running, repaired, held (a person has to accept it) or failed.
CREATE TABLE reconciliations (
    network TEXT NOT NULL,
    day TEXT NOT NULL,
    state TEXT NOT NULL,
    started_at TIMESTAMP NOT NULL,
    finished_at TIMESTAMP,
    listed BIGINT NOT NULL,
    agreed BIGINT NOT NULL,
    settled BIGINT NOT NULL,
    differences BIGINT NOT NULL,
    cause TEXT NOT NULL,
    -- The process that compares, or compared last, and when it wrote last (by the real clock): one that has been silent is taken over.
    run TEXT NOT NULL DEFAULT '',
    alive_at TIMESTAMP,
    PRIMARY KEY (network, day)
);

-- Restores of this database. Until one has a `caught_up_at`, nothing is billed: what the networks did since `since` is not in these tables.
-- `deploy/restore` creates the table where a backup is older than it.
CREATE TABLE restores (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    since TIMESTAMP NOT NULL,
    marked_at TIMESTAMP NOT NULL,
    caught_up_at TIMESTAMP,
    -- A server that was recovered to a point in time says so by its setting `spaza.restored_to`; a row with this time is its mark.
    restored_to TIMESTAMP
);
CREATE UNIQUE INDEX restores_restored_to ON restores (restored_to);

-- The totals of each Johannesburg day, which the dashboards read instead of the ledger and the events.
CREATE TABLE daily_charges (
    day TEXT NOT NULL,
    network TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    entries BIGINT NOT NULL,
    cents BIGINT NOT NULL,
    PRIMARY KEY (day, network, kind, status)
);

-- from_state is empty for a subscription's first state.
CREATE TABLE daily_moves (
    day TEXT NOT NULL,
    from_state TEXT NOT NULL,
    to_state TEXT NOT NULL,
    cause TEXT NOT NULL,
    moves BIGINT NOT NULL,
    PRIMARY KEY (day, from_state, to_state, cause)
);

-- When a day was counted last.
CREATE TABLE daily_totals (
    day TEXT PRIMARY KEY NOT NULL,
    counted_at TIMESTAMP NOT NULL
);

-- PostgreSQL keeps the ledger and the events by month. Here each stays one table; keys and further tables are the same.
-- A charge's key is made of its day. A refund that was refused and is entered again on a later day is a second row.
CREATE TABLE ledger (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    network TEXT NOT NULL,
    day TEXT NOT NULL,
    kind TEXT NOT NULL,
    cents BIGINT NOT NULL,
    status TEXT NOT NULL,
    -- A refund's is its charge's, after "refund-".
    charge_key TEXT NOT NULL,
    network_ref TEXT,
    -- How often it was sent; how many of the day's passes it failed in; the last pass that took it, -1 where it
    -- is to be charged at once and not in the day's next pass.
    attempts INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    pass BIGINT NOT NULL,
    -- Who is sending it right now, and since when (by the real clock).
    claim TEXT,
    sent_at TIMESTAMP,
    reason TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    -- How often the network was asked about an unknown charge, and when it is asked next (by the real clock).
    asked INTEGER NOT NULL DEFAULT 0,
    ask_at TIMESTAMP,
    -- The charge that a refund gives back, and who made the refund.
    refund_of BIGINT,
    made_by TEXT NOT NULL DEFAULT '',
    -- The first day that a charge for a week or a month does not pay for; empty: it pays for its own day alone.
    paid_until TEXT NOT NULL DEFAULT '',
    -- Whether a request under this charge's key got no answer, so that it may still be under way: then no other amount is tried that day.
    unanswered BOOLEAN NOT NULL DEFAULT FALSE,
    consent_id BIGINT,
    -- What a network has not given back of a refund that was promised: after one in part, or one that it refused. A later refund of the same charge
    -- asks for it, and it is 0 then.
    owed_cents BIGINT NOT NULL DEFAULT 0,
    UNIQUE (network, charge_key, day)
);
CREATE UNIQUE INDEX ledger_one_charge_a_day ON ledger (subscription_id, day) WHERE kind = 'charge';
CREATE INDEX ledger_of_subscription ON ledger (subscription_id);
CREATE INDEX ledger_by_day ON ledger (day, id);
CREATE INDEX ledger_unknown ON ledger (id) WHERE status = 'unknown';
CREATE INDEX ledger_open ON ledger (day) WHERE kind = 'charge' AND status = 'pending' AND claim IS NULL;
CREATE INDEX ledger_to_ask ON ledger (network, ask_at, id) WHERE status = 'unknown';
CREATE INDEX ledger_refund_of ON ledger (refund_of) WHERE refund_of IS NOT NULL;
CREATE INDEX ledger_to_claim ON ledger (day, network, id) WHERE kind = 'charge' AND claim IS NULL AND status IN ('pending', 'failed');
CREATE INDEX ledger_wanted ON ledger (network, day, id) WHERE pass = -1;
CREATE INDEX ledger_claimed ON ledger (sent_at) WHERE claim IS NOT NULL;
-- Refunds that are due, of any age.
CREATE INDEX ledger_refunds_due ON ledger (day) WHERE kind = 'refund' AND status = 'pending';

-- Days between which statements look: no row older than `open_since` is open, and none older than `kept_since` is kept. One row.
CREATE TABLE ledger_bounds (
    id INTEGER PRIMARY KEY NOT NULL,
    open_since TEXT NOT NULL,
    kept_since TEXT NOT NULL
);

-- What subscriptions paid in months that were deleted, less refunds.
CREATE TABLE paid_before (
    subscription_id BIGINT PRIMARY KEY NOT NULL REFERENCES subscriptions (id),
    cents BIGINT NOT NULL
);

-- Numbers that cannot join. A row is deleted when the number is unblocked; the back office's audit log keeps who did what.
CREATE TABLE blocked_numbers (
    msisdn TEXT PRIMARY KEY NOT NULL,
    reason TEXT NOT NULL,
    made_by TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);

-- The sums of each Johannesburg day by brand, network and price, which finance's books read instead of the ledger. The price is that of each
-- row, so that cents are entries times price.
CREATE TABLE daily_sums (
    day TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    network TEXT NOT NULL,
    price_cents BIGINT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    entries BIGINT NOT NULL,
    PRIMARY KEY (day, svc_id, network, price_cents, kind, status)
);

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

-- What was charged and given back in each hour of a Johannesburg day, which staff's overview reads instead of the ledger. Counted with the day's
-- other totals; the hour is that of the outcome, and 23 for an outcome after the day was over.
CREATE TABLE hourly_sums (
    day TEXT NOT NULL,
    hour INTEGER NOT NULL,
    kind TEXT NOT NULL,
    entries BIGINT NOT NULL,
    cents BIGINT NOT NULL,
    PRIMARY KEY (day, hour, kind)
);

-- Browsers that were sent to their network to have it tell the SIM's number, and have not come back. A row counts once, and for minutes. It has no
-- number: the network tells it in the end.
CREATE TABLE number_verifications (
    -- Random; the `state` of the request.
    id TEXT PRIMARY KEY NOT NULL,
    network TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    -- The host label; the browser comes back to the same one.
    label TEXT NOT NULL,
    -- SHA-256 of the browser's cookie.
    browser_hash TEXT NOT NULL,
    ext_ref TEXT NOT NULL,
    page TEXT NOT NULL,
    -- The price on the button.
    price_cents BIGINT NOT NULL,
    period TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    -- The page of the brand that the visitor wanted before the network recognised the SIM; empty: none.
    continue_to TEXT NOT NULL DEFAULT '',
    -- The prices that the page showed before the network recognised the SIM; empty: it has not said.
    shown TEXT NOT NULL DEFAULT ''
);
CREATE INDEX number_verifications_expired ON number_verifications (created_at);

-- What a join page's challenge and signals may be used for once: digests, until they expire.
CREATE TABLE used_challenges (
    id TEXT PRIMARY KEY NOT NULL,
    expires_at TIMESTAMP NOT NULL
);
CREATE INDEX used_challenges_expired ON used_challenges (expires_at);

-- Joins that did not look like a person's: evidence for disputes with the publisher that brought them. The number is masked.
CREATE TABLE held_joins (
    id TEXT PRIMARY KEY NOT NULL,
    at TIMESTAMP NOT NULL,
    ext_ref TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    rule TEXT NOT NULL,
    masked TEXT NOT NULL
);
CREATE INDEX held_joins_of_publisher ON held_joins (ext_ref, at, id);
CREATE INDEX held_joins_by_time ON held_joins (at);

-- What became of publishers' joins, a row for each: maintenance adds them to the counts below.
CREATE TABLE publisher_events (
    id INTEGER PRIMARY KEY NOT NULL,
    ext_ref TEXT NOT NULL,
    day TEXT NOT NULL,
    event TEXT NOT NULL,
    -- Publishers' joins are counted by brand as well: one publisher may be honest on one brand's page and not on another's. 0: counted before there
    -- were brands.
    svc_id INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX publisher_events_of_publisher ON publisher_events (ext_ref, day);

-- Publishers all of whose joins are held, and those that staff released.
CREATE TABLE held_publishers (
    ext_ref TEXT PRIMARY KEY NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    made_by TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);
-- The publishers that are held, among all that staff ever released.
CREATE INDEX held_publishers_by_state ON held_publishers (state, ext_ref);

CREATE TABLE publisher_days (
    ext_ref TEXT NOT NULL,
    day TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    event TEXT NOT NULL,
    joins BIGINT NOT NULL,
    PRIMARY KEY (ext_ref, day, svc_id, event)
);
CREATE INDEX publisher_days_by_day ON publisher_days (day, ext_ref, svc_id, event);

-- Joins and leaves of each Johannesburg day, by the brand, network and price that the subscription has when the day is counted. Finance's
-- charts read them instead of the events.
CREATE TABLE daily_joins (
    day TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    network TEXT NOT NULL,
    price_cents BIGINT NOT NULL,
    joins BIGINT NOT NULL,
    leaves BIGINT NOT NULL,
    PRIMARY KEY (day, svc_id, network, price_cents)
);

-- The subscriptions that ran when they were counted last on that day.
CREATE TABLE daily_running (
    day TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    network TEXT NOT NULL,
    price_cents BIGINT NOT NULL,
    subscriptions BIGINT NOT NULL,
    PRIMARY KEY (day, svc_id, network, price_cents)
);

-- How far the times of a network's notifications are behind their receipt: the newest few, from which every replica measures its clock.
CREATE TABLE network_clocks (
    network TEXT NOT NULL,
    slot INTEGER NOT NULL,
    lag_seconds BIGINT NOT NULL,
    PRIMARY KEY (network, slot)
);

-- What brands.toml said of each network when it was last accepted: its adapter, and how it names subscribers.
CREATE TABLE network_entries (
    network TEXT NOT NULL PRIMARY KEY,
    adapter TEXT NOT NULL,
    named_by TEXT NOT NULL
);

-- Every consent, as it was shown: rows are only added. The words, the page and the answer stand in the attempt; empty: none is kept.
CREATE TABLE consents (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    attempt TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    price_cents BIGINT NOT NULL,
    period TEXT NOT NULL,
    parts TEXT NOT NULL,
    UNIQUE (subscription_id, attempt)
);

-- Which numbers an address has learned of within an hour, both as keyed digests.
CREATE TABLE learned_numbers (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    address TEXT NOT NULL,
    number TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    UNIQUE (address, number)
);
CREATE INDEX learned_numbers_of_number ON learned_numbers (number);
CREATE INDEX learned_numbers_by_time ON learned_numbers (at);

-- Which charges staff have paused: those of one network, those of one service, or all (network '' and svc_id 0). A row is one pause. It is never
-- deleted; the resumption fills in its end.
CREATE TABLE charge_pauses (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    reason TEXT NOT NULL,
    made_by TEXT NOT NULL,
    since TIMESTAMP NOT NULL,
    ended_at TIMESTAMP,
    ended_by TEXT NOT NULL,
    end_reason TEXT NOT NULL
);
-- Each claim of charges reads the pauses that last.
CREATE UNIQUE INDEX charge_pauses_that_last ON charge_pauses (network, svc_id) WHERE ended_at IS NULL;

INSERT INTO ledger_bounds (id, open_since, kept_since) VALUES (1, '', '');
