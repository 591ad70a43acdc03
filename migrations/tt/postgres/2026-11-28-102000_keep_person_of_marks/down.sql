ALTER TABLE watchlist DROP COLUMN person;
ALTER TABLE likes DROP COLUMN person;
