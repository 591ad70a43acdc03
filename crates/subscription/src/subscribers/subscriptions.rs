//! Subscriptions: one row per number and service, and the only function that changes its state.

mod free_days;
mod networks;
mod person;

use brands::{Parts, Period};
use chrono::{Datelike, NaiveDate, NaiveDateTime};
use diesel::prelude::*;
use identity::SubscriberId;
use languages::Language;
use serde_json::Value;
use store::{DbConnection, on_each_backend};

pub(crate) use free_days::first_after;

use crate::{
    error::Error,
    schema::{consents, events, subscriptions},
    subscribers::{
        calendar,
        lifecycle::{self, Cause, State},
    },
};

/// One number's subscription to one service; the row is reused by later joins.
pub(crate) struct Subscription {
    pub id: i64,
    pub msisdn: SubscriberId,
    pub svc_id: i32,
    pub state: State,
    /// When the subscription last became active, not counting suspensions; before that, when the join was requested.
    pub since: NaiveDateTime,
    /// When it last ended.
    pub left_at: Option<NaiveDateTime>,
    /// When the subscriber last asked to leave, also where it had ended already while a confirmation was still under way.
    pub leave_requested_at: Option<NaiveDateTime>,
    /// The price that the subscriber agreed to, in South African cents with VAT, for each period.
    pub price_cents: i64,
    /// `day`, `week` or `month`.
    pub period: String,
    /// How often it has ended; sessions of an earlier generation are invalid.
    pub generation: i32,
    /// The language of SMSes: that in which the subscriber agreed, or one chosen since.
    pub language: Language,
    /// The network that bills it: the one that confirmed it last. Empty until then, and in rows of earlier releases that do not run; use
    /// `Policy::network_of`.
    pub network: String,
    /// Whether it ever was to be charged for a week or a month: then the periods of its earlier charges count, see `ledger/periods.rs`.
    pub had_long_period: bool,
    /// The highest price of its consents but the last, as far as they are known.
    pub highest_price_cents: i64,
    /// The first day that may be charged, where the number had a free day of the service; it has one for life.
    pub free_until: Option<NaiveDate>,
    /// The amounts that the subscriber agreed to for a day.
    pub parts: Parts,
    /// The newest consent; `None` where an earlier release kept none.
    pub consent_id: Option<i64>,
    /// Greater than that of the number's former owners: the day from which on it was this person's. 0 in rows of earlier releases.
    pub person: i32,
    /// Since when it is this person's; `None` for the first one.
    pub person_since: Option<NaiveDateTime>,
    /// What earlier persons have paid, which is not part of this one's total.
    pub former_cents: i64,
}

/// What a subscriber agrees to: the price for each period, and the smaller amounts where there are any.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Price<'a> {
    pub cents: i64,
    pub period: &'a str,
    pub parts: Parts,
}

/// A state change of a subscription.
pub(crate) struct Transition<'a> {
    pub from: State,
    pub to: State,
    pub cause: Cause,
    /// When the cause happened.
    pub happened_at: NaiveDateTime,
    /// What is stored with the event; for an unpaid day its `day`.
    pub evidence: &'a Value,
}

/// A locked subscription whose state may change, and what is stored with the event.
pub(crate) struct Candidate<'a> {
    pub subscription: &'a mut Subscription,
    pub evidence: &'a Value,
}

/// A new row of a state change.
#[derive(Insertable)]
#[diesel(table_name = events)]
struct NewEvent {
    subscription_id: i64,
    at: NaiveDateTime,
    from_state: Option<&'static str>,
    to_state: &'static str,
    cause: &'static str,
    evidence: String,
}

impl NewEvent {
    fn insert(conn: &mut DbConnection, new: &[Self]) -> Result<(), Error> {
        match conn {
            DbConnection::Postgres(conn) => {
                diesel::insert_into(events::table).values(new).execute(conn)?;
            }
            // SQLite cannot insert a batch with optional values.
            DbConnection::Sqlite(conn) => {
                for event in new {
                    diesel::insert_into(events::table).values(event).execute(conn)?;
                }
            }
        }
        Ok(())
    }
}

/// A stored state change.
#[derive(Queryable)]
pub(crate) struct Event {
    pub at: NaiveDateTime,
    pub from: Option<String>,
    pub to: String,
    pub cause: String,
    /// JSON.
    pub evidence: String,
}

