-- The newest videos of a service: one walk along an index.
CREATE INDEX videos_by_date ON videos (service, state, datetime, id);
