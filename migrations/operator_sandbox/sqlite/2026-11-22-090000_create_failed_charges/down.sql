DROP TABLE failed_charges;
