DROP TABLE daily_running;
DROP TABLE daily_joins;
