-- What a network has not given back of a refund that was promised: after one in part, or one that it refused. A later refund of the same charge
-- asks for it, and it is 0 then.
ALTER TABLE ledger ADD COLUMN owed_cents BIGINT NOT NULL DEFAULT 0;
