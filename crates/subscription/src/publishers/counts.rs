//! Publishers: the campaigns (`ext_ref`) that bring visitors. What became of the joins of each by day and brand, which were held and why, and
//! which publishers are held altogether. `list` is the list that staff search, `evidence` the report about one.

use std::collections::BTreeMap;

use actix_web::web::{Data, Json, Path};
use chrono::{Months, NaiveDate, NaiveDateTime, TimeDelta};
use clap::ValueEnum;
use diesel::{
    prelude::*,
    sql_types::{BigInt, Integer, Text},
};
use operator::OptInKind;
use serde::{Deserialize, Serialize};
use service::{SupportCaller, openapi::Refused};
use store::{Db, DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    schema::{held_joins, held_publishers, publisher_days, publisher_events, subscriptions},
    subscribers::{
        attempts::{OptInAttempt, kind_name},
        calendar,
        ids::random_token,
        text::plain_text,
    },
};

/// A publisher is judged by its last seven days.
const JUDGED_DAYS: i64 = 7;

/// A leave within this time counts against the publisher.
pub(crate) const EARLY: TimeDelta = TimeDelta::hours(24);

/// How long counts and held joins are kept.
pub(crate) const KEPT_MONTHS: u32 = 14;

/// Events that one transaction adds up.
const ADDED_AT_ONCE: i64 = 1000;

/// The longest accepted `ext_ref`, in characters.
const MAX_EXT_REF: usize = 256;

/// `made_by` of holds by the limits.
const LIMITS: &str = "limits";

const HELD: &str = "held";
const RELEASED: &str = "released";

/// What happens to joins without the challenge of the join page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum JoinSignals {
    /// They are held.
    Required,
    /// They are counted, and go on: for callers that join over HTTP without a page.
    Observed,
}

/// The limits against fraud.
#[derive(clap::Args, Clone, Debug)]
pub struct FraudLimits {
    /// Joins without the challenge of the join page: `required` holds them before any charge, and one address learns of 30 numbers an hour;
    /// `observed` counts them only, for callers that join over HTTP without the page. Default: `required`; under `make run` `observed`.
    #[arg(long, env = "JOIN_SIGNALS")]
    pub join_signals: Option<JoinSignals>,
    /// From how many confirmed joins of the last seven days on a publisher (`ext_ref`) is judged.
    #[arg(long, env = "PUBLISHER_MIN_JOINS", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub publisher_min_joins: u32,
    /// The percentage of confirmed joins that end within a day, or whose charge staff give back, above which a publisher's visitors type a code
    /// until staff release or hold it.
    #[arg(long, env = "PUBLISHER_LEFT_PERCENT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub publisher_left_percent: u32,
}

impl FraudLimits {
    /// Holds nothing.
    pub const OBSERVED: Self =
        Self { join_signals: Some(JoinSignals::Observed), publisher_min_joins: 50, publisher_left_percent: 50 };

    /// Whether joins are held.
    pub(crate) fn is_required(&self) -> bool {
        self.join_signals != Some(JoinSignals::Observed)
    }
}

/// What is counted of a publisher's joins.
#[derive(Clone, Copy, Debug)]
pub(crate) enum JoinEvent {
    /// The network's page was requested.
    Passed,
    /// Of these, the joins that were held at first, and went on with the code.
    PassedByCode,
    /// Held by this rule.
    Held(&'static str),
    /// Would have been held by this rule.
    Observed(&'static str),
    /// The network confirmed it.
    Confirmed,
    /// It ended within a day.
    LeftEarly,
    /// A charge was given back to the subscriber by staff.
    Refunded,
}

impl JoinEvent {
    fn key(self) -> String {
        match self {
            Self::Passed => "passed".to_owned(),
            Self::PassedByCode => "passed_by_code".to_owned(),
            Self::Held(rule) => format!("held:{rule}"),
            Self::Observed(rule) => format!("observed:{rule}"),
            Self::Confirmed => "confirmed".to_owned(),
            Self::LeftEarly => "left_early".to_owned(),
            Self::Refunded => "refunded".to_owned(),
        }
    }
}

/// The counts of a publisher.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PublisherCounts {
    /// Joins that went to the network's page.
    passed: i64,
    /// Of these, the joins that were held first, and whose visitor then typed the code.
    passed_by_code: i64,
    /// Held joins.
    held: i64,
    /// Held joins by rule.
    held_by_rule: BTreeMap<String, i64>,
    /// Joins that went on under `JOIN_SIGNALS=observed` and would have been held, by rule.
    observed_by_rule: BTreeMap<String, i64>,
    /// Joins that the network confirmed.
    confirmed: i64,
    /// Subscriptions that ended within 24 hours, at their subscriber's request.
    left_early: i64,
    /// Charges that staff gave back.
    refunded: i64,
}

impl PublisherCounts {
    pub fn add(&mut self, event: &str, joins: i64) {
        match event.split_once(':') {
            Some(("held", rule)) => {
                self.held += joins;
                *self.held_by_rule.entry(rule.to_owned()).or_default() += joins;
            }
            Some(("observed", rule)) => *self.observed_by_rule.entry(rule.to_owned()).or_default() += joins,
            _ => match event {
                "passed" => self.passed += joins,
                "passed_by_code" => self.passed_by_code += joins,
                "confirmed" => self.confirmed += joins,
                "left_early" => self.left_early += joins,
                "refunded" => self.refunded += joins,
                // A newer release may count more events.
                _ => {}
            },
        }
    }

