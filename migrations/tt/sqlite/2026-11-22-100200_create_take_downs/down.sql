DROP TABLE take_downs;
