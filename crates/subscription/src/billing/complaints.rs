//! "I did not want this": complaints of subscribers about a charge (table `complaints`).
//!
//! The first complaint of a person about a service gives the last charge back by rule, if the charge is at most seven days old and no film has
//! been watched since its day. Any other complaint is a case, which support closes.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use identity::Session;
use serde::Serialize;
use store::{Db, DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    billing::refund::{RefundReason, refund_charge},
    error::Error,
    ledger::{
        refunds::SUBSCRIBER,
        rows::{CHARGE, RECENT, SETTLED},
    },
    schema::{complaints, ledger, subscriptions},
    subscribers::{calendar, lifecycle::State, subscriptions::Subscription},
};

/// How old a charge may be that the rule gives back.
const REFUND_TIME: TimeDelta = TimeDelta::days(7);

/// The outcomes.
const REFUNDED: &str = "refunded";
pub(crate) const CASE: &str = "case";
const NONE: &str = "none";

/// The outcome of a complaint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Complaint)]
pub(crate) struct ComplaintOutcome {
    /// "refunded": the charge is given back; "case": support decides; "none": there is no such charge.
    pub outcome: String,
    /// The number to name to support; null where there is no case.
    #[serde(rename = "case")]
    #[schema(required = true)]
    pub case_id: Option<i64>,
    /// The day of the charge (YYYY-MM-DD).
    #[schema(required = true)]
    pub day: Option<String>,
    /// The amount of the charge.
    #[schema(value_type = service::schema::Cents)]
    pub cents: i64,
}

/// An earlier complaint.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = complaints)]
struct Earlier {
    id: i64,
    charge_id: i64,
    charge_day: String,
    cents: i64,
    outcome: String,
}

impl ComplaintOutcome {
    fn of(Earlier { id, charge_day, cents, outcome, .. }: Earlier) -> Self {
        let case_id = (outcome == CASE).then_some(id);
        Self { outcome, case_id, day: Some(charge_day), cents }
    }

    /// The newest for each charge of this person's, oldest first: by the charge's id.
    pub fn by_charge(conn: &mut DbConnection, subscription: &Subscription) -> Result<Vec<(i64, Self)>, Error> {
        Ok(earlier(conn, subscription)?.into_iter().map(|row| (row.charge_id, Self::of(row))).collect())
    }
}

/// Records a complaint about the charge of `day`, or about the last charge. The subscription is locked. A complaint about a day that has one
/// already gets the same outcome; without a day, one that follows a refund is a case.
pub(crate) fn complain(
    conn: &mut DbConnection,
    subscription: &Subscription,
    day: Option<&str>,
    channel: &'static str,
    now: NaiveDateTime,
) -> Result<ComplaintOutcome, Error> {
    let last = charge_of(conn, subscription, None, now)?;
    let found = match day {
        Some(day) => charge_of(conn, subscription, Some(day), now)?,
        None => last.clone(),
    };
    let (Some((charge_id, charge_day, cents)), Some(last)) = (found, last) else {
        return Ok(ComplaintOutcome { outcome: NONE.to_owned(), case_id: None, day: None, cents: 0 });
    };
    let earlier = earlier(conn, subscription)?;
    let same = earlier.iter().rev().find(|each| each.charge_id == charge_id);
    if let Some(same) = same.filter(|each| day.is_some() || each.outcome == CASE) {
        return Ok(ComplaintOutcome::of(same.clone()));
    }
    let watched_day: String =
        subscriptions::table.find(subscription.id).select(subscriptions::watched_day).first(conn)?;
    let why = if !earlier.is_empty() {
        "again"
    } else if charge_id != last.0 {
        "earlier"
    } else if charge_day < (calendar::day_of(now) - REFUND_TIME).to_string() {
        "late"
    } else if watched_day >= charge_day {
        "watched"
    } else {
        ""
    };
    let outcome = if why.is_empty() { REFUNDED } else { CASE };
    let new = (
        complaints::subscription_id.eq(subscription.id),
        complaints::person.eq(subscription.person),
        (complaints::charge_id.eq(charge_id), complaints::charge_day.eq(&charge_day), complaints::cents.eq(cents)),
        (complaints::channel.eq(channel), complaints::outcome.eq(outcome), complaints::why.eq(why)),
        (complaints::at.eq(now), complaints::closed_by.eq("")),
    );
    // The indexes hold, too, that a person gets one refund by rule.
    let inserted: Option<i64> = on_each_backend!(conn, conn => diesel::insert_into(complaints::table)
        .values(new)
        .on_conflict_do_nothing()
        .returning(complaints::id)
        .get_result(conn)
        .optional())?;
    if let Some(id) = inserted
        && outcome == REFUNDED
    {
        let reason = format!("complaint {id}: the first one, and nothing was watched");
        let reason = RefundReason { reason: &reason, made_by: SUBSCRIBER, network_charged: true };
        refund_charge(conn, (charge_id, &charge_day), &reason, now)?;
    }
    let case_id = inserted.filter(|_| outcome == CASE);
    Ok(ComplaintOutcome { outcome: outcome.to_owned(), case_id, day: Some(charge_day), cents })
}

