-- What the page showed: the price and period, and its consent text with the SHA-256 of that text.
ALTER TABLE tries ADD COLUMN price_cents BIGINT NOT NULL DEFAULT 300;
ALTER TABLE tries ADD COLUMN period TEXT NOT NULL DEFAULT 'day';
ALTER TABLE tries ADD COLUMN wording TEXT NOT NULL DEFAULT '';
ALTER TABLE tries ADD COLUMN wording_hash TEXT NOT NULL DEFAULT '';
-- The network's own id of the subscription that a confirmed opt-in began.
ALTER TABLE tries ADD COLUMN network_ref TEXT;
-- Tries that were never confirmed are deleted after some months.
CREATE INDEX tries_not_confirmed ON tries (created_at) WHERE status <> 'confirmed';
