-- attempts.address text
-- attempts.at timestamp without time zone
-- attempts.email text
-- attempts.id bigint
-- audit.action text
-- audit.at timestamp without time zone
-- audit.details text
-- audit.hash text
-- audit.id bigint
-- audit.staff text
-- audit.staff_id bigint
-- audit.subject text
-- audit_head.hash text
-- audit_head.id bigint
-- audit_head.last_id bigint
-- invitations.ended_at timestamp without time zone
-- invitations.expires_at timestamp without time zone
-- invitations.resets boolean
-- invitations.staff_id bigint
-- invitations.token_hash text
-- invitations.totp_secret text
-- sessions.address text
-- sessions.agent text
-- sessions.id bigint
-- sessions.last_seen_at timestamp without time zone
-- sessions.staff_id bigint
-- sessions.started_at timestamp without time zone
-- sessions.token_hash text
-- staff.created_at timestamp without time zone
-- staff.email text
-- staff.id bigint
-- staff.last_seen_at timestamp without time zone
-- staff.name text
-- staff.password_hash text
-- staff.roles text
-- staff.state text
-- staff.totp_secret text
-- staff.totp_step bigint
DELETE FROM "attempts" WHERE ("attempts"."at" <= $1)
DELETE FROM "attempts" WHERE ("attempts"."email" = $1)
DELETE FROM "sessions" WHERE ("sessions"."id" = $1)
DELETE FROM "sessions" WHERE ("sessions"."staff_id" = $1)
DELETE FROM "sessions" WHERE ("sessions"."started_at" < $1)
INSERT INTO "attempts" ("email", "address", "at") VALUES ($1, $2, $3)
INSERT INTO "audit" ("id", "at", "staff_id", "staff", "action", "subject", "details", "hash") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
INSERT INTO "audit" ("id", "at", "staff_id", "staff", "action", "subject", "details", "hash") VALUES ($1, $2, DEFAULT, $3, $4, $5, $6, $7)
INSERT INTO "invitations" ("token_hash", "staff_id", "totp_secret", "resets", "expires_at") VALUES ($1, $2, $3, $4, $5)
INSERT INTO "sessions" ("token_hash", "staff_id", "started_at", "last_seen_at", "address", "agent") VALUES ($1, $2, $3, $4, $5, $6)
INSERT INTO "staff" ("email", "name", "roles", "state", "totp_step", "created_at") VALUES ($1, $2, $3, $4, $5, $6)
SELECT "attempts"."at" FROM "attempts" WHERE (("attempts"."address" = $1) AND ("attempts"."at" > $2)) ORDER BY "attempts"."at" DESC LIMIT $3 OFFSET $4
SELECT "attempts"."at" FROM "attempts" WHERE (("attempts"."email" = $1) AND ("attempts"."at" > $2)) ORDER BY "attempts"."at" DESC LIMIT $3 OFFSET $4
SELECT "audit"."id", "audit"."at", "audit"."staff_id", "audit"."staff", "audit"."action", "audit"."subject", "audit"."details", "audit"."hash" FROM "audit" ORDER BY "audit"."id" DESC LIMIT $1
SELECT "audit"."id", "audit"."at", "audit"."staff_id", "audit"."staff", "audit"."action", "audit"."subject", "audit"."details", "audit"."hash" FROM "audit" WHERE ("audit"."id" < $1) ORDER BY "audit"."id" DESC LIMIT $2
SELECT "audit"."id", "audit"."at", "audit"."staff_id", "audit"."staff", "audit"."action", "audit"."subject", "audit"."details", "audit"."hash" FROM "audit" WHERE (("audit"."id" > $1) AND ("audit"."id" <= $2)) ORDER BY "audit"."id" LIMIT $3
SELECT "audit"."id", "audit"."at", "audit"."staff_id", "audit"."staff", "audit"."action", "audit"."subject", "audit"."details", "audit"."hash" FROM "audit" WHERE (("audit"."staff_id" = $1) AND ("audit"."action" = $2)) ORDER BY "audit"."id" DESC LIMIT $3
SELECT "audit_head"."last_id", "audit_head"."hash" FROM "audit_head" WHERE ("audit_head"."id" = $1) LIMIT $2
SELECT "sessions"."id", "sessions"."last_seen_at", "staff"."id", "staff"."email", "staff"."name", "staff"."roles" FROM ("sessions" INNER JOIN "staff" ON ("staff"."id" = "sessions"."staff_id")) WHERE (((("sessions"."token_hash" = $1) AND ("sessions"."started_at" > $2)) AND ("sessions"."last_seen_at" > $3)) AND ("staff"."state" = $4)) LIMIT $5
SELECT "sessions"."id", "sessions"."started_at", "sessions"."last_seen_at", "sessions"."address", "sessions"."agent" FROM "sessions" WHERE ((("sessions"."staff_id" = $1) AND ("sessions"."started_at" > $2)) AND ("sessions"."last_seen_at" > $3)) ORDER BY "sessions"."id" DESC
SELECT "staff"."id", "staff"."email" FROM ("sessions" INNER JOIN "staff" ON ("staff"."id" = "sessions"."staff_id")) WHERE ("sessions"."id" = $1) LIMIT $2
SELECT "staff"."id", "staff"."email", "staff"."name", "staff"."roles", "staff"."state", "staff"."password_hash", "staff"."totp_secret", "staff"."totp_step", "staff"."last_seen_at" FROM "staff" ORDER BY "staff"."email"
SELECT "staff"."id", "staff"."email", "staff"."name", "staff"."roles", "staff"."state", "staff"."password_hash", "staff"."totp_secret", "staff"."totp_step", "staff"."last_seen_at" FROM "staff" WHERE ("staff"."email" = $1) LIMIT $2
SELECT "staff"."id", "staff"."email", "staff"."name", "staff"."roles", "staff"."state", "staff"."password_hash", "staff"."totp_secret", "staff"."totp_step", "staff"."last_seen_at" FROM "staff" WHERE ("staff"."id" = $1) LIMIT $2
SELECT "staff"."id", "staff"."email", "staff"."name", "staff"."roles", "staff"."state", "staff"."password_hash", "staff"."totp_secret", "staff"."totp_step", "staff"."last_seen_at" FROM "staff" WHERE (("staff"."state" = $1) AND ("staff"."password_hash" IS NOT NULL))
SELECT "staff"."id", "staff"."email", "staff"."name", "staff"."roles", "staff"."state", "staff"."password_hash", "staff"."totp_secret", "staff"."totp_step", "staff"."last_seen_at", "invitations"."totp_secret", "invitations"."resets" FROM ("invitations" INNER JOIN "staff" ON ("staff"."id" = "invitations"."staff_id")) WHERE (((("invitations"."token_hash" = $1) AND ("invitations"."ended_at" IS NULL)) AND ("invitations"."expires_at" > $2)) AND ("staff"."state" != $3)) LIMIT $4
UPDATE "audit_head" SET "last_id" = "audit_head"."last_id" WHERE ("audit_head"."id" = $1)
UPDATE "audit_head" SET "last_id" = $1, "hash" = $2 WHERE ("audit_head"."id" = $3)
UPDATE "invitations" SET "ended_at" = $1 WHERE (("invitations"."staff_id" = $2) AND ("invitations"."ended_at" IS NULL))
UPDATE "staff" SET "last_seen_at" = $1 WHERE ("staff"."id" = $2)
UPDATE "staff" SET "name" = $1, "roles" = $2, "state" = $3 WHERE ("staff"."id" = $4)
UPDATE "staff" SET "name" = $1, "state" = $2, "password_hash" = $3, "totp_secret" = $4, "totp_step" = $5 WHERE ("staff"."id" = $6)
UPDATE "staff" SET "password_hash" = $1, "totp_secret" = $2 WHERE ("staff"."id" = $3)
UPDATE "staff" SET "roles" = $1, "state" = $2 WHERE ("staff"."id" = $3)
UPDATE "staff" SET "totp_step" = $1 WHERE ("staff"."id" = $2)
