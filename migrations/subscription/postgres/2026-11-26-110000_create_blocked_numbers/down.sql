DROP INDEX surplus_charges_of_number;
DROP TABLE blocked_numbers;
