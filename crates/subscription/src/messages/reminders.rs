//! The monthly reminder: in every calendar month after that of the join, each subscriber gets an SMS with service, price and how to stop.
//!
//! It is due on the join's day of the month, in a shorter month on its last day. `reminder_runs` has the days whose reminders are all
//! written, for each network, so that a million subscriptions are not scanned again every minute; the next run of the month also
//! covers the days without a run.

use std::sync::Arc;

use chrono::{Datelike, Months, NaiveDate, NaiveDateTime, NaiveTime};
use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use store::{Db, DbConnection, on_each_backend};

use crate::{
    error::Error,
    messages::{
        outbox,
        texts::{self, ReminderRecipient},
    },
    schema::{reminder_runs, reminders, subscriptions},
    subscribers::{calendar, crash, policy::Policy},
};

/// Subscriptions read in one transaction.
const BATCH_SIZE: i64 = 500;

/// The longest month.
const LAST_DAY: u32 = 31;

/// The run of one network today.
#[derive(Clone)]
struct Run {
    network: String,
    today: NaiveDate,
    /// The start of this month: subscribers who joined since are reminded in the next month.
    joined_before: NaiveDateTime,
    now: NaiveDateTime,
}

/// Enqueues every due reminder, outside the quiet hours of its network; returns how many.
pub(crate) async fn send_due(db: &Db, policy: &Arc<Policy>, now: NaiveDateTime) -> Result<usize, Error> {
    let mut sent = 0;
    for (network, _) in policy.brands.networks() {
        if outbox::is_quiet(&policy.brands, &network, now) {
            continue;
        }
        let joined_before = calendar::moment(calendar::month_start(now), NaiveTime::MIN).unwrap_or(now);
        let run = Run { network, today: calendar::day_of(now), joined_before, now };
        sent += run.send(db, policy).await?;
    }
    Ok(sent)
}

impl Run {
    async fn send(&self, db: &Db, policy: &Arc<Policy>) -> Result<usize, Error> {
        let run = self.clone();
        let done = db.run(move |conn| run.last_day_done(conn)).await?;
        let first = done.map_or(1, |day| day.day() + 1);
        if done == Some(self.today) {
            return Ok(0);
        }
        let mut sent = 0;
        for reminder_day in first..=last_due(self.today) {
            let mut after = 0;
            loop {
                let (run, policy) = (self.clone(), policy.clone());
                let (written, last) = db.write(move |conn| run.write_page(conn, &policy, reminder_day, after)).await?;
                crash::point("reminders.page");
                sent += written;
                let Some(last) = last else { break };
                after = last;
            }
        }
        let run = self.clone();
        db.write(move |conn| run.record_done(conn)).await?;
        Ok(sent)
    }

    /// The last day of this month whose reminders are all written.
    fn last_day_done(&self, conn: &mut DbConnection) -> Result<Option<NaiveDate>, Error> {
        let from = calendar::month_start(self.now).to_string();
        let day: Option<String> = reminder_runs::table
            .filter(
                reminder_runs::network.eq(&self.network).and(reminder_runs::day.between(from, self.today.to_string())),
            )
            .order(reminder_runs::day.desc())
            .select(reminder_runs::day)
            .first(conn)
            .optional()?;
        Ok(day.and_then(|day| day.parse().ok()))
    }

    fn record_done(&self, conn: &mut DbConnection) -> Result<(), Error> {
        let new = (
            reminder_runs::network.eq(&self.network),
            reminder_runs::day.eq(self.today.to_string()),
            reminder_runs::finished_at.eq(self.now),
        );
        // Another replica may have inserted the same day.
        on_each_backend!(conn, conn => diesel::insert_into(reminder_runs::table)
            .values(new)
            .on_conflict_do_nothing()
            .execute(conn))?;
        // Only this month's days are read.
        let old = self.today.checked_sub_months(Months::new(2)).unwrap_or(self.today).to_string();
        diesel::delete(reminder_runs::table.filter(reminder_runs::day.lt(old))).execute(conn)?;
        Ok(())
    }

