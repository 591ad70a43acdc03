-- Records that are not imported yet. record and base (the record when the draft was begun) are JSON. state: draft, review, publishing (its outcome
-- is not known yet), published, discarded. version counts the saves. reason and returned_by: why a publisher sent it back, and who.
CREATE TABLE drafts (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    catalogue TEXT NOT NULL,
    service TEXT NOT NULL,
    kind TEXT NOT NULL,
    slug TEXT NOT NULL,
    record TEXT NOT NULL,
    base TEXT,
    state TEXT NOT NULL,
    version BIGINT NOT NULL,
    staff_id BIGINT NOT NULL,
    staff TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    reason TEXT NOT NULL,
    returned_by TEXT
);

CREATE UNIQUE INDEX open_draft_of_record ON drafts (catalogue, service, kind, slug) WHERE state IN ('draft', 'review', 'publishing');
CREATE INDEX drafts_open ON drafts (at, id) WHERE state IN ('draft', 'review', 'publishing');
