DROP TABLE restores;
