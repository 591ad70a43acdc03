CREATE OR REPLACE FUNCTION words_of(phrase TEXT) RETURNS TSVECTOR LANGUAGE SQL IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(ARRAY(
        SELECT DISTINCT left(word, 100)
        FROM regexp_split_to_table(
            lower(regexp_replace(normalize(phrase, NFD), '[\u0300-\u036f]', '', 'g')),
            '[\s!-/:-@\[-`{-~\u0080-\u00bf\u2000-\u206f\ufe0f]+'
        ) AS word
        WHERE word <> ''
    ))
$$;
