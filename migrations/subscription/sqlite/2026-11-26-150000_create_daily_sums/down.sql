DROP TABLE daily_sums;
