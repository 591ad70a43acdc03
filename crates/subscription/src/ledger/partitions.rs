//! The months of the ledger and of the events. On PostgreSQL each month is a partition, which is made ahead and deleted as a whole; SQLite
//! has one table, from which the same months are deleted.
//!
//! A row of a month without a partition goes to the default partition, so that no write fails; the next run moves it. Each step is one
//! transaction, and may be repeated after a crash. Locks against reads or writes are never waited for, but tried again until they are
//! free: a transaction that reads a table and then writes to it would be aborted as a deadlock if such a lock waited in between. Weaker ones
//! give up after half a second. Either way a step that fails is repeated later, and does not delay billing.

use std::{collections::BTreeSet, time::Duration};

use chrono::{Datelike, Months, NaiveDate, NaiveDateTime};
use diesel::{
    connection::SimpleConnection,
    prelude::*,
    sql_types::{Bool, Nullable, Text, Timestamp},
};
use store::{Db, DbConnection, on_each_backend};

use crate::{error::Error, ledger::rows::BALANCE, schema::ledger_bounds, subscribers::calendar};

/// Months that are made ahead of the current one.
const AHEAD: u32 = 3;

/// Attempts to make a month while other transactions have its table locked, and the pause between two.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(200);

/// Events deleted in one transaction.
const DELETE_BATCH_SIZE: i64 = 1000;

/// Set in each transaction that changes partitions. The second statement lets one replica at a time do so.
const BEGIN: &str =
    "SET LOCAL lock_timeout = '500ms'; SELECT pg_advisory_xact_lock(hashtext('months of ' || current_schema()));";

/// SQL: locks tables as soon as no other transaction uses them, and fails after five seconds.
fn lock(tables: &str, mode: &str) -> String {
    format!(
        "DO $$ BEGIN \
             FOR attempt IN 1..50 LOOP \
                 BEGIN \
                     LOCK TABLE {tables} IN {mode} MODE NOWAIT; \
                     RETURN; \
                 EXCEPTION WHEN lock_not_available THEN \
                     IF attempt = 50 THEN RAISE; END IF; \
                     PERFORM pg_sleep(0.1); \
                 END; \
             END LOOP; \
         END $$;"
    )
}

/// SQL: rows that are not final, of any kind. Each part has a partial index.
const OPEN: &str = "SELECT MIN(day) AS day FROM (SELECT MIN(day) AS day FROM ledger WHERE kind = 'charge' AND status = 'pending' AND claim IS NULL \
     UNION ALL SELECT MIN(day) FROM ledger WHERE kind = 'refund' AND status = 'pending' \
     UNION ALL SELECT DISTINCT day FROM ledger WHERE status = 'unknown' \
     UNION ALL SELECT DISTINCT day FROM ledger WHERE claim IS NOT NULL) AS open";

/// A table that is kept by month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    /// By `day`.
    Ledger,
    /// By `at`.
    Events,
}

/// For how many months rows are kept after their own.
#[derive(Clone, Copy)]
pub(crate) struct Retention {
    pub ledger: u32,
    /// Counted from the end of the event's subscription.
    pub events: u32,
}

impl Retention {
    /// The first days of the ledger and of the events of ended subscriptions that are kept.
    pub fn horizons(self, now: NaiveDateTime) -> (NaiveDate, NaiveDate) {
        let current = calendar::month_start(now);
        (before(current, self.ledger), before(current, self.events))
    }
}

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct Day {
    #[diesel(sql_type = Nullable<Text>)]
    day: Option<String>,
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

impl Table {
    /// Its name in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ledger => "ledger",
            Self::Events => "events",
        }
    }

    const fn column(self) -> &'static str {
        match self {
            Self::Ledger => "day",
            Self::Events => "at",
        }
    }

    fn partition(self, month: NaiveDate) -> String {
        format!("{}_{}", self.name(), month.format("%Y_%m"))
    }

    /// SQL: the rows of a month.
    fn rows_of(self, month: NaiveDate) -> String {
        let column = self.column();
        format!("{column} >= '{month}' AND {column} < '{}'", after(month, 1))
    }

    /// SQL: the first day of the month of a row, on the engine where rows are looked for one by one.
    fn month_of_row(self, conn: &DbConnection) -> &'static str {
        match (self, conn) {
            (Self::Ledger, _) => "substr(day, 1, 7) || '-01'",
            (Self::Events, DbConnection::Postgres(_)) => "to_char(at, 'YYYY-MM-01')",
            (Self::Events, DbConnection::Sqlite(_)) => "substr(at, 1, 7) || '-01'",
        }
    }
}

