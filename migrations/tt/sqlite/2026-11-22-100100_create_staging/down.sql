DROP TABLE staged_banners;
DROP TABLE staged_videos;
DROP TABLE staged_categories;
DROP TABLE open_imports;
