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
