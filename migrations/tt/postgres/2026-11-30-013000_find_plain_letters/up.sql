-- The words of a text, without case and accents, and after them the same in plain letters: a compound in one word, without hyphens and signs that cannot be
-- seen, and letters that Unicode does not take apart as people type them who do not have them. What separates words is blanks and marks: those of
-- ASCII, and the usual others.
CREATE OR REPLACE FUNCTION words_of(phrase TEXT) RETURNS TSVECTOR LANGUAGE SQL IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(ARRAY(
        SELECT DISTINCT left(word, 100)
        FROM regexp_split_to_table(
            lower(regexp_replace(normalize(phrase || ' ' || plain, NFD), '[\u0300-\u036f]', '', 'g')),
            '[\s!-/:-@\[-`{-~\u0080-\u00bf\u2000-\u206f\ufe0f]+'
        ) AS word
        WHERE word <> ''
    ))
    FROM (
        SELECT replace(replace(replace(replace(replace(replace(replace(replace(translate(
            normalize(phrase, NFKD),
            'øØłŁđĐðÐħĦıĸŋŊŧŦſɓƁɗƊ-''' || U&'\2019\00AD\2010\2011\2012\2013\2014\2015\200B\200C\200D\2060\FEFF',
            'oollddddhhiknnttsbbdd'
        ), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th') AS plain
    ) AS letters
$$;

-- Those there are, where this adds a word.
UPDATE videos SET category_id = category_id
    WHERE concat(video_name, name, artist, (SELECT concat(p.category_name, p.translations) FROM categories p WHERE p.id = category_id), translations) ~ '[^ -&(-,.-~]';
