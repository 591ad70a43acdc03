DROP TABLE reconciliations;
DROP TABLE listed_charges;
