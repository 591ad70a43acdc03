DROP TABLE staged_videos;
DROP TABLE staged_artists;
DROP TABLE open_imports;
