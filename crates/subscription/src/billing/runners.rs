//! Runners: the processes that send charges, and what becomes of the claims of one that has died.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use store::{DbConnection, on_each_backend};

use super::ledger::{PENDING, UNKNOWN};
use crate::{
    error::Error,
    life::State,
    schema::{billing_runners, ledger, subscriptions},
};

/// A process that has not said for so long that it lives sends nothing of what it had claimed. It counts as dead only once
/// what it sent until then can no longer be on its way, so that nobody takes over what is still being sent.
pub(crate) const FENCE: TimeDelta = TimeDelta::seconds(20);

/// How long what runners said is kept.
const REMEMBERED: TimeDelta = TimeDelta::minutes(10);

/// No charge is under way longer than this, even in a process that lives.
pub(crate) const LONGEST_FLIGHT: TimeDelta = TimeDelta::minutes(10);

/// Claims taken over at once.
const TAKEN_OVER_AT_ONCE: i64 = 500;

/// The reason of a charge whose process died: perhaps it was never sent.
pub(super) const INTERRUPTED: &str = "the process that sent it died";

/// A process that claims.
#[derive(Clone, Copy)]
pub(crate) struct Runner<'a> {
    pub token: &'a str,
    /// By the real clock.
    pub system_now: NaiveDateTime,
    /// When it counts as dead if it says nothing more.
    pub alive_until: NaiveDateTime,
}

/// Which of a runner's claims are for subscriptions that have ended since.
pub(super) fn ended_since(conn: &mut DbConnection, runner: &str) -> Result<Vec<i64>, Error> {
    Ok(ledger::table
        .inner_join(subscriptions::table)
        .filter(ledger::claim.eq(runner))
        .filter(subscriptions::state.ne_all([State::Active.as_str(), State::Suspended.as_str()]))
        .select(ledger::id)
        .load(conn)?)
}

/// Says that a runner lives.
pub(crate) fn beat(conn: &mut DbConnection, runner: Runner<'_>) -> Result<(), Error> {
    let Runner { token, alive_until, .. } = runner;
    let known = billing_runners::table.find(token);
    if diesel::update(known).set(billing_runners::alive_until.eq(alive_until)).execute(conn)? == 0 {
        let new = (billing_runners::token.eq(token), billing_runners::alive_until.eq(alive_until));
        on_each_backend!(conn, conn => diesel::insert_into(billing_runners::table)
            .values(new)
            .on_conflict_do_nothing()
            .execute(conn))?;
    }
    Ok(())
}

/// Takes what dead processes had claimed: whether it was sent, nobody knows. How many.
pub(crate) fn take_over(conn: &mut DbConnection, system_now: NaiveDateTime) -> Result<usize, Error> {
    let living =
        billing_runners::table.filter(billing_runners::alive_until.ge(system_now)).select(billing_runners::token);
    let living: Vec<String> = living.load(conn)?;
    let orphans = ledger::table
        .filter(ledger::claim.is_not_null())
        .filter(ledger::claim.ne_all(&living).or(ledger::sent_at.lt(system_now - LONGEST_FLIGHT)))
        .order(ledger::id)
        .limit(TAKEN_OVER_AT_ONCE)
        .select(ledger::id);
    // Held until they are taken: another process may be taking them over in this instant.
    let orphans: Vec<i64> = match conn {
        DbConnection::Postgres(conn) => orphans.for_update().skip_locked().load(conn)?,
        DbConnection::Sqlite(conn) => orphans.load(conn)?,
    };
    let taken = diesel::update(ledger::table.filter(ledger::id.eq_any(&orphans).and(ledger::status.eq(PENDING))))
        .set((
            ledger::status.eq(UNKNOWN),
            ledger::reason.eq(INTERRUPTED),
            ledger::claim.eq(None::<String>),
            ledger::sent_at.eq(system_now),
        ))
        .execute(conn)?;
    // A runner is forgotten with its last claim, for a claim of nobody we know is a dead one's.
    let claimed = ledger::table.filter(ledger::claim.is_not_null()).select(ledger::claim).distinct();
    let claimed: Vec<Option<String>> = claimed.load(conn)?;
    let silent = billing_runners::table.filter(billing_runners::alive_until.lt(system_now - REMEMBERED));
    diesel::delete(silent.filter(billing_runners::token.ne_all(claimed.into_iter().flatten()))).execute(conn)?;
    Ok(taken)
}
