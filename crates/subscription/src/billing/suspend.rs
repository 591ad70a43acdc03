//! Changes subscriptions' states as the ledger requires: an unpaid day suspends, a paid one reactivates, thirty days without a charge end.

use std::collections::BTreeSet;

use chrono::{NaiveDateTime, NaiveTime, TimeDelta};
use diesel::{
    dsl::{exists, not},
    prelude::*,
};
use serde_json::json;
use store::DbConnection;

use crate::{
    error::Error,
    ledger::{
        periods::{self, LONGEST},
        rows as billing_ledger,
        rows::{CHARGE, DayCharge, FAILED, PASSES_THAT_SUSPEND, SETTLED},
    },
    publishers::announce,
    schema::{ledger, subscriptions},
    subscribers::{
        calendar,
        lifecycle::{Cause, State},
        policy::Policy,
        subscriptions::Subscription,
    },
};

/// The number of whole days without a charge that end a subscription.
const DAYS_THAT_LAPSE: i64 = 30;

/// The most subscriptions in one maintenance run.
const BATCH_SIZE: i64 = 500;

/// Changes the state of each of these subscriptions by its newest charge; returns how many changed. Idempotent.
pub(crate) fn sync_states(
    conn: &mut DbConnection,
    policy: &Policy,
    subscription_ids: impl IntoIterator<Item = i64>,
    now: NaiveDateTime,
) -> Result<usize, Error> {
    let mut moved = 0;
    // Sorted by id, so that two replicas with the same subscriptions do not deadlock.
    for id in subscription_ids.into_iter().collect::<BTreeSet<_>>() {
        let Some(mut subscription) = Subscription::lock_by_id(conn, id)? else { continue };
        let today = calendar::day_of(now);
        let newest = billing_ledger::newest(conn, id, today)?;
        let is_paid_period = subscription.had_long_period && periods::paid_until(conn, id, today)?.is_some();
        let transition = match (subscription.state, &newest) {
            (State::Active, Some(_)) if is_paid_period => None,
            (State::Active, Some(newest)) => {
                unpaid_day(conn, &subscription, newest, now)?.map(|charge| (Cause::Unpaid, charge))
            }
            (State::Suspended, Some(newest)) if newest.status == SETTLED || is_paid_period => {
                Some((Cause::Paid, newest.clone()))
            }
            _ => None,
        };
        let (cause, charge) = match transition {
            Some((cause, charge)) => (cause, Some(charge)),
            None if has_lapsed(conn, &subscription, newest.as_ref(), now)? => (Cause::Lapsed, newest),
            None => continue,
        };
        let evidence = charge.map_or_else(|| json!({}), |charge| json!({ "ledger": charge.id, "day": charge.day }));
        if announce::advance(conn, policy, &mut subscription, cause, now, &evidence, now)? {
            moved += 1;
        }
    }
    Ok(moved)
}

/// The charge of a day that ended unpaid after the network's clear no: three failures of today, or one on a past day.
fn unpaid_day(
    conn: &mut DbConnection,
    subscription: &Subscription,
    newest: &DayCharge,
    now: NaiveDateTime,
) -> Result<Option<DayCharge>, Error> {
    let today = calendar::day_of(now);
    if newest.day == today.to_string() {
        if newest.status == SETTLED {
            return Ok(None);
        }
        if newest.status == FAILED && newest.failures >= PASSES_THAT_SUSPEND {
            return Ok(Some(newest.clone()));
        }
    }
    // Today's charge may be entered already, and must not hide a recently closed one. A day before the last join belongs to another consent.
    let began = calendar::day_of(subscription.since).to_string();
    let past = billing_ledger::newest_before(conn, subscription.id, today)?;
    match past.filter(|past| past.is_unpaid() && past.day >= began) {
        // The charge that pays for it settled late.
        Some(past) if past.is_in_paid_period(conn, subscription)? => Ok(None),
        past => Ok(past),
    }
}

