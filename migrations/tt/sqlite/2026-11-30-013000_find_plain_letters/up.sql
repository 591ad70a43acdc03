-- The words of each video, and after them the same in plain letters: a compound in one word, without hyphens and signs that cannot be seen, and letters
-- that Unicode does not take apart as people type them who do not have them.
CREATE VIEW video_texts AS
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
    FROM (SELECT t.id, t.video_name || ' ' || t.name || ' ' || t.artist || ' ' || (SELECT p.category_name || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(p.translations)), '') FROM categories p WHERE p.id = t.category_id) || ' ' || coalesce((SELECT group_concat(value, ' ') FROM json_each(t.translations)), '') AS text FROM videos t);

DROP TRIGGER add_video_words;
CREATE TRIGGER add_video_words AFTER INSERT ON videos BEGIN
    INSERT INTO videos_words (rowid, words) SELECT id, words FROM video_texts WHERE id = NEW.id;
END;

DROP TRIGGER set_video_words;
CREATE TRIGGER set_video_words AFTER UPDATE OF video_name, name, artist, category_id, translations ON videos BEGIN
    DELETE FROM videos_words WHERE rowid = OLD.id;
    INSERT INTO videos_words (rowid, words) SELECT id, words FROM video_texts WHERE id = NEW.id;
END;

-- Those there are, where this adds a word.
DELETE FROM videos_words WHERE rowid IN (SELECT id FROM video_texts WHERE words GLOB '*[^ -&(-,.-~]*');
INSERT INTO videos_words (rowid, words) SELECT id, words FROM video_texts WHERE words GLOB '*[^ -&(-,.-~]*';
