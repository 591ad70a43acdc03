-- SMSes: to a number (inbox), or from it.
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    message_key TEXT NOT NULL UNIQUE,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    text TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);

CREATE INDEX messages_of_number ON messages (msisdn, id);
