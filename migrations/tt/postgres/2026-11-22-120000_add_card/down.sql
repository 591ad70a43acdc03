ALTER TABLE videos DROP COLUMN card;
DROP FUNCTION card_text(text);
