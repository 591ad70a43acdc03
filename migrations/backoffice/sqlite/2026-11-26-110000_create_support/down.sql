DROP TABLE refunds;
DROP TABLE notes;
DROP TABLE lookups;
DROP TABLE numbers;
