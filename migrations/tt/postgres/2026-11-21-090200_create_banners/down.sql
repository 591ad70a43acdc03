DROP TABLE banners;
