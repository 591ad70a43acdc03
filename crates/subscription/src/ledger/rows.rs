//! The ledger: one row per charge, unique by subscription and day, and one row per refund. A settled charge never changes.

use brands::Period;
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool, Nullable, Text},
};
use identity::SubscriberId;
use store::{DbConnection, on_each_backend};

pub(crate) use super::settle::{
    ACCEPTED, Charge, NetworkCharge, Outcome, OutcomeSource, Settled, fail_by_network, settle_by_network,
};
pub(crate) use super::status::{CHARGE, FAILED, PENDING, REFUND, SETTLED, UNKNOWN};

use crate::{
    error::Error,
    ledger::periods,
    schema::{ledger, ledger_bounds, paid_before, subscriptions},
    subscribers::{lifecycle::State, subscriptions::Subscription},
};

/// How far back a running subscription's charges are read: twice the time after which it ends without one.
pub(crate) const RECENT: TimeDelta = TimeDelta::days(62);

/// The number of failed passes that suspend; a charge with as many failures is not tried again that day.
pub(crate) const PASSES_THAT_SUSPEND: i32 = 3;

/// The `pass` of a charge that does not wait for a pass.
pub(crate) const IMMEDIATE_PASS: i64 = -1;

/// A new row of a charge.
#[derive(Insertable)]
#[diesel(table_name = ledger)]
pub(crate) struct NewCharge {
    pub subscription_id: i64,
    /// The consent that allows it; `None` where none is kept.
    pub consent_id: Option<i64>,
    pub network: String,
    pub day: String,
    pub kind: &'static str,
    pub cents: i64,
    pub status: &'static str,
    pub charge_key: String,
    pub network_ref: Option<String>,
    pub attempts: i32,
    pub failures: i32,
    pub pass: i64,
    pub reason: String,
    pub at: NaiveDateTime,
    pub paid_until: String,
}

impl NewCharge {
    /// A row that is still to be sent, of a subscription by its consent.
    pub fn pending(
        (subscription_id, consent_id): (i64, Option<i64>),
        network: &str,
        day: NaiveDate,
        (key, cents): (String, i64),
        now: NaiveDateTime,
    ) -> Self {
        Self {
            subscription_id,
            consent_id,
            network: network.to_owned(),
            day: day.to_string(),
            kind: CHARGE,
            cents,
            status: PENDING,
            charge_key: key,
            network_ref: None,
            attempts: 0,
            failures: 0,
            pass: 0,
            reason: String::new(),
            at: now,
            paid_until: String::new(),
        }
    }

    /// As a charge for the period that begins on `day`; `began_on` is the day of the month on which the subscription began.
    pub fn for_period(self, period: Period, day: NaiveDate, began_on: i32) -> Self {
        Self { paid_until: paid_until(period, day, began_on), ..self }
    }

    /// Inserts rows, except where the subscription's day has one already, or is no longer kept; returns how many were new.
    pub fn insert(conn: &mut DbConnection, charges: &[Self]) -> Result<usize, Error> {
        if let Some(oldest) = charges.iter().filter(|charge| charge.is_old()).map(|charge| charge.day.as_str()).min()
            && !is_kept(conn, oldest)?
        {
            return Ok(0);
        }
        match conn {
            DbConnection::Postgres(conn) => {
                Ok(diesel::insert_into(ledger::table).values(charges).on_conflict_do_nothing().execute(conn)?)
            }
            // SQLite cannot insert defaults in a batch, and needs no batches: it runs in this process.
            DbConnection::Sqlite(conn) => charges.iter().try_fold(0, |inserted, charge| {
                Ok(inserted
                    + diesel::insert_into(ledger::table).values(charge).on_conflict_do_nothing().execute(conn)?)
            }),
        }
    }

    /// Whether its day may have been deleted: a network can report a charge of any day, and one that was deleted must not come back.
    fn is_old(&self) -> bool {
        self.day < (self.at.date() - RECENT).to_string()
    }
}

/// Whether a day is kept in the ledger.
pub(crate) fn is_kept(conn: &mut DbConnection, day: &str) -> Result<bool, Error> {
    let kept_since: String = ledger_bounds::table.select(ledger_bounds::kept_since).first(conn)?;
    Ok(day >= kept_since.as_str())
}

