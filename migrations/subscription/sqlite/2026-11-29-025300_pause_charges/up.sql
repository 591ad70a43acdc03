-- Which charges staff have paused: those of one network, those of one service, or all (network '' and svc_id 0). A row is one pause. It is never
-- deleted; the resumption fills in its end.
CREATE TABLE charge_pauses (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    reason TEXT NOT NULL,
    made_by TEXT NOT NULL,
    since TIMESTAMP NOT NULL,
    ended_at TIMESTAMP,
    ended_by TEXT NOT NULL,
    end_reason TEXT NOT NULL
);

-- Each claim of charges reads the pauses that last.
CREATE UNIQUE INDEX charge_pauses_that_last ON charge_pauses (network, svc_id) WHERE ended_at IS NULL;
