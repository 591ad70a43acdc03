-- Films that editors upload. folder names the file in UPLOADS_DIR, whose length is the offset, and the finished film's folder. state: uploading, waiting,
-- transcoding, checking, ready, failed. reason: why it failed, or what it waits for. result: the fields of a record, as JSON. modified: the time of the
-- file's last change as the browser names it, by which the same file is known again.
CREATE TABLE uploads (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    staff_id BIGINT NOT NULL,
    staff TEXT NOT NULL,
    service TEXT NOT NULL,
    name TEXT NOT NULL,
    folder TEXT NOT NULL,
    size BIGINT NOT NULL,
    modified TEXT NOT NULL,
    state TEXT NOT NULL,
    percent BIGINT NOT NULL,
    reason TEXT NOT NULL,
    log TEXT NOT NULL,
    result TEXT,
    at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL
);

CREATE INDEX uploads_of_staff ON uploads (staff_id, id);
