//! The table `restores`: whether this database was restored from a backup and has not caught up with the networks. Until it has, nothing
//! is billed, no day is closed or compared, and no join expires: each of these would act on what was true at the time of the backup.
//!
//! A PostgreSQL server that was recovered to a point in time has the setting `spaza.restored_to`. Such a database is marked by the first query
//! for its restores, so that no step of the recovery can be forgotten.

use chrono::NaiveDateTime;
use diesel::{
    dsl::{exists, max, select},
    prelude::*,
    sql_types::{Nullable, Timestamp},
};
use service::Clock;
use store::DbConnection;

use crate::{
    error::Error,
    schema::{events, ledger, restores},
};

/// A restore that the networks' events are still missing from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Restore {
    /// The newest one, where it was restored several times.
    id: i64,
    /// The time of the newest restored row.
    pub since: NaiveDateTime,
    /// When it was restored first.
    pub marked_at: NaiveDateTime,
}

/// The time to which the server was recovered, UTC. A value that is no time fails the query, so that nothing is billed with it either.
const RESTORED_TO: &str =
    "SELECT nullif(current_setting('spaza.restored_to', true), '')::timestamptz AT TIME ZONE 'UTC' AS restored_to";

#[derive(QueryableByName)]
struct Server {
    #[diesel(sql_type = Nullable<Timestamp>)]
    restored_to: Option<NaiveDateTime>,
}

/// The restore that has not caught up; the earliest time of several.
pub(crate) fn pending(conn: &mut DbConnection) -> Result<Option<Restore>, Error> {
    mark_recovered(conn)?;
    let rows: Vec<(i64, NaiveDateTime, NaiveDateTime)> = restores::table
        .filter(restores::caught_up_at.is_null())
        .select((restores::id, restores::since, restores::marked_at))
        .load(conn)?;
    let rows = rows.into_iter().map(|(id, since, marked_at)| Restore { id, since, marked_at });
    Ok(rows.reduce(|one, other| Restore {
        id: one.id.max(other.id),
        since: one.since.min(other.since),
        marked_at: one.marked_at.min(other.marked_at),
    }))
}

/// Refuses while a restore has not caught up.
pub(crate) fn refuse_pending(conn: &mut DbConnection) -> Result<(), Error> {
    if pending(conn)?.is_some() { Err(Error::NotCaughtUp) } else { Ok(()) }
}

/// Marks the database of a recovered server, once for the time to which it was recovered.
fn mark_recovered(conn: &mut DbConnection) -> Result<(), Error> {
    let DbConnection::Postgres(postgres) = conn else { return Ok(()) };
    let server: Server = diesel::sql_query(RESTORED_TO).get_result(postgres)?;
    let Some(restored_to) = server.restored_to else { return Ok(()) };
    let mark = restores::table.filter(restores::restored_to.eq(restored_to));
    if select(exists(mark)).get_result(postgres)? {
        return Ok(());
    }
    // A process that was connected all the time may have written rows since the recovery.
    let since = newest_row(conn)?.map_or(restored_to, |newest| newest.min(restored_to));
    let DbConnection::Postgres(postgres) = conn else { return Ok(()) };
    diesel::insert_into(restores::table)
        .values((
            restores::since.eq(since),
            restores::marked_at.eq(Clock::system_now()),
            restores::restored_to.eq(restored_to),
        ))
        .on_conflict_do_nothing()
        .execute(postgres)?;
    Ok(())
}

/// The time of the newest event or charge.
fn newest_row(conn: &mut DbConnection) -> Result<Option<NaiveDateTime>, Error> {
    let newest_event: Option<NaiveDateTime> = events::table.select(max(events::at)).first(conn)?;
    let newest_charge: Option<NaiveDateTime> = ledger::table.select(max(ledger::at)).first(conn)?;
    Ok(newest_event.max(newest_charge))
}

/// Marks this database as restored; `deploy/restored.sql` does the same. Returns the time since which events are missing.
pub(crate) fn mark(conn: &mut DbConnection, now: NaiveDateTime) -> Result<NaiveDateTime, Error> {
    let since = newest_row(conn)?.unwrap_or(now);
    diesel::insert_into(restores::table)
        .values((restores::since.eq(since), restores::marked_at.eq(now)))
        .execute(conn)?;
    Ok(since)
}

/// Ends a restore: from now on everything is billed.
pub(crate) fn finish(conn: &mut DbConnection, restore: Restore, now: NaiveDateTime) -> Result<(), Error> {
    diesel::update(restores::table.filter(restores::id.le(restore.id).and(restores::caught_up_at.is_null())))
        .set(restores::caught_up_at.eq(now))
        .execute(conn)?;
    Ok(())
}
