-- proved_at: when the second factor was last proved; where a release before this one opened the session, started_at.
ALTER TABLE sessions ADD COLUMN proved_at TIMESTAMP;
-- session_id: the session that is proved again; NULL: a new session is opened.
ALTER TABLE open_sign_ins ADD COLUMN session_id BIGINT;
