-- How often the network was asked about an unknown charge, and when it is asked next (by the real clock).
ALTER TABLE ledger ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ledger ADD COLUMN ask_at TIMESTAMP;
-- The charge that a refund gives back, and who made the refund.
ALTER TABLE ledger ADD COLUMN refund_of BIGINT;
ALTER TABLE ledger ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
CREATE INDEX ledger_to_ask ON ledger (network, ask_at, id) WHERE status = 'unknown';
CREATE INDEX ledger_refund_of ON ledger (refund_of) WHERE refund_of IS NOT NULL;
UPDATE ledger SET refund_of = (
    SELECT charge.id FROM ledger AS charge
    WHERE charge.network = ledger.network AND charge.charge_key = substr(ledger.charge_key, 8)
) WHERE kind = 'refund';
