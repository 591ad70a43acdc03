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
    agent TEXT NOT NULL
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
