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
    expires_at TIMESTAMP NOT NULL
);

CREATE INDEX open_sign_ins_of_staff ON open_sign_ins (staff_id);
CREATE INDEX open_sign_ins_by_end ON open_sign_ins (expires_at);