    /// Why these counts are beyond the limits; `None` where they are not. Only what a network or a person has done counts: a request that
    /// names a publisher cannot harm it.
    fn excess(&self, limits: &FraudLimits) -> Option<String> {
        let regretted = self.left_early + self.refunded;
        let is_judged = self.confirmed >= i64::from(limits.publisher_min_joins);
        let is_excess = regretted * 100 > self.confirmed * i64::from(limits.publisher_left_percent);
        (is_judged && is_excess).then(|| {
            format!(
                "{regretted} of {} joins of seven days were regretted: left in a day, or given back",
                self.confirmed
            )
        })
    }
}

#[derive(QueryableByName)]
pub(crate) struct CountRow {
    #[diesel(sql_type = Text)]
    pub event: String,
    #[diesel(sql_type = BigInt)]
    pub joins: i64,
}

#[derive(QueryableByName)]
struct EventRow {
    #[diesel(sql_type = Text)]
    ext_ref: String,
    #[diesel(sql_type = Text)]
    day: String,
    #[diesel(sql_type = Integer)]
    svc_id: i32,
    #[diesel(sql_type = Text)]
    event: String,
}

/// Whether all joins of a publisher are held.
#[derive(Clone, Queryable, Selectable, Serialize, ToSchema)]
#[diesel(table_name = held_publishers)]
pub(crate) struct PublisherState {
    /// `held` or `released`.
    pub state: String,
    pub reason: String,
    /// The member of staff, or `limits`.
    pub made_by: String,
    /// Since when.
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub at: NaiveDateTime,
}

/// How many publishers are held now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeldPublishers {
    /// By the limits: a person has to decide about them.
    pub by_limits: i64,
    /// By a person.
    pub by_staff: i64,
}

impl HeldPublishers {
    pub fn count(conn: &mut DbConnection) -> Result<Self, Error> {
        let held = || held_publishers::table.filter(held_publishers::state.eq(HELD));
        let by_limits = held().filter(held_publishers::made_by.eq(LIMITS)).count().get_result(conn)?;
        let by_staff = held().filter(held_publishers::made_by.ne(LIMITS)).count().get_result(conn)?;
        Ok(Self { by_limits, by_staff })
    }
}

impl PublisherState {
    pub fn of(conn: &mut DbConnection, ext_ref: &str) -> Result<Option<Self>, Error> {
        Ok(held_publishers::table.find(ext_ref).select(Self::as_select()).first(conn).optional()?)
    }

    fn write(&self, conn: &mut DbConnection, ext_ref: &str) -> Result<(), Error> {
        let row = || {
            (
                held_publishers::state.eq(&self.state),
                held_publishers::reason.eq(&self.reason),
                held_publishers::made_by.eq(&self.made_by),
                held_publishers::at.eq(self.at),
            )
        };
        on_each_backend!(conn, conn => diesel::insert_into(held_publishers::table)
            .values((held_publishers::ext_ref.eq(ext_ref), row()))
            .on_conflict(held_publishers::ext_ref)
            .do_update()
            .set(row())
            .execute(conn))?;
        Ok(())
    }
}

/// Notes an event of a publisher; visitors without one came by themselves, and count together. A row of its own and no counter: the transactions
/// of one publisher's joins and leaves do not wait for each other.
pub(crate) fn note(
    conn: &mut DbConnection,
    (ext_ref, svc_id): (&str, i32),
    event: JoinEvent,
    now: NaiveDateTime,
) -> Result<(), Error> {
    diesel::insert_into(publisher_events::table)
        .values((
            publisher_events::day.eq(calendar::day_of(now).to_string()),
            publisher_events::ext_ref.eq(ext_ref),
            publisher_events::svc_id.eq(svc_id),
            publisher_events::event.eq(event.key()),
        ))
        .execute(conn)?;
    Ok(())
}

