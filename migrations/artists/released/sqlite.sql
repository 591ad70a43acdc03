-- artists.artist text
-- artists.description text
-- artists.id integer
-- artists.image text
-- artists.service text
-- artists.slug text
-- artists.state text
-- imports.at timestamp
-- imports.digest text
-- imports.id integer
-- imports.service text
-- videos.artist_id bigint
-- videos.bytes bigint
-- videos.datetime timestamp
-- videos.duration_s bigint
-- videos.id integer
-- videos.image text
-- videos.media text
-- videos.service text
-- videos.slug text
-- videos.state text
-- videos.video_name text
INSERT INTO `artists` (`service`, `slug`, `artist`, `description`, `image`, `state`) VALUES (?, ?, ?, ?, ?, ?) RETURNING `id`
INSERT INTO `imports` (`service`, `digest`, `at`) VALUES (?, ?, ?)
INSERT INTO `videos` (`artist_id`, `service`, `slug`, `video_name`, `media`, `image`, `datetime`, `duration_s`, `bytes`, `state`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING `id`
SELECT EXISTS (SELECT `artists`.`id`, `artists`.`service`, `artists`.`slug`, `artists`.`artist`, `artists`.`description`, `artists`.`image`, `artists`.`state` FROM `artists` WHERE ((`artists`.`id` = ?) AND (`artists`.`state` != ?)))
SELECT EXISTS (SELECT `imports`.`id`, `imports`.`service`, `imports`.`digest`, `imports`.`at` FROM `imports` WHERE ((`imports`.`service` = ?) AND (`imports`.`digest` = ?)))
SELECT `artists`.`id`, `artists`.`artist`, `artists`.`artist`, `artists`.`image`, `artists`.`description` FROM `artists` WHERE (((`artists`.`service` = ?) AND (`artists`.`state` = ?)) AND (`artists`.`id` > ?)) ORDER BY `artists`.`id` LIMIT ?
SELECT `artists`.`id`, `artists`.`service`, `artists`.`slug`, `artists`.`artist`, `artists`.`description`, `artists`.`image`, `artists`.`state` FROM `artists` WHERE ((`artists`.`service` = ?) AND (`artists`.`slug` = ?)) LIMIT ?
SELECT `videos`.`id`, `videos`.`artist_id`, `videos`.`service`, `videos`.`slug`, `videos`.`video_name`, `videos`.`media`, `videos`.`image`, `videos`.`datetime`, `videos`.`duration_s`, `videos`.`bytes`, `videos`.`state` FROM `videos` WHERE ((`videos`.`service` = ?) AND (`videos`.`slug` = ?)) LIMIT ?
SELECT `videos`.`id`, `videos`.`video_name`, `artists`.`artist`, `videos`.`artist_id`, `videos`.`media`, `videos`.`image`, `videos`.`datetime`, `videos`.`duration_s`, `videos`.`bytes` FROM (`videos` INNER JOIN `artists` ON (`videos`.`artist_id` = `artists`.`id`)) WHERE (((`videos`.`artist_id` = ?) AND (`artists`.`state` != ?)) AND ((`videos`.`state` = ?) AND (`videos`.`id` > ?))) ORDER BY `videos`.`id` LIMIT ?
SELECT `videos`.`id`, `videos`.`video_name`, `artists`.`artist`, `videos`.`artist_id`, `videos`.`media`, `videos`.`image`, `videos`.`datetime`, `videos`.`duration_s`, `videos`.`bytes` FROM (`videos` INNER JOIN `artists` ON (`videos`.`artist_id` = `artists`.`id`)) WHERE (((`videos`.`id` = ?) AND (`videos`.`state` != ?)) AND (`artists`.`state` != ?)) LIMIT ?
UPDATE `artists` SET `service` = ?, `slug` = ?, `artist` = ?, `description` = ?, `image` = ?, `state` = ? WHERE (`artists`.`id` = ?)
UPDATE `videos` SET `artist_id` = ?, `service` = ?, `slug` = ?, `video_name` = ?, `media` = ?, `image` = ?, `datetime` = ?, `duration_s` = ?, `bytes` = ?, `state` = ? WHERE (`videos`.`id` = ?)
