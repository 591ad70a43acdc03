DROP TABLE artists;
