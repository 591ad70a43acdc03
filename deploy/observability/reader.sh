#!/bin/sh
# Run once, when the database is made: the role that Grafana asks as. It reads every table, and writes none.
set -eu
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 --set=password="$READER_PASSWORD" <<'SQL'
CREATE ROLE reader LOGIN PASSWORD :'password' IN ROLE pg_read_all_data;
ALTER ROLE reader SET default_transaction_read_only = on;
ALTER ROLE reader SET statement_timeout = '10s';
SQL
