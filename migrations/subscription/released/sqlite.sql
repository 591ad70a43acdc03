-- billing_days.day text
-- billing_events.billed_at timestamp
-- billing_events.billing_ref text
-- billing_events.cents bigint
-- billing_events.id integer
-- billing_events.network text
-- billing_events.notification_id bigint
-- billing_events.result text
-- billing_events.subscription_id bigint
-- billing_passes.day text
-- billing_passes.finished_at timestamp
-- billing_passes.id integer
-- billing_passes.number integer
-- billing_passes.started_at timestamp
-- billing_runners.alive_until timestamp
-- billing_runners.token text
-- charge_hours.hour text
-- charge_hours.network text
-- charge_hours.sent bigint
-- events.at timestamp
-- events.cause text
-- events.evidence text
-- events.from_state text
-- events.id integer
-- events.subscription_id bigint
-- events.to_state text
-- holds.ended_at timestamp
-- holds.id integer
-- holds.network text
-- holds.network_ref text
-- holds.started_at timestamp
-- holds.subscription_id bigint
-- ledger.at timestamp
-- ledger.attempts integer
-- ledger.cents bigint
-- ledger.charge_key text
-- ledger.claim text
-- ledger.day text
-- ledger.failures integer
-- ledger.id integer
-- ledger.kind text
-- ledger.network text
-- ledger.network_ref text
-- ledger.pass bigint
-- ledger.reason text
-- ledger.sent_at timestamp
-- ledger.status text
-- ledger.subscription_id bigint
-- notifications.accepted_key text
-- notifications.body text
-- notifications.id integer
-- notifications.network text
-- notifications.outcome text
-- notifications.received_at timestamp
-- notifications.webhook_id text
-- notifications.webhook_signature text
-- notifications.webhook_timestamp text
-- outbox.attempts integer
-- outbox.body text
-- outbox.done_at timestamp
-- outbox.id integer
-- outbox.kind text
-- outbox.network text
-- outbox.next_at timestamp
-- reminders.at timestamp
-- reminders.id integer
-- reminders.subscription_id bigint
-- subscriptions.id integer
-- subscriptions.leave_said_at timestamp
-- subscriptions.left_at timestamp
-- subscriptions.msisdn text
-- subscriptions.since timestamp
-- subscriptions.state text
-- subscriptions.svc_id integer
-- surplus_charges.cents bigint
-- surplus_charges.charge_key text
-- surplus_charges.day text
-- surplus_charges.found_at timestamp
-- surplus_charges.id integer
-- surplus_charges.msisdn text
-- surplus_charges.network text
-- surplus_charges.svc_id integer
-- tries.address text
-- tries.agent text
-- tries.browser_hash text
-- tries.created_at timestamp
-- tries.decided_at timestamp
-- tries.ext_ref text
-- tries.id text
-- tries.kind text
-- tries.label text
-- tries.network text
-- tries.opened_at timestamp
-- tries.page text
-- tries.reference text
-- tries.status text
-- tries.subscription_id bigint
-- tries.terms_version text
DELETE FROM `billing_runners` WHERE ((`billing_runners`.`alive_until` < ?) AND (1=1))
DELETE FROM `billing_runners` WHERE ((`billing_runners`.`alive_until` < ?) AND (`billing_runners`.`token` NOT IN (?)))
INSERT INTO `billing_events` (`network`, `billing_ref`, `subscription_id`, `notification_id`, `cents`, `result`, `billed_at`) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
INSERT INTO `billing_passes` (`day`, `number`, `started_at`) VALUES (?, ?, ?) RETURNING `id`
INSERT INTO `billing_runners` (`token`, `alive_until`) VALUES (?, ?) ON CONFLICT DO NOTHING
INSERT INTO `charge_hours` (`network`, `hour`, `sent`) VALUES (?, ?, ?)
INSERT INTO `events` (`subscription_id`, `at`, `from_state`, `to_state`, `cause`, `evidence`) VALUES (?, ?, ?, ?, ?, ?)
INSERT INTO `holds` (`subscription_id`, `network`, `network_ref`, `started_at`, `ended_at`) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
INSERT INTO `ledger` (`subscription_id`, `network`, `day`, `kind`, `cents`, `charge_key`, `status`, `attempts`, `failures`, `pass`, `reason`, `at`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
INSERT INTO `ledger` (`subscription_id`, `network`, `day`, `kind`, `cents`, `status`, `charge_key`, `attempts`, `failures`, `pass`, `reason`, `at`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
INSERT INTO `ledger` (`subscription_id`, `network`, `day`, `kind`, `cents`, `status`, `charge_key`, `network_ref`, `attempts`, `failures`, `pass`, `reason`, `at`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
INSERT INTO `notifications` (`network`, `webhook_id`, `webhook_timestamp`, `webhook_signature`, `body`, `received_at`, `outcome`) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING `id`
INSERT INTO `outbox` (`network`, `kind`, `body`, `attempts`, `next_at`) VALUES (?, ?, ?, ?, ?)
INSERT INTO `reminders` (`subscription_id`, `at`) VALUES (?, ?)
INSERT INTO `subscriptions` (`msisdn`, `svc_id`, `state`, `since`) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
INSERT INTO `surplus_charges` (`network`, `charge_key`, `msisdn`, `svc_id`, `day`, `cents`, `found_at`) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
INSERT INTO `tries` (`id`, `subscription_id`, `kind`, `status`, `network`, `reference`, `label`, `browser_hash`, `ext_ref`, `page`, `terms_version`, `address`, `agent`, `created_at`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
INSERT INTO `tries` (`id`, `subscription_id`, `kind`, `status`, `network`, `reference`, `label`, `browser_hash`, `ext_ref`, `page`, `terms_version`, `address`, `agent`, `created_at`, `decided_at`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
SELECT CAST(COALESCE(SUM(CASE WHEN ledger.kind = 'charge' AND ledger.status = 'settled' THEN ledger.cents WHEN ledger.kind = 'refund' AND ledger.status <> 'failed' THEN -ledger.cents ELSE 0 END), 0) AS BIGINT) FROM (`ledger` INNER JOIN `subscriptions` ON (`ledger`.`subscription_id` = `subscriptions`.`id`)) WHERE ((`subscriptions`.`msisdn` = ?) AND (`ledger`.`day` >= ?))
SELECT CAST(COALESCE(SUM(CASE WHEN ledger.kind = 'charge' AND ledger.status = 'settled' THEN ledger.cents WHEN ledger.kind = 'refund' AND ledger.status <> 'failed' THEN -ledger.cents ELSE 0 END), 0) AS BIGINT) FROM `ledger` WHERE (`ledger`.`subscription_id` = ?)
SELECT COUNT(*) AS n FROM billing_events WHERE 1 = 1
SELECT COUNT(*) AS n FROM events WHERE 1 = 1
SELECT COUNT(*) AS n FROM notifications WHERE 1 = 1
SELECT COUNT(*) AS n FROM outbox WHERE 1 = 1
SELECT COUNT(*) AS n FROM outbox WHERE done_at IS NULL
SELECT COUNT(*) AS n FROM subscriptions WHERE 1 = 1
SELECT COUNT(*) AS n FROM tries WHERE 1 = 1
SELECT COUNT(*) FROM (`ledger` INNER JOIN `subscriptions` ON (`ledger`.`subscription_id` = `subscriptions`.`id`)) WHERE (((((`ledger`.`day` = ?) AND (`ledger`.`network` = ?)) AND (`ledger`.`pass` < ?)) AND ((`ledger`.`kind` = ?) AND (`ledger`.`claim` IS NULL))) AND ((`ledger`.`status` = ?) OR ((`ledger`.`status` = ?) AND (((`subscriptions`.`state` = ?) AND (`ledger`.`failures` < ?)) OR ((`subscriptions`.`state` = ?) AND (`ledger`.`failures` < ?))))))
SELECT COUNT(*) FROM `ledger` WHERE (((`ledger`.`day` = ?) AND (`ledger`.`pass` = ?)) AND (`ledger`.`claim` IS NOT NULL))
SELECT COUNT(*) FROM `ledger` WHERE (`ledger`.`status` = ?)
SELECT COUNT(*) FROM `outbox` WHERE (`outbox`.`done_at` IS NULL)
SELECT DISTINCT `ledger`.`claim` FROM `ledger` WHERE (`ledger`.`claim` IS NOT NULL)
SELECT EXISTS (SELECT `billing_passes`.`id`, `billing_passes`.`day`, `billing_passes`.`number`, `billing_passes`.`started_at`, `billing_passes`.`finished_at` FROM `billing_passes` WHERE ((`billing_passes`.`day` = ?) AND (`billing_passes`.`finished_at` IS NULL)))
SELECT EXISTS (SELECT `billing_passes`.`id`, `billing_passes`.`day`, `billing_passes`.`number`, `billing_passes`.`started_at`, `billing_passes`.`finished_at` FROM `billing_passes` WHERE ((`billing_passes`.`day` = ?) AND (`billing_passes`.`started_at` >= ?)))
SELECT EXISTS (SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`day`, `ledger`.`kind`, `ledger`.`cents`, `ledger`.`status`, `ledger`.`charge_key`, `ledger`.`network_ref`, `ledger`.`attempts`, `ledger`.`failures`, `ledger`.`pass`, `ledger`.`claim`, `ledger`.`sent_at`, `ledger`.`reason`, `ledger`.`at` FROM `ledger` WHERE ((`ledger`.`pass` = ?) AND (`ledger`.`day` = ?)))
SELECT EXISTS (SELECT `notifications`.`id`, `notifications`.`network`, `notifications`.`webhook_id`, `notifications`.`webhook_timestamp`, `notifications`.`webhook_signature`, `notifications`.`body`, `notifications`.`received_at`, `notifications`.`outcome`, `notifications`.`accepted_key` FROM `notifications` WHERE (`notifications`.`accepted_key` = ?))
SELECT EXISTS (SELECT `reminders`.`id`, `reminders`.`subscription_id`, `reminders`.`at` FROM `reminders` WHERE ((`reminders`.`subscription_id` = ?) AND (`reminders`.`at` > ?)))
SELECT `billing_passes`.`id`, `billing_passes`.`started_at` FROM `billing_passes` WHERE ((`billing_passes`.`day` = ?) AND (`billing_passes`.`finished_at` IS NULL)) ORDER BY `billing_passes`.`number` DESC LIMIT ?
SELECT `billing_runners`.`token` FROM `billing_runners` WHERE (`billing_runners`.`alive_until` >= ?)
SELECT `charge_hours`.`sent` FROM `charge_hours` WHERE ((`charge_hours`.`network` = ?) AND (`charge_hours`.`hour` = ?)) LIMIT ?
SELECT `events`.`at`, `events`.`from_state`, `events`.`to_state`, `events`.`cause` FROM `events` WHERE (`events`.`subscription_id` = ?) ORDER BY `events`.`id`
SELECT `events`.`to_state` FROM `events` WHERE ((`events`.`subscription_id` = ?) AND (`events`.`at` < ?)) ORDER BY `events`.`id` DESC LIMIT ?
SELECT `holds`.`id`, `holds`.`network`, `holds`.`network_ref`, `holds`.`ended_at` FROM `holds` WHERE (((`holds`.`network` = ?) AND (`holds`.`network_ref` = ?)) AND (`holds`.`subscription_id` = ?)) LIMIT ?
SELECT `holds`.`id`, `holds`.`network`, `holds`.`network_ref`, `holds`.`ended_at` FROM `holds` WHERE (((`holds`.`subscription_id` = ?) AND (`holds`.`ended_at` IS NULL)) AND (`holds`.`started_at` <= ?)) ORDER BY `holds`.`id`
SELECT `holds`.`id`, `holds`.`network`, `holds`.`network_ref`, `holds`.`ended_at` FROM `holds` WHERE ((`holds`.`subscription_id` = ?) AND (`holds`.`ended_at` IS NULL)) ORDER BY `holds`.`id`
SELECT `holds`.`network`, `holds`.`network_ref` FROM (`holds` INNER JOIN `subscriptions` ON (`holds`.`subscription_id` = `subscriptions`.`id`)) WHERE (((`subscriptions`.`msisdn` = ?) AND (`subscriptions`.`svc_id` = ?)) AND (`holds`.`ended_at` IS NOT NULL))
SELECT `ledger`.`day` FROM `ledger` WHERE (((`ledger`.`subscription_id` = ?) AND (`ledger`.`kind` = ?)) AND (`ledger`.`status` = ?)) ORDER BY `ledger`.`day` DESC LIMIT ?
SELECT `ledger`.`id` FROM `ledger` WHERE ((`ledger`.`claim` IS NOT NULL) AND ((1=1) OR (`ledger`.`sent_at` < ?))) ORDER BY `ledger`.`id` LIMIT ?
SELECT `ledger`.`id` FROM `ledger` WHERE ((`ledger`.`claim` IS NOT NULL) AND ((`ledger`.`claim` NOT IN (?)) OR (`ledger`.`sent_at` < ?))) ORDER BY `ledger`.`id` LIMIT ?
SELECT `ledger`.`id` FROM `ledger` WHERE ((`ledger`.`network` = ?) AND (`ledger`.`charge_key` = ?)) LIMIT ?
SELECT `ledger`.`id`, `ledger`.`attempts`, `ledger`.`status`, `ledger`.`claim` FROM `ledger` WHERE (`ledger`.`id` IN (?)) ORDER BY `ledger`.`id`
SELECT `ledger`.`id`, `ledger`.`day`, `ledger`.`status`, `ledger`.`failures` FROM `ledger` WHERE ((`ledger`.`subscription_id` = ?) AND (`ledger`.`kind` = ?)) ORDER BY `ledger`.`day` DESC LIMIT ?
SELECT `ledger`.`id`, `ledger`.`status` FROM `ledger` WHERE ((`ledger`.`network` = ?) AND (`ledger`.`charge_key` = ?)) LIMIT ?
SELECT `ledger`.`id`, `ledger`.`status` FROM `ledger` WHERE ((`ledger`.`subscription_id` = ?) AND ((`ledger`.`day` = ?) AND (`ledger`.`kind` = ?))) LIMIT ?
SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`charge_key`, `ledger`.`cents`, `ledger`.`day`, `ledger`.`failures`, `ledger`.`attempts`, `ledger`.`network`, `ledger`.`reason`, `ledger`.`sent_at`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id`, `subscriptions`.`state` FROM (`ledger` INNER JOIN `subscriptions` ON (`ledger`.`subscription_id` = `subscriptions`.`id`)) WHERE ((`ledger`.`status` = ?) AND (`ledger`.`id` > ?)) ORDER BY `ledger`.`id` LIMIT ?
SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`charge_key`, `ledger`.`status`, `ledger`.`cents`, `ledger`.`attempts`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id` FROM (`ledger` INNER JOIN `subscriptions` ON (`ledger`.`subscription_id` = `subscriptions`.`id`)) WHERE (((((`ledger`.`day` = ?) AND (`ledger`.`kind` = ?)) AND (`ledger`.`status` = ?)) AND ((`ledger`.`id` > ?) AND (`ledger`.`at` < ?))) AND NOT (EXISTS (SELECT `counters`.`id`, `counters`.`subscription_id`, `counters`.`network`, `counters`.`day`, `counters`.`kind`, `counters`.`cents`, `counters`.`status`, `counters`.`charge_key`, `counters`.`network_ref`, `counters`.`attempts`, `counters`.`failures`, `counters`.`pass`, `counters`.`claim`, `counters`.`sent_at`, `counters`.`reason`, `counters`.`at` FROM `ledger` AS `counters` WHERE ((`counters`.`charge_key` = ((? || `ledger`.`charge_key`))) AND (`counters`.`network` = `ledger`.`network`))))) ORDER BY `ledger`.`id` LIMIT ?
SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`charge_key`, `ledger`.`status`, `ledger`.`cents`, `ledger`.`attempts`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id` FROM (`ledger` INNER JOIN `subscriptions` ON (`ledger`.`subscription_id` = `subscriptions`.`id`)) WHERE (((`subscriptions`.`msisdn` = ?) AND (`subscriptions`.`svc_id` = ?)) AND ((`ledger`.`day` = ?) AND (`ledger`.`kind` = ?))) LIMIT ?
SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`charge_key`, `ledger`.`status`, `ledger`.`cents`, `ledger`.`attempts`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id` FROM (`ledger` INNER JOIN `subscriptions` ON (`ledger`.`subscription_id` = `subscriptions`.`id`)) WHERE ((1=0) AND (`ledger`.`kind` = ?))
SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`charge_key`, `ledger`.`status`, `ledger`.`cents`, `ledger`.`attempts`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id` FROM (`ledger` INNER JOIN `subscriptions` ON (`ledger`.`subscription_id` = `subscriptions`.`id`)) WHERE ((`ledger`.`charge_key` IN (?)) AND (`ledger`.`kind` = ?))
SELECT `ledger`.`id`, `ledger`.`subscription_id`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id`, `ledger`.`day`, `ledger`.`kind`, `ledger`.`cents`, `ledger`.`status`, `ledger`.`charge_key`, `ledger`.`network_ref`, `ledger`.`at` FROM (`ledger` INNER JOIN `subscriptions` ON (`ledger`.`subscription_id` = `subscriptions`.`id`)) WHERE ((`ledger`.`day` = ?) AND (`ledger`.`id` > ?)) ORDER BY `ledger`.`id` LIMIT ?
SELECT `ledger`.`status`, `ledger`.`failures`, `ledger`.`pass` FROM `ledger` WHERE ((`ledger`.`subscription_id` = ?) AND ((`ledger`.`day` = ?) AND (`ledger`.`kind` = ?))) LIMIT ?
SELECT `ledger`.`subscription_id`, `ledger`.`kind`, `ledger`.`status`, `ledger`.`network`, `ledger`.`day`, `ledger`.`charge_key`, `ledger`.`cents`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id` FROM (`ledger` INNER JOIN `subscriptions` ON (`ledger`.`subscription_id` = `subscriptions`.`id`)) WHERE (`ledger`.`id` = ?) LIMIT ?
SELECT `outbox`.`id` FROM `outbox` WHERE ((((`outbox`.`done_at` IS NULL) AND (`outbox`.`kind` = ?)) AND (`outbox`.`network` = ?)) AND (`outbox`.`body` = ?))
SELECT `outbox`.`id`, `outbox`.`network`, `outbox`.`kind`, `outbox`.`body`, `outbox`.`attempts` FROM `outbox` WHERE ((`outbox`.`done_at` IS NULL) AND (`outbox`.`next_at` <= ?)) ORDER BY `outbox`.`next_at`, `outbox`.`id` LIMIT ?
SELECT `subscriptions`.`id` FROM `subscriptions` WHERE ((((`subscriptions`.`state` = ?) AND (`subscriptions`.`since` <= ?)) AND (`subscriptions`.`id` > ?)) AND NOT (EXISTS (SELECT `reminders`.`id`, `reminders`.`subscription_id`, `reminders`.`at` FROM `reminders` WHERE ((`reminders`.`subscription_id` = `subscriptions`.`id`) AND (`reminders`.`at` > ?))))) ORDER BY `subscriptions`.`id` LIMIT ?
SELECT `subscriptions`.`id` FROM `subscriptions` WHERE ((((`subscriptions`.`state` = ?) AND (`subscriptions`.`svc_id` IN (?))) AND EXISTS (SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`day`, `ledger`.`kind`, `ledger`.`cents`, `ledger`.`status`, `ledger`.`charge_key`, `ledger`.`network_ref`, `ledger`.`attempts`, `ledger`.`failures`, `ledger`.`pass`, `ledger`.`claim`, `ledger`.`sent_at`, `ledger`.`reason`, `ledger`.`at` FROM `ledger` WHERE ((((`ledger`.`subscription_id` = `subscriptions`.`id`) AND (`ledger`.`kind` = ?)) AND ((`ledger`.`day` >= ?) AND (`ledger`.`status` = ?))) AND ((`ledger`.`day` < ?) AND (`ledger`.`failures` > ?))))) AND NOT (EXISTS (SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`day`, `ledger`.`kind`, `ledger`.`cents`, `ledger`.`status`, `ledger`.`charge_key`, `ledger`.`network_ref`, `ledger`.`attempts`, `ledger`.`failures`, `ledger`.`pass`, `ledger`.`claim`, `ledger`.`sent_at`, `ledger`.`reason`, `ledger`.`at` FROM `ledger` WHERE (((`ledger`.`subscription_id` = `subscriptions`.`id`) AND (`ledger`.`kind` = ?)) AND ((`ledger`.`day` >= ?) AND (`ledger`.`status` = ?)))))) ORDER BY `subscriptions`.`id` LIMIT ?
SELECT `subscriptions`.`id` FROM `subscriptions` WHERE (((`subscriptions`.`state` = ?) AND (`subscriptions`.`since` < ?)) AND NOT (EXISTS (SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`day`, `ledger`.`kind`, `ledger`.`cents`, `ledger`.`status`, `ledger`.`charge_key`, `ledger`.`network_ref`, `ledger`.`attempts`, `ledger`.`failures`, `ledger`.`pass`, `ledger`.`claim`, `ledger`.`sent_at`, `ledger`.`reason`, `ledger`.`at` FROM `ledger` WHERE (((`ledger`.`subscription_id` = `subscriptions`.`id`) AND (`ledger`.`kind` = ?)) AND ((`ledger`.`day` >= ?) AND (`ledger`.`status` = ?)))))) ORDER BY `subscriptions`.`id` LIMIT ?
SELECT `subscriptions`.`id` FROM `subscriptions` WHERE (((`subscriptions`.`state` = ?) AND EXISTS (SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`day`, `ledger`.`kind`, `ledger`.`cents`, `ledger`.`status`, `ledger`.`charge_key`, `ledger`.`network_ref`, `ledger`.`attempts`, `ledger`.`failures`, `ledger`.`pass`, `ledger`.`claim`, `ledger`.`sent_at`, `ledger`.`reason`, `ledger`.`at` FROM `ledger` WHERE ((((`ledger`.`subscription_id` = `subscriptions`.`id`) AND (`ledger`.`kind` = ?)) AND ((`ledger`.`day` >= ?) AND (`ledger`.`status` = ?))) AND (`ledger`.`failures` >= ?)))) AND NOT (EXISTS (SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`day`, `ledger`.`kind`, `ledger`.`cents`, `ledger`.`status`, `ledger`.`charge_key`, `ledger`.`network_ref`, `ledger`.`attempts`, `ledger`.`failures`, `ledger`.`pass`, `ledger`.`claim`, `ledger`.`sent_at`, `ledger`.`reason`, `ledger`.`at` FROM `ledger` WHERE (((`ledger`.`subscription_id` = `subscriptions`.`id`) AND (`ledger`.`kind` = ?)) AND ((`ledger`.`day` >= ?) AND (`ledger`.`status` = ?)))))) ORDER BY `subscriptions`.`id` LIMIT ?
SELECT `subscriptions`.`id` FROM `subscriptions` WHERE (((`subscriptions`.`state` = ?) AND EXISTS (SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`day`, `ledger`.`kind`, `ledger`.`cents`, `ledger`.`status`, `ledger`.`charge_key`, `ledger`.`network_ref`, `ledger`.`attempts`, `ledger`.`failures`, `ledger`.`pass`, `ledger`.`claim`, `ledger`.`sent_at`, `ledger`.`reason`, `ledger`.`at` FROM `ledger` WHERE (((`ledger`.`subscription_id` = `subscriptions`.`id`) AND (`ledger`.`kind` = ?)) AND ((`ledger`.`day` >= ?) AND (`ledger`.`status` = ?))))) AND NOT (EXISTS (SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`day`, `ledger`.`kind`, `ledger`.`cents`, `ledger`.`status`, `ledger`.`charge_key`, `ledger`.`network_ref`, `ledger`.`attempts`, `ledger`.`failures`, `ledger`.`pass`, `ledger`.`claim`, `ledger`.`sent_at`, `ledger`.`reason`, `ledger`.`at` FROM `ledger` WHERE (((`ledger`.`subscription_id` = `subscriptions`.`id`) AND (`ledger`.`kind` = ?)) AND ((`ledger`.`day` = ?) AND (`ledger`.`status` != ?)))))) ORDER BY `subscriptions`.`id` LIMIT ?
SELECT `subscriptions`.`id`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id` FROM `subscriptions` WHERE (((`subscriptions`.`state` IN (?)) AND ((`subscriptions`.`svc_id` IN (?)) AND (`subscriptions`.`id` > ?))) AND NOT (EXISTS (SELECT `ledger`.`id`, `ledger`.`subscription_id`, `ledger`.`network`, `ledger`.`day`, `ledger`.`kind`, `ledger`.`cents`, `ledger`.`status`, `ledger`.`charge_key`, `ledger`.`network_ref`, `ledger`.`attempts`, `ledger`.`failures`, `ledger`.`pass`, `ledger`.`claim`, `ledger`.`sent_at`, `ledger`.`reason`, `ledger`.`at` FROM `ledger` WHERE ((`ledger`.`subscription_id` = `subscriptions`.`id`) AND ((`ledger`.`day` = ?) AND (`ledger`.`kind` = ?)))))) ORDER BY `subscriptions`.`id` LIMIT ?
SELECT `subscriptions`.`id`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id`, `subscriptions`.`state`, `subscriptions`.`since`, `subscriptions`.`left_at`, `subscriptions`.`leave_said_at` FROM `subscriptions` WHERE ((`subscriptions`.`msisdn` = ?) AND (`subscriptions`.`state` != ?)) ORDER BY `subscriptions`.`svc_id`
SELECT `subscriptions`.`id`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id`, `subscriptions`.`state`, `subscriptions`.`since`, `subscriptions`.`left_at`, `subscriptions`.`leave_said_at` FROM `subscriptions` WHERE ((`subscriptions`.`msisdn` = ?) AND (`subscriptions`.`svc_id` = ?)) LIMIT ?
SELECT `subscriptions`.`id`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id`, `subscriptions`.`state`, `subscriptions`.`since`, `subscriptions`.`left_at`, `subscriptions`.`leave_said_at` FROM `subscriptions` WHERE (`subscriptions`.`id` = ?) LIMIT ?
SELECT `subscriptions`.`msisdn`, COUNT(*) FROM (`ledger` INNER JOIN `subscriptions` ON (`ledger`.`subscription_id` = `subscriptions`.`id`)) WHERE ((((1=0) AND (`ledger`.`day` = ?)) AND (`ledger`.`kind` = ?)) AND ((`ledger`.`status` IN (?)) OR (`ledger`.`claim` IS NOT NULL))) GROUP BY `subscriptions`.`msisdn`
SELECT `subscriptions`.`msisdn`, COUNT(*) FROM (`ledger` INNER JOIN `subscriptions` ON (`ledger`.`subscription_id` = `subscriptions`.`id`)) WHERE ((((`subscriptions`.`msisdn` IN (?)) AND (`ledger`.`day` = ?)) AND (`ledger`.`kind` = ?)) AND ((`ledger`.`status` IN (?)) OR (`ledger`.`claim` IS NOT NULL))) GROUP BY `subscriptions`.`msisdn`
SELECT `subscriptions`.`msisdn`, `subscriptions`.`svc_id` FROM `subscriptions` WHERE (((`subscriptions`.`state` = ?) AND (`subscriptions`.`since` < ?)) AND NOT (EXISTS (SELECT `tries`.`id`, `tries`.`subscription_id`, `tries`.`kind`, `tries`.`status`, `tries`.`network`, `tries`.`reference`, `tries`.`label`, `tries`.`browser_hash`, `tries`.`ext_ref`, `tries`.`page`, `tries`.`terms_version`, `tries`.`address`, `tries`.`agent`, `tries`.`created_at`, `tries`.`decided_at`, `tries`.`opened_at` FROM `tries` WHERE ((`tries`.`subscription_id` = `subscriptions`.`id`) AND ((`tries`.`kind` = ?) AND (`tries`.`created_at` >= ?)))))) LIMIT ?
SELECT `subscriptions`.`svc_id` FROM (`holds` INNER JOIN `subscriptions` ON (`holds`.`subscription_id` = `subscriptions`.`id`)) WHERE (((`holds`.`network_ref` = ?) AND (`holds`.`ended_at` IS NULL)) AND (`subscriptions`.`msisdn` = ?)) LIMIT ?
SELECT `subscriptions`.`svc_id`, `subscriptions`.`state`, COUNT(*) FROM `subscriptions` GROUP BY `subscriptions`.`svc_id`, `subscriptions`.`state`
SELECT `tries`.`id`, `tries`.`subscription_id`, `tries`.`kind`, `tries`.`status`, `tries`.`network`, `tries`.`reference`, `tries`.`label`, `tries`.`browser_hash`, `tries`.`ext_ref`, `tries`.`page`, `tries`.`terms_version`, `tries`.`address`, `tries`.`agent`, `tries`.`created_at`, `tries`.`decided_at`, `tries`.`opened_at`, `subscriptions`.`svc_id` FROM (`tries` INNER JOIN `subscriptions` ON (`tries`.`subscription_id` = `subscriptions`.`id`)) WHERE ((`tries`.`id` = ?) AND (`subscriptions`.`msisdn` = ?)) LIMIT ?
SELECT l.id, l.subscription_id, l.charge_key, l.cents, l.day, l.failures, l.attempts + 1 AS attempts, l.network, s.msisdn, s.svc_id, s.state, (SELECT h.network_ref FROM holds h WHERE h.subscription_id = s.id AND h.ended_at IS NULL ORDER BY h.id DESC LIMIT 1) AS hold FROM ledger l JOIN subscriptions s ON s.id = l.subscription_id WHERE l.day = $1 AND l.network = $2 AND l.id > $3 AND l.pass < $4 AND l.kind = 'charge' AND l.status IN ('pending', 'failed') AND l.claim IS NULL AND (l.status = 'pending' OR (s.state = 'active' AND l.failures < $5) OR (s.state = 'suspended' AND l.failures < 1)) ORDER BY l.id LIMIT $6
SELECT max(`billing_passes`.`number`) FROM `billing_passes` WHERE (`billing_passes`.`day` = ?) LIMIT ?
SELECT status, claim IS NULL AS is_free, sent_at IS NULL AS is_unsent, COUNT(*) AS charges FROM ledger WHERE day = $1 AND pass = $2 AND kind = 'charge' GROUP BY 1, 2, 3
UPDATE `billing_passes` SET `finished_at` = ? WHERE ((`billing_passes`.`day` = ?) AND (`billing_passes`.`finished_at` IS NULL))
UPDATE `billing_passes` SET `finished_at` = ? WHERE ((`billing_passes`.`id` = ?) AND (`billing_passes`.`finished_at` IS NULL))
UPDATE `billing_runners` SET `alive_until` = ? WHERE (`billing_runners`.`token` = ?)
UPDATE `charge_hours` SET `sent` = ? WHERE ((`charge_hours`.`network` = ?) AND (`charge_hours`.`hour` = ?))
UPDATE `holds` SET `ended_at` = ? WHERE ((`holds`.`id` = ?) AND (`holds`.`ended_at` IS NULL))
UPDATE `ledger` SET `attempts` = (`ledger`.`attempts` + ?), `failures` = (`ledger`.`failures` + ?), `at` = ? WHERE (`ledger`.`id` = ?)
UPDATE `ledger` SET `claim` = ?, `sent_at` = ?, `status` = ?, `attempts` = (`ledger`.`attempts` + ?), `reason` = ?, `pass` = ? WHERE (1=0)
UPDATE `ledger` SET `claim` = ?, `sent_at` = ?, `status` = ?, `attempts` = (`ledger`.`attempts` + ?), `reason` = ?, `pass` = ? WHERE (`ledger`.`id` IN (?))
UPDATE `ledger` SET `pass` = ?, `failures` = ? WHERE ((((`ledger`.`subscription_id` = ?) AND (`ledger`.`day` = ?)) AND (`ledger`.`kind` = ?)) AND ((`ledger`.`status` IN (?)) AND (`ledger`.`claim` IS NULL)))
UPDATE `ledger` SET `status` = ?, `cents` = ?, `claim` = ?, `pass` = ?, `network_ref` = ?, `reason` = ?, `at` = ? WHERE ((`ledger`.`id` = ?) AND (`ledger`.`status` != ?))
UPDATE `ledger` SET `status` = ?, `claim` = ?, `reason` = ?, `network_ref` = ?, `at` = ? WHERE ((`ledger`.`id` = ?) AND (`ledger`.`status` != ?))
UPDATE `ledger` SET `status` = ?, `failures` = (`ledger`.`failures` + ?), `claim` = ?, `reason` = ?, `at` = ? WHERE (`ledger`.`id` IN (?))
UPDATE `ledger` SET `status` = ?, `network_ref` = ?, `at` = ? WHERE (((`ledger`.`charge_key` = ?) AND (`ledger`.`kind` = ?)) AND (`ledger`.`status` = ?))
UPDATE `ledger` SET `status` = ?, `pass` = ?, `claim` = ?, `reason` = ?, `at` = ? WHERE (`ledger`.`id` IN (?))
UPDATE `ledger` SET `status` = ?, `reason` = ?, `claim` = ?, `sent_at` = ? WHERE ((1=0) AND (`ledger`.`status` = ?))
UPDATE `ledger` SET `status` = ?, `reason` = ?, `claim` = ?, `sent_at` = ? WHERE ((`ledger`.`id` IN (?)) AND (`ledger`.`status` = ?))
UPDATE `ledger` SET `status` = ?, `reason` = ?, `pass` = ?, `at` = ? WHERE (((`ledger`.`day` < ?) AND (`ledger`.`kind` = ?)) AND ((`ledger`.`status` = ?) AND (`ledger`.`claim` IS NULL)))
UPDATE `ledger` SET `status` = ?, `reason` = ?, `sent_at` = ?, `pass` = ? WHERE (`ledger`.`id` IN (?))
UPDATE `ledger` SET `status` = ?, `sent_at` = ?, `claim` = ?, `reason` = ?, `at` = ? WHERE (`ledger`.`id` IN (?))
UPDATE `notifications` SET `accepted_key` = ? WHERE (`notifications`.`id` = ?)
UPDATE `notifications` SET `outcome` = ? WHERE (`notifications`.`id` = ?)
UPDATE `outbox` SET `attempts` = ?, `next_at` = ? WHERE (((`outbox`.`id` = ?) AND (`outbox`.`attempts` = ?)) AND (`outbox`.`done_at` IS NULL))
UPDATE `outbox` SET `done_at` = ? WHERE (`outbox`.`id` = ?)
UPDATE `subscriptions` SET `leave_said_at` = ? WHERE (`subscriptions`.`id` = ?)
UPDATE `subscriptions` SET `state` = ?, `since` = ?, `left_at` = ? WHERE (`subscriptions`.`id` = ?)
UPDATE `tries` SET `opened_at` = ? WHERE (((`tries`.`id` = ?) AND (`tries`.`status` = ?)) AND ((`tries`.`browser_hash` = ?) AND (`tries`.`opened_at` IS NULL)))
UPDATE `tries` SET `status` = ?, `decided_at` = ? WHERE ((`tries`.`id` = ?) AND (`tries`.`status` = ?))
