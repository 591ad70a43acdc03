DROP INDEX categories_by_title;
DROP INDEX videos_by_title;
DROP INDEX banners_by_title;
