//! Changes subscriptions' states as the ledger requires: an unpaid day suspends, a paid one reactivates, thirty days without a charge end.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use diesel::{
    dsl::{exists, not},
    prelude::*,
};
use serde_json::{Value, json};
use store::DbConnection;

use crate::{
    error::Error,
    ledger::{
        newest::NewestCharges,
        periods::LONGEST,
        rows::{CHARGE, DayCharge, FAILED, PASSES_THAT_SUSPEND, SETTLED},
    },
    publishers::announce,
    schema::{ledger, subscriptions},
    subscribers::{
        calendar,
        lifecycle::{Cause, State},
        policy::Policy,
        subscriptions::{Candidate, Subscription},
    },
};

/// The number of whole days without a charge that end a subscription.
const DAYS_THAT_LAPSE: i64 = 30;

/// The most subscriptions whose states change by the same statements, and the most in a page of those to check.
const BATCH_SIZE: u16 = 500;

/// Changes the state of each of these subscriptions by its newest charges, in a few statements for each batch; returns how many changed.
/// Idempotent.
pub(crate) fn sync_states(
    conn: &mut DbConnection,
    policy: &Policy,
    subscription_ids: impl IntoIterator<Item = i64>,
    now: NaiveDateTime,
) -> Result<usize, Error> {
    let today = calendar::day_of(now);
    // Sorted by id, so that two replicas with the same subscriptions do not deadlock.
    let ids: Vec<i64> = subscription_ids.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
    let mut moved = 0;
    for ids in ids.chunks(BATCH_SIZE.into()) {
        let mut subscriptions = Subscription::lock_all(conn, ids)?;
        let charges = NewestCharges::of(conn, &subscriptions, today)?;
        let required = subscriptions.iter().filter_map(|subscription| {
            let (cause, charge) = required_change(subscription, charges.get(&subscription.id)?, today)?;
            let evidence = charge.map_or_else(|| json!({}), |charge| json!({ "ledger": charge.id, "day": charge.day }));
            Some((subscription.id, (cause, evidence)))
        });
        let required: BTreeMap<i64, (Cause, Value)> = required.collect();
        for cause in [Cause::Unpaid, Cause::Paid, Cause::Lapsed] {
            let candidates = subscriptions.iter_mut().filter_map(|subscription| {
                let (_, evidence) = required.get(&subscription.id).filter(|(required, _)| *required == cause)?;
                Some(Candidate { subscription, evidence })
            });
            moved += announce::advance_all(conn, policy, candidates.collect(), cause, now, now)?;
        }
    }
    Ok(moved)
}

/// The change of state that a subscription's charges require, and the charge that requires it.
fn required_change<'a>(
    subscription: &Subscription,
    charges: &'a NewestCharges,
    today: NaiveDate,
) -> Option<(Cause, Option<&'a DayCharge>)> {
    let newest = charges.newest.as_ref();
    let is_in_paid_period = charges.pay_for(today);
    let by_newest = match (subscription.state, newest) {
        (State::Active, Some(newest)) if !is_in_paid_period => {
            unpaid_day(subscription, charges, newest, today).map(|charge| (Cause::Unpaid, Some(charge)))
        }
        (State::Suspended, Some(charge)) if charge.status == SETTLED || is_in_paid_period => {
            Some((Cause::Paid, Some(charge)))
        }
        _ => None,
    };
    by_newest.or_else(|| has_lapsed(subscription, charges, today).then_some((Cause::Lapsed, newest)))
}

/// The charge of a day that ended unpaid after the network's clear no: three failures of today, or one on a past day.
fn unpaid_day<'a>(
    subscription: &Subscription,
    charges: &'a NewestCharges,
    newest: &'a DayCharge,
    today: NaiveDate,
) -> Option<&'a DayCharge> {
    if newest.day == today.to_string() {
        if newest.status == SETTLED {
            return None;
        }
        if newest.status == FAILED && newest.failures >= PASSES_THAT_SUSPEND {
            return Some(newest);
        }
    }
    // Today's charge may be entered already, and must not hide a recently closed one. A day before the last join belongs to another consent.
    let began = calendar::day_of(subscription.since).to_string();
    let past = charges.before_today.as_ref().filter(|past| past.is_unpaid() && past.day >= began)?;
    // The charge that pays for it may have settled late.
    let is_paid_late = past.day.parse().is_ok_and(|day| charges.pay_for(day));
    (!is_paid_late).then_some(past)
}

