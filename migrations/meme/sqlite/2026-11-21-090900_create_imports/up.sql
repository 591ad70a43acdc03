CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    service TEXT NOT NULL,
    digest TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);

CREATE INDEX imports_by_digest ON imports (service, digest);
