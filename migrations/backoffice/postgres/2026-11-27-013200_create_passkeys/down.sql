DROP TABLE passkey_registrations;
DROP TABLE passkeys;
