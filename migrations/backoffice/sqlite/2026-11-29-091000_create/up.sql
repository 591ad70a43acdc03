-- roles: names separated by commas. totp_step: the newest step whose code was accepted; each is accepted once.
CREATE TABLE staff (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    roles TEXT NOT NULL,
    state TEXT NOT NULL,
    password_hash TEXT,
    totp_secret TEXT,
    totp_step BIGINT NOT NULL,
    last_seen_at TIMESTAMP,
    created_at TIMESTAMP NOT NULL
);

-- Links by which a person sets a password and a second factor. Only the token's hash is kept.
CREATE TABLE invitations (
    token_hash TEXT PRIMARY KEY NOT NULL,
    staff_id BIGINT NOT NULL,
    totp_secret TEXT NOT NULL,
    resets BOOLEAN NOT NULL,
    expires_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP
);
CREATE INDEX invitations_of_staff ON invitations (staff_id);

CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    staff_id BIGINT NOT NULL,
    started_at TIMESTAMP NOT NULL,
    last_seen_at TIMESTAMP NOT NULL,
    address TEXT NOT NULL,
    agent TEXT NOT NULL,
    -- proved_at: when the second factor was last proved; where a release before this one opened the session, started_at.
    proved_at TIMESTAMP
);
CREATE INDEX sessions_of_staff ON sessions (staff_id);

-- Attempts to sign in that did not succeed.
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    email TEXT NOT NULL,
    address TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);
CREATE INDEX attempts_of_email ON attempts (email, at);
CREATE INDEX attempts_of_address ON attempts (address, at);
CREATE INDEX attempts_by_time ON attempts (at);

-- Each row's hash covers the previous row's hash and its own content.
CREATE TABLE audit (
    id BIGINT PRIMARY KEY NOT NULL,
    at TIMESTAMP NOT NULL,
    staff_id BIGINT,
    staff TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL,
    hash TEXT NOT NULL
);
CREATE INDEX audit_of_staff ON audit (staff_id, id);
CREATE INDEX audit_by_action ON audit (action, id);

-- One row: the newest entry. A writer locks it, so that entries are added one at a time.
CREATE TABLE audit_head (
    id BIGINT PRIMARY KEY NOT NULL,
    last_id BIGINT NOT NULL,
    hash TEXT NOT NULL
);

-- Numbers that support looked up. The audit log names them by id, so that it holds no whole number.
CREATE TABLE numbers (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    msisdn TEXT NOT NULL UNIQUE,
    -- When support searched a number last; it is forgotten some years later.
    searched_at TIMESTAMP
);

-- What stands for a number in the calls of one session. Only the token's hash is kept.
CREATE TABLE lookups (
    token_hash TEXT PRIMARY KEY NOT NULL,
    session_id BIGINT NOT NULL,
    number_id BIGINT NOT NULL,
    at TIMESTAMP NOT NULL
);
CREATE INDEX lookups_by_time ON lookups (at);

-- kind: note or complaint.
CREATE TABLE notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    number_id BIGINT NOT NULL,
    staff_id BIGINT NOT NULL,
    staff TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);
CREATE INDEX notes_of_number ON notes (number_id, id);

-- Refunds that support requested. state: made (also where its outcome is not known), waiting for a second person, refused by that person,
-- failed at the subscription service.
CREATE TABLE refunds (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    number_id BIGINT NOT NULL,
    ledger_id BIGINT NOT NULL,
    cents BIGINT NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL,
    staff_id BIGINT NOT NULL,
    staff TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    decided_by TEXT,
    decided_at TIMESTAMP,
    -- choice: the id of the first refund of those that were chosen together; NULL in rows of a release before this one, each of which is a choice of its own.
    choice BIGINT,
    -- Whether it is decided, and the subscription service has not confirmed it yet.
    is_open BOOLEAN NOT NULL DEFAULT FALSE,
    -- The charge's day and brand; empty in rows of a release before this one.
    day TEXT NOT NULL DEFAULT '',
    service TEXT NOT NULL DEFAULT ''
);
CREATE INDEX refunds_of_number ON refunds (number_id, at);
CREATE INDEX refunds_waiting ON refunds (id) WHERE state = 'waiting';
CREATE UNIQUE INDEX refunds_of_charge ON refunds (ledger_id) WHERE state IN ('made', 'waiting');

