ALTER TABLE tries DROP COLUMN continue_to;
