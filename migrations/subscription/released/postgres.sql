-- billing_days.day text
-- billing_events.billed_at timestamp without time zone
-- billing_events.billing_ref text
-- billing_events.cents bigint
-- billing_events.id bigint
-- billing_events.network text
-- billing_events.notification_id bigint
-- billing_events.result text
-- billing_events.subscription_id bigint
-- billing_passes.day text
-- billing_passes.finished_at timestamp without time zone
-- billing_passes.id bigint
-- billing_passes.number integer
-- billing_passes.started_at timestamp without time zone
-- billing_runners.alive_until timestamp without time zone
-- billing_runners.token text
-- charge_hours.hour text
-- charge_hours.network text
-- charge_hours.sent bigint
-- events.at timestamp without time zone
-- events.cause text
-- events.evidence text
-- events.from_state text
-- events.id bigint
-- events.subscription_id bigint
-- events.to_state text
-- holds.ended_at timestamp without time zone
-- holds.id bigint
-- holds.network text
-- holds.network_ref text
-- holds.started_at timestamp without time zone
-- holds.subscription_id bigint
-- ledger.at timestamp without time zone
-- ledger.attempts integer
-- ledger.cents bigint
-- ledger.charge_key text
-- ledger.claim text
-- ledger.day text
-- ledger.failures integer
-- ledger.id bigint
-- ledger.kind text
-- ledger.network text
-- ledger.network_ref text
-- ledger.pass bigint
-- ledger.reason text
-- ledger.sent_at timestamp without time zone
-- ledger.status text
-- ledger.subscription_id bigint
-- notifications.accepted_key text
-- notifications.body text
-- notifications.id bigint
-- notifications.network text
-- notifications.outcome text
-- notifications.received_at timestamp without time zone
-- notifications.webhook_id text
-- notifications.webhook_signature text
-- notifications.webhook_timestamp text
-- outbox.attempts integer
-- outbox.body text
-- outbox.done_at timestamp without time zone
-- outbox.id bigint
-- outbox.kind text
-- outbox.network text
-- outbox.next_at timestamp without time zone
-- reminders.at timestamp without time zone
-- reminders.id bigint
-- reminders.subscription_id bigint
-- subscriptions.id bigint
-- subscriptions.leave_said_at timestamp without time zone
-- subscriptions.left_at timestamp without time zone
-- subscriptions.msisdn text
-- subscriptions.since timestamp without time zone
-- subscriptions.state text
-- subscriptions.svc_id integer
-- surplus_charges.cents bigint
-- surplus_charges.charge_key text
-- surplus_charges.day text
-- surplus_charges.found_at timestamp without time zone
-- surplus_charges.id bigint
-- surplus_charges.msisdn text
-- surplus_charges.network text
-- surplus_charges.svc_id integer
-- tries.address text
-- tries.agent text
-- tries.browser_hash text
-- tries.created_at timestamp without time zone
-- tries.decided_at timestamp without time zone
-- tries.ext_ref text
-- tries.id text
-- tries.kind text
-- tries.label text
-- tries.network text
-- tries.opened_at timestamp without time zone
-- tries.page text
-- tries.reference text
-- tries.status text
-- tries.subscription_id bigint
-- tries.terms_version text
DELETE FROM "billing_runners" WHERE (("billing_runners"."alive_until" < $1) AND ("billing_runners"."token" != ALL($2)))
INSERT INTO "billing_days" ("day") VALUES ($1) ON CONFLICT DO NOTHING
INSERT INTO "billing_events" ("network", "billing_ref", "subscription_id", "notification_id", "cents", "result", "billed_at") VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
INSERT INTO "billing_passes" ("day", "number", "started_at") VALUES ($1, $2, $3) RETURNING "billing_passes"."id"
INSERT INTO "billing_runners" ("token", "alive_until") VALUES ($1, $2) ON CONFLICT DO NOTHING
INSERT INTO "charge_hours" ("network", "hour", "sent") VALUES ($1, $2, $3)
INSERT INTO "events" ("subscription_id", "at", "from_state", "to_state", "cause", "evidence") VALUES ($1, $2, $3, $4, $5, $6)
INSERT INTO "holds" ("subscription_id", "network", "network_ref", "started_at", "ended_at") VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
INSERT INTO "ledger" ("subscription_id", "network", "day", "kind", "cents", "charge_key", "status", "attempts", "failures", "pass", "reason", "at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING
INSERT INTO "ledger" ("subscription_id", "network", "day", "kind", "cents", "status", "charge_key", "network_ref", "attempts", "failures", "pass", "reason", "at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING
INSERT INTO "ledger" ("subscription_id", "network", "day", "kind", "cents", "status", "charge_key", "network_ref", "attempts", "failures", "pass", "reason", "at") VALUES ($1, $2, $3, $4, $5, $6, $7, DEFAULT, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING
INSERT INTO "notifications" ("network", "webhook_id", "webhook_timestamp", "webhook_signature", "body", "received_at", "outcome") VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING "notifications"."id"
INSERT INTO "outbox" ("network", "kind", "body", "attempts", "next_at") VALUES ($1, $2, $3, $4, $5)
INSERT INTO "reminders" ("subscription_id", "at") VALUES ($1, $2)
INSERT INTO "subscriptions" ("msisdn", "svc_id", "state", "since") VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING
INSERT INTO "surplus_charges" ("network", "charge_key", "msisdn", "svc_id", "day", "cents", "found_at") VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
INSERT INTO "tries" ("id", "subscription_id", "kind", "status", "network", "reference", "label", "browser_hash", "ext_ref", "page", "terms_version", "address", "agent", "created_at", "decided_at", "opened_at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, DEFAULT)
INSERT INTO "tries" ("id", "subscription_id", "kind", "status", "network", "reference", "label", "browser_hash", "ext_ref", "page", "terms_version", "address", "agent", "created_at", "decided_at", "opened_at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, DEFAULT, DEFAULT)
SELECT "billing_days"."day" FROM "billing_days" WHERE ("billing_days"."day" = $1) LIMIT $2 FOR UPDATE
SELECT "billing_passes"."id", "billing_passes"."started_at" FROM "billing_passes" WHERE (("billing_passes"."day" = $1) AND ("billing_passes"."finished_at" IS NULL)) ORDER BY "billing_passes"."number" DESC LIMIT $2
SELECT "billing_runners"."token" FROM "billing_runners" WHERE ("billing_runners"."alive_until" >= $1)
SELECT "charge_hours"."sent" FROM "charge_hours" WHERE (("charge_hours"."network" = $1) AND ("charge_hours"."hour" = $2)) LIMIT $3
SELECT "events"."at", "events"."from_state", "events"."to_state", "events"."cause" FROM "events" WHERE ("events"."subscription_id" = $1) ORDER BY "events"."id"
SELECT "events"."to_state" FROM "events" WHERE (("events"."subscription_id" = $1) AND ("events"."at" < $2)) ORDER BY "events"."id" DESC LIMIT $3
SELECT "holds"."id", "holds"."network", "holds"."network_ref", "holds"."ended_at" FROM "holds" WHERE (("holds"."subscription_id" = $1) AND ("holds"."ended_at" IS NULL)) ORDER BY "holds"."id"
SELECT "holds"."id", "holds"."network", "holds"."network_ref", "holds"."ended_at" FROM "holds" WHERE ((("holds"."network" = $1) AND ("holds"."network_ref" = $2)) AND ("holds"."subscription_id" = $3)) LIMIT $4
SELECT "holds"."id", "holds"."network", "holds"."network_ref", "holds"."ended_at" FROM "holds" WHERE ((("holds"."subscription_id" = $1) AND ("holds"."ended_at" IS NULL)) AND ("holds"."started_at" <= $2)) ORDER BY "holds"."id"
SELECT "holds"."network", "holds"."network_ref" FROM ("holds" INNER JOIN "subscriptions" ON ("holds"."subscription_id" = "subscriptions"."id")) WHERE ((("subscriptions"."msisdn" = $1) AND ("subscriptions"."svc_id" = $2)) AND ("holds"."ended_at" IS NOT NULL))
SELECT "ledger"."day" FROM "ledger" WHERE ((("ledger"."subscription_id" = $1) AND ("ledger"."kind" = $2)) AND ("ledger"."status" = $3)) ORDER BY "ledger"."day" DESC LIMIT $4
SELECT "ledger"."id" FROM "ledger" WHERE (("ledger"."claim" IS NOT NULL) AND (("ledger"."claim" != ALL($1)) OR ("ledger"."sent_at" < $2))) ORDER BY "ledger"."id" LIMIT $3 FOR UPDATE SKIP LOCKED
SELECT "ledger"."id" FROM "ledger" WHERE (("ledger"."network" = $1) AND ("ledger"."charge_key" = $2)) LIMIT $3
SELECT "ledger"."id", "ledger"."attempts", "ledger"."status", "ledger"."claim" FROM "ledger" WHERE ("ledger"."id" = ANY($1)) ORDER BY "ledger"."id" FOR UPDATE
SELECT "ledger"."id", "ledger"."day", "ledger"."status", "ledger"."failures" FROM "ledger" WHERE (("ledger"."subscription_id" = $1) AND ("ledger"."kind" = $2)) ORDER BY "ledger"."day" DESC LIMIT $3
SELECT "ledger"."id", "ledger"."status" FROM "ledger" WHERE (("ledger"."network" = $1) AND ("ledger"."charge_key" = $2)) LIMIT $3
SELECT "ledger"."id", "ledger"."status" FROM "ledger" WHERE (("ledger"."subscription_id" = $1) AND (("ledger"."day" = $2) AND ("ledger"."kind" = $3))) LIMIT $4
SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."charge_key", "ledger"."cents", "ledger"."day", "ledger"."failures", "ledger"."attempts", "ledger"."network", "ledger"."reason", "ledger"."sent_at", "subscriptions"."msisdn", "subscriptions"."svc_id", "subscriptions"."state" FROM ("ledger" INNER JOIN "subscriptions" ON ("ledger"."subscription_id" = "subscriptions"."id")) WHERE (("ledger"."status" = $1) AND ("ledger"."id" > $2)) ORDER BY "ledger"."id" LIMIT $3
SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."network", "ledger"."charge_key", "ledger"."status", "ledger"."cents", "ledger"."attempts", "subscriptions"."msisdn", "subscriptions"."svc_id" FROM ("ledger" INNER JOIN "subscriptions" ON ("ledger"."subscription_id" = "subscriptions"."id")) WHERE (("ledger"."charge_key" = ANY($1)) AND ("ledger"."kind" = $2))
SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."network", "ledger"."charge_key", "ledger"."status", "ledger"."cents", "ledger"."attempts", "subscriptions"."msisdn", "subscriptions"."svc_id" FROM ("ledger" INNER JOIN "subscriptions" ON ("ledger"."subscription_id" = "subscriptions"."id")) WHERE ((("subscriptions"."msisdn" = $1) AND ("subscriptions"."svc_id" = $2)) AND (("ledger"."day" = $3) AND ("ledger"."kind" = $4))) LIMIT $5
SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."network", "ledger"."charge_key", "ledger"."status", "ledger"."cents", "ledger"."attempts", "subscriptions"."msisdn", "subscriptions"."svc_id" FROM ("ledger" INNER JOIN "subscriptions" ON ("ledger"."subscription_id" = "subscriptions"."id")) WHERE ((((("ledger"."day" = $1) AND ("ledger"."kind" = $2)) AND ("ledger"."status" = $3)) AND (("ledger"."id" > $4) AND ("ledger"."at" < $5))) AND NOT (EXISTS (SELECT "counters"."id", "counters"."subscription_id", "counters"."network", "counters"."day", "counters"."kind", "counters"."cents", "counters"."status", "counters"."charge_key", "counters"."network_ref", "counters"."attempts", "counters"."failures", "counters"."pass", "counters"."claim", "counters"."sent_at", "counters"."reason", "counters"."at" FROM "ledger" AS "counters" WHERE (("counters"."charge_key" = (($6 || "ledger"."charge_key"))) AND ("counters"."network" = "ledger"."network"))))) ORDER BY "ledger"."id" LIMIT $7
SELECT "ledger"."id", "ledger"."subscription_id", "subscriptions"."msisdn", "subscriptions"."svc_id", "ledger"."day", "ledger"."kind", "ledger"."cents", "ledger"."status", "ledger"."charge_key", "ledger"."network_ref", "ledger"."at" FROM ("ledger" INNER JOIN "subscriptions" ON ("ledger"."subscription_id" = "subscriptions"."id")) WHERE (("ledger"."day" = $1) AND ("ledger"."id" > $2)) ORDER BY "ledger"."id" LIMIT $3
SELECT "ledger"."status", "ledger"."failures", "ledger"."pass" FROM "ledger" WHERE (("ledger"."subscription_id" = $1) AND (("ledger"."day" = $2) AND ("ledger"."kind" = $3))) LIMIT $4
SELECT "ledger"."subscription_id", "ledger"."kind", "ledger"."status", "ledger"."network", "ledger"."day", "ledger"."charge_key", "ledger"."cents", "subscriptions"."msisdn", "subscriptions"."svc_id" FROM ("ledger" INNER JOIN "subscriptions" ON ("ledger"."subscription_id" = "subscriptions"."id")) WHERE ("ledger"."id" = $1) LIMIT $2
SELECT "outbox"."id" FROM "outbox" WHERE (((("outbox"."done_at" IS NULL) AND ("outbox"."kind" = $1)) AND ("outbox"."network" = $2)) AND ("outbox"."body" = $3))
SELECT "outbox"."id", "outbox"."network", "outbox"."kind", "outbox"."body", "outbox"."attempts" FROM "outbox" WHERE (("outbox"."done_at" IS NULL) AND ("outbox"."next_at" <= $1)) ORDER BY "outbox"."next_at", "outbox"."id" LIMIT $2
SELECT "subscriptions"."id" FROM "subscriptions" WHERE ((("subscriptions"."state" = $1) AND ("subscriptions"."since" < $2)) AND NOT (EXISTS (SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."network", "ledger"."day", "ledger"."kind", "ledger"."cents", "ledger"."status", "ledger"."charge_key", "ledger"."network_ref", "ledger"."attempts", "ledger"."failures", "ledger"."pass", "ledger"."claim", "ledger"."sent_at", "ledger"."reason", "ledger"."at" FROM "ledger" WHERE ((("ledger"."subscription_id" = "subscriptions"."id") AND ("ledger"."kind" = $3)) AND (("ledger"."day" >= $4) AND ("ledger"."status" = $5)))))) ORDER BY "subscriptions"."id" LIMIT $6
SELECT "subscriptions"."id" FROM "subscriptions" WHERE ((("subscriptions"."state" = $1) AND EXISTS (SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."network", "ledger"."day", "ledger"."kind", "ledger"."cents", "ledger"."status", "ledger"."charge_key", "ledger"."network_ref", "ledger"."attempts", "ledger"."failures", "ledger"."pass", "ledger"."claim", "ledger"."sent_at", "ledger"."reason", "ledger"."at" FROM "ledger" WHERE ((("ledger"."subscription_id" = "subscriptions"."id") AND ("ledger"."kind" = $2)) AND (("ledger"."day" >= $3) AND ("ledger"."status" = $4))))) AND NOT (EXISTS (SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."network", "ledger"."day", "ledger"."kind", "ledger"."cents", "ledger"."status", "ledger"."charge_key", "ledger"."network_ref", "ledger"."attempts", "ledger"."failures", "ledger"."pass", "ledger"."claim", "ledger"."sent_at", "ledger"."reason", "ledger"."at" FROM "ledger" WHERE ((("ledger"."subscription_id" = "subscriptions"."id") AND ("ledger"."kind" = $5)) AND (("ledger"."day" = $6) AND ("ledger"."status" != $7)))))) ORDER BY "subscriptions"."id" LIMIT $8
SELECT "subscriptions"."id" FROM "subscriptions" WHERE ((("subscriptions"."state" = $1) AND EXISTS (SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."network", "ledger"."day", "ledger"."kind", "ledger"."cents", "ledger"."status", "ledger"."charge_key", "ledger"."network_ref", "ledger"."attempts", "ledger"."failures", "ledger"."pass", "ledger"."claim", "ledger"."sent_at", "ledger"."reason", "ledger"."at" FROM "ledger" WHERE (((("ledger"."subscription_id" = "subscriptions"."id") AND ("ledger"."kind" = $2)) AND (("ledger"."day" >= $3) AND ("ledger"."status" = $4))) AND ("ledger"."failures" >= $5)))) AND NOT (EXISTS (SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."network", "ledger"."day", "ledger"."kind", "ledger"."cents", "ledger"."status", "ledger"."charge_key", "ledger"."network_ref", "ledger"."attempts", "ledger"."failures", "ledger"."pass", "ledger"."claim", "ledger"."sent_at", "ledger"."reason", "ledger"."at" FROM "ledger" WHERE ((("ledger"."subscription_id" = "subscriptions"."id") AND ("ledger"."kind" = $6)) AND (("ledger"."day" >= $7) AND ("ledger"."status" = $8)))))) ORDER BY "subscriptions"."id" LIMIT $9
SELECT "subscriptions"."id" FROM "subscriptions" WHERE (((("subscriptions"."state" = $1) AND ("subscriptions"."since" <= $2)) AND ("subscriptions"."id" > $3)) AND NOT (EXISTS (SELECT "reminders"."id", "reminders"."subscription_id", "reminders"."at" FROM "reminders" WHERE (("reminders"."subscription_id" = "subscriptions"."id") AND ("reminders"."at" > $4))))) ORDER BY "subscriptions"."id" LIMIT $5
SELECT "subscriptions"."id" FROM "subscriptions" WHERE (((("subscriptions"."state" = $1) AND ("subscriptions"."svc_id" = ANY($2))) AND EXISTS (SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."network", "ledger"."day", "ledger"."kind", "ledger"."cents", "ledger"."status", "ledger"."charge_key", "ledger"."network_ref", "ledger"."attempts", "ledger"."failures", "ledger"."pass", "ledger"."claim", "ledger"."sent_at", "ledger"."reason", "ledger"."at" FROM "ledger" WHERE (((("ledger"."subscription_id" = "subscriptions"."id") AND ("ledger"."kind" = $3)) AND (("ledger"."day" >= $4) AND ("ledger"."status" = $5))) AND (("ledger"."day" < $6) AND ("ledger"."failures" > $7))))) AND NOT (EXISTS (SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."network", "ledger"."day", "ledger"."kind", "ledger"."cents", "ledger"."status", "ledger"."charge_key", "ledger"."network_ref", "ledger"."attempts", "ledger"."failures", "ledger"."pass", "ledger"."claim", "ledger"."sent_at", "ledger"."reason", "ledger"."at" FROM "ledger" WHERE ((("ledger"."subscription_id" = "subscriptions"."id") AND ("ledger"."kind" = $8)) AND (("ledger"."day" >= $9) AND ("ledger"."status" = $10)))))) ORDER BY "subscriptions"."id" LIMIT $11
SELECT "subscriptions"."id", "subscriptions"."msisdn", "subscriptions"."svc_id" FROM "subscriptions" WHERE ((("subscriptions"."state" = ANY($1)) AND (("subscriptions"."svc_id" = ANY($2)) AND ("subscriptions"."id" > $3))) AND NOT (EXISTS (SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."network", "ledger"."day", "ledger"."kind", "ledger"."cents", "ledger"."status", "ledger"."charge_key", "ledger"."network_ref", "ledger"."attempts", "ledger"."failures", "ledger"."pass", "ledger"."claim", "ledger"."sent_at", "ledger"."reason", "ledger"."at" FROM "ledger" WHERE (("ledger"."subscription_id" = "subscriptions"."id") AND (("ledger"."day" = $4) AND ("ledger"."kind" = $5)))))) ORDER BY "subscriptions"."id" LIMIT $6
SELECT "subscriptions"."id", "subscriptions"."msisdn", "subscriptions"."svc_id", "subscriptions"."state", "subscriptions"."since", "subscriptions"."left_at", "subscriptions"."leave_said_at" FROM "subscriptions" WHERE ("subscriptions"."id" = $1) LIMIT $2 FOR UPDATE
SELECT "subscriptions"."id", "subscriptions"."msisdn", "subscriptions"."svc_id", "subscriptions"."state", "subscriptions"."since", "subscriptions"."left_at", "subscriptions"."leave_said_at" FROM "subscriptions" WHERE (("subscriptions"."msisdn" = $1) AND ("subscriptions"."state" != $2)) ORDER BY "subscriptions"."svc_id"
SELECT "subscriptions"."id", "subscriptions"."msisdn", "subscriptions"."svc_id", "subscriptions"."state", "subscriptions"."since", "subscriptions"."left_at", "subscriptions"."leave_said_at" FROM "subscriptions" WHERE (("subscriptions"."msisdn" = $1) AND ("subscriptions"."svc_id" = $2)) LIMIT $3
SELECT "subscriptions"."id", "subscriptions"."msisdn", "subscriptions"."svc_id", "subscriptions"."state", "subscriptions"."since", "subscriptions"."left_at", "subscriptions"."leave_said_at" FROM "subscriptions" WHERE (("subscriptions"."msisdn" = $1) AND ("subscriptions"."svc_id" = $2)) LIMIT $3 FOR UPDATE
SELECT "subscriptions"."msisdn", "subscriptions"."svc_id" FROM "subscriptions" WHERE ((("subscriptions"."state" = $1) AND ("subscriptions"."since" < $2)) AND NOT (EXISTS (SELECT "tries"."id", "tries"."subscription_id", "tries"."kind", "tries"."status", "tries"."network", "tries"."reference", "tries"."label", "tries"."browser_hash", "tries"."ext_ref", "tries"."page", "tries"."terms_version", "tries"."address", "tries"."agent", "tries"."created_at", "tries"."decided_at", "tries"."opened_at" FROM "tries" WHERE (("tries"."subscription_id" = "subscriptions"."id") AND (("tries"."kind" = $3) AND ("tries"."created_at" >= $4)))))) LIMIT $5
SELECT "subscriptions"."msisdn", COUNT(*) FROM ("ledger" INNER JOIN "subscriptions" ON ("ledger"."subscription_id" = "subscriptions"."id")) WHERE (((("subscriptions"."msisdn" = ANY($1)) AND ("ledger"."day" = $2)) AND ("ledger"."kind" = $3)) AND (("ledger"."status" = ANY($4)) OR ("ledger"."claim" IS NOT NULL))) GROUP BY "subscriptions"."msisdn"
SELECT "subscriptions"."svc_id" FROM ("holds" INNER JOIN "subscriptions" ON ("holds"."subscription_id" = "subscriptions"."id")) WHERE ((("holds"."network_ref" = $1) AND ("holds"."ended_at" IS NULL)) AND ("subscriptions"."msisdn" = $2)) LIMIT $3
SELECT "subscriptions"."svc_id", "subscriptions"."state", COUNT(*) FROM "subscriptions" GROUP BY "subscriptions"."svc_id", "subscriptions"."state"
SELECT "tries"."id", "tries"."subscription_id", "tries"."kind", "tries"."status", "tries"."network", "tries"."reference", "tries"."label", "tries"."browser_hash", "tries"."ext_ref", "tries"."page", "tries"."terms_version", "tries"."address", "tries"."agent", "tries"."created_at", "tries"."decided_at", "tries"."opened_at", "subscriptions"."svc_id" FROM ("tries" INNER JOIN "subscriptions" ON ("tries"."subscription_id" = "subscriptions"."id")) WHERE (("tries"."id" = $1) AND ("subscriptions"."msisdn" = $2)) LIMIT $3
SELECT 1 FROM "ledger" WHERE 1=0
SELECT CAST(COALESCE(SUM(CASE WHEN ledger.kind = 'charge' AND ledger.status = 'settled' THEN ledger.cents WHEN ledger.kind = 'refund' AND ledger.status <> 'failed' THEN -ledger.cents ELSE 0 END), 0) AS BIGINT) FROM "ledger" WHERE ("ledger"."subscription_id" = $1)
SELECT CAST(COALESCE(SUM(CASE WHEN ledger.kind = 'charge' AND ledger.status = 'settled' THEN ledger.cents WHEN ledger.kind = 'refund' AND ledger.status <> 'failed' THEN -ledger.cents ELSE 0 END), 0) AS BIGINT) FROM ("ledger" INNER JOIN "subscriptions" ON ("ledger"."subscription_id" = "subscriptions"."id")) WHERE (("subscriptions"."msisdn" = $1) AND ("ledger"."day" >= $2))
SELECT COUNT(*) AS n FROM billing_events WHERE 1 = 1
SELECT COUNT(*) AS n FROM events WHERE 1 = 1
SELECT COUNT(*) AS n FROM notifications WHERE 1 = 1
SELECT COUNT(*) AS n FROM outbox WHERE 1 = 1
SELECT COUNT(*) AS n FROM outbox WHERE done_at IS NULL
SELECT COUNT(*) AS n FROM subscriptions WHERE 1 = 1
SELECT COUNT(*) AS n FROM tries WHERE 1 = 1
SELECT COUNT(*) FROM "ledger" WHERE ("ledger"."status" = $1)
SELECT COUNT(*) FROM "ledger" WHERE ((("ledger"."day" = $1) AND ("ledger"."pass" = $2)) AND ("ledger"."claim" IS NOT NULL))
SELECT COUNT(*) FROM "outbox" WHERE ("outbox"."done_at" IS NULL)
SELECT COUNT(*) FROM ("ledger" INNER JOIN "subscriptions" ON ("ledger"."subscription_id" = "subscriptions"."id")) WHERE ((((("ledger"."day" = $1) AND ("ledger"."network" = $2)) AND ("ledger"."pass" < $3)) AND (("ledger"."kind" = $4) AND ("ledger"."claim" IS NULL))) AND (("ledger"."status" = $5) OR (("ledger"."status" = $6) AND ((("subscriptions"."state" = $7) AND ("ledger"."failures" < $8)) OR (("subscriptions"."state" = $9) AND ("ledger"."failures" < $10))))))
SELECT DISTINCT "ledger"."claim" FROM "ledger" WHERE ("ledger"."claim" IS NOT NULL)
SELECT EXISTS (SELECT "billing_passes"."id", "billing_passes"."day", "billing_passes"."number", "billing_passes"."started_at", "billing_passes"."finished_at" FROM "billing_passes" WHERE (("billing_passes"."day" = $1) AND ("billing_passes"."finished_at" IS NULL)))
SELECT EXISTS (SELECT "billing_passes"."id", "billing_passes"."day", "billing_passes"."number", "billing_passes"."started_at", "billing_passes"."finished_at" FROM "billing_passes" WHERE (("billing_passes"."day" = $1) AND ("billing_passes"."started_at" >= $2)))
SELECT EXISTS (SELECT "ledger"."id", "ledger"."subscription_id", "ledger"."network", "ledger"."day", "ledger"."kind", "ledger"."cents", "ledger"."status", "ledger"."charge_key", "ledger"."network_ref", "ledger"."attempts", "ledger"."failures", "ledger"."pass", "ledger"."claim", "ledger"."sent_at", "ledger"."reason", "ledger"."at" FROM "ledger" WHERE (("ledger"."pass" = $1) AND ("ledger"."day" = $2)))
SELECT EXISTS (SELECT "notifications"."id", "notifications"."network", "notifications"."webhook_id", "notifications"."webhook_timestamp", "notifications"."webhook_signature", "notifications"."body", "notifications"."received_at", "notifications"."outcome", "notifications"."accepted_key" FROM "notifications" WHERE ("notifications"."accepted_key" = $1))
SELECT EXISTS (SELECT "reminders"."id", "reminders"."subscription_id", "reminders"."at" FROM "reminders" WHERE (("reminders"."subscription_id" = $1) AND ("reminders"."at" > $2)))
SELECT l.id, l.subscription_id, l.charge_key, l.cents, l.day, l.failures, l.attempts + 1 AS attempts, l.network, s.msisdn, s.svc_id, s.state, (SELECT h.network_ref FROM holds h WHERE h.subscription_id = s.id AND h.ended_at IS NULL ORDER BY h.id DESC LIMIT 1) AS hold FROM ledger l JOIN subscriptions s ON s.id = l.subscription_id WHERE l.day = $1 AND l.network = $2 AND l.id > $3 AND l.pass < $4 AND l.kind = 'charge' AND l.status IN ('pending', 'failed') AND l.claim IS NULL AND (l.status = 'pending' OR (s.state = 'active' AND l.failures < $5) OR (s.state = 'suspended' AND l.failures < 1)) ORDER BY l.id LIMIT $6 FOR NO KEY UPDATE OF l, s SKIP LOCKED
SELECT max("billing_passes"."number") FROM "billing_passes" WHERE ("billing_passes"."day" = $1) LIMIT $2
SELECT status, claim IS NULL AS is_free, sent_at IS NULL AS is_unsent, COUNT(*) AS charges FROM ledger WHERE day = $1 AND pass = $2 AND kind = 'charge' GROUP BY 1, 2, 3
UPDATE "billing_passes" SET "finished_at" = $1 WHERE (("billing_passes"."day" = $2) AND ("billing_passes"."finished_at" IS NULL))
UPDATE "billing_passes" SET "finished_at" = $1 WHERE (("billing_passes"."id" = $2) AND ("billing_passes"."finished_at" IS NULL))
UPDATE "billing_runners" SET "alive_until" = $1 WHERE ("billing_runners"."token" = $2)
UPDATE "charge_hours" SET "sent" = $1 WHERE (("charge_hours"."network" = $2) AND ("charge_hours"."hour" = $3))
UPDATE "holds" SET "ended_at" = $1 WHERE (("holds"."id" = $2) AND ("holds"."ended_at" IS NULL))
UPDATE "ledger" SET "attempts" = ("ledger"."attempts" + $1), "failures" = ("ledger"."failures" + $2), "at" = $3 WHERE ("ledger"."id" = $4)
UPDATE "ledger" SET "claim" = $1, "sent_at" = $2, "status" = $3, "attempts" = ("ledger"."attempts" + $4), "reason" = $5, "pass" = $6 WHERE ("ledger"."id" = ANY($7))
UPDATE "ledger" SET "pass" = $1, "failures" = $2 WHERE (((("ledger"."subscription_id" = $3) AND ("ledger"."day" = $4)) AND ("ledger"."kind" = $5)) AND (("ledger"."status" = ANY($6)) AND ("ledger"."claim" IS NULL)))
UPDATE "ledger" SET "status" = $1, "cents" = $2, "claim" = $3, "pass" = $4, "network_ref" = $5, "reason" = $6, "at" = $7 WHERE (("ledger"."id" = $8) AND ("ledger"."status" != $9))
UPDATE "ledger" SET "status" = $1, "failures" = ("ledger"."failures" + $2), "claim" = $3, "reason" = $4, "at" = $5 WHERE ("ledger"."id" = ANY($6))
UPDATE "ledger" SET "status" = $1, "network_ref" = $2, "at" = $3 WHERE ((("ledger"."charge_key" = $4) AND ("ledger"."kind" = $5)) AND ("ledger"."status" = $6))
UPDATE "ledger" SET "status" = $1, "pass" = $2, "claim" = $3, "reason" = $4, "at" = $5 WHERE ("ledger"."id" = ANY($6))
UPDATE "ledger" SET "status" = $1, "reason" = $2, "claim" = $3, "sent_at" = $4 WHERE (("ledger"."id" = ANY($5)) AND ("ledger"."status" = $6))
UPDATE "ledger" SET "status" = $1, "reason" = $2, "pass" = $3, "at" = $4 WHERE ((("ledger"."day" < $5) AND ("ledger"."kind" = $6)) AND (("ledger"."status" = $7) AND ("ledger"."claim" IS NULL)))
UPDATE "ledger" SET "status" = $1, "reason" = $2, "sent_at" = $3, "pass" = $4 WHERE ("ledger"."id" = ANY($5))
UPDATE "ledger" SET "status" = $1, "sent_at" = $2, "claim" = $3, "reason" = $4, "at" = $5 WHERE ("ledger"."id" = ANY($6))
UPDATE "notifications" SET "accepted_key" = $1 WHERE ("notifications"."id" = $2)
UPDATE "notifications" SET "outcome" = $1 WHERE ("notifications"."id" = $2)
UPDATE "outbox" SET "attempts" = $1, "next_at" = $2 WHERE ((("outbox"."id" = $3) AND ("outbox"."attempts" = $4)) AND ("outbox"."done_at" IS NULL))
UPDATE "outbox" SET "done_at" = $1 WHERE ("outbox"."id" = $2)
UPDATE "subscriptions" SET "leave_said_at" = $1 WHERE ("subscriptions"."id" = $2)
UPDATE "subscriptions" SET "state" = $1, "since" = $2, "left_at" = $3 WHERE ("subscriptions"."id" = $4)
UPDATE "tries" SET "opened_at" = $1 WHERE ((("tries"."id" = $2) AND ("tries"."status" = $3)) AND (("tries"."browser_hash" = $4) AND ("tries"."opened_at" IS NULL)))
UPDATE "tries" SET "status" = $1, "decided_at" = $2 WHERE (("tries"."id" = $3) AND ("tries"."status" = $4))
UPDATE ledger SET status = 'settled', claim = NULL, reason = '', network_ref = told.ref, at = $3 FROM unnest($1::bigint[], $2::text[]) AS told (id, ref) WHERE ledger.id = told.id AND ledger.status <> 'settled' RETURNING ledger.id
