DROP TRIGGER set_words_of_category;
DROP TRIGGER remove_video_words;
DROP TRIGGER set_video_words;
DROP TRIGGER add_video_words;
DROP TABLE videos_vocabulary;
DROP TABLE videos_words;
