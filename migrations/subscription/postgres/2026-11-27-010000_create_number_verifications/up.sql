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
    created_at TIMESTAMP NOT NULL
);
CREATE INDEX number_verifications_expired ON number_verifications (created_at);
-- Whether the number's SIM was swapped lately, as its network told when the attempt began.
ALTER TABLE tries ADD COLUMN sim_swapped BOOLEAN NOT NULL DEFAULT FALSE;
