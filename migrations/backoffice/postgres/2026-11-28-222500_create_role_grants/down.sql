DROP TABLE role_grants;
