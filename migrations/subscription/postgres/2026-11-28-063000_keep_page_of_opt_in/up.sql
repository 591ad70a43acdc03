-- The page of the brand that the visitor wanted before the network's page; empty: none.
ALTER TABLE tries ADD COLUMN continue_to TEXT NOT NULL DEFAULT '';
