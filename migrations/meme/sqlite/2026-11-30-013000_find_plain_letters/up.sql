-- The words of each meme, and after them the same in plain letters: a compound in one word, without hyphens and signs that cannot be seen, and letters
-- that Unicode does not take apart as people type them who do not have them.
CREATE VIEW meme_texts AS
    SELECT id, text || ' ' ||
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        replace(replace(replace(replace(text
        , 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th')
        , 'Þ', 'th'), 'ø', 'o'), 'Ø', 'o'), 'ł', 'l'), 'Ł', 'l'), 'đ', 'd'), 'Đ', 'd')
        , 'ð', 'd'), 'Ð', 'd'), 'ħ', 'h'), 'Ħ', 'h'), 'ı', 'i'), 'ĸ', 'k'), 'ŋ', 'n')
        , 'Ŋ', 'n'), 'ŧ', 't'), 'Ŧ', 't'), 'ſ', 's'), 'ɓ', 'b'), 'Ɓ', 'b'), 'ɗ', 'd')
        , 'Ɗ', 'd'), 'ﬀ', 'ff'), 'ﬁ', 'fi'), 'ﬂ', 'fl'), 'ﬃ', 'ffi'), 'ﬄ', 'ffl'), char(45), '')
        , char(39), ''), char(8217), ''), char(173), ''), char(8208), ''), char(8209), ''), char(8210), ''), char(8211), '')
        , char(8212), ''), char(8213), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8288), ''), char(65279), '') AS words
    FROM (SELECT t.id, t.title || ' ' || (SELECT p.name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = t.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(t.translations)), '') AS text FROM memes t);

DROP TRIGGER add_meme_words;
CREATE TRIGGER add_meme_words AFTER INSERT ON memes BEGIN
    INSERT INTO memes_words (rowid, words) SELECT id, words FROM meme_texts WHERE id = NEW.id;
END;

DROP TRIGGER set_meme_words;
CREATE TRIGGER set_meme_words AFTER UPDATE OF title, category_id, translations ON memes BEGIN
    DELETE FROM memes_words WHERE rowid = OLD.id;
    INSERT INTO memes_words (rowid, words) SELECT id, words FROM meme_texts WHERE id = NEW.id;
END;

-- Those there are, where this adds a word.
DELETE FROM memes_words WHERE rowid IN (SELECT id FROM meme_texts WHERE words GLOB '*[^ -&(-,.-~]*');
INSERT INTO memes_words (rowid, words) SELECT id, words FROM meme_texts WHERE words GLOB '*[^ -&(-,.-~]*';
