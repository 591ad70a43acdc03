-- What a member of staff typed into a form and has not sent. The owner alone reads the text.
CREATE TABLE private_drafts (
    staff_id BIGINT NOT NULL,
    form TEXT NOT NULL,
    -- Of a form about a number: its erasure deletes the draft.
    number_id BIGINT,
    text TEXT NOT NULL,
    version BIGINT NOT NULL,
    -- Whether others see the owner as the one who edits.
    holds BOOLEAN NOT NULL,
    at TIMESTAMP NOT NULL,
    PRIMARY KEY (staff_id, form)
);
CREATE INDEX private_drafts_of_form ON private_drafts (form);
CREATE INDEX private_drafts_of_number ON private_drafts (number_id);
CREATE INDEX private_drafts_by_time ON private_drafts (at);
