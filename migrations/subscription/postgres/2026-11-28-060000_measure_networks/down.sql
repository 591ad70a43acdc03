ALTER TABLE listed_charges DROP COLUMN of_key;
ALTER TABLE listed_charges DROP COLUMN network_ref;
DROP TABLE network_entries;
DROP TABLE network_clocks;
