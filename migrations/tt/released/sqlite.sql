-- banners.id integer
-- banners.image text
-- banners.service text
-- banners.slug text
-- banners.title text
-- banners.video_id bigint
-- categories.category_name text
-- categories.id integer
-- categories.service text
-- categories.slug text
-- imports.at timestamp
-- imports.digest text
-- imports.id integer
-- imports.service text
-- likes.created timestamp
-- likes.msisdn text
-- likes.service text
-- likes.video_id bigint
-- videos.artist text
-- videos.bytes bigint
-- videos.category_id bigint
-- videos.datetime timestamp
-- videos.duration_s bigint
-- videos.id integer
-- videos.image text
-- videos.media text
-- videos.name text
-- videos.service text
-- videos.slug text
-- videos.state text
-- videos.status text
-- videos.video_name text
-- watchlist.created timestamp
-- watchlist.msisdn text
-- watchlist.service text
-- watchlist.video_id bigint
DELETE FROM `likes` WHERE ((`likes`.`msisdn` = ?) AND (`likes`.`video_id` = ?))
DELETE FROM `watchlist` WHERE ((`watchlist`.`msisdn` = ?) AND (`watchlist`.`video_id` = ?))
INSERT INTO `banners` (`service`, `slug`, `title`, `image`) VALUES (?, ?, ?, ?) RETURNING `id`
INSERT INTO `banners` (`service`, `slug`, `title`, `image`, `video_id`) VALUES (?, ?, ?, ?, ?) RETURNING `id`
INSERT INTO `categories` (`service`, `slug`, `category_name`) VALUES (?, ?, ?) RETURNING `id`
INSERT INTO `imports` (`service`, `digest`, `at`) VALUES (?, ?, ?)
INSERT INTO `likes` (`msisdn`, `video_id`, `service`, `created`) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
INSERT INTO `videos` (`category_id`, `service`, `slug`, `name`, `video_name`, `artist`, `status`, `media`, `image`, `datetime`, `duration_s`, `bytes`, `state`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING `id`
INSERT INTO `watchlist` (`msisdn`, `video_id`, `service`, `created`) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
SELECT EXISTS (SELECT `imports`.`id`, `imports`.`service`, `imports`.`digest`, `imports`.`at` FROM `imports` WHERE ((`imports`.`service` = ?) AND (`imports`.`digest` = ?)))
SELECT EXISTS (SELECT `videos`.`id`, `videos`.`category_id`, `videos`.`service`, `videos`.`slug`, `videos`.`name`, `videos`.`video_name`, `videos`.`artist`, `videos`.`status`, `videos`.`media`, `videos`.`image`, `videos`.`datetime`, `videos`.`duration_s`, `videos`.`bytes`, `videos`.`state` FROM `videos` WHERE ((`videos`.`id` = ?) AND ((`videos`.`service` = ?) AND (`videos`.`state` != ?))))
SELECT `banners`.`id`, `banners`.`service`, `banners`.`slug`, `banners`.`title`, `banners`.`image`, `banners`.`video_id` FROM `banners` WHERE ((`banners`.`service` = ?) AND (`banners`.`slug` = ?)) LIMIT ?
SELECT `banners`.`id`, `banners`.`title`, `banners`.`image`, `videos`.`id` FROM (`banners` LEFT OUTER JOIN `videos` ON ((`banners`.`video_id` = `videos`.`id`) AND (`videos`.`state` != ?))) WHERE ((`banners`.`service` = ?) AND (`banners`.`id` > ?)) ORDER BY `banners`.`id` LIMIT ?
SELECT `categories`.`id`, `categories`.`category_name` FROM `categories` WHERE ((`categories`.`service` = ?) AND (`categories`.`id` = ?)) ORDER BY `categories`.`id` LIMIT ?
SELECT `categories`.`id`, `categories`.`category_name` FROM `categories` WHERE ((`categories`.`service` = ?) AND (`categories`.`id` > ?)) ORDER BY `categories`.`id` LIMIT ?
SELECT `categories`.`id`, `categories`.`category_name` FROM `categories` WHERE (`categories`.`service` = ?) ORDER BY `categories`.`id`
SELECT `categories`.`id`, `categories`.`service`, `categories`.`slug`, `categories`.`category_name` FROM `categories` WHERE ((`categories`.`service` = ?) AND (`categories`.`slug` = ?)) LIMIT ?
SELECT `likes`.`video_id` FROM `likes` WHERE ((`likes`.`msisdn` = ?) AND (`likes`.`service` = ?)) ORDER BY `likes`.`video_id`
SELECT `videos`.`id` FROM `videos` WHERE ((`videos`.`service` = ?) AND (`videos`.`slug` = ?)) LIMIT ?
SELECT `videos`.`id`, `videos`.`category_id`, `videos`.`service`, `videos`.`slug`, `videos`.`name`, `videos`.`video_name`, `videos`.`artist`, `videos`.`status`, `videos`.`media`, `videos`.`image`, `videos`.`datetime`, `videos`.`duration_s`, `videos`.`bytes`, `videos`.`state` FROM `videos` WHERE ((`videos`.`service` = ?) AND (`videos`.`slug` = ?)) LIMIT ?
SELECT `videos`.`id`, `videos`.`name` FROM (`watchlist` INNER JOIN `videos` ON (`watchlist`.`video_id` = `videos`.`id`)) WHERE (((`watchlist`.`msisdn` = ?) AND (`watchlist`.`service` = ?)) AND (`videos`.`state` != ?)) ORDER BY `watchlist`.`created` DESC, `watchlist`.`video_id` DESC LIMIT ?
SELECT `videos`.`id`, `videos`.`name`, `videos`.`video_name`, `videos`.`media`, `categories`.`category_name`, `videos`.`category_id`, `videos`.`artist`, `videos`.`status`, `videos`.`image`, `videos`.`datetime`, `videos`.`duration_s`, `videos`.`bytes` FROM (`videos` INNER JOIN `categories` ON (`videos`.`category_id` = `categories`.`id`)) WHERE (((`videos`.`category_id` = ?) AND (`videos`.`state` = ?)) AND (`videos`.`id` > ?)) ORDER BY `videos`.`id` LIMIT ?
SELECT `videos`.`id`, `videos`.`name`, `videos`.`video_name`, `videos`.`media`, `categories`.`category_name`, `videos`.`category_id`, `videos`.`artist`, `videos`.`status`, `videos`.`image`, `videos`.`datetime`, `videos`.`duration_s`, `videos`.`bytes` FROM (`videos` INNER JOIN `categories` ON (`videos`.`category_id` = `categories`.`id`)) WHERE (((`videos`.`id` = ?) AND (`videos`.`service` = ?)) AND (`videos`.`state` != ?)) LIMIT ?
SELECT `videos`.`id`, `videos`.`name`, `videos`.`video_name`, `videos`.`media`, `categories`.`category_name`, `videos`.`category_id`, `videos`.`artist`, `videos`.`status`, `videos`.`image`, `videos`.`datetime`, `videos`.`duration_s`, `videos`.`bytes` FROM (`videos` INNER JOIN `categories` ON (`videos`.`category_id` = `categories`.`id`)) WHERE (((`videos`.`service` = ?) AND (`videos`.`status` = ?)) AND ((`videos`.`state` = ?) AND (`videos`.`id` > ?))) ORDER BY `videos`.`id` LIMIT ?
UPDATE `banners` SET `service` = ?, `slug` = ?, `title` = ?, `image` = ?, `video_id` = ? WHERE (`banners`.`id` = ?)
UPDATE `videos` SET `category_id` = ?, `service` = ?, `slug` = ?, `name` = ?, `video_name` = ?, `artist` = ?, `status` = ?, `media` = ?, `image` = ?, `datetime` = ?, `duration_s` = ?, `bytes` = ?, `state` = ? WHERE (`videos`.`id` = ?)
WITH c AS (SELECT id, category_name FROM categories WHERE service = ? AND id > ? ORDER BY id LIMIT ?) SELECT id, category_name, NULL, NULL, NULL, NULL, NULL, NULL FROM c UNION ALL SELECT c.id, NULL, v.id, v.image, v.name, v.video_name, v.duration_s, v.bytes FROM c CROSS JOIN videos v ON v.category_id = c.id AND v.state = 'listed' AND v.id <= ifnull((SELECT id FROM videos WHERE category_id = c.id AND state = 'listed' ORDER BY id LIMIT 1 OFFSET 19), 9223372036854775807)
