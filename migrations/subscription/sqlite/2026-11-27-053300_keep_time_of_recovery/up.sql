-- A server that was recovered to a point in time says so by its setting `spaza.restored_to`; a row with this time is its mark.
ALTER TABLE restores ADD COLUMN restored_to TIMESTAMP;
CREATE UNIQUE INDEX restores_restored_to ON restores (restored_to);
