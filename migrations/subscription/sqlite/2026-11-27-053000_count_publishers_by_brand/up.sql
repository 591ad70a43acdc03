-- Publishers' joins are counted by brand as well: one publisher may be honest on one brand's page and not on another's. 0: counted before there
-- were brands.
ALTER TABLE publisher_events ADD COLUMN svc_id INTEGER NOT NULL DEFAULT 0;
CREATE TABLE publisher_days_before AS SELECT ext_ref, day, event, joins FROM publisher_days;
DROP TABLE publisher_days;
CREATE TABLE publisher_days (
    ext_ref TEXT NOT NULL,
    day TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    event TEXT NOT NULL,
    joins BIGINT NOT NULL,
    PRIMARY KEY (ext_ref, day, svc_id, event)
);
INSERT INTO publisher_days (ext_ref, day, svc_id, event, joins) SELECT ext_ref, day, 0, event, joins FROM publisher_days_before;
DROP TABLE publisher_days_before;
CREATE INDEX publisher_days_by_day ON publisher_days (day, ext_ref, svc_id, event);
-- The publishers that are held, among all that staff ever released.
CREATE INDEX held_publishers_by_state ON held_publishers (state, ext_ref);
