DROP TABLE open_sign_ins;
DROP TABLE provider_visits;
DROP TABLE identities;
