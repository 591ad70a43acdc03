-- categories.id bigint
-- categories.name text
-- categories.service text
-- categories.slug text
-- imports.at timestamp without time zone
-- imports.digest text
-- imports.id bigint
-- imports.service text
-- likes.created timestamp without time zone
-- likes.meme_id bigint
-- likes.msisdn text
-- memes.category_id bigint
-- memes.created_at timestamp without time zone
-- memes.id bigint
-- memes.image text
-- memes.likes bigint
-- memes.service text
-- memes.slug text
-- memes.state text
-- memes.title text
DELETE FROM "likes" WHERE (("likes"."msisdn" = $1) AND ("likes"."meme_id" = $2))
INSERT INTO "categories" ("service", "slug", "name") VALUES ($1, $2, $3) RETURNING "categories"."id"
INSERT INTO "imports" ("service", "digest", "at") VALUES ($1, $2, $3)
INSERT INTO "likes" ("msisdn", "meme_id", "created") VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
INSERT INTO "memes" ("category_id", "service", "slug", "title", "image", "created_at", "state") VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING "memes"."id"
SELECT "categories"."id", "categories"."name" FROM "categories" WHERE ("categories"."id" = $1) LIMIT $2
SELECT "categories"."id", "categories"."name" FROM "categories" WHERE (("categories"."service" = $1) AND ("categories"."id" > $2)) ORDER BY "categories"."id" LIMIT $3
SELECT "categories"."id", "categories"."service", "categories"."slug", "categories"."name" FROM "categories" WHERE (("categories"."service" = $1) AND ("categories"."slug" = $2)) LIMIT $3
SELECT "likes"."meme_id" FROM "likes" WHERE ("likes"."msisdn" = $1) ORDER BY "likes"."meme_id"
SELECT "memes"."id" FROM "memes" WHERE (("memes"."service" = $1) AND ("memes"."state" = $2))
SELECT "memes"."id", "memes"."category_id", "memes"."service", "memes"."slug", "memes"."title", "memes"."image", "memes"."created_at", "memes"."state" FROM "memes" WHERE (("memes"."service" = $1) AND ("memes"."slug" = $2)) LIMIT $3
SELECT "memes"."id", "memes"."title", "memes"."image", "memes"."created_at", "memes"."likes" FROM "memes" WHERE (("memes"."id" = ANY($1)) AND ("memes"."state" = $2))
SELECT "memes"."id", "memes"."title", "memes"."image", "memes"."created_at", "memes"."likes" FROM "memes" WHERE ((("memes"."category_id" = $1) AND ("memes"."state" = $2)) AND ("memes"."id" > $3)) ORDER BY "memes"."id" LIMIT $4
SELECT "memes"."likes" FROM "memes" WHERE (("memes"."id" = $1) AND ("memes"."state" != $2)) LIMIT $3
SELECT max("imports"."id") FROM "imports"
UPDATE "memes" SET "category_id" = $1, "service" = $2, "slug" = $3, "title" = $4, "image" = $5, "created_at" = $6, "state" = $7 WHERE ("memes"."id" = $8)
UPDATE "memes" SET "likes" = ("memes"."likes" + $1) WHERE ("memes"."id" = $2) RETURNING "memes"."likes"
UPDATE "memes" SET "likes" = ("memes"."likes" - $1) WHERE ("memes"."id" = $2) RETURNING "memes"."likes"
