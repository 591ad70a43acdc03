-- Numbers that cannot join. A row is deleted when the number is unblocked; the back office's audit log keeps who did what.
CREATE TABLE blocked_numbers (
    msisdn TEXT PRIMARY KEY NOT NULL,
    reason TEXT NOT NULL,
    made_by TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);

-- A number's account names the charges that a network made twice.
CREATE INDEX surplus_charges_of_number ON surplus_charges (msisdn);
