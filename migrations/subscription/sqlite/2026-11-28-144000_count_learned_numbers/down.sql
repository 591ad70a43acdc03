DROP TABLE learned_numbers;