/// The day before which the ledger has nothing open: no pending row, no claim and no unknown outcome. Statements that look for these read
/// only the months since then; maintenance moves the day.
pub(crate) fn open_since(conn: &mut DbConnection) -> Result<String, Error> {
    Ok(ledger_bounds::table.select(ledger_bounds::open_since).first(conn)?)
}

#[derive(QueryableByName)]
struct Day {
    #[diesel(sql_type = Nullable<Text>)]
    day: Option<String>,
}

/// The ledger's first day: of its last months, or of the days' totals, which name every older day on which there was a charge.
pub(crate) fn first_day(conn: &mut DbConnection, today: NaiveDate) -> Result<Option<NaiveDate>, Error> {
    let query = diesel::sql_query(
        "SELECT MIN(day) AS day FROM (SELECT MIN(day) AS day FROM daily_charges UNION ALL SELECT MIN(day) FROM ledger WHERE day >= $1) AS first",
    );
    let first: Day = on_each_backend!(conn, conn => query.bind::<Text, _>(recent(today)).get_result(conn))?;
    Ok(first.day.and_then(|day| day.parse().ok()))
}

/// Rows by id: on PostgreSQL an id alone would be looked up in every month.
#[derive(Default)]
pub(crate) struct RowIds {
    pub ids: Vec<i64>,
    /// The first and the last of their days.
    days: Option<(String, String)>,
}

impl RowIds {
    /// The first of their days; empty where there are none.
    pub fn first_day(&self) -> &str {
        self.days.as_ref().map_or("", |(first, _)| first)
    }

    /// The last of their days; empty where there are none.
    pub fn last_day(&self) -> &str {
        self.days.as_ref().map_or("", |(_, last)| last)
    }

    pub fn push(&mut self, id: i64, day: &str) {
        self.ids.push(id);
        match &mut self.days {
            Some((first, _)) if day < first.as_str() => day.clone_into(first),
            Some((_, last)) if day > last.as_str() => day.clone_into(last),
            Some(_) => {}
            None => self.days = Some((day.to_owned(), day.to_owned())),
        }
    }
}

impl<'a> FromIterator<(i64, &'a str)> for RowIds {
    fn from_iter<T: IntoIterator<Item = (i64, &'a str)>>(rows: T) -> Self {
        let mut found = Self::default();
        rows.into_iter().for_each(|(id, day)| found.push(id, day));
        found
    }
}

/// What a row says of the period that begins on `day`: the first day that it does not pay for; empty for a day.
pub(crate) fn paid_until(period: Period, day: NaiveDate, began_on: i32) -> String {
    match period {
        Period::Day => String::new(),
        Period::Week | Period::Month => periods::end(period, day, began_on).to_string(),
    }
}