/// The complaints of this person, oldest first.
fn earlier(conn: &mut DbConnection, subscription: &Subscription) -> Result<Vec<Earlier>, Error> {
    Ok(complaints::table
        .filter(complaints::subscription_id.eq(subscription.id).and(complaints::person.eq(subscription.person)))
        .order(complaints::id)
        .select((complaints::id, complaints::charge_id, complaints::charge_day, complaints::cents, complaints::outcome))
        .load(conn)?)
}

/// The id, day and cents of the person's settled charge of a day, or of the last one.
fn charge_of(
    conn: &mut DbConnection,
    subscription: &Subscription,
    day: Option<&str>,
    now: NaiveDateTime,
) -> Result<Option<(i64, String, i64)>, Error> {
    let (first, last) = match day {
        Some(day) => (day.max(subscription.first_day().as_str()).to_owned(), day.to_owned()),
        None => {
            let (recent, today) = (calendar::day_of(now) - RECENT, calendar::day_of(now));
            (recent.to_string().max(subscription.first_day()), today.to_string())
        }
    };
    Ok(ledger::table
        .filter(ledger::subscription_id.eq(subscription.id).and(ledger::kind.eq(CHARGE)))
        .filter(ledger::day.between(first, last).and(ledger::status.eq(SETTLED)))
        .order(ledger::day.desc())
        .select((ledger::id, ledger::day, ledger::cents))
        .first(conn)
        .optional()?)
}

/// The last charge of a subscription, for an SMS: its day, cents, and the consent that allows it.
pub(crate) struct LastCharge {
    pub day: String,
    pub cents: i64,
    pub consent_id: Option<i64>,
}

impl LastCharge {
    /// `None` where nothing was charged in the last two months.
    pub fn of(conn: &mut DbConnection, subscription: &Subscription, now: NaiveDateTime) -> Result<Option<Self>, Error> {
        let Some((id, day, cents)) = charge_of(conn, subscription, None, now)? else { return Ok(None) };
        let consent_id =
            ledger::table.filter(ledger::id.eq(id).and(ledger::day.eq(&day))).select(ledger::consent_id).first(conn)?;
        Ok(Some(Self { day, cents, consent_id }))
    }
}

/// Records that bytes of a film are sent to a session today; its subscription's row is written once a day.
pub(crate) async fn record_watching(db: &Db, session: &Session, now: NaiveDateTime) -> Result<(), Error> {
    let (msisdn, svc_id, generation) = (session.msisdn.clone(), session.svc_id, session.generation);
    let today = calendar::day_of(now).to_string();
    let day = today.clone();
    let not_recorded = db.run(move |conn| {
        let subscription = subscriptions::table
            .filter(subscriptions::msisdn.eq(msisdn.as_str()).and(subscriptions::svc_id.eq(svc_id)))
            .filter(subscriptions::generation.eq(generation).and(subscriptions::state.eq(State::Active.as_str())))
            .filter(subscriptions::watched_day.lt(day));
        Ok::<_, Error>(subscription.select(subscriptions::id).first::<i64>(conn).optional()?)
    });
    let Some(id) = not_recorded.await? else { return Ok(()) };
    db.write(move |conn| {
        diesel::update(subscriptions::table.find(id)).set(subscriptions::watched_day.eq(today)).execute(conn)?;
        Ok(())
    })
    .await
}
