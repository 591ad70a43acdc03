-- The newest and the most liked memes of a service: one walk along an index.
CREATE INDEX memes_by_date ON memes (service, state, created_at, id);
CREATE INDEX memes_by_likes ON memes (service, state, likes, id);
