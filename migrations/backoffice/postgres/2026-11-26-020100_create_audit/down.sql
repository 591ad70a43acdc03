DROP TABLE audit_head;
DROP TABLE audit;
DROP FUNCTION refuse_audit_change();
