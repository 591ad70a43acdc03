-- What the words were that a person read before a consent: "original", or a translation, "checked" or "unchecked" by a speaker at that time. Empty: no words,
-- or an attempt of before this was kept.
ALTER TABLE tries ADD COLUMN translation TEXT NOT NULL DEFAULT '';