/// The month that many months later.
fn after(month: NaiveDate, months: u32) -> NaiveDate {
    month.checked_add_months(Months::new(months)).unwrap_or(NaiveDate::MAX)
}

/// The month that many months earlier.
fn before(month: NaiveDate, months: u32) -> NaiveDate {
    month.checked_sub_months(Months::new(months)).unwrap_or(NaiveDate::MIN)
}

/// Events go by UTC, and the ledger by Johannesburg's days: for two hours a month, UTC's month is the one before.
fn first_month(now: NaiveDateTime) -> NaiveDate {
    now.date().with_day(1).unwrap_or(now.date())
}

/// Makes the current month, and those after it, where they are missing.
pub async fn make_ahead(db: &Db, now: NaiveDateTime) -> Result<(), Error> {
    make_until(db, now, AHEAD).await
}

/// Makes the month of a time at which no row was written yet: where a test moves the clock.
pub(crate) async fn make_month(db: &Db, now: NaiveDateTime) -> Result<(), Error> {
    make_until(db, now, 0).await
}

async fn make_until(db: &Db, now: NaiveDateTime, ahead: u32) -> Result<(), Error> {
    let last = after(calendar::month_start(now), ahead);
    let mut months = Vec::new();
    let mut month = first_month(now);
    while month <= last && month < NaiveDate::MAX {
        months.push(month);
        month = after(month, 1);
    }
    for table in [Table::Ledger, Table::Events] {
        let existing = db.run(move |conn| partitions(conn, table)).await?;
        let Some(existing) = existing else { return Ok(()) };
        for month in months.iter().filter(|month| !existing.contains(month)) {
            make(db, table, *month).await?;
        }
    }
    Ok(())
}

/// The months that have a partition; `None` on SQLite.
fn partitions(conn: &mut DbConnection, table: Table) -> Result<Option<BTreeSet<NaiveDate>>, Error> {
    let DbConnection::Postgres(conn) = conn else { return Ok(None) };
    let names: Vec<Name> = diesel::sql_query(
        "SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass($1)",
    )
    .bind::<Text, _>(table.name())
    .load(conn)?;
    let prefix = format!("{}_", table.name());
    let month = |name: &Name| format!("{}-01", name.name.strip_prefix(&prefix)?.replace('_', "-")).parse().ok();
    Ok(Some(names.iter().filter_map(month).collect()))
}

/// The table that has a day's rows on PostgreSQL; on SQLite, the whole table.
pub(crate) fn partition_of(conn: &mut DbConnection, table: Table, day: NaiveDate) -> Result<String, Error> {
    let month = day.with_day(1).unwrap_or(day);
    Ok(match partitions(conn, table)? {
        None => table.name().to_owned(),
        Some(months) if months.contains(&month) => table.partition(month),
        Some(_) => format!("{}_default", table.name()),
    })
}

/// Makes a partition, and moves the rows there that were written before it existed.
async fn make(db: &Db, table: Table, month: NaiveDate) -> Result<(), Error> {
    let (name, partition, rows) = (table.name(), table.partition(month), table.rows_of(month));
    // Not CREATE TABLE … PARTITION OF, which locks the whole table against reads.
    let text = format!(
        "CREATE TABLE {partition} (LIKE {name} INCLUDING DEFAULTS); \
         {} \
         WITH moved AS (DELETE FROM {name}_default WHERE {rows} RETURNING *) INSERT INTO {partition} SELECT * FROM moved; \
         ALTER TABLE {name} ATTACH PARTITION {partition} FOR VALUES FROM ('{month}') TO ('{}');",
        lock(&format!("{name}_default"), "ACCESS EXCLUSIVE"),
        after(month, 1)
    );
    let mut attempt = 1;
    loop {
        let text = text.clone();
        let made = db.write(move |conn| {
            execute(conn, BEGIN)?;
            // Another replica may have been first.
            if partitions(conn, table)?.is_some_and(|months| months.contains(&month)) {
                return Ok(());
            }
            execute(conn, &text)
        });
        match made.await {
            Err(_) if attempt < ATTEMPTS => tokio::time::sleep(PAUSE).await,
            made => return made,
        }
        attempt += 1;
    }
}

