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

INSERT INTO vat_rates (basis_points, since, staff, at) VALUES (1500, '2018-04-01', '', '2026-11-26 15:00:00');

-- A month as it was when a person closed it: its lines as JSON, and the SHA-256 of that text, which is in the audit log as well.
CREATE TABLE closed_months (
    month TEXT PRIMARY KEY NOT NULL,
    lines TEXT NOT NULL,
    hash TEXT NOT NULL,
    staff TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);

CREATE TRIGGER refuse_closed_month_update BEFORE UPDATE ON closed_months BEGIN
    SELECT RAISE(ABORT, 'a closed month does not change');
END;

CREATE TRIGGER refuse_closed_month_delete BEFORE DELETE ON closed_months BEGIN
    SELECT RAISE(ABORT, 'a closed month does not change');
END;