/// A subscription as it is stored.
#[derive(Queryable, Selectable)]
#[diesel(table_name = subscriptions)]
struct Row {
    id: i64,
    msisdn: String,
    svc_id: i32,
    state: String,
    since: NaiveDateTime,
    left_at: Option<NaiveDateTime>,
    leave_requested_at: Option<NaiveDateTime>,
    price_cents: i64,
    period: String,
    generation: i32,
    language: String,
    network: String,
    had_long_period: bool,
    highest_price_cents: i64,
    free_until: String,
    parts: String,
    consent_id: Option<i64>,
    person: i32,
    person_since: Option<NaiveDateTime>,
    former_cents: i64,
}

impl Subscription {
    /// A number's subscription to a service; `None` without a row.
    pub fn of_number(conn: &mut DbConnection, msisdn: &SubscriberId, svc_id: i32) -> Result<Option<Self>, Error> {
        subscriptions::table
            .filter(subscriptions::msisdn.eq(msisdn.as_str()).and(subscriptions::svc_id.eq(svc_id)))
            .select(Row::as_select())
            .first(conn)
            .optional()?
            .map(Self::try_from)
            .transpose()
    }

    /// All subscriptions of a number, in the order of their services.
    pub fn all_of_number(conn: &mut DbConnection, msisdn: &SubscriberId) -> Result<Vec<Self>, Error> {
        subscriptions::table
            .filter(subscriptions::msisdn.eq(msisdn.as_str()).and(subscriptions::state.ne(State::New.as_str())))
            .order(subscriptions::svc_id)
            .select(Row::as_select())
            .load(conn)?
            .into_iter()
            .map(Self::try_from)
            .collect()
    }

    /// The row to which attempts belong whose subscriber a network has yet to name; it stays new for ever. Each attempt is bound to a token
    /// later (`OptInAttempt::bind`), and the number that the visitor typed is kept nowhere.
    pub fn of_unknown(conn: &mut DbConnection, network: &str, svc_id: i32, now: NaiveDateTime) -> Result<i64, Error> {
        // No token: `SubscriberId` rejects it.
        let text = format!("{network}:");
        let row = subscriptions::table
            .filter(subscriptions::msisdn.eq(&text).and(subscriptions::svc_id.eq(svc_id)))
            .select(subscriptions::id);
        if let Some(id) = row.first(conn).optional()? {
            return Ok(id);
        }
        let new = (
            subscriptions::msisdn.eq(&text),
            subscriptions::svc_id.eq(svc_id),
            subscriptions::state.eq(State::New.as_str()),
            subscriptions::since.eq(now),
        );
        on_each_backend!(conn, conn => diesel::insert_into(subscriptions::table)
            .values(new)
            .on_conflict_do_nothing()
            .execute(conn))?;
        Ok(row.first(conn)?)
    }

    /// As `of_number`, inserted where it is missing, and locked until the transaction ends.
    pub fn lock(
        conn: &mut DbConnection,
        msisdn: &SubscriberId,
        svc_id: i32,
        now: NaiveDateTime,
    ) -> Result<Self, Error> {
        if let Some(found) = Self::locked(conn, msisdn, svc_id)? {
            return Ok(found);
        }
        let new = (
            subscriptions::msisdn.eq(msisdn.as_str()),
            subscriptions::svc_id.eq(svc_id),
            subscriptions::state.eq(State::New.as_str()),
            subscriptions::since.eq(now),
            // The row of a former owner may have been deleted, whose marks are older.
            subscriptions::person.eq(calendar::day_of(now).num_days_from_ce()),
        );
        // Another replica may insert the same row concurrently; then this insert waits and does nothing.
        on_each_backend!(conn, conn => diesel::insert_into(subscriptions::table)
            .values(new)
            .on_conflict_do_nothing()
            .execute(conn))?;
        Self::locked(conn, msisdn, svc_id)?.ok_or(Error::Store(store::Error::NotFound))
    }

    /// The subscription with this id, locked until the transaction ends.
    pub fn lock_by_id(conn: &mut DbConnection, id: i64) -> Result<Option<Self>, Error> {
        let row = subscriptions::table.find(id);
        let row = match conn {
            DbConnection::Postgres(conn) => row.for_update().select(Row::as_select()).first(conn).optional()?,
            DbConnection::Sqlite(conn) => row.select(Row::as_select()).first(conn).optional()?,
        };
        row.map(Self::try_from).transpose()
    }

