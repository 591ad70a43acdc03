DROP TABLE opt_ins;