/// Thirty days since the last paid one, where the thirtieth day is over or its charge has failed.
fn has_lapsed(subscription: &Subscription, charges: &NewestCharges, today: NaiveDate) -> bool {
    let began = calendar::day_of(subscription.since);
    let days = (today - charges.last_paid_day.map_or(began, |paid| paid.max(began))).num_days();
    let newest = charges.newest.as_ref();
    let tried_today = newest.is_some_and(|newest| newest.day == today.to_string() && newest.status == FAILED);
    days > DAYS_THAT_LAPSE || (days == DAYS_THAT_LAPSE && tried_today)
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
            .limit(BATCH_SIZE.into())
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
    let is_full = |ids: &&Vec<i64>| ids.len() >= usize::from(BATCH_SIZE);
    let complete_to = found.iter().filter(is_full).filter_map(|ids| ids.last().copied()).min();
    let ids = found.into_iter().flatten().filter(|id| complete_to.is_none_or(|last| *id <= last));
    Ok((ids.collect(), complete_to))
}

#[cfg(test)]
mod tests {
    use diesel::{Connection, SqliteConnection};
    use identity::SubscriberId;

    use super::*;
    use crate::ledger::rows::PENDING;

    const TODAY: &str = "2026-11-30";
    const YESTERDAY: &str = "2026-11-29";

    fn charge((day, status, failures): (&str, &str, i32)) -> DayCharge {
        DayCharge { id: 1, day: day.to_owned(), status: status.to_owned(), failures }
    }

    #[test]
    fn required_change_follows_the_newest_charges() {
        let mut conn = DbConnection::Sqlite(SqliteConnection::establish(":memory:").unwrap());
        store::migrate(&mut conn, crate::NAME, crate::MIGRATIONS).unwrap();
        let msisdn = SubscriberId::parse("27821234567").unwrap();
        let mut subscription = Subscription::lock(&mut conn, &msisdn, 150, NaiveDateTime::default()).unwrap();
        let today: NaiveDate = TODAY.parse().unwrap();
        let mut change = |state: State, since: &str, charges: &[(&str, &str, i32)], paid: &str, until: &str| {
            subscription.state = state;
            subscription.since = format!("{since}T08:00:00").parse().unwrap();
            let before = charges.iter().find(|(day, ..)| *day < TODAY);
            let charges = NewestCharges {
                newest: charges.first().copied().map(charge),
                before_today: before.copied().map(charge),
                last_paid_day: paid.parse().ok(),
                periods: until.parse().map(|until| (today - TimeDelta::days(6), until)).into_iter().collect(),
            };
            let (cause, charge) = required_change(&subscription, &charges, today)?;
            Some((cause, charge.map(|charge| charge.day.clone())))
        };
        let day = |day: &str| Some(day.to_owned());
        let (active, suspended) = (State::Active, State::Suspended);
        let long_ago = "2026-10-01";
        for (state, since, charges, paid, until, expected) in [
            (active, long_ago, vec![(TODAY, FAILED, 3)], YESTERDAY, "", Some((Cause::Unpaid, day(TODAY)))),
            (active, long_ago, vec![(TODAY, FAILED, 2)], YESTERDAY, "", None),
            (active, long_ago, vec![(TODAY, FAILED, 3)], YESTERDAY, TODAY, None),
            (
                active,
                long_ago,
                vec![(TODAY, PENDING, 0), (YESTERDAY, FAILED, 1)],
                "2026-11-28",
                "",
                Some((Cause::Unpaid, day(YESTERDAY))),
            ),
            (active, long_ago, vec![(TODAY, SETTLED, 0), (YESTERDAY, FAILED, 1)], TODAY, "", None),
            // The network was unavailable.
            (active, long_ago, vec![(YESTERDAY, FAILED, 0)], "2026-11-28", "", None),
            // An earlier consent's day.
            (active, TODAY, vec![(YESTERDAY, FAILED, 1)], "2026-11-28", "", None),
            (active, long_ago, vec![(YESTERDAY, FAILED, 1)], YESTERDAY, YESTERDAY, None),
            (suspended, long_ago, vec![(TODAY, SETTLED, 0)], TODAY, "", Some((Cause::Paid, day(TODAY)))),
            (suspended, long_ago, vec![(TODAY, FAILED, 1)], YESTERDAY, TODAY, Some((Cause::Paid, day(TODAY)))),
            (suspended, long_ago, vec![(TODAY, FAILED, 1)], "2026-10-31", "", Some((Cause::Lapsed, day(TODAY)))),
            (suspended, long_ago, vec![(TODAY, PENDING, 0)], "2026-10-31", "", None),
            (suspended, long_ago, vec![(TODAY, PENDING, 0)], "2026-10-30", "", Some((Cause::Lapsed, day(TODAY)))),
            (active, long_ago, vec![], "", "", Some((Cause::Lapsed, None))),
        ] {
            let found = change(state, since, &charges, paid, until);
            assert_eq!(found, expected, "{state:?} since {since}, {charges:?}, paid {paid}, period until {until}");
        }
    }
}
