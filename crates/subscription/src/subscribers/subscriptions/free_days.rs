//! The free days with which a number's first subscription of a service begins.

use chrono::{Days, NaiveDate, NaiveTime};
use diesel::{dsl::exists, prelude::*};
use store::DbConnection;

use super::Subscription;
use crate::{
    error::Error,
    schema::{events, subscriptions},
    subscribers::{calendar, lifecycle::State},
};

impl Subscription {
    /// Whether this day is free.
    pub fn is_free(&self, day: NaiveDate) -> bool {
        self.free_until.is_some_and(|until| day < until)
    }

    /// The day of the first charge, where a join on the day `today` finds free days, or starts them: only where the number never had the service.
    /// `None` where it is charged at once.
    pub fn first_charge(
        &self,
        conn: &mut DbConnection,
        free_days: i32,
        today: NaiveDate,
    ) -> Result<Option<NaiveDate>, Error> {
        if self.is_free(today) {
            return Ok(self.free_until);
        }
        let first = first_after(today, free_days);
        if free_days == 0 || self.is_abandoned(conn, calendar::moment(today, NaiveTime::MIN).unwrap_or_default())? {
            return Ok(first);
        }
        if self.free_until.is_some() || !self.network.is_empty() {
            return Ok(None);
        }
        // An earlier release kept no network of what has ended.
        let running = [State::Active.as_str(), State::Suspended.as_str()];
        let ran = events::table.filter(events::subscription_id.eq(self.id).and(events::to_state.eq_any(running)));
        let ran = ran.filter(events::at.ge(self.person_since.unwrap_or_default()));
        let has_run: bool = diesel::select(exists(ran)).get_result(conn)?;
        Ok(first.filter(|_| !has_run))
    }

    /// Starts free days on the day `today`, unless the number has had them.
    pub fn start_free_days(&mut self, conn: &mut DbConnection, days: i32, today: NaiveDate) -> Result<(), Error> {
        let Some(until) = first_after(today, days).filter(|_| self.free_until.is_none()) else { return Ok(()) };
        self.free_until = Some(until);
        diesel::update(subscriptions::table.find(self.id))
            .set(subscriptions::free_until.eq(until.to_string()))
            .execute(conn)?;
        Ok(())
    }
}

/// The day of the first charge after free days from `today` on; `None` without any.
pub(crate) fn first_after(today: NaiveDate, free_days: i32) -> Option<NaiveDate> {
    let days = u64::try_from(free_days).ok().filter(|days| *days > 0)?;
    today.checked_add_days(Days::new(days))
}
