-- The page of the brand that the visitor wanted before the network recognised the SIM; empty: none.
ALTER TABLE number_verifications ADD COLUMN continue_to TEXT NOT NULL DEFAULT '';
