DROP TABLE attempts;
DROP TABLE sessions;
DROP TABLE invitations;
DROP TABLE staff;
