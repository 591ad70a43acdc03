DROP TABLE private_drafts;
