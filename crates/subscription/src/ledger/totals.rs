//! The totals of each day, which the dashboards and finance's books read instead of scanning the ledger and the events.
//!
//! A day is counted again from its own rows, by index, in one transaction. Today changes all the time, and is counted every few minutes; a
//! past day changes while its unknown charges are settled and while reconciliation repairs it, and is counted once a day for that long.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use diesel::{
    dsl::max,
    prelude::*,
    sql_types::{Text, Timestamp},
};
use store::{Db, DbConnection, on_each_backend};

use crate::{error::Error, schema::daily_totals, subscribers::calendar};

/// How many past days are counted again: a day more than reconciliation looks back.
const DAYS_BACK: i64 = 8;

/// How old the totals of today and yesterday may be.
const RECENT_AGE: TimeDelta = TimeDelta::minutes(5);

/// How old the totals of other days may be.
const PAST_AGE: TimeDelta = TimeDelta::days(1);

/// Counts the days whose totals are too old; returns how many.
pub(crate) async fn refresh(db: &Db, now: NaiveDateTime) -> Result<usize, Error> {
    let today = calendar::day_of(now);
    let mut counted = 0;
    for day in db.run(move |conn| outdated(conn, today, now)).await? {
        counted += usize::from(db.write(move |conn| count(conn, day, limit(day, today, now), now)).await?);
    }
    Ok(counted)
}

/// Counts each day of a range now, however old its totals are; each in a transaction of its own.
pub(crate) async fn recount(db: &Db, from: NaiveDate, to: NaiveDate, now: NaiveDateTime) -> Result<(), Error> {
    for day in from.iter_days().take_while(|day| *day <= to) {
        db.write(move |conn| count(conn, day, now, now)).await?;
    }
    Ok(())
}

/// The totals of a day that are at least as old as this are outdated.
fn limit(day: NaiveDate, today: NaiveDate, now: NaiveDateTime) -> NaiveDateTime {
    now - if (today - day).num_days() <= 1 { RECENT_AGE } else { PAST_AGE }
}

fn outdated(conn: &mut DbConnection, today: NaiveDate, now: NaiveDateTime) -> Result<Vec<NaiveDate>, Error> {
    let first = today - TimeDelta::days(DAYS_BACK);
    let rows: Vec<(String, NaiveDateTime)> = daily_totals::table
        .filter(daily_totals::day.ge(first.to_string()))
        .select((daily_totals::day, daily_totals::counted_at))
        .load(conn)?;
    let is_outdated = |day: &NaiveDate| {
        let text = day.to_string();
        let counted_at = rows.iter().find(|(counted, _)| *counted == text).map(|(_, at)| *at);
        counted_at.is_none_or(|at| at <= limit(*day, today, now))
    };
    // The service may have been down for longer: its last day was not over when it was counted.
    let newest: Option<String> = daily_totals::table.select(max(daily_totals::day)).first(conn)?;
    let newest = newest.and_then(|day| day.parse().ok()).filter(|day: &NaiveDate| *day < first);
    let recent = first.iter_days().take_while(|day| *day <= today).filter(is_outdated);
    Ok(newest.into_iter().chain(recent).collect())
}

