-- Restores of this database. Until one has a `caught_up_at`, nothing is billed: what the networks did since `since` is not in these tables.
-- `deploy/restore` creates the table where a backup is older than it.
CREATE TABLE IF NOT EXISTS restores (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    since TIMESTAMP NOT NULL,
    marked_at TIMESTAMP NOT NULL,
    caught_up_at TIMESTAMP
);