-- Which part of the net income of a network a party gets by contract: in hundredths of a percent, from a day on. svc_id 0 is every brand of the
-- network without a term of its own. Rows are only added: of two of one day the later one holds.
CREATE TABLE contract_terms (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    party TEXT NOT NULL,
    basis_points BIGINT NOT NULL,
    since TEXT NOT NULL,
    staff TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);

-- The rate of VAT in hundredths of a percent, from a day on.
CREATE TABLE vat_rates (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    basis_points BIGINT NOT NULL,
    since TEXT NOT NULL,
    staff TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);

-- A month as it was when a person closed it: its lines as JSON, and the SHA-256 of that text, which is in the audit log as well.
CREATE TABLE closed_months (
    month TEXT PRIMARY KEY NOT NULL,
    lines TEXT NOT NULL,
    hash TEXT NOT NULL,
    staff TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);

-- Records that are not imported yet. record and base (the record when the draft was begun) are JSON. state: draft, review, publishing (its outcome
-- is not known yet), published, discarded. version counts the saves. reason and returned_by: why a publisher sent it back, and who.
CREATE TABLE drafts (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    catalogue TEXT NOT NULL,
    service TEXT NOT NULL,
    kind TEXT NOT NULL,
    slug TEXT NOT NULL,
    record TEXT NOT NULL,
    base TEXT,
    state TEXT NOT NULL,
    version BIGINT NOT NULL,
    staff_id BIGINT NOT NULL,
    staff TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    reason TEXT NOT NULL,
    returned_by TEXT
);
CREATE UNIQUE INDEX open_draft_of_record ON drafts (catalogue, service, kind, slug) WHERE state IN ('draft', 'review', 'publishing');
CREATE INDEX drafts_open ON drafts (at, id) WHERE state IN ('draft', 'review', 'publishing');

-- Erasures of numbers' data. state: waiting (for a second person), refused (by that person), open (until each service has confirmed), done,
-- impossible (the subscription service refused, for this cause). kept: what stays, as JSON. The row of `numbers` goes with the erasure.
CREATE TABLE erasures (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    number_id BIGINT NOT NULL,
    masked TEXT NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL,
    staff_id BIGINT NOT NULL,
    staff TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    decided_by_id BIGINT,
    decided_by TEXT,
    decided_at TIMESTAMP,
    cause TEXT NOT NULL DEFAULT '',
    kept TEXT NOT NULL DEFAULT '[]',
    finished_at TIMESTAMP
);
CREATE UNIQUE INDEX erasures_unfinished ON erasures (number_id) WHERE state IN ('waiting', 'open');
CREATE INDEX erasures_by_state ON erasures (state, id);
CREATE INDEX erasures_of_number ON erasures (number_id);

-- The services that have confirmed an erasure, and what stays there.
CREATE TABLE erasure_steps (
    erasure_id BIGINT NOT NULL,
    service TEXT NOT NULL,
    kept TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    PRIMARY KEY (erasure_id, service)
);

-- Films that editors upload. folder names the file in UPLOADS_DIR, whose length is the offset, and the finished film's folder. state: uploading, waiting,
-- transcoding, checking, ready, failed. reason: why it failed, or what it waits for. result: the fields of a record, as JSON. modified: the time of the
-- file's last change as the browser names it, by which the same file is known again.
CREATE TABLE uploads (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    staff_id BIGINT NOT NULL,
    staff TEXT NOT NULL,
    service TEXT NOT NULL,
    name TEXT NOT NULL,
    folder TEXT NOT NULL,
    size BIGINT NOT NULL,
    modified TEXT NOT NULL,
    state TEXT NOT NULL,
    percent BIGINT NOT NULL,
    reason TEXT NOT NULL,
    log TEXT NOT NULL,
    result TEXT,
    at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL,
    -- kind: film or picture. result of a picture: its address, size in pixels and bytes, as JSON.
    kind TEXT NOT NULL DEFAULT 'film'
);
CREATE INDEX uploads_of_staff ON uploads (staff_id, id);