/// Notes an event of the publisher that a subscription's last confirmed join came from.
pub(crate) fn note_of_subscription(
    conn: &mut DbConnection,
    subscription_id: i64,
    event: JoinEvent,
    now: NaiveDateTime,
) -> Result<(), Error> {
    match OptInAttempt::last_confirmed(conn, subscription_id, kind_name(OptInKind::OptIn))? {
        Some(attempt) => note_of_attempt(conn, &attempt, event, now),
        None => Ok(()),
    }
}

/// Notes an event of the publisher that an attempt came from.
pub(crate) fn note_of_attempt(
    conn: &mut DbConnection,
    attempt: &OptInAttempt,
    event: JoinEvent,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let subscription = subscriptions::table.find(attempt.subscription_id);
    let svc_id: Option<i32> = subscription.select(subscriptions::svc_id).first(conn).optional()?;
    note(conn, (&attempt.ext_ref, svc_id.unwrap_or_default()), event, now)
}

/// Adds a batch of events to the counts of their days; returns how many. Of two replicas, each gets the rows that it deleted itself.
fn add_up(conn: &mut DbConnection) -> Result<usize, Error> {
    let rows: Vec<EventRow> = on_each_backend!(conn, conn => diesel::sql_query(
        "DELETE FROM publisher_events WHERE id IN (SELECT id FROM publisher_events ORDER BY id LIMIT $1) RETURNING ext_ref, day, svc_id, event",
    )
    .bind::<BigInt, _>(ADDED_AT_ONCE)
    .load::<EventRow>(conn))?;
    let added = rows.len();
    // Sorted, so that two replicas lock the counts in the same order.
    let mut sums: BTreeMap<(String, String, i32, String), i64> = BTreeMap::new();
    for EventRow { ext_ref, day, svc_id, event } in rows {
        *sums.entry((ext_ref, day, svc_id, event)).or_default() += 1;
    }
    for ((ext_ref, day, svc_id, event), joins) in sums {
        let row = (
            (publisher_days::ext_ref.eq(ext_ref), publisher_days::day.eq(day), publisher_days::svc_id.eq(svc_id)),
            (publisher_days::event.eq(event), publisher_days::joins.eq(joins)),
        );
        on_each_backend!(conn, conn => diesel::insert_into(publisher_days::table)
            .values(row)
            .on_conflict((publisher_days::ext_ref, publisher_days::day, publisher_days::svc_id, publisher_days::event))
            .do_update()
            .set(publisher_days::joins.eq(publisher_days::joins + joins))
            .execute(conn))?;
    }
    Ok(added)
}

/// Keeps a held join as evidence, with the number masked.
pub(crate) fn record_held(
    conn: &mut DbConnection,
    (ext_ref, svc_id, masked): (&str, i32, &str),
    rule: &str,
    now: NaiveDateTime,
) -> Result<(), Error> {
    diesel::insert_into(held_joins::table)
        .values((
            (held_joins::id.eq(random_token()), held_joins::at.eq(now), held_joins::ext_ref.eq(ext_ref)),
            (held_joins::svc_id.eq(svc_id), held_joins::rule.eq(rule), held_joins::masked.eq(masked)),
        ))
        .execute(conn)?;
    Ok(())
}

/// By whom a publisher is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Its visitors type a code.
    ByLimits,
    /// None of its visitors joins.
    ByStaff,
}

/// How a publisher is held; `None` where it is not. One beyond the limits is held by them from now on, until staff decide; days up to its release
/// count no more.
pub(crate) fn hold_of(
    conn: &mut DbConnection,
    limits: &FraudLimits,
    ext_ref: &str,
    now: NaiveDateTime,
) -> Result<Option<Hold>, Error> {
    // Visitors who came by themselves have no publisher that gains by them.
    if ext_ref.is_empty() || !limits.is_required() {
        return Ok(None);
    }
    let today = calendar::day_of(now);
    let week = today - TimeDelta::days(JUDGED_DAYS - 1);
    let first = match PublisherState::of(conn, ext_ref)? {
        Some(known) if known.state == HELD => {
            return Ok(Some(if known.made_by == LIMITS { Hold::ByLimits } else { Hold::ByStaff }));
        }
        Some(known) => week.max(calendar::day_of(known.at) + TimeDelta::days(1)),
        None => week,
    };
    let rows: Vec<CountRow> = on_each_backend!(conn, conn => diesel::sql_query(
        "SELECT event, CAST(SUM(joins) AS BIGINT) AS joins FROM ( \
         SELECT event, joins FROM publisher_days WHERE ext_ref = $1 AND day >= $2 UNION ALL \
         SELECT event, 1 FROM publisher_events WHERE ext_ref = $1 AND day >= $2) AS counted GROUP BY event",
    )
    .bind::<Text, _>(ext_ref)
    .bind::<Text, _>(first.to_string())
    .load::<CountRow>(conn))?;
    let mut counts = PublisherCounts::default();
    rows.iter().for_each(|row| counts.add(&row.event, row.joins));
    let Some(reason) = counts.excess(limits) else { return Ok(None) };
    tracing::warn!(publisher.reason = reason, "a publisher is held: {reason}");
    let state = PublisherState { state: HELD.to_owned(), reason, made_by: LIMITS.to_owned(), at: now };
    state.write(conn, ext_ref)?;
    Ok(Some(Hold::ByLimits))
}

