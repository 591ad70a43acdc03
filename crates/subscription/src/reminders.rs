//! The monthly reminder: every month that somebody is subscribed they are told what, for how much, and how to stop.

use std::sync::Arc;

use chrono::{Months, NaiveDateTime, NaiveTime};
use diesel::{
    dsl::{exists, not},
    prelude::*,
};
use store::{Db, DbConnection};

use crate::{
    billing::calendar,
    crash,
    error::Error,
    life::State,
    outbox,
    schema::{reminders, subscriptions},
    sms,
    subscriptions::Subscription,
    terms::Terms,
};

/// Reminders put into the outbox in one transaction.
const AT_ONCE: i64 = 200;

/// They go out between these hours of Johannesburg's day.
const WAKING_HOURS: [u32; 2] = [6, 20];

/// Puts into the outbox every reminder whose month has come, while people are awake; how many.
pub(crate) async fn send_due(db: &Db, terms: &Arc<Terms>, now: NaiveDateTime) -> Result<usize, Error> {
    let [from, until] = WAKING_HOURS.map(|hour| NaiveTime::from_hms_opt(hour, 0, 0).unwrap_or_default());
    if !(from..until).contains(&calendar::time_of(now)) {
        return Ok(0);
    }
    let (mut sent, mut after) = (0, 0);
    loop {
        let page = db.run(move |conn| due(conn, after, now)).await?;
        let Some(last) = page.last().copied() else { return Ok(sent) };
        after = last;
        let terms = terms.clone();
        sent += db
            .write(move |conn| page.into_iter().map(|id| remind(conn, &terms, id, now)).sum::<Result<usize, _>>())
            .await?;
        crash::point("reminders.page");
    }
}

fn a_month_before(now: NaiveDateTime) -> NaiveDateTime {
    now.checked_sub_months(Months::new(1)).unwrap_or(now)
}

fn due(conn: &mut DbConnection, after: i64, now: NaiveDateTime) -> Result<Vec<i64>, Error> {
    let month = a_month_before(now);
    let reminded =
        reminders::table.filter(reminders::subscription_id.eq(subscriptions::id).and(reminders::at.gt(month)));
    Ok(subscriptions::table
        .filter(subscriptions::state.eq(State::Active.as_str()).and(subscriptions::since.le(month)))
        .filter(subscriptions::id.gt(after))
        .filter(not(exists(reminded)))
        .order(subscriptions::id)
        .limit(AT_ONCE)
        .select(subscriptions::id)
        .load(conn)?)
}

/// One reminder, unless another replica was quicker or the person has left.
fn remind(conn: &mut DbConnection, terms: &Terms, id: i64, now: NaiveDateTime) -> Result<usize, Error> {
    let Some(subscription) = Subscription::lock_by_id(conn, id)? else { return Ok(0) };
    let since = a_month_before(now);
    let reminded = reminders::table.filter(reminders::subscription_id.eq(id).and(reminders::at.gt(since)));
    if subscription.state != State::Active || diesel::select(exists(reminded)).get_result(conn)? {
        return Ok(0);
    }
    let Some(brand) = terms.brand(subscription.svc_id) else { return Ok(0) };
    diesel::insert_into(reminders::table)
        .values((reminders::subscription_id.eq(id), reminders::at.eq(now)))
        .execute(conn)?;
    outbox::put_sms(conn, &brand.network, &subscription.msisdn, subscription.svc_id, sms::reminder(&brand), now)?;
    Ok(1)
}
