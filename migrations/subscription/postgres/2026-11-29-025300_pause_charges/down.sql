DROP TABLE charge_pauses;
