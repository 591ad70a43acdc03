DROP INDEX held_publishers_by_state;
CREATE TABLE publisher_days_by_brand AS SELECT ext_ref, day, event, joins FROM publisher_days;
DROP TABLE publisher_days;
CREATE TABLE publisher_days (
    ext_ref TEXT NOT NULL,
    day TEXT NOT NULL,
    event TEXT NOT NULL,
    joins BIGINT NOT NULL,
    PRIMARY KEY (ext_ref, day, event)
);
INSERT INTO publisher_days (ext_ref, day, event, joins)
SELECT ext_ref, day, event, CAST(SUM(joins) AS BIGINT) FROM publisher_days_by_brand GROUP BY ext_ref, day, event;
DROP TABLE publisher_days_by_brand;
CREATE INDEX publisher_days_by_day ON publisher_days (day, ext_ref, event);
ALTER TABLE publisher_events DROP COLUMN svc_id;
