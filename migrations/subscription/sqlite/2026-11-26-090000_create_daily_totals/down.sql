DROP INDEX events_by_at;
DROP TABLE daily_totals;
DROP TABLE daily_moves;
DROP TABLE daily_charges;
