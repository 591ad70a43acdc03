-- Each row's hash covers the previous row's hash and its own content.
CREATE TABLE audit (
    id BIGINT PRIMARY KEY NOT NULL,
    at TIMESTAMP NOT NULL,
    staff_id BIGINT,
    staff TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL,
    hash TEXT NOT NULL
);

CREATE INDEX audit_of_staff ON audit (staff_id, id);
CREATE INDEX audit_by_action ON audit (action, id);

-- One row: the newest entry. A writer locks it, so that entries are added one at a time.
CREATE TABLE audit_head (
    id BIGINT PRIMARY KEY NOT NULL,
    last_id BIGINT NOT NULL,
    hash TEXT NOT NULL
);

INSERT INTO audit_head (id, last_id, hash) VALUES (1, 0, '');

CREATE TRIGGER refuse_audit_update BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER refuse_audit_delete BEFORE DELETE ON audit BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