fn execute(conn: &mut DbConnection, text: &str) -> Result<(), Error> {
    Ok(on_each_backend!(conn, conn => conn.batch_execute(text))?)
}

/// Moves the day before which nothing is open: at most to the month before the current one. A row that opened behind it, by a clock that
/// was set back, moves it back.
pub(crate) fn move_open_since(conn: &mut DbConnection, now: NaiveDateTime) -> Result<(), Error> {
    let oldest: Day = on_each_backend!(conn, conn => diesel::sql_query(OPEN).get_result(conn))?;
    let recent = before(calendar::month_start(now), 1).to_string();
    let since = oldest.day.map_or_else(|| recent.clone(), |oldest| oldest.min(recent.clone()));
    diesel::update(ledger_bounds::table.filter(ledger_bounds::open_since.ne(&since)))
        .set(ledger_bounds::open_since.eq(&since))
        .execute(conn)?;
    Ok(())
}

/// Deletes the months whose time is over, and gives months with rows in the default partition a partition of their own.
pub(crate) async fn delete_expired(db: &Db, now: NaiveDateTime, retention: Retention) -> Result<(), Error> {
    let current = calendar::month_start(now);
    let first_of_ledger = before(current, retention.ledger);
    for (month, has_partition) in months_with_rows(db, Table::Ledger, first_of_ledger).await? {
        if month < first_of_ledger {
            db.write(move |conn| delete_ledger(conn, month)).await?;
        } else if !has_partition {
            make(db, Table::Ledger, month).await?;
        }
    }
    let first_of_events = before(current, retention.events);
    for (month, has_partition) in months_with_rows(db, Table::Events, first_of_events).await? {
        match (month < first_of_events, has_partition) {
            (true, true) => db.write(move |conn| detach_events(conn, month, first_of_events)).await?,
            (false, false) => make(db, Table::Events, month).await?,
            _ => {}
        }
    }
    while db.write(move |conn| delete_events(conn, first_of_events)).await? > 0 {}
    Ok(())
}

/// The months with a partition, and those with rows outside of one, each with whether it has one. On SQLite: those before `horizon`, as if
/// they had one.
async fn months_with_rows(db: &Db, table: Table, horizon: NaiveDate) -> Result<Vec<(NaiveDate, bool)>, Error> {
    db.run(move |conn| {
        let existing = partitions(conn, table)?;
        let (name, has_partitions) = (table.name(), existing.is_some());
        let rows = match has_partitions {
            true => format!("{name}_default"),
            false => format!("{name} WHERE {} < '{horizon}'", table.column()),
        };
        let text = format!("SELECT DISTINCT {} AS name FROM {rows}", table.month_of_row(conn));
        let strays: Vec<Name> = on_each_backend!(conn, conn => diesel::sql_query(text).load(conn))?;
        let strays: BTreeSet<NaiveDate> = strays.iter().filter_map(|stray| stray.name.parse().ok()).collect();
        let existing = existing.unwrap_or_default();
        let all: BTreeSet<NaiveDate> = existing.union(&strays).copied().collect();
        Ok::<_, Error>(all.into_iter().map(|month| (month, existing.contains(&month) || !has_partitions)).collect())
    })
    .await
}

