//! The table `restores`: whether this database was restored from a backup and has not caught up with the networks. Until it has, nothing
//! is billed, no day is closed or compared, and no join expires: each of these would act on what was true at the time of the backup.

use chrono::NaiveDateTime;
use diesel::{dsl::max, prelude::*};
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

/// The restore that has not caught up; the earliest time of several.
pub(crate) fn pending(conn: &mut DbConnection) -> Result<Option<Restore>, Error> {
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

/// Marks this database as restored; `deploy/restored.sql` does the same. Returns the time since which events are missing.
pub(crate) fn mark(conn: &mut DbConnection, now: NaiveDateTime) -> Result<NaiveDateTime, Error> {
    let newest_event: Option<NaiveDateTime> = events::table.select(max(events::at)).first(conn)?;
    let newest_charge: Option<NaiveDateTime> = ledger::table.select(max(ledger::at)).first(conn)?;
    let since = newest_event.max(newest_charge).unwrap_or(now);
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
