DROP TABLE memes;
