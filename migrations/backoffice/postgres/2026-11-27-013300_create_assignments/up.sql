-- Who looks after a day that does not agree with a network's list.
CREATE TABLE assignments (
    day TEXT NOT NULL,
    network TEXT NOT NULL,
    staff_id BIGINT NOT NULL,
    at TIMESTAMP NOT NULL,
    PRIMARY KEY (day, network)
);
