-- banners.id bigint
-- banners.image text
-- banners.service text
-- banners.slug text
-- banners.title text
-- banners.video_id bigint
-- categories.category_name text
-- categories.id bigint
-- categories.service text
-- categories.slug text
-- imports.at timestamp without time zone
-- imports.digest text
-- imports.id bigint
-- imports.service text
-- likes.created timestamp without time zone
-- likes.msisdn text
-- likes.service text
-- likes.video_id bigint
-- videos.artist text
-- videos.bytes bigint
-- videos.category_id bigint
-- videos.datetime timestamp without time zone
-- videos.duration_s bigint
-- videos.id bigint
-- videos.image text
-- videos.media text
-- videos.name text
-- videos.service text
-- videos.slug text
-- videos.state text
-- videos.status text
-- videos.video_name text
-- watchlist.created timestamp without time zone
-- watchlist.msisdn text
-- watchlist.service text
-- watchlist.video_id bigint
DELETE FROM "likes" WHERE (("likes"."msisdn" = $1) AND ("likes"."video_id" = $2))
DELETE FROM "watchlist" WHERE (("watchlist"."msisdn" = $1) AND ("watchlist"."video_id" = $2))
INSERT INTO "banners" ("service", "slug", "title", "image", "video_id") VALUES ($1, $2, $3, $4, $5) RETURNING "banners"."id"
INSERT INTO "banners" ("service", "slug", "title", "image", "video_id") VALUES ($1, $2, $3, $4, DEFAULT) RETURNING "banners"."id"
INSERT INTO "categories" ("service", "slug", "category_name") VALUES ($1, $2, $3) RETURNING "categories"."id"
INSERT INTO "imports" ("service", "digest", "at") VALUES ($1, $2, $3)
INSERT INTO "likes" ("msisdn", "video_id", "service", "created") VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING
INSERT INTO "videos" ("category_id", "service", "slug", "name", "video_name", "artist", "status", "media", "image", "datetime", "duration_s", "bytes", "state") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING "videos"."id"
INSERT INTO "watchlist" ("msisdn", "video_id", "service", "created") VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING
SELECT "banners"."id", "banners"."service", "banners"."slug", "banners"."title", "banners"."image", "banners"."video_id" FROM "banners" WHERE (("banners"."service" = $1) AND ("banners"."slug" = $2)) LIMIT $3
SELECT "banners"."id", "banners"."title", "banners"."image", "videos"."id" FROM ("banners" LEFT OUTER JOIN "videos" ON (("banners"."video_id" = "videos"."id") AND ("videos"."state" != $1))) WHERE (("banners"."service" = $2) AND ("banners"."id" > $3)) ORDER BY "banners"."id" LIMIT $4
SELECT "categories"."id", "categories"."category_name" FROM "categories" WHERE ("categories"."service" = $1) ORDER BY "categories"."id"
SELECT "categories"."id", "categories"."category_name" FROM "categories" WHERE (("categories"."service" = $1) AND ("categories"."id" = $2)) ORDER BY "categories"."id" LIMIT $3
SELECT "categories"."id", "categories"."category_name" FROM "categories" WHERE (("categories"."service" = $1) AND ("categories"."id" > $2)) ORDER BY "categories"."id" LIMIT $3
SELECT "categories"."id", "categories"."service", "categories"."slug", "categories"."category_name" FROM "categories" WHERE (("categories"."service" = $1) AND ("categories"."slug" = $2)) LIMIT $3
SELECT "likes"."video_id" FROM "likes" WHERE (("likes"."msisdn" = $1) AND ("likes"."service" = $2)) ORDER BY "likes"."video_id"
SELECT "videos"."id" FROM "videos" WHERE (("videos"."service" = $1) AND ("videos"."slug" = $2)) LIMIT $3
SELECT "videos"."id", "videos"."category_id", "videos"."service", "videos"."slug", "videos"."name", "videos"."video_name", "videos"."artist", "videos"."status", "videos"."media", "videos"."image", "videos"."datetime", "videos"."duration_s", "videos"."bytes", "videos"."state" FROM "videos" WHERE (("videos"."service" = $1) AND ("videos"."slug" = $2)) LIMIT $3
SELECT "videos"."id", "videos"."name" FROM ("watchlist" INNER JOIN "videos" ON ("watchlist"."video_id" = "videos"."id")) WHERE ((("watchlist"."msisdn" = $1) AND ("watchlist"."service" = $2)) AND ("videos"."state" != $3)) ORDER BY "watchlist"."created" DESC, "watchlist"."video_id" DESC LIMIT $4
SELECT "videos"."id", "videos"."name", "videos"."video_name", "videos"."media", "categories"."category_name", "videos"."category_id", "videos"."artist", "videos"."status", "videos"."image", "videos"."datetime", "videos"."duration_s", "videos"."bytes" FROM ("videos" INNER JOIN "categories" ON ("videos"."category_id" = "categories"."id")) WHERE ((("videos"."category_id" = $1) AND ("videos"."state" = $2)) AND ("videos"."id" > $3)) ORDER BY "videos"."id" LIMIT $4
SELECT "videos"."id", "videos"."name", "videos"."video_name", "videos"."media", "categories"."category_name", "videos"."category_id", "videos"."artist", "videos"."status", "videos"."image", "videos"."datetime", "videos"."duration_s", "videos"."bytes" FROM ("videos" INNER JOIN "categories" ON ("videos"."category_id" = "categories"."id")) WHERE ((("videos"."id" = $1) AND ("videos"."service" = $2)) AND ("videos"."state" != $3)) LIMIT $4
SELECT "videos"."id", "videos"."name", "videos"."video_name", "videos"."media", "categories"."category_name", "videos"."category_id", "videos"."artist", "videos"."status", "videos"."image", "videos"."datetime", "videos"."duration_s", "videos"."bytes" FROM ("videos" INNER JOIN "categories" ON ("videos"."category_id" = "categories"."id")) WHERE ((("videos"."service" = $1) AND ("videos"."status" = $2)) AND (("videos"."state" = $3) AND ("videos"."id" > $4))) ORDER BY "videos"."id" LIMIT $5
SELECT EXISTS (SELECT "imports"."id", "imports"."service", "imports"."digest", "imports"."at" FROM "imports" WHERE (("imports"."service" = $1) AND ("imports"."digest" = $2)))
SELECT EXISTS (SELECT "videos"."id", "videos"."category_id", "videos"."service", "videos"."slug", "videos"."name", "videos"."video_name", "videos"."artist", "videos"."status", "videos"."media", "videos"."image", "videos"."datetime", "videos"."duration_s", "videos"."bytes", "videos"."state" FROM "videos" WHERE (("videos"."id" = $1) AND (("videos"."service" = $2) AND ("videos"."state" != $3))))
UPDATE "banners" SET "service" = $1, "slug" = $2, "title" = $3, "image" = $4, "video_id" = $5 WHERE ("banners"."id" = $6)
UPDATE "categories" SET "service" = $1, "slug" = $2, "category_name" = $3 WHERE ("categories"."id" = $4)
UPDATE "videos" SET "category_id" = $1, "service" = $2, "slug" = $3, "name" = $4, "video_name" = $5, "artist" = $6, "status" = $7, "media" = $8, "image" = $9, "datetime" = $10, "duration_s" = $11, "bytes" = $12, "state" = $13 WHERE ("videos"."id" = $14)
WITH c AS (SELECT id, category_name FROM categories WHERE service = $1 AND id > $2 ORDER BY id LIMIT $3) SELECT id, category_name, NULL, NULL, NULL, NULL, NULL, NULL FROM c UNION ALL SELECT c.id, NULL, v.id, v.image, v.name, v.video_name, v.duration_s, v.bytes FROM c CROSS JOIN LATERAL (SELECT * FROM videos WHERE category_id = c.id AND state = 'listed' ORDER BY id LIMIT 20) v
