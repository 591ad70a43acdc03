-- charges.at timestamp
-- charges.cents bigint
-- charges.charge_key text
-- charges.day text
-- charges.id integer
-- charges.msisdn text
-- charges.svc_id integer
-- failed_charges.at timestamp
-- failed_charges.charge_key text
-- failed_charges.outcome text
-- failed_charges.tries integer
-- messages.at timestamp
-- messages.id integer
-- messages.message_key text
-- messages.msisdn text
-- messages.svc_id integer
-- messages.text text
-- notifications.attempts integer
-- notifications.body text
-- notifications.delivered_at timestamp
-- notifications.id integer
-- notifications.msisdn text
-- notifications.network text
-- notifications.next_at timestamp
-- notifications.webhook_id text
-- opt_ins.created_at timestamp
-- opt_ins.decided_at timestamp
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
-- refunds.at timestamp
-- refunds.cents bigint
-- refunds.charge_key text
-- refunds.day text
-- refunds.id integer
-- refunds.msisdn text
-- refunds.reason text
-- refunds.refund_key text
-- refunds.svc_id integer
-- subscriptions.ended_at timestamp
-- subscriptions.ext_ref text
-- subscriptions.id integer
-- subscriptions.last_billed_at timestamp
-- subscriptions.msisdn text
-- subscriptions.network text
-- subscriptions.partner_ref text
-- subscriptions.started_at timestamp
-- subscriptions.svc_id integer
DELETE FROM charges
INSERT INTO `charges` (`charge_key`, `msisdn`, `svc_id`, `cents`, `day`, `at`) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
INSERT INTO `failed_charges` (`charge_key`, `outcome`, `tries`, `at`) VALUES (?, ?, ?, ?) ON CONFLICT (`charge_key`) DO UPDATE SET `outcome` = excluded.`outcome`, `tries` = excluded.`tries`, `at` = excluded.`at`
INSERT INTO `messages` (`message_key`, `msisdn`, `svc_id`, `text`, `at`) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
INSERT INTO `notifications` (`webhook_id`, `network`, `msisdn`, `body`, `attempts`, `next_at`) VALUES (?, ?, ?, ?, ?, ?)
INSERT INTO `opt_ins` (`reference`, `kind`, `status`, `msisdn`, `svc_id`, `service`, `price_cents`, `ext_ref`, `partner_ref`, `return_url`, `created_at`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
INSERT INTO `opt_ins` (`reference`, `kind`, `status`, `msisdn`, `svc_id`, `service`, `price_cents`, `ext_ref`, `return_url`, `created_at`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
INSERT INTO `refunds` (`refund_key`, `charge_key`, `msisdn`, `svc_id`, `cents`, `reason`, `day`, `at`) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
INSERT INTO `subscriptions` (`network`, `msisdn`, `svc_id`, `ext_ref`, `partner_ref`, `started_at`) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
SELECT `charges`.`id`, `charges`.`charge_key`, `charges`.`msisdn`, `charges`.`svc_id`, `charges`.`cents`, `charges`.`day`, `charges`.`at` FROM `charges` WHERE ((`charges`.`day` = ?) AND (`charges`.`id` > ?)) ORDER BY `charges`.`id` LIMIT ?
SELECT `charges`.`id`, `charges`.`charge_key`, `charges`.`msisdn`, `charges`.`svc_id`, `charges`.`cents`, `charges`.`day`, `charges`.`at` FROM `charges` WHERE (`charges`.`charge_key` IN (?))
SELECT `failed_charges`.`charge_key`, `failed_charges`.`outcome`, `failed_charges`.`tries`, `failed_charges`.`at` FROM `failed_charges` WHERE (`failed_charges`.`charge_key` IN (?))
SELECT `messages`.`svc_id`, `messages`.`text`, `messages`.`at` FROM `messages` WHERE (`messages`.`msisdn` = ?) ORDER BY `messages`.`id` DESC LIMIT ?
SELECT `notifications`.`id`, `notifications`.`webhook_id`, `notifications`.`network`, `notifications`.`msisdn`, `notifications`.`body`, `notifications`.`attempts` FROM `notifications` WHERE ((`notifications`.`delivered_at` IS NULL) AND (`notifications`.`next_at` <= ?)) ORDER BY `notifications`.`next_at`, `notifications`.`id` LIMIT ?
SELECT `opt_ins`.`reference`, `opt_ins`.`kind`, `opt_ins`.`status`, `opt_ins`.`msisdn`, `opt_ins`.`svc_id`, `opt_ins`.`service`, `opt_ins`.`price_cents`, `opt_ins`.`ext_ref`, `opt_ins`.`partner_ref`, `opt_ins`.`return_url`, `opt_ins`.`created_at`, `opt_ins`.`decided_at`, `opt_ins`.`subscription_id` FROM `opt_ins` WHERE (`opt_ins`.`reference` = ?) LIMIT ?
SELECT `refunds`.`cents` FROM `refunds` WHERE (`refunds`.`charge_key` = ?)
SELECT `refunds`.`id`, `refunds`.`refund_key`, `refunds`.`charge_key`, `refunds`.`msisdn`, `refunds`.`svc_id`, `refunds`.`cents`, `refunds`.`reason`, `refunds`.`day`, `refunds`.`at` FROM `refunds` WHERE (`refunds`.`day` = ?) ORDER BY `refunds`.`id`
SELECT `refunds`.`id`, `refunds`.`refund_key`, `refunds`.`charge_key`, `refunds`.`msisdn`, `refunds`.`svc_id`, `refunds`.`cents`, `refunds`.`reason`, `refunds`.`day`, `refunds`.`at` FROM `refunds` WHERE (`refunds`.`refund_key` = ?) LIMIT ?
SELECT `subscriptions`.`id`, `subscriptions`.`network`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id`, `subscriptions`.`ext_ref`, `subscriptions`.`partner_ref`, `subscriptions`.`started_at`, `subscriptions`.`ended_at`, `subscriptions`.`last_billed_at` FROM `subscriptions` WHERE (((`subscriptions`.`msisdn` = ?) AND (`subscriptions`.`ended_at` IS NULL)) AND (`subscriptions`.`svc_id` = ?)) ORDER BY `subscriptions`.`id`
SELECT `subscriptions`.`id`, `subscriptions`.`network`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id`, `subscriptions`.`ext_ref`, `subscriptions`.`partner_ref`, `subscriptions`.`started_at`, `subscriptions`.`ended_at`, `subscriptions`.`last_billed_at` FROM `subscriptions` WHERE (((`subscriptions`.`svc_id` IN (?)) AND (`subscriptions`.`ended_at` IS NULL)) AND ((`subscriptions`.`started_at` < ?) AND (`subscriptions`.`id` > ?))) ORDER BY `subscriptions`.`id` LIMIT ?
SELECT `subscriptions`.`id`, `subscriptions`.`network`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id`, `subscriptions`.`ext_ref`, `subscriptions`.`partner_ref`, `subscriptions`.`started_at`, `subscriptions`.`ended_at`, `subscriptions`.`last_billed_at` FROM `subscriptions` WHERE ((`subscriptions`.`msisdn` = ?) AND (`subscriptions`.`ended_at` IS NULL)) ORDER BY `subscriptions`.`id`
SELECT `subscriptions`.`id`, `subscriptions`.`network`, `subscriptions`.`msisdn`, `subscriptions`.`svc_id`, `subscriptions`.`ext_ref`, `subscriptions`.`partner_ref`, `subscriptions`.`started_at`, `subscriptions`.`ended_at`, `subscriptions`.`last_billed_at` FROM `subscriptions` WHERE (`subscriptions`.`id` = ?) LIMIT ?
SELECT `subscriptions`.`msisdn`, `subscriptions`.`svc_id` FROM `subscriptions` WHERE ((`subscriptions`.`msisdn` IN (?)) AND (`subscriptions`.`ended_at` IS NULL))
UPDATE `notifications` SET `attempts` = ?, `next_at` = ? WHERE (`notifications`.`id` = ?)
UPDATE `notifications` SET `delivered_at` = ? WHERE (1=0)
UPDATE `notifications` SET `delivered_at` = ? WHERE (`notifications`.`id` IN (?))
UPDATE `opt_ins` SET `status` = ?, `decided_at` = ? WHERE ((`opt_ins`.`reference` = ?) AND (`opt_ins`.`status` = ?))
UPDATE `opt_ins` SET `subscription_id` = ? WHERE (`opt_ins`.`reference` = ?)
UPDATE `subscriptions` SET `ended_at` = ? WHERE ((`subscriptions`.`id` = ?) AND (`subscriptions`.`ended_at` IS NULL))
UPDATE `subscriptions` SET `last_billed_at` = ? WHERE (1=0)
UPDATE `subscriptions` SET `last_billed_at` = ? WHERE (`subscriptions`.`id` IN (?))