    /// Writes the reminders of one page of subscriptions with this reminder day; returns how many, and the id to continue after.
    fn write_page(
        &self,
        conn: &mut DbConnection,
        policy: &Policy,
        reminder_day: u32,
        after: i64,
    ) -> Result<(usize, Option<i64>), Error> {
        let page = subscriptions::table
            .filter(subscriptions::reminder_day.eq(i32::try_from(reminder_day).unwrap_or(1)))
            .filter(subscriptions::id.gt(after).and(subscriptions::network.eq(&self.network)))
            // Literal SQL, so that the partial index applies.
            .filter(sql::<Bool>("subscriptions.state IN ('active', 'suspended')"))
            .order(subscriptions::id)
            .limit(BATCH_SIZE)
            .select((
                (
                    subscriptions::id,
                    subscriptions::msisdn,
                    subscriptions::svc_id,
                    subscriptions::price_cents,
                    subscriptions::period,
                    subscriptions::language,
                ),
                subscriptions::since,
            ));
        // Locked, so that no subscriber is reminded after a leave.
        let page: Vec<(ReminderRecipient, NaiveDateTime)> = match conn {
            DbConnection::Postgres(conn) => page.for_update().load(conn)?,
            DbConnection::Sqlite(conn) => page.load(conn)?,
        };
        let last = page.last().map(|(last, _)| last.subscription_id);
        let last = last.filter(|_| i64::try_from(page.len()) == Ok(BATCH_SIZE));
        let mut due: Vec<ReminderRecipient> = page
            .into_iter()
            .filter(|(_, since)| *since < self.joined_before)
            .map(|(one, _)| one)
            .filter(|one| !policy.is_test(&one.msisdn))
            .collect();
        let ids: Vec<i64> = due.iter().map(|one| one.subscription_id).collect();
        let new = self.insert_new(conn, &ids)?;
        due.retain(|one| new.binary_search(&one.subscription_id).is_ok());
        let written = due.len();
        texts::enqueue_reminders(conn, policy, &self.network, due, self.now)?;
        Ok((written, last))
    }

    /// Inserts this month's reminders; returns the subscriptions that had none, in the order of their ids.
    fn insert_new(&self, conn: &mut DbConnection, ids: &[i64]) -> Result<Vec<i64>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let month = self.today.format("%Y-%m").to_string();
        let new = |id: i64| {
            (reminders::subscription_id.eq(id), reminders::at.eq(self.now), reminders::month.eq(month.clone()))
        };
        let mut kept: Vec<i64> = match conn {
            DbConnection::Postgres(conn) => diesel::insert_into(reminders::table)
                .values(ids.iter().map(|id| new(*id)).collect::<Vec<_>>())
                .on_conflict_do_nothing()
                .returning(reminders::subscription_id)
                .get_results(conn)?,
            DbConnection::Sqlite(conn) => {
                let mut kept = Vec::new();
                for id in ids {
                    let inserted = diesel::insert_into(reminders::table)
                        .values(new(*id))
                        .on_conflict_do_nothing()
                        .execute(conn)?;
                    kept.extend((inserted > 0).then_some(*id));
                }
                kept
            }
        };
        kept.sort_unstable();
        Ok(kept)
    }
}

/// The last due reminder day: on the last day of a month also the days that the month does not have.
fn last_due(today: NaiveDate) -> u32 {
    let is_last = today.succ_opt().is_none_or(|next| next.month() != today.month());
    if is_last { LAST_DAY } else { today.day() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_due_includes_missing_days_on_the_last_day_of_a_month() {
        for (today, last) in
            [("2026-11-29", 29), ("2026-11-30", 31), ("2027-02-27", 27), ("2027-02-28", 31), ("2028-02-28", 28)]
        {
            assert_eq!(last_due(today.parse().unwrap()), last, "{today}");
        }
    }
}
