DROP TABLE surplus_charges;
DROP TABLE charge_hours;
DROP TABLE billing_runners;
DROP TABLE billing_days;
DROP TABLE billing_passes;
