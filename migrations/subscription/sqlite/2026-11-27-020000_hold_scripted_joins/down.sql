DROP TABLE held_publishers;
DROP TABLE publisher_days;
DROP TABLE publisher_events;
DROP TABLE held_joins;
DROP TABLE used_challenges;
