-- artists.artist text
-- artists.description text
-- artists.id bigint
-- artists.image text
-- artists.service text
-- artists.slug text
-- artists.state text
-- imports.at timestamp without time zone
-- imports.digest text
-- imports.id bigint
-- imports.service text
-- videos.artist_id bigint
-- videos.bytes bigint
-- videos.datetime timestamp without time zone
-- videos.duration_s bigint
-- videos.id bigint
-- videos.image text
-- videos.media text
-- videos.service text
-- videos.slug text
-- videos.state text
-- videos.video_name text
INSERT INTO "artists" ("service", "slug", "artist", "description", "image", "state") VALUES ($1, $2, $3, $4, $5, $6) RETURNING "artists"."id"
INSERT INTO "imports" ("service", "digest", "at") VALUES ($1, $2, $3)
INSERT INTO "videos" ("artist_id", "service", "slug", "video_name", "media", "image", "datetime", "duration_s", "bytes", "state") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING "videos"."id"
SELECT "artists"."id", "artists"."artist", "artists"."artist", "artists"."image", "artists"."description" FROM "artists" WHERE ((("artists"."service" = $1) AND ("artists"."state" = $2)) AND ("artists"."id" > $3)) ORDER BY "artists"."id" LIMIT $4
SELECT "artists"."id", "artists"."service", "artists"."slug", "artists"."artist", "artists"."description", "artists"."image", "artists"."state" FROM "artists" WHERE (("artists"."service" = $1) AND ("artists"."slug" = $2)) LIMIT $3
SELECT "videos"."id", "videos"."artist_id", "videos"."service", "videos"."slug", "videos"."video_name", "videos"."media", "videos"."image", "videos"."datetime", "videos"."duration_s", "videos"."bytes", "videos"."state" FROM "videos" WHERE (("videos"."service" = $1) AND ("videos"."slug" = $2)) LIMIT $3
SELECT "videos"."id", "videos"."video_name", "artists"."artist", "videos"."artist_id", "videos"."media", "videos"."image", "videos"."datetime", "videos"."duration_s", "videos"."bytes" FROM ("videos" INNER JOIN "artists" ON ("videos"."artist_id" = "artists"."id")) WHERE ((("videos"."artist_id" = $1) AND ("artists"."state" != $2)) AND (("videos"."state" = $3) AND ("videos"."id" > $4))) ORDER BY "videos"."id" LIMIT $5
SELECT "videos"."id", "videos"."video_name", "artists"."artist", "videos"."artist_id", "videos"."media", "videos"."image", "videos"."datetime", "videos"."duration_s", "videos"."bytes" FROM ("videos" INNER JOIN "artists" ON ("videos"."artist_id" = "artists"."id")) WHERE ((("videos"."id" = $1) AND ("videos"."state" != $2)) AND ("artists"."state" != $3)) LIMIT $4
SELECT EXISTS (SELECT "artists"."id", "artists"."service", "artists"."slug", "artists"."artist", "artists"."description", "artists"."image", "artists"."state" FROM "artists" WHERE (("artists"."id" = $1) AND ("artists"."state" != $2)))
SELECT EXISTS (SELECT "imports"."id", "imports"."service", "imports"."digest", "imports"."at" FROM "imports" WHERE (("imports"."service" = $1) AND ("imports"."digest" = $2)))
UPDATE "artists" SET "service" = $1, "slug" = $2, "artist" = $3, "description" = $4, "image" = $5, "state" = $6 WHERE ("artists"."id" = $7)
UPDATE "videos" SET "artist_id" = $1, "service" = $2, "slug" = $3, "video_name" = $4, "media" = $5, "image" = $6, "datetime" = $7, "duration_s" = $8, "bytes" = $9, "state" = $10 WHERE ("videos"."id" = $11)
