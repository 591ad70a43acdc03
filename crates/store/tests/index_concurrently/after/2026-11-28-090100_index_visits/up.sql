CREATE INDEX CONCURRENTLY visits_by_page ON visits (page);
