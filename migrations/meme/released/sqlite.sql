-- categories.id integer
-- categories.name text
-- categories.service text
-- categories.slug text
-- imports.at timestamp
-- imports.digest text
-- imports.id integer
-- imports.service text
-- likes.created timestamp
-- likes.meme_id bigint
-- likes.msisdn text
-- memes.category_id bigint
-- memes.created_at timestamp
-- memes.id integer
-- memes.image text
-- memes.likes bigint
-- memes.service text
-- memes.slug text
-- memes.state text
-- memes.title text
DELETE FROM `likes` WHERE ((`likes`.`msisdn` = ?) AND (`likes`.`meme_id` = ?))
INSERT INTO `categories` (`service`, `slug`, `name`) VALUES (?, ?, ?) RETURNING `id`
INSERT INTO `imports` (`service`, `digest`, `at`) VALUES (?, ?, ?)
INSERT INTO `likes` (`msisdn`, `meme_id`, `created`) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
INSERT INTO `memes` (`category_id`, `service`, `slug`, `title`, `image`, `created_at`, `state`) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING `id`
SELECT `categories`.`id`, `categories`.`name` FROM `categories` WHERE ((`categories`.`service` = ?) AND (`categories`.`id` > ?)) ORDER BY `categories`.`id` LIMIT ?
SELECT `categories`.`id`, `categories`.`name` FROM `categories` WHERE (`categories`.`id` = ?) LIMIT ?
SELECT `categories`.`id`, `categories`.`service`, `categories`.`slug`, `categories`.`name` FROM `categories` WHERE ((`categories`.`service` = ?) AND (`categories`.`slug` = ?)) LIMIT ?
SELECT `likes`.`meme_id` FROM `likes` WHERE (`likes`.`msisdn` = ?) ORDER BY `likes`.`meme_id`
SELECT `memes`.`id` FROM `memes` WHERE ((`memes`.`service` = ?) AND (`memes`.`state` = ?))
SELECT `memes`.`id`, `memes`.`category_id`, `memes`.`service`, `memes`.`slug`, `memes`.`title`, `memes`.`image`, `memes`.`created_at`, `memes`.`state` FROM `memes` WHERE ((`memes`.`service` = ?) AND (`memes`.`slug` = ?)) LIMIT ?
SELECT `memes`.`id`, `memes`.`title`, `memes`.`image`, `memes`.`created_at`, `memes`.`likes` FROM `memes` WHERE (((`memes`.`category_id` = ?) AND (`memes`.`state` = ?)) AND (`memes`.`id` > ?)) ORDER BY `memes`.`id` LIMIT ?
SELECT `memes`.`id`, `memes`.`title`, `memes`.`image`, `memes`.`created_at`, `memes`.`likes` FROM `memes` WHERE ((1=0) AND (`memes`.`state` = ?))
SELECT `memes`.`id`, `memes`.`title`, `memes`.`image`, `memes`.`created_at`, `memes`.`likes` FROM `memes` WHERE ((`memes`.`id` IN (?)) AND (`memes`.`state` = ?))
SELECT `memes`.`likes` FROM `memes` WHERE ((`memes`.`id` = ?) AND (`memes`.`state` != ?)) LIMIT ?
SELECT max(`imports`.`id`) FROM `imports`
UPDATE `memes` SET `category_id` = ?, `service` = ?, `slug` = ?, `title` = ?, `image` = ?, `created_at` = ?, `state` = ? WHERE (`memes`.`id` = ?)
UPDATE `memes` SET `likes` = (`memes`.`likes` + ?) WHERE (`memes`.`id` = ?) RETURNING `likes`
UPDATE `memes` SET `likes` = (`memes`.`likes` - ?) WHERE (`memes`.`id` = ?) RETURNING `likes`
