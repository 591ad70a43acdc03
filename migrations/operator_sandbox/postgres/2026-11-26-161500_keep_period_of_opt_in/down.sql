ALTER TABLE opt_ins DROP COLUMN period;
