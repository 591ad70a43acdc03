ALTER TABLE tries DROP COLUMN sim_swapped;
DROP TABLE number_verifications;
