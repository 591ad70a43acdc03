DROP TRIGGER set_words_of_category;
DROP TRIGGER remove_meme_words;
DROP TRIGGER set_meme_words;
DROP TRIGGER add_meme_words;
DROP TABLE memes_vocabulary;
DROP TABLE memes_words;
