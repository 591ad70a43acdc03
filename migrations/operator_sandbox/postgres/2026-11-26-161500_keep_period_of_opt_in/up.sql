-- How often the price on the page is charged: day, week or month.
ALTER TABLE opt_ins ADD COLUMN period TEXT NOT NULL DEFAULT 'day';
