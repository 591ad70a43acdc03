ALTER TABLE opt_ins DROP COLUMN parts;
ALTER TABLE opt_ins DROP COLUMN first_charge;