/// The rows with these ids, to be read or changed.
#[diesel::dsl::auto_type(no_type_alias)]
pub(crate) fn rows(of: &'_ RowIds) -> _ {
    let (ids, first, last): (&'_ [i64], &'_ str, &'_ str) = (of.ids.as_slice(), of.first_day(), of.last_day());
    ledger::table.filter(ledger::id.eq_any(ids).and(ledger::day.between(first, last)))
}

/// Enters an immediate charge of today for a subscription that was just confirmed; a day that was paid is not charged again.
pub(crate) fn enqueue_first_charge(conn: &mut DbConnection, first: NewCharge) -> Result<(), Error> {
    let (id, day, network) = (first.subscription_id, first.day.clone(), first.network.clone());
    let key = first.charge_key.clone();
    let consented = (ledger::cents.eq(first.cents), ledger::paid_until.eq(first.paid_until.clone()));
    if NewCharge::insert(conn, &[NewCharge { pass: IMMEDIATE_PASS, ..first }])? > 0 {
        return Ok(());
    }
    // The subscriber has joined again on a day whose charge failed. A charge in flight needs no second one. The failures stay counted:
    // joining again starts no new day. What another network has not made, this one makes, at the price and for the period of the new consent.
    let open = ledger::table
        .filter(ledger::subscription_id.eq(id).and(ledger::day.eq(&day)).and(ledger::kind.eq(CHARGE)))
        .filter(ledger::status.eq_any([PENDING, FAILED]).and(ledger::claim.is_null()));
    diesel::update(open)
        .set((ledger::pass.eq(IMMEDIATE_PASS), ledger::status.eq(PENDING), ledger::network.eq(network), consented))
        .execute(conn)?;
    // The key is that of the amount, unless a request under the key of a smaller one may still be under way.
    let of_part = ledger::table
        .filter(ledger::subscription_id.eq(id).and(ledger::day.eq(&day)).and(ledger::kind.eq(CHARGE)))
        .filter(ledger::status.eq(PENDING).and(ledger::claim.is_null()).and(ledger::unanswered.eq(false)))
        .filter(ledger::charge_key.like(format!("{key}{PART_MARK}%")));
    diesel::update(of_part).set((ledger::charge_key.eq(&key), ledger::network_ref.eq(None::<String>))).execute(conn)?;
    Ok(())
}

/// Between the key of a day's charge and the cents of a smaller amount.
pub(crate) const PART_MARK: char = '.';

/// The key of a day's charge without the amount.
pub(crate) fn key_of_day(key: &str) -> &str {
    key.split(PART_MARK).next().unwrap_or(key)
}

/// The key of a smaller amount for a day: each amount has one, so that a lost reply about one of them is never taken for another's.
pub(crate) fn key_of_part(key: &str, cents: i64) -> String {
    format!("{}{PART_MARK}{cents}", key_of_day(key))
}

/// Whether the last charged day is unpaid after the network's clear no.
pub(crate) fn is_last_day_unpaid(
    conn: &mut DbConnection,
    subscription: &Subscription,
    today: NaiveDate,
) -> Result<bool, Error> {
    let newest = match newest(conn, subscription.id, today)? {
        // It ended longer ago: of these few, every month is read.
        None if subscription.left_at.is_some() => newest_since(conn, subscription.id, "")?,
        newest => newest,
    };
    let newest = newest.filter(|newest| subscription.is_of_person(&newest.day));
    let Some(newest) = newest.filter(|newest| newest.status != SETTLED && newest.failures > 0) else {
        return Ok(false);
    };
    Ok(!newest.is_in_paid_period(conn, subscription)?)
}

/// Whether a network has immediate charges of a day.
pub(crate) fn has_first_charges(conn: &mut DbConnection, network: &str, day: NaiveDate) -> Result<bool, Error> {
    // A literal in the SQL, because a partial index is used only where the database sees the condition.
    let immediate = sql::<Bool>(&format!("ledger.pass = {IMMEDIATE_PASS}"));
    let first_charges = ledger::table
        .filter(immediate.and(ledger::day.eq(day.to_string())))
        .filter(ledger::network.eq(network).and(ledger::claim.is_null()));
    Ok(diesel::select(diesel::dsl::exists(first_charges)).get_result(conn)?)
}

/// Whether a subscription's charge of a day has no final outcome yet.
pub(crate) fn is_open(conn: &mut DbConnection, subscription_id: i64, day: NaiveDate) -> Result<bool, Error> {
    let open = ledger::table
        .filter(ledger::subscription_id.eq(subscription_id).and(ledger::day.eq(day.to_string())))
        .filter(ledger::kind.eq(CHARGE).and(ledger::status.eq_any([PENDING, UNKNOWN])));
    Ok(diesel::select(diesel::dsl::exists(open)).get_result(conn)?)
}

/// What is charged for a day, in cents: settled, or with an outcome that is still open.
pub(crate) fn charged_on(conn: &mut DbConnection, subscription_id: i64, day: NaiveDate) -> Result<i64, Error> {
    let charged: Option<i64> = ledger::table
        .filter(ledger::subscription_id.eq(subscription_id).and(ledger::day.eq(day.to_string())))
        .filter(ledger::kind.eq(CHARGE).and(ledger::status.ne(FAILED)))
        .select(ledger::cents)
        .first(conn)
        .optional()?;
    Ok(charged.unwrap_or(0))
}

/// What a subscription has paid in all, less refunds, in cents.
pub(crate) fn paid(conn: &mut DbConnection, subscription_id: i64) -> Result<i64, Error> {
    let before: Option<i64> =
        paid_before::table.find(subscription_id).select(paid_before::cents).first(conn).optional()?;
    let kept: i64 =
        ledger::table.filter(ledger::subscription_id.eq(subscription_id)).select(balance()).get_result(conn)?;
    Ok(before.unwrap_or(0) + kept)
}

/// Whether a pass of the day would still charge a subscription in this state.
pub(crate) fn is_due(
    conn: &mut DbConnection,
    subscription_id: i64,
    state: State,
    day: NaiveDate,
) -> Result<bool, Error> {
    let tries = match state {
        State::Active => PASSES_THAT_SUSPEND,
        State::Suspended => 1,
        State::New | State::Pending | State::Cancelled => return Ok(false),
    };
    let charge = ledger::table
        .filter(ledger::subscription_id.eq(subscription_id))
        .filter(ledger::day.eq(day.to_string()).and(ledger::kind.eq(CHARGE)))
        .select((ledger::status, ledger::failures, ledger::pass))
        .first::<(String, i32, i64)>(conn)
        .optional()?;
    Ok(charge.is_none_or(|(status, failures, pass)| status != SETTLED && pass != IMMEDIATE_PASS && failures < tries))
}

/// What a number has paid for the days since `from`, over all services, less refunds, in cents.
pub(crate) fn paid_by_number_since(
    conn: &mut DbConnection,
    msisdn: &SubscriberId,
    from: NaiveDate,
) -> Result<i64, Error> {
    Ok(ledger::table
        .inner_join(subscriptions::table)
        .filter(subscriptions::msisdn.eq(msisdn.as_str()).and(ledger::day.ge(from.to_string())))
        .select(balance())
        .get_result(conn)?)
}

/// Settled charges less settled refunds. As a big integer: PostgreSQL's sum of those is a decimal.
fn balance() -> diesel::expression::SqlLiteral<BigInt> {
    sql::<BigInt>(BALANCE)
}

/// As `balance`.
pub(crate) const BALANCE: &str = "CAST(COALESCE(SUM(CASE WHEN ledger.kind = 'charge' AND ledger.status = 'settled' THEN ledger.cents \
     WHEN ledger.kind = 'refund' AND ledger.status = 'settled' THEN -ledger.cents ELSE 0 END), 0) AS BIGINT)";

/// The status of a subscription's charge of one day.
#[derive(Clone, Queryable)]
pub(crate) struct DayCharge {
    pub id: i64,
    pub day: String,
    pub status: String,
    pub failures: i32,
}

impl DayCharge {
    /// Whether the day is unpaid after the network's clear no.
    pub fn is_unpaid(&self) -> bool {
        self.status == FAILED && self.failures > 0
    }

    /// Whether its day belongs to the period of another charge, which is settled.
    pub fn is_in_paid_period(&self, conn: &mut DbConnection, subscription: &Subscription) -> Result<bool, Error> {
        match self.day.parse() {
            Ok(day) if subscription.had_long_period => Ok(periods::paid_until(conn, subscription.id, day)?.is_some()),
            _ => Ok(false),
        }
    }
}

/// The charge of a subscription's newest charged day; `None` where that is long before `today`.
pub(crate) fn newest(
    conn: &mut DbConnection,
    subscription_id: i64,
    today: NaiveDate,
) -> Result<Option<DayCharge>, Error> {
    newest_since(conn, subscription_id, &recent(today))
}

/// The first day that is read of a running subscription.
fn recent(today: NaiveDate) -> String {
    (today - RECENT).to_string()
}

fn newest_since(conn: &mut DbConnection, subscription_id: i64, from: &str) -> Result<Option<DayCharge>, Error> {
    Ok(ledger::table
        .filter(ledger::subscription_id.eq(subscription_id).and(ledger::kind.eq(CHARGE)))
        .filter(ledger::day.ge(from))
        .order(ledger::day.desc())
        .select((ledger::id, ledger::day, ledger::status, ledger::failures))
        .first(conn)
        .optional()?)
}

/// Fails the pending charges of past days: an unpaid day is never charged later. Returns how many.
pub(crate) fn close_days_before(conn: &mut DbConnection, today: NaiveDate, now: NaiveDateTime) -> Result<usize, Error> {
    let open = ledger::table
        .filter(ledger::day.ge(open_since(conn)?).and(ledger::day.lt(today.to_string())).and(ledger::kind.eq(CHARGE)))
        .filter(ledger::status.eq(PENDING).and(ledger::claim.is_null()));
    Ok(diesel::update(open)
        .set((ledger::status.eq(FAILED), ledger::reason.eq("the day was over"), ledger::pass.eq(0), ledger::at.eq(now)))
        .execute(conn)?)
}
