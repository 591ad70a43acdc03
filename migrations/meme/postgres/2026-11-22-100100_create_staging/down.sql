DROP TABLE staged_memes;
DROP TABLE staged_categories;
DROP TABLE open_imports;
