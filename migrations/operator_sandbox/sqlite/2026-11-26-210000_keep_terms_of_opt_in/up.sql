-- The day of the first charge where the days before it are free, and the amounts of part charges, such as 300,200,100.
ALTER TABLE opt_ins ADD COLUMN first_charge TEXT NOT NULL DEFAULT '';
ALTER TABLE opt_ins ADD COLUMN parts TEXT NOT NULL DEFAULT '';
