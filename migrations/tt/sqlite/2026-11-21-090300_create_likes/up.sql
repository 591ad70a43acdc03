CREATE TABLE likes (
    msisdn TEXT NOT NULL,
    video_id BIGINT NOT NULL REFERENCES videos (id),
    service TEXT NOT NULL,
    created TIMESTAMP NOT NULL,
    PRIMARY KEY (msisdn, video_id)
);