/// Adds up all events, so that a report lacks none.
pub(crate) async fn add_up_all(db: &Db) -> Result<(), Error> {
    while db.write(add_up).await? > 0 {}
    Ok(())
}

/// The first day of a month, and of the next one.
pub(crate) fn month_of(text: &str) -> Result<(NaiveDate, NaiveDate), Error> {
    let first: NaiveDate = format!("{text}-01").parse().map_err(|_| Error::BadDay)?;
    let next = first.checked_add_months(Months::new(1)).ok_or(Error::BadDay)?;
    Ok((first, next))
}

/// The `ext_ref` of a request, if it is one.
pub(crate) fn ext_ref(text: Option<&str>) -> Result<&str, Error> {
    let text = text.unwrap_or_default();
    if text.chars().count() > MAX_EXT_REF || text.chars().any(char::is_control) {
        return Err(Error::BadExtRef);
    }
    Ok(text)
}

/// What staff decide about a publisher.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PublisherDecision {
    Hold,
    Release,
}

/// Which publisher, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PublisherOrder {
    #[schema(min_length = 1, max_length = 256)]
    ext_ref: String,
    #[schema(min_length = 1, max_length = 256)]
    reason: String,
}

/// Holds all joins of a publisher until it is released, or lets its visitors join again; then it is judged by its joins of the days after.
#[utoipa::path(
    post,
    path = "",
    params(("decision" = PublisherDecision, Path)),
    request_body = PublisherOrder,
    responses((status = 200, description = "The publisher is held, or released.", body = PublisherState), Refused)
)]
pub(crate) async fn decide_publisher(
    caller: SupportCaller,
    app: Data<App>,
    decision: Path<PublisherDecision>,
    order: Json<PublisherOrder>,
) -> Result<Json<PublisherState>, Error> {
    let state = match *decision {
        PublisherDecision::Hold => HELD,
        PublisherDecision::Release => RELEASED,
    };
    let ext_ref = ext_ref(Some(&order.ext_ref)).map(str::to_owned)?;
    let reason = plain_text(&order.reason)?;
    if ext_ref.is_empty() {
        return Err(Error::BadExtRef);
    }
    let (made_by, at) = (caller.name().to_owned(), app.clock.now());
    let mut state = PublisherState { state: state.to_owned(), reason, made_by, at };
    let written = app.db.write(move |conn| {
        // A decision that a publisher stays held does not change the time since which it is held.
        if let Some(known) = PublisherState::of(conn, &ext_ref)?.filter(|known| known.state == state.state) {
            state.at = known.at;
        }
        state.write(conn, &ext_ref)?;
        Ok::<_, Error>(state)
    });
    Ok(Json(written.await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excess(events: &[(&str, i64)]) -> Option<String> {
        let mut counts = PublisherCounts::default();
        events.iter().for_each(|(event, joins)| counts.add(event, *joins));
        counts.excess(&FraudLimits { join_signals: Some(JoinSignals::Required), ..FraudLimits::OBSERVED })
    }

    #[test]
    fn add_leaves_out_unknown_events() {
        let mut counts = PublisherCounts::default();
        ["refunded", "repaid", "noticed:stale"].iter().for_each(|event| counts.add(event, 1));
        assert_eq!(counts, PublisherCounts { refunded: 1, ..PublisherCounts::default() });
    }

    #[test]
    fn excess_begins_above_the_percentage_and_from_the_least_joins_on() {
        assert_eq!(excess(&[]), None);
        assert_eq!(excess(&[("confirmed", 50), ("left_early", 25)]), None);
        assert_eq!(excess(&[("confirmed", 49), ("left_early", 49)]), None);
        let reason = "31 of 55 joins of seven days were regretted: left in a day, or given back";
        assert_eq!(excess(&[("confirmed", 55), ("left_early", 30), ("refunded", 1)]).as_deref(), Some(reason));
        // What strangers send in a publisher's name.
        assert_eq!(excess(&[("passed", 80), ("held:stale", 900), ("observed:stale", 80)]), None);
    }
}
