ALTER TABLE open_sign_ins DROP COLUMN session_id;
ALTER TABLE sessions DROP COLUMN proved_at;
