-- Roles that touch money or numbers, requested by one administrator. granted_at: when another one gave it; until then it waits.
CREATE TABLE role_grants (
    staff_id BIGINT NOT NULL,
    role TEXT NOT NULL,
    requested_by_id BIGINT NOT NULL,
    requested_by TEXT NOT NULL,
    requested_at TIMESTAMP NOT NULL,
    granted_at TIMESTAMP,
    PRIMARY KEY (staff_id, role)
);
