-- Whose it is, as the session says: a number is a person only for a while. What its former owners marked is not shown.
ALTER TABLE likes ADD COLUMN person INTEGER NOT NULL DEFAULT 0;
ALTER TABLE watchlist ADD COLUMN person INTEGER NOT NULL DEFAULT 0;
