-- charges.at timestamp without time zone
-- charges.cents bigint
-- charges.charge_key text
-- charges.day text
-- charges.id bigint
-- charges.msisdn text
-- charges.svc_id integer
-- failed_charges.at timestamp without time zone
-- failed_charges.charge_key text
-- failed_charges.outcome text
-- failed_charges.tries integer
-- messages.at timestamp without time zone
-- messages.id bigint
-- messages.message_key text
-- messages.msisdn text
-- messages.svc_id integer
-- messages.text text
-- notifications.attempts integer
-- notifications.body text
-- notifications.delivered_at timestamp without time zone
-- notifications.id bigint
-- notifications.msisdn text
-- notifications.network text
-- notifications.next_at timestamp without time zone
-- notifications.webhook_id text
-- opt_ins.created_at timestamp without time zone
-- opt_ins.decided_at timestamp without time zone
-- opt_ins.ext_ref text
-- opt_ins.kind text
-- opt_ins.msisdn text
-- opt_ins.partner_ref text
-- opt_ins.price_cents bigint
-- opt_ins.reference text
-- opt_ins.return_url text
-- opt_ins.service text
-- opt_ins.status text
-- opt_ins.subscription_id bigint
-- opt_ins.svc_id integer
-- refunds.at timestamp without time zone
-- refunds.cents bigint
-- refunds.charge_key text
-- refunds.day text
-- refunds.id bigint
-- refunds.msisdn text
-- refunds.reason text
-- refunds.refund_key text
-- refunds.svc_id integer
-- subscriptions.ended_at timestamp without time zone
-- subscriptions.ext_ref text
-- subscriptions.id bigint
-- subscriptions.last_billed_at timestamp without time zone
-- subscriptions.msisdn text
-- subscriptions.network text
-- subscriptions.partner_ref text
-- subscriptions.started_at timestamp without time zone
-- subscriptions.svc_id integer
DELETE FROM charges
INSERT INTO "charges" ("charge_key", "msisdn", "svc_id", "cents", "day", "at") VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
INSERT INTO "failed_charges" ("charge_key", "outcome", "tries", "at") VALUES ($1, $2, $3, $4) ON CONFLICT ("charge_key") DO UPDATE SET "outcome" = excluded."outcome", "tries" = excluded."tries", "at" = excluded."at"
INSERT INTO "messages" ("message_key", "msisdn", "svc_id", "text", "at") VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
INSERT INTO "notifications" ("webhook_id", "network", "msisdn", "body", "attempts", "next_at") VALUES ($1, $2, $3, $4, $5, $6)
INSERT INTO "opt_ins" ("reference", "kind", "status", "msisdn", "svc_id", "service", "price_cents", "ext_ref", "partner_ref", "return_url", "created_at", "decided_at", "subscription_id") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, DEFAULT, DEFAULT)
INSERT INTO "opt_ins" ("reference", "kind", "status", "msisdn", "svc_id", "service", "price_cents", "ext_ref", "partner_ref", "return_url", "created_at", "decided_at", "subscription_id") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, DEFAULT, $9, $10, DEFAULT, DEFAULT)
INSERT INTO "refunds" ("refund_key", "charge_key", "msisdn", "svc_id", "cents", "reason", "day", "at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
INSERT INTO "subscriptions" ("network", "msisdn", "svc_id", "ext_ref", "partner_ref", "started_at") VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
SELECT "charges"."id" FROM "charges" WHERE ("charges"."id" = $1) LIMIT $2 FOR UPDATE
SELECT "charges"."id", "charges"."charge_key", "charges"."msisdn", "charges"."svc_id", "charges"."cents", "charges"."day", "charges"."at" FROM "charges" WHERE ("charges"."charge_key" = ANY($1))
SELECT "charges"."id", "charges"."charge_key", "charges"."msisdn", "charges"."svc_id", "charges"."cents", "charges"."day", "charges"."at" FROM "charges" WHERE (("charges"."day" = $1) AND ("charges"."id" > $2)) ORDER BY "charges"."id" LIMIT $3
SELECT "failed_charges"."charge_key", "failed_charges"."outcome", "failed_charges"."tries", "failed_charges"."at" FROM "failed_charges" WHERE ("failed_charges"."charge_key" = ANY($1))
SELECT "messages"."svc_id", "messages"."text", "messages"."at" FROM "messages" WHERE ("messages"."msisdn" = $1) ORDER BY "messages"."id" DESC LIMIT $2
SELECT "notifications"."id", "notifications"."webhook_id", "notifications"."network", "notifications"."msisdn", "notifications"."body", "notifications"."attempts" FROM "notifications" WHERE (("notifications"."delivered_at" IS NULL) AND ("notifications"."next_at" <= $1)) ORDER BY "notifications"."next_at", "notifications"."id" LIMIT $2
SELECT "opt_ins"."reference", "opt_ins"."kind", "opt_ins"."status", "opt_ins"."msisdn", "opt_ins"."svc_id", "opt_ins"."service", "opt_ins"."price_cents", "opt_ins"."ext_ref", "opt_ins"."partner_ref", "opt_ins"."return_url", "opt_ins"."created_at", "opt_ins"."decided_at", "opt_ins"."subscription_id" FROM "opt_ins" WHERE ("opt_ins"."reference" = $1) LIMIT $2
SELECT "refunds"."cents" FROM "refunds" WHERE ("refunds"."charge_key" = $1)
SELECT "refunds"."id", "refunds"."refund_key", "refunds"."charge_key", "refunds"."msisdn", "refunds"."svc_id", "refunds"."cents", "refunds"."reason", "refunds"."day", "refunds"."at" FROM "refunds" WHERE ("refunds"."day" = $1) ORDER BY "refunds"."id"
SELECT "refunds"."id", "refunds"."refund_key", "refunds"."charge_key", "refunds"."msisdn", "refunds"."svc_id", "refunds"."cents", "refunds"."reason", "refunds"."day", "refunds"."at" FROM "refunds" WHERE ("refunds"."refund_key" = $1) LIMIT $2
SELECT "subscriptions"."id", "subscriptions"."network", "subscriptions"."msisdn", "subscriptions"."svc_id", "subscriptions"."ext_ref", "subscriptions"."partner_ref", "subscriptions"."started_at", "subscriptions"."ended_at", "subscriptions"."last_billed_at" FROM "subscriptions" WHERE ("subscriptions"."id" = $1) LIMIT $2
SELECT "subscriptions"."id", "subscriptions"."network", "subscriptions"."msisdn", "subscriptions"."svc_id", "subscriptions"."ext_ref", "subscriptions"."partner_ref", "subscriptions"."started_at", "subscriptions"."ended_at", "subscriptions"."last_billed_at" FROM "subscriptions" WHERE (("subscriptions"."msisdn" = $1) AND ("subscriptions"."ended_at" IS NULL)) ORDER BY "subscriptions"."id"
SELECT "subscriptions"."id", "subscriptions"."network", "subscriptions"."msisdn", "subscriptions"."svc_id", "subscriptions"."ext_ref", "subscriptions"."partner_ref", "subscriptions"."started_at", "subscriptions"."ended_at", "subscriptions"."last_billed_at" FROM "subscriptions" WHERE ((("subscriptions"."msisdn" = $1) AND ("subscriptions"."ended_at" IS NULL)) AND ("subscriptions"."svc_id" = $2)) ORDER BY "subscriptions"."id"
SELECT "subscriptions"."id", "subscriptions"."network", "subscriptions"."msisdn", "subscriptions"."svc_id", "subscriptions"."ext_ref", "subscriptions"."partner_ref", "subscriptions"."started_at", "subscriptions"."ended_at", "subscriptions"."last_billed_at" FROM "subscriptions" WHERE ((("subscriptions"."svc_id" = ANY($1)) AND ("subscriptions"."ended_at" IS NULL)) AND (("subscriptions"."started_at" < $2) AND ("subscriptions"."id" > $3))) ORDER BY "subscriptions"."id" LIMIT $4
SELECT "subscriptions"."msisdn", "subscriptions"."svc_id" FROM "subscriptions" WHERE (("subscriptions"."msisdn" = ANY($1)) AND ("subscriptions"."ended_at" IS NULL))
UPDATE "notifications" SET "attempts" = $1, "next_at" = $2 WHERE ("notifications"."id" = $3)
UPDATE "notifications" SET "delivered_at" = $1 WHERE ("notifications"."id" = ANY($2))
UPDATE "opt_ins" SET "status" = $1, "decided_at" = $2 WHERE (("opt_ins"."reference" = $3) AND ("opt_ins"."status" = $4))
UPDATE "opt_ins" SET "subscription_id" = $1 WHERE ("opt_ins"."reference" = $2)
UPDATE "subscriptions" SET "ended_at" = $1 WHERE (("subscriptions"."id" = $2) AND ("subscriptions"."ended_at" IS NULL))
UPDATE "subscriptions" SET "last_billed_at" = $1 WHERE ("subscriptions"."id" = ANY($2))
