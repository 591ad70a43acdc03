DROP INDEX restores_restored_to;
ALTER TABLE restores DROP COLUMN restored_to;