    /// The subscriptions with these ids, in the order of their ids, locked until the transaction ends.
    pub fn lock_all(conn: &mut DbConnection, ids: &[i64]) -> Result<Vec<Self>, Error> {
        let rows = subscriptions::table.filter(subscriptions::id.eq_any(ids)).order(subscriptions::id);
        let rows = match conn {
            DbConnection::Postgres(conn) => rows.for_update().select(Row::as_select()).load(conn)?,
            DbConnection::Sqlite(conn) => rows.select(Row::as_select()).load(conn)?,
        };
        rows.into_iter().map(Self::try_from).collect()
    }

    fn locked(conn: &mut DbConnection, msisdn: &SubscriberId, svc_id: i32) -> Result<Option<Self>, Error> {
        let row = subscriptions::table
            .filter(subscriptions::msisdn.eq(msisdn.as_str()).and(subscriptions::svc_id.eq(svc_id)));
        let row = match conn {
            DbConnection::Postgres(conn) => row.for_update().select(Row::as_select()).first(conn).optional()?,
            // A write transaction of SQLite locks the whole database.
            DbConnection::Sqlite(conn) => row.select(Row::as_select()).first(conn).optional()?,
        };
        row.map(Self::try_from).transpose()
    }

    /// Changes the states of locked subscriptions for one cause by the transition table of `lifecycle`: rows and events in the caller's
    /// transaction, in a few statements however many they are. Returns those that changed, in the same order. What follows from a change is
    /// `announce`'s, which is the only caller.
    /// `happened_at` is when the cause happened, which a network may report late.
    /// The only place where a state changes.
    pub fn advance<'a>(
        conn: &mut DbConnection,
        candidates: Vec<Candidate<'a>>,
        cause: Cause,
        happened_at: NaiveDateTime,
        now: NaiveDateTime,
    ) -> Result<Vec<(&'a Self, Transition<'a>)>, Error> {
        let mut changed: Vec<(&'a Self, Transition<'a>)> = Vec::with_capacity(candidates.len());
        for Candidate { subscription, evidence } in candidates {
            let from = subscription.state;
            let Some(to) = lifecycle::next(from, cause) else { continue };
            if is_start(from, to) {
                subscription.since = now;
            }
            if to == State::Cancelled {
                subscription.left_at = Some(happened_at);
                subscription.generation += 1;
            }
            subscription.state = to;
            changed.push((subscription, Transition { from, to, cause, happened_at, evidence }));
        }
        if changed.is_empty() {
            return Ok(changed);
        }
        // Where the states before and after are the same, so are the changed columns.
        for from in State::ALL {
            let of_state = changed.iter().filter(|(_, transition)| transition.from == from);
            let ids: Vec<i64> = of_state.map(|(subscription, _)| subscription.id).collect();
            let Some(to) = lifecycle::next(from, cause).filter(|_| !ids.is_empty()) else { continue };
            let start = (subscriptions::since.eq(now), subscriptions::reminder_day.eq(calendar::day_of_month(now)));
            let end =
                (subscriptions::left_at.eq(happened_at), subscriptions::generation.eq(subscriptions::generation + 1));
            diesel::update(subscriptions::table.filter(subscriptions::id.eq_any(ids)))
                .set((
                    subscriptions::state.eq(to.as_str()),
                    is_start(from, to).then_some(start),
                    (to == State::Cancelled).then_some(end),
                ))
                .execute(conn)?;
        }
        let event = |(subscription, transition): &(&Self, Transition<'_>)| NewEvent {
            subscription_id: subscription.id,
            at: now,
            from_state: (transition.from != State::New).then_some(transition.from.as_str()),
            to_state: transition.to.as_str(),
            cause: cause.as_str(),
            evidence: transition.evidence.to_string(),
        };
        NewEvent::insert(conn, &changed.iter().map(event).collect::<Vec<_>>())?;
        for (subscription, Transition { from, to, .. }) in &changed {
            tracing::info!(
                subscription.id = subscription.id,
                subscription.from = from.as_str(),
                subscription.to = to.as_str(),
                subscription.cause = cause.as_str(),
                msisdn = %subscription.msisdn,
                "subscription {} is {}",
                subscription.id,
                to.as_str()
            );
        }
        Ok(changed)
    }

    /// Records that the subscriber asked at `at` to leave. It invalidates every earlier confirmation, including those that have not
    /// arrived yet.
    pub fn record_leave_request(&mut self, conn: &mut DbConnection, at: NaiveDateTime) -> Result<(), Error> {
        if self.leave_requested_at.is_none_or(|requested_at| requested_at < at) {
            self.leave_requested_at = Some(at);
            diesel::update(subscriptions::table.find(self.id))
                .set(subscriptions::leave_requested_at.eq(self.leave_requested_at))
                .execute(conn)?;
        }
        Ok(())
    }

    /// Records the price that the subscriber agreed to in an attempt, and the language in which it was shown. The same attempt is one consent.
    pub fn record_consent(
        &mut self,
        conn: &mut DbConnection,
        (price, language): (Price<'_>, Language),
        (attempt, now): (&str, NaiveDateTime),
    ) -> Result<(), Error> {
        let Price { cents: price_cents, period, parts } = price;
        let new = (
            consents::subscription_id.eq(self.id),
            consents::attempt.eq(attempt),
            consents::at.eq(now),
            consents::price_cents.eq(price_cents),
            consents::period.eq(period),
            consents::parts.eq(parts.to_string()),
        );
        on_each_backend!(conn, conn => diesel::insert_into(consents::table)
            .values(new)
            .on_conflict_do_nothing()
            .execute(conn))?;
        let of_attempt =
            consents::table.filter(consents::subscription_id.eq(self.id).and(consents::attempt.eq(attempt)));
        self.consent_id = Some(of_attempt.select(consents::id).first(conn)?);
        self.highest_price_cents = self.highest_price_cents.max(self.price_cents);
        (self.price_cents, self.parts, self.language) = (price_cents, parts, language);
        period.clone_into(&mut self.period);
        // It stays true when a later consent is for days: what was charged for a week is paid.
        self.had_long_period |= period != Period::Day.as_str();
        diesel::update(subscriptions::table.find(self.id))
            .set((
                subscriptions::price_cents.eq(price_cents),
                subscriptions::period.eq(period),
                subscriptions::language.eq(language.code()),
                subscriptions::had_long_period.eq(self.had_long_period),
                subscriptions::highest_price_cents.eq(self.highest_price_cents),
                subscriptions::parts.eq(parts.to_string()),
                subscriptions::consent_id.eq(self.consent_id),
            ))
            .execute(conn)?;
        Ok(())
    }

    /// Its id, and that of the consent by which it is charged.
    pub fn with_consent(&self) -> (i64, Option<i64>) {
        (self.id, self.consent_id)
    }

    /// Records the language of later SMSes.
    pub fn record_language(&mut self, conn: &mut DbConnection, language: Language) -> Result<(), Error> {
        self.language = language;
        diesel::update(subscriptions::table.find(self.id))
            .set(subscriptions::language.eq(language.code()))
            .execute(conn)?;
        Ok(())
    }

    /// When it last ended, or the subscriber last asked to leave.
    pub fn ended_or_left_at(&self) -> Option<NaiveDateTime> {
        self.left_at.max(self.leave_requested_at)
    }

    /// The state changes of a subscription, oldest first.
    pub fn events(&self, conn: &mut DbConnection) -> Result<Vec<Event>, Error> {
        Ok(events::table
            .filter(events::subscription_id.eq(self.id))
            .order(events::id)
            .select((events::at, events::from_state, events::to_state, events::cause, events::evidence))
            .load(conn)?)
    }
}

/// Whether a change of state begins a subscription.
fn is_start(from: State, to: State) -> bool {
    matches!(from, State::New | State::Pending | State::Cancelled) && to != State::Cancelled
}

impl TryFrom<Row> for Subscription {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let Row { id, state, .. } = row;
        let state = State::parse(&state).ok_or_else(|| {
            Error::Store(store::Error::Query(format!("subscription {id} has the unknown state {state:?}")))
        })?;
        Ok(Self {
            id,
            msisdn: SubscriberId::parse(&row.msisdn)?,
            svc_id: row.svc_id,
            state,
            since: row.since,
            left_at: row.left_at,
            leave_requested_at: row.leave_requested_at,
            price_cents: row.price_cents,
            period: row.period,
            generation: row.generation,
            // A newer release may have written a language that this one does not have.
            language: Language::parse(&row.language).unwrap_or(Language::ENGLISH),
            network: row.network,
            had_long_period: row.had_long_period,
            highest_price_cents: row.highest_price_cents,
            free_until: row.free_until.parse().ok(),
            parts: Parts::parse(&row.parts),
            consent_id: row.consent_id,
            person: row.person,
            person_since: row.person_since,
            former_cents: row.former_cents,
        })
    }
}