-- Whose account of the provider (OpenID Connect) signs in as a member.
CREATE TABLE identities (
    staff_id BIGINT PRIMARY KEY NOT NULL,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    linked_at TIMESTAMP NOT NULL
);
CREATE UNIQUE INDEX identities_by_subject ON identities (issuer, subject);

-- Browsers that are at the provider, by the hash of their cookie. A row with a session links the provider's account to its member; one with an
-- invitation accepts it.
CREATE TABLE provider_visits (
    token_hash TEXT PRIMARY KEY NOT NULL,
    state_hash TEXT NOT NULL,
    nonce TEXT NOT NULL,
    verifier TEXT NOT NULL,
    session_id BIGINT,
    invitation_hash TEXT,
    name TEXT NOT NULL,
    totp_step BIGINT NOT NULL,
    expires_at TIMESTAMP NOT NULL
);
CREATE INDEX provider_visits_by_end ON provider_visits (expires_at);

-- Sign-ins with the first factor, which wait for the second, by the hash of their browser's cookie. challenge: the state of a passkey's, once.
CREATE TABLE open_sign_ins (
    token_hash TEXT PRIMARY KEY NOT NULL,
    staff_id BIGINT NOT NULL,
    first_factor TEXT NOT NULL,
    challenge TEXT,
    expires_at TIMESTAMP NOT NULL,
    -- session_id: the session that is proved again; NULL: a new session is opened.
    session_id BIGINT
);
CREATE INDEX open_sign_ins_of_staff ON open_sign_ins (staff_id);
CREATE INDEX open_sign_ins_by_end ON open_sign_ins (expires_at);

-- credential_id: base64url. credential: what the library keeps of it, with the public key. counter: that of its newest signature.
CREATE TABLE passkeys (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    staff_id BIGINT NOT NULL,
    credential_id TEXT NOT NULL UNIQUE,
    credential TEXT NOT NULL,
    counter BIGINT NOT NULL,
    name TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    last_used_at TIMESTAMP
);
CREATE INDEX passkeys_of_staff ON passkeys (staff_id);

-- Registrations that have begun: the newest of each session.
CREATE TABLE passkey_registrations (
    session_id BIGINT PRIMARY KEY NOT NULL,
    state TEXT NOT NULL,
    expires_at TIMESTAMP NOT NULL
);

-- Who looks after a day that does not agree with a network's list.
CREATE TABLE assignments (
    day TEXT NOT NULL,
    network TEXT NOT NULL,
    staff_id BIGINT NOT NULL,
    at TIMESTAMP NOT NULL,
    PRIMARY KEY (day, network)
);

-- Roles that touch money or numbers, requested by one administrator. granted_at: when another one gave it; until then it waits.
CREATE TABLE role_grants (
    staff_id BIGINT NOT NULL,
    role TEXT NOT NULL,
    requested_by_id BIGINT NOT NULL,
    requested_by TEXT NOT NULL,
    requested_at TIMESTAMP NOT NULL,
    granted_at TIMESTAMP,
    PRIMARY KEY (staff_id, role)
);

CREATE TRIGGER refuse_audit_update BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER refuse_audit_delete BEFORE DELETE ON audit BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER refuse_closed_month_update BEFORE UPDATE ON closed_months BEGIN
    SELECT RAISE(ABORT, 'a closed month does not change');
END;

CREATE TRIGGER refuse_closed_month_delete BEFORE DELETE ON closed_months BEGIN
    SELECT RAISE(ABORT, 'a closed month does not change');
END;

INSERT INTO audit_head (id, last_id, hash) VALUES (1, 0, '');

INSERT INTO vat_rates (basis_points, since, staff, at) VALUES (1500, '2018-04-01', '', '2026-11-26 15:00:00');
