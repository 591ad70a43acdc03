//! A subscription's state follows its ledger: unpaid suspends, paid restores, thirty days without a charge end it.

use std::collections::BTreeSet;

use chrono::{NaiveDateTime, NaiveTime, TimeDelta};
use diesel::{
    dsl::{exists, not},
    prelude::*,
};
use serde_json::json;
use store::DbConnection;

use super::{
    calendar,
    claim::PASSES_THAT_SUSPEND,
    ledger::{self as books, CHARGE, FAILED, SETTLED},
};
use crate::{
    error::Error,
    life::{Cause, State},
    schema::{ledger, subscriptions},
    subscriptions::Subscription,
    terms::Terms,
};

/// Whole days without a charge that end a suspended subscription.
const DAYS_THAT_LAPSE: i64 = 30;

/// Subscriptions looked at in one round of the janitor.
const AT_ONCE: i64 = 500;

/// Moves each of these subscriptions as its newest charge says; how many moved. Asked twice, it moves nothing twice.
pub(crate) fn follow(
    conn: &mut DbConnection,
    terms: &Terms,
    subscription_ids: impl IntoIterator<Item = i64>,
    now: NaiveDateTime,
) -> Result<usize, Error> {
    let mut moved = 0;
    // In the order of their ids, so that two replicas that move the same ones never wait for each other.
    for id in subscription_ids.into_iter().collect::<BTreeSet<_>>() {
        let Some(mut subscription) = Subscription::lock_by_id(conn, id)? else { continue };
        let Some(newest) = books::newest(conn, id)? else { continue };
        let cause = match subscription.state {
            State::Active if newest.status == FAILED && is_unpaid(terms, &subscription, &newest, now) => Cause::Unpaid,
            State::Suspended if newest.status == SETTLED => Cause::Paid,
            State::Suspended if has_lapsed(conn, &subscription, &newest, now)? => Cause::Lapsed,
            _ => continue,
        };
        let evidence = json!({ "ledger": newest.id, "day": newest.day });
        if subscription.advance(conn, terms, cause, now, &evidence, now)? {
            moved += 1;
        }
    }
    Ok(moved)
}

/// Three failures of a day; where the network charges by itself, also a day that ended in failure.
fn is_unpaid(terms: &Terms, subscription: &Subscription, newest: &books::Newest, now: NaiveDateTime) -> bool {
    let charged_by_itself = terms.charged_by_us(&subscription.msisdn, subscription.svc_id).is_none();
    let day_is_over = newest.day < calendar::day_of(now).to_string();
    newest.failures >= PASSES_THAT_SUSPEND || (charged_by_itself && newest.failures > 0 && day_is_over)
}

/// Thirty days without a charge, the thirtieth's try having failed or that day being over.
fn has_lapsed(
    conn: &mut DbConnection,
    subscription: &Subscription,
    newest: &books::Newest,
    now: NaiveDateTime,
) -> Result<bool, Error> {
    let today = calendar::day_of(now);
    let paid = books::last_paid_day(conn, subscription.id)?;
    let began = calendar::day_of(subscription.since);
    let days = (today - paid.map_or(began, |paid| paid.max(began))).num_days();
    let tried_today = newest.day == today.to_string() && newest.status == FAILED;
    Ok(days > DAYS_THAT_LAPSE || (days == DAYS_THAT_LAPSE && tried_today))
}

/// Subscriptions whose state has not followed yet: a crash came between, or their time has come.
pub(crate) fn behind(conn: &mut DbConnection, terms: &Terms, now: NaiveDateTime) -> Result<Vec<i64>, Error> {
    let today = calendar::day_of(now);
    let yesterday = (today - TimeDelta::days(1)).to_string();
    let charges =
        || ledger::table.filter(ledger::subscription_id.eq(subscriptions::id)).filter(ledger::kind.eq(CHARGE));
    let failed = || charges().filter(ledger::day.ge(yesterday.clone()).and(ledger::status.eq(FAILED)));
    let paid_since = |day: String| exists(charges().filter(ledger::day.ge(day).and(ledger::status.eq(SETTLED))));
    let of_state = |state: State| {
        subscriptions::table
            .filter(subscriptions::state.eq(state.as_str()))
            .select(subscriptions::id)
            .order(subscriptions::id)
            .limit(AT_ONCE)
    };
    let mut found: Vec<i64> = of_state(State::Active)
        .filter(exists(failed().filter(ledger::failures.ge(PASSES_THAT_SUSPEND))))
        .filter(not(paid_since(today.to_string())))
        .load(conn)?;
    let unpaid_yesterday = failed().filter(ledger::day.lt(today.to_string()).and(ledger::failures.gt(0)));
    found.extend(
        of_state(State::Active)
            .filter(subscriptions::svc_id.eq_any(terms.push_services()))
            .filter(exists(unpaid_yesterday))
            .filter(not(paid_since(today.to_string())))
            .load::<i64>(conn)?,
    );
    let entered_today = exists(charges().filter(ledger::day.eq(today.to_string()).and(ledger::status.ne(SETTLED))));
    found.extend(
        of_state(State::Suspended)
            .filter(paid_since(yesterday.clone()))
            .filter(not(entered_today))
            .load::<i64>(conn)?,
    );
    let lately = today - TimeDelta::days(DAYS_THAT_LAPSE);
    let began_before = calendar::moment(lately, NaiveTime::MIN).unwrap_or(now);
    found.extend(
        of_state(State::Suspended)
            .filter(subscriptions::since.lt(began_before))
            .filter(not(paid_since(lately.to_string())))
            .load::<i64>(conn)?,
    );
    Ok(found)
}