/// Thirty days since the last paid one, where the thirtieth day is over or its charge has failed.
fn has_lapsed(
    conn: &mut DbConnection,
    subscription: &Subscription,
    newest: Option<&DayCharge>,
    now: NaiveDateTime,
) -> Result<bool, Error> {
    let today = calendar::day_of(now);
    let paid = billing_ledger::last_paid_day(conn, subscription.id, today)?;
    let began = calendar::day_of(subscription.since);
    let days = (today - paid.map_or(began, |paid| paid.max(began))).num_days();
    let tried_today = newest.is_some_and(|newest| newest.day == today.to_string() && newest.status == FAILED);
    Ok(days > DAYS_THAT_LAPSE || (days == DAYS_THAT_LAPSE && tried_today))
}

/// Subscriptions whose state does not match the ledger: after a crash, or because their time has come. Checks `days_back` past days:
/// usually one, more in a day's first check, when the service may have been down or its clock moved. A page of ids above `after`, and the id
/// up to which it is complete; `None` at the end. Not each of them has to change: the newest charge decides.
pub(crate) fn out_of_sync(
    conn: &mut DbConnection,
    now: NaiveDateTime,
    days_back: i64,
    after: i64,
) -> Result<(Vec<i64>, Option<i64>), Error> {
    let today = calendar::day_of(now);
    let recently_closed = (today - TimeDelta::days(days_back)).to_string();
    let charges =
        || ledger::table.filter(ledger::subscription_id.eq(subscriptions::id)).filter(ledger::kind.eq(CHARGE));
    let failed = || charges().filter(ledger::day.ge(recently_closed.clone()).and(ledger::status.eq(FAILED)));
    let paid_since = |day: String| exists(charges().filter(ledger::day.ge(day).and(ledger::status.eq(SETTLED))));
    let in_paid_period = || {
        let since = (today - LONGEST).to_string();
        let settled = charges().filter(ledger::day.ge(since).and(ledger::status.eq(SETTLED)));
        subscriptions::had_long_period.eq(true).and(exists(settled.filter(ledger::paid_until.gt(today.to_string()))))
    };
    let of_state = |state: State| {
        subscriptions::table
            .filter(subscriptions::state.eq(state.as_str()).and(subscriptions::id.gt(after)))
            .select(subscriptions::id)
            .order(subscriptions::id)
            .limit(BATCH_SIZE)
    };
    let mut found: Vec<Vec<i64>> = vec![
        of_state(State::Active)
            .filter(exists(failed().filter(ledger::failures.ge(PASSES_THAT_SUSPEND))))
            .filter(not(paid_since(today.to_string())).and(not(in_paid_period())))
            .load(conn)?,
    ];
    let unpaid_recently_closed = failed().filter(ledger::day.lt(today.to_string()).and(ledger::failures.gt(0)));
    found.push(
        of_state(State::Active)
            .filter(exists(unpaid_recently_closed))
            .filter(not(paid_since(today.to_string())).and(not(in_paid_period())))
            .load(conn)?,
    );
    let lapse_start = today - TimeDelta::days(DAYS_THAT_LAPSE);
    let began_before = calendar::moment(lapse_start, NaiveTime::MIN).unwrap_or(now);
    // Days on which the network was unavailable, or a push network reported nothing, are no failure, but thirty of them end a subscription
    // too. This scans all active subscriptions, so only once a day.
    if days_back > 1 {
        found.push(
            of_state(State::Active)
                .filter(subscriptions::since.lt(began_before))
                .filter(not(paid_since(lapse_start.to_string())))
                .load(conn)?,
        );
    }
    let entered_today = exists(charges().filter(ledger::day.eq(today.to_string()).and(ledger::status.ne(SETTLED))));
    found.push(
        of_state(State::Suspended).filter(paid_since(recently_closed.clone())).filter(not(entered_today)).load(conn)?,
    );
    // An earlier charge for a week or a month has settled late.
    found.push(of_state(State::Suspended).filter(in_paid_period()).load(conn)?);
    found.push(
        of_state(State::Suspended)
            .filter(subscriptions::since.lt(began_before))
            .filter(not(paid_since(lapse_start.to_string())))
            .load(conn)?,
    );
    // A full query has more: what lies beyond its last id is for the next page.
    let is_full = |ids: &&Vec<i64>| i64::try_from(ids.len()).is_ok_and(|length| length >= BATCH_SIZE);
    let complete_to = found.iter().filter(is_full).filter_map(|ids| ids.last().copied()).min();
    let ids = found.into_iter().flatten().filter(|id| complete_to.is_none_or(|last| *id <= last));
    Ok((ids.collect(), complete_to))
}
