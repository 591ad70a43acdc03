-- Which numbers an address has learned of within an hour, both as keyed digests.
CREATE TABLE learned_numbers (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    address TEXT NOT NULL,
    number TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    UNIQUE (address, number)
);
CREATE INDEX learned_numbers_of_number ON learned_numbers (number);
CREATE INDEX learned_numbers_by_time ON learned_numbers (at);
