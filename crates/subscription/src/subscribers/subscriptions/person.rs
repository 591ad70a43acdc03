//! The person who has a subscription's number: networks give unused numbers to others.

use chrono::{Datelike, NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use store::DbConnection;

use super::Subscription;
use crate::{
    error::Error,
    schema::{events, subscriptions},
    subscribers::{calendar, lifecycle::State},
};

/// For how long a number that is not active stays its person's: networks give unused numbers to others.
const PERSON_EXPIRY: TimeDelta = TimeDelta::days(30);

/// More than the days for which a subscription is suspended before it ends.
const LONGEST_SUSPENSION: TimeDelta = TimeDelta::days(62);

impl Subscription {
    /// Whether the number counts as another person's once it is proved again: it has not been active for more than thirty days.
    pub fn is_abandoned(&self, conn: &mut DbConnection, now: NaiveDateTime) -> Result<bool, Error> {
        if !matches!(self.state, State::Suspended | State::Pending | State::Cancelled) {
            return Ok(false);
        }
        // It was active since it began or, where it has only been joined again, some time before its end. Events of other months are not read.
        let began_by = match self.state {
            State::Pending => self.left_at,
            _ => Some(self.left_at.unwrap_or(self.since).min(self.since)),
        };
        let Some(began_by) = began_by.map(|at| at - LONGEST_SUSPENSION) else { return Ok(false) };
        let active = State::Active.as_str();
        let last: Option<NaiveDateTime> = events::table
            .filter(events::subscription_id.eq(self.id).and(events::at.ge(began_by)))
            .filter(events::from_state.eq(active).and(events::to_state.ne(active)))
            .order(events::id.desc())
            .select(events::at)
            .first(conn)
            .optional()?;
        // What the former owner left unpaid is not this person's.
        Ok(last.is_some_and(|last| last + PERSON_EXPIRY < now && self.person_since.is_none_or(|since| since < last)))
    }

    /// Begins anew for another person, who has neither the history nor the free day of the former one. `paid`: what was paid so far.
    pub fn begin_anew(&mut self, conn: &mut DbConnection, paid: i64, now: NaiveDateTime) -> Result<(), Error> {
        self.person = calendar::day_of(now).num_days_from_ce().max(self.person.saturating_add(1));
        (self.person_since, self.former_cents, self.free_until) = (Some(now), paid, None);
        self.network = String::new();
        diesel::update(subscriptions::table.find(self.id))
            .set((
                subscriptions::person.eq(self.person),
                subscriptions::person_since.eq(self.person_since),
                subscriptions::former_cents.eq(paid),
                subscriptions::free_until.eq(""),
                subscriptions::network.eq(""),
            ))
            .execute(conn)?;
        Ok(())
    }

    /// Whether a charge of this day is the person's who has the number now.
    pub fn is_of_person(&self, day: &str) -> bool {
        day >= self.first_day().as_str()
    }

    /// The first day of the person who has the number now; empty where it was no other's before.
    pub fn first_day(&self) -> String {
        self.person_since.map_or_else(String::new, |since| calendar::day_of(since).to_string())
    }
}
