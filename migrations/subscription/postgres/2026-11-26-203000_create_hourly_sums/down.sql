DROP TABLE hourly_sums;