/// Counts one day whose totals are of this time or older; false where another replica has counted it since.
fn count(conn: &mut DbConnection, day: NaiveDate, limit: NaiveDateTime, now: NaiveDateTime) -> Result<bool, Error> {
    let text = day.to_string();
    // Locks the day's row: of two replicas, the second one waits here and then finds it counted.
    let claim = diesel::sql_query(
        "INSERT INTO daily_totals (day, counted_at) VALUES ($1, $2) \
         ON CONFLICT (day) DO UPDATE SET counted_at = excluded.counted_at WHERE daily_totals.counted_at <= $3",
    );
    let claimed = on_each_backend!(conn, conn => claim
        .bind::<Text, _>(&text)
        .bind::<Timestamp, _>(now)
        .bind::<Timestamp, _>(limit)
        .execute(conn))?;
    if claimed == 0 {
        return Ok(false);
    }
    for statement in [
        "DELETE FROM daily_charges WHERE day = $1",
        "DELETE FROM daily_moves WHERE day = $1",
        "DELETE FROM daily_joins WHERE day = $1",
        "DELETE FROM daily_sums WHERE day = $1",
        "DELETE FROM hourly_sums WHERE day = $1",
        "INSERT INTO daily_sums (day, svc_id, network, price_cents, kind, status, entries) \
         SELECT day, svc_id, ledger.network, cents, kind, status, COUNT(*) \
         FROM ledger JOIN subscriptions ON subscriptions.id = subscription_id WHERE day = $1 \
         GROUP BY day, svc_id, ledger.network, cents, kind, status",
        "INSERT INTO daily_charges (day, network, kind, status, entries, cents) \
         SELECT day, network, kind, status, CAST(SUM(entries) AS BIGINT), CAST(SUM(entries * price_cents) AS BIGINT) \
         FROM daily_sums WHERE day = $1 GROUP BY day, network, kind, status",
    ] {
        on_each_backend!(conn, conn => diesel::sql_query(statement).bind::<Text, _>(&text).execute(conn))?;
    }
    let next = day.succ_opt().and_then(|next| calendar::moment(next, NaiveTime::MIN));
    let (Some(from), Some(to)) = (calendar::moment(day, NaiveTime::MIN), next) else { return Ok(true) };
    let hour = match conn {
        DbConnection::Postgres(_) => "CAST(EXTRACT(HOUR FROM at + INTERVAL '2 hours') AS INTEGER)",
        DbConnection::Sqlite(_) => "CAST(strftime('%H', at, '+2 hours') AS INTEGER)",
    };
    let hours = diesel::sql_query(format!(
        "INSERT INTO hourly_sums (day, hour, kind, entries, cents) \
         SELECT $1, CASE WHEN at < $2 THEN {hour} ELSE 23 END, kind, COUNT(*), CAST(SUM(cents) AS BIGINT) \
         FROM ledger WHERE day = $1 AND status = 'settled' GROUP BY 2, 3"
    ));
    on_each_backend!(conn, conn => hours.bind::<Text, _>(&text).bind::<Timestamp, _>(to).execute(conn))?;
    let moves = diesel::sql_query(
        "INSERT INTO daily_moves (day, from_state, to_state, cause, moves) \
         SELECT $1, COALESCE(from_state, ''), to_state, cause, COUNT(*) FROM events WHERE at >= $2 AND at < $3 GROUP BY 2, 3, 4",
    );
    on_each_backend!(conn, conn => moves
        .bind::<Text, _>(&text)
        .bind::<Timestamp, _>(from)
        .bind::<Timestamp, _>(to)
        .execute(conn))?;
    // As in the overview: a suspended subscription that is paid again is no join, and one that was never confirmed does not leave.
    let joins = diesel::sql_query(
        "INSERT INTO daily_joins (day, svc_id, network, price_cents, joins, leaves) \
         SELECT $1, s.svc_id, s.network, s.price_cents, \
         COUNT(CASE WHEN e.to_state = 'active' AND COALESCE(e.from_state, '') NOT IN ('active', 'suspended') THEN 1 END), \
         COUNT(CASE WHEN e.to_state = 'cancelled' AND COALESCE(e.from_state, '') <> 'pending' THEN 1 END) \
         FROM events e JOIN subscriptions s ON s.id = e.subscription_id \
         WHERE e.at >= $2 AND e.at < $3 AND e.to_state IN ('active', 'cancelled') GROUP BY 2, 3, 4",
    );
    on_each_backend!(conn, conn => joins
        .bind::<Text, _>(&text)
        .bind::<Timestamp, _>(from)
        .bind::<Timestamp, _>(to)
        .execute(conn))?;
    Ok(true)
}
