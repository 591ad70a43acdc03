-- attempts.address text
-- attempts.at timestamp
-- attempts.email text
-- attempts.id integer
-- audit.action text
-- audit.at timestamp
-- audit.details text
-- audit.hash text
-- audit.id bigint
-- audit.staff text
-- audit.staff_id bigint
-- audit.subject text
-- audit_head.hash text
-- audit_head.id bigint
-- audit_head.last_id bigint
-- invitations.ended_at timestamp
-- invitations.expires_at timestamp
-- invitations.resets boolean
-- invitations.staff_id bigint
-- invitations.token_hash text
-- invitations.totp_secret text
-- sessions.address text
-- sessions.agent text
-- sessions.id integer
-- sessions.last_seen_at timestamp
-- sessions.staff_id bigint
-- sessions.started_at timestamp
-- sessions.token_hash text
-- staff.created_at timestamp
-- staff.email text
-- staff.id integer
-- staff.last_seen_at timestamp
-- staff.name text
-- staff.password_hash text
-- staff.roles text
-- staff.state text
-- staff.totp_secret text
-- staff.totp_step bigint
DELETE FROM `attempts` WHERE (`attempts`.`at` <= ?)
DELETE FROM `attempts` WHERE (`attempts`.`email` = ?)
DELETE FROM `sessions` WHERE (`sessions`.`id` = ?)
DELETE FROM `sessions` WHERE (`sessions`.`staff_id` = ?)
DELETE FROM `sessions` WHERE (`sessions`.`started_at` < ?)
INSERT INTO `attempts` (`email`, `address`, `at`) VALUES (?, ?, ?)
INSERT INTO `audit` (`id`, `at`, `staff_id`, `staff`, `action`, `subject`, `details`, `hash`) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
INSERT INTO `audit` (`id`, `at`, `staff`, `action`, `subject`, `details`, `hash`) VALUES (?, ?, ?, ?, ?, ?, ?)
INSERT INTO `invitations` (`token_hash`, `staff_id`, `totp_secret`, `resets`, `expires_at`) VALUES (?, ?, ?, ?, ?)
INSERT INTO `sessions` (`token_hash`, `staff_id`, `started_at`, `last_seen_at`, `address`, `agent`) VALUES (?, ?, ?, ?, ?, ?)
INSERT INTO `staff` (`email`, `name`, `roles`, `state`, `totp_step`, `created_at`) VALUES (?, ?, ?, ?, ?, ?)
SELECT `attempts`.`at` FROM `attempts` WHERE ((`attempts`.`address` = ?) AND (`attempts`.`at` > ?)) ORDER BY `attempts`.`at` DESC LIMIT ? OFFSET ?
SELECT `attempts`.`at` FROM `attempts` WHERE ((`attempts`.`email` = ?) AND (`attempts`.`at` > ?)) ORDER BY `attempts`.`at` DESC LIMIT ? OFFSET ?
SELECT `audit_head`.`last_id`, `audit_head`.`hash` FROM `audit_head` WHERE (`audit_head`.`id` = ?) LIMIT ?
SELECT `audit`.`id`, `audit`.`at`, `audit`.`staff_id`, `audit`.`staff`, `audit`.`action`, `audit`.`subject`, `audit`.`details`, `audit`.`hash` FROM `audit` ORDER BY `audit`.`id` DESC LIMIT ?
SELECT `audit`.`id`, `audit`.`at`, `audit`.`staff_id`, `audit`.`staff`, `audit`.`action`, `audit`.`subject`, `audit`.`details`, `audit`.`hash` FROM `audit` WHERE ((`audit`.`id` > ?) AND (`audit`.`id` <= ?)) ORDER BY `audit`.`id` LIMIT ?
SELECT `audit`.`id`, `audit`.`at`, `audit`.`staff_id`, `audit`.`staff`, `audit`.`action`, `audit`.`subject`, `audit`.`details`, `audit`.`hash` FROM `audit` WHERE ((`audit`.`staff_id` = ?) AND (`audit`.`action` = ?)) ORDER BY `audit`.`id` DESC LIMIT ?
SELECT `audit`.`id`, `audit`.`at`, `audit`.`staff_id`, `audit`.`staff`, `audit`.`action`, `audit`.`subject`, `audit`.`details`, `audit`.`hash` FROM `audit` WHERE (`audit`.`id` < ?) ORDER BY `audit`.`id` DESC LIMIT ?
SELECT `sessions`.`id`, `sessions`.`last_seen_at`, `staff`.`id`, `staff`.`email`, `staff`.`name`, `staff`.`roles` FROM (`sessions` INNER JOIN `staff` ON (`staff`.`id` = `sessions`.`staff_id`)) WHERE ((((`sessions`.`token_hash` = ?) AND (`sessions`.`started_at` > ?)) AND (`sessions`.`last_seen_at` > ?)) AND (`staff`.`state` = ?)) LIMIT ?
SELECT `sessions`.`id`, `sessions`.`started_at`, `sessions`.`last_seen_at`, `sessions`.`address`, `sessions`.`agent` FROM `sessions` WHERE (((`sessions`.`staff_id` = ?) AND (`sessions`.`started_at` > ?)) AND (`sessions`.`last_seen_at` > ?)) ORDER BY `sessions`.`id` DESC
SELECT `staff`.`id`, `staff`.`email` FROM (`sessions` INNER JOIN `staff` ON (`staff`.`id` = `sessions`.`staff_id`)) WHERE (`sessions`.`id` = ?) LIMIT ?
SELECT `staff`.`id`, `staff`.`email`, `staff`.`name`, `staff`.`roles`, `staff`.`state`, `staff`.`password_hash`, `staff`.`totp_secret`, `staff`.`totp_step`, `staff`.`last_seen_at` FROM `staff` ORDER BY `staff`.`email`
SELECT `staff`.`id`, `staff`.`email`, `staff`.`name`, `staff`.`roles`, `staff`.`state`, `staff`.`password_hash`, `staff`.`totp_secret`, `staff`.`totp_step`, `staff`.`last_seen_at` FROM `staff` WHERE ((`staff`.`state` = ?) AND (`staff`.`password_hash` IS NOT NULL))
SELECT `staff`.`id`, `staff`.`email`, `staff`.`name`, `staff`.`roles`, `staff`.`state`, `staff`.`password_hash`, `staff`.`totp_secret`, `staff`.`totp_step`, `staff`.`last_seen_at` FROM `staff` WHERE (`staff`.`email` = ?) LIMIT ?
SELECT `staff`.`id`, `staff`.`email`, `staff`.`name`, `staff`.`roles`, `staff`.`state`, `staff`.`password_hash`, `staff`.`totp_secret`, `staff`.`totp_step`, `staff`.`last_seen_at` FROM `staff` WHERE (`staff`.`id` = ?) LIMIT ?
SELECT `staff`.`id`, `staff`.`email`, `staff`.`name`, `staff`.`roles`, `staff`.`state`, `staff`.`password_hash`, `staff`.`totp_secret`, `staff`.`totp_step`, `staff`.`last_seen_at`, `invitations`.`totp_secret`, `invitations`.`resets` FROM (`invitations` INNER JOIN `staff` ON (`staff`.`id` = `invitations`.`staff_id`)) WHERE ((((`invitations`.`token_hash` = ?) AND (`invitations`.`ended_at` IS NULL)) AND (`invitations`.`expires_at` > ?)) AND (`staff`.`state` != ?)) LIMIT ?
UPDATE `audit_head` SET `last_id` = ?, `hash` = ? WHERE (`audit_head`.`id` = ?)
UPDATE `audit_head` SET `last_id` = `audit_head`.`last_id` WHERE (`audit_head`.`id` = ?)
UPDATE `invitations` SET `ended_at` = ? WHERE ((`invitations`.`staff_id` = ?) AND (`invitations`.`ended_at` IS NULL))
UPDATE `staff` SET `last_seen_at` = ? WHERE (`staff`.`id` = ?)
UPDATE `staff` SET `name` = ?, `roles` = ?, `state` = ? WHERE (`staff`.`id` = ?)
UPDATE `staff` SET `name` = ?, `state` = ?, `password_hash` = ?, `totp_secret` = ?, `totp_step` = ? WHERE (`staff`.`id` = ?)
UPDATE `staff` SET `password_hash` = ?, `totp_secret` = ? WHERE (`staff`.`id` = ?)
UPDATE `staff` SET `roles` = ?, `state` = ? WHERE (`staff`.`id` = ?)
UPDATE `staff` SET `totp_step` = ? WHERE (`staff`.`id` = ?)