/// Deletes a month of the ledger, unless something in it is still open. What its subscriptions paid stays in their totals.
fn delete_ledger(conn: &mut DbConnection, month: NaiveDate) -> Result<(), Error> {
    let rows = Table::Ledger.rows_of(month);
    let partition = begin_deletion(conn, Table::Ledger, month)?;
    let open = format!(
        "SELECT EXISTS (SELECT 1 FROM ledger WHERE {rows} AND (status IN ('pending', 'unknown') OR claim IS NOT NULL)) AS yes"
    );
    let open: Answer = on_each_backend!(conn, conn => diesel::sql_query(open).get_result(conn))?;
    if open.yes {
        tracing::error!(
            alarm = "month_still_open",
            ledger.month = %month.format("%Y-%m"),
            "a month of the ledger is to be deleted, and has charges without an outcome or refunds that are due; it is kept"
        );
        return Ok(());
    }
    let paid = format!("SELECT subscription_id, {BALANCE} AS cents FROM ledger WHERE {rows} GROUP BY subscription_id");
    let add = format!(
        "INSERT INTO paid_before (subscription_id, cents) {paid} \
         ON CONFLICT (subscription_id) DO UPDATE SET cents = paid_before.cents + excluded.cents"
    );
    match partition {
        Some(partition) => {
            lock_to_detach(conn, Table::Ledger, &partition, &add)?;
            execute(conn, &format!("ALTER TABLE ledger DETACH PARTITION {partition}; DROP TABLE {partition}"))?;
        }
        None => execute(conn, &format!("{add}; DELETE FROM ledger WHERE {rows}"))?,
    }
    let kept_since = after(month, 1).to_string();
    diesel::update(ledger_bounds::table.filter(ledger_bounds::kept_since.lt(&kept_since)))
        .set(ledger_bounds::kept_since.eq(&kept_since))
        .execute(conn)?;
    tracing::info!(ledger.month = %month.format("%Y-%m"), "a month of the ledger is deleted");
    Ok(())
}

/// Lets one replica at a time delete. Returns the month's partition, where it has one.
fn begin_deletion(conn: &mut DbConnection, table: Table, month: NaiveDate) -> Result<Option<String>, Error> {
    if matches!(conn, DbConnection::Sqlite(_)) {
        return Ok(None);
    }
    execute(conn, BEGIN)?;
    Ok(partitions(conn, table)?.filter(|months| months.contains(&month)).map(|_| table.partition(month)))
}

/// Enters what is kept of a partition, which may take long, and then locks what detaching and dropping it locks; its rows refer to
/// subscriptions. Until then this transaction has no lock for which another one would wait: that one could have what this one waits for.
fn lock_to_detach(conn: &mut DbConnection, table: Table, partition: &str, keep: &str) -> Result<(), Error> {
    let rows = format!("SELECT concat(count(*), ' ', max(id), ' ', max(at)) AS name FROM {partition}");
    let read_rows = |conn: &mut DbConnection| -> Result<String, Error> {
        let rows: Name = on_each_backend!(conn, conn => diesel::sql_query(&rows).get_result(conn))?;
        Ok(rows.name)
    };
    let before = read_rows(conn)?;
    execute(conn, keep)?;
    let name = table.name();
    execute(conn, &lock(&format!("subscriptions, ONLY {name}, {name}_default, {partition}"), "ACCESS EXCLUSIVE"))?;
    if read_rows(conn)? == before {
        return Ok(());
    }
    Err(store::Error::Unavailable(format!("{partition} has changed while it was to be deleted")).into())
}

/// Detaches a month of events. Those of subscriptions that run, or ended later than `horizon`, are evidence of their consent, and stay: in
/// the default partition.
fn detach_events(conn: &mut DbConnection, month: NaiveDate, horizon: NaiveDate) -> Result<(), Error> {
    let Some(partition) = begin_deletion(conn, Table::Events, month)? else { return Ok(()) };
    let kept = format!(
        "CREATE TEMPORARY TABLE kept_events ON COMMIT DROP AS SELECT e.* FROM {partition} e \
         JOIN subscriptions s ON s.id = e.subscription_id \
         WHERE s.state <> 'cancelled' OR s.left_at IS NULL OR s.left_at >= '{horizon}'"
    );
    lock_to_detach(conn, Table::Events, &partition, &kept)?;
    execute(
        conn,
        &format!(
            "ALTER TABLE events DETACH PARTITION {partition}; INSERT INTO events SELECT * FROM kept_events; DROP TABLE {partition}"
        ),
    )
}

/// Deletes a batch of events of subscriptions that ended before `horizon`; returns how many.
fn delete_events(conn: &mut DbConnection, horizon: NaiveDate) -> Result<usize, Error> {
    let horizon = horizon.and_time(chrono::NaiveTime::MIN);
    let text = format!(
        "DELETE FROM events WHERE at < $1 AND id IN (SELECT e.id FROM events e JOIN subscriptions s ON s.id = e.subscription_id \
         WHERE e.at < $1 AND s.state = 'cancelled' AND s.left_at < $1 LIMIT {DELETE_BATCH_SIZE})"
    );
    Ok(on_each_backend!(conn, conn => diesel::sql_query(text).bind::<Timestamp, _>(horizon).execute(conn))?)
}
