CREATE TABLE likes (
    msisdn TEXT NOT NULL,
    meme_id BIGINT NOT NULL REFERENCES memes (id),
    created TIMESTAMP NOT NULL,
    PRIMARY KEY (msisdn, meme_id)
);
