//! One pass of today, from listing who is due to telling what came of it.

use std::time::{Duration, Instant};

use chrono::{NaiveDate, NaiveDateTime};
use futures_util::future::try_join_all;

use super::{
    calendar, claim,
    due::enter_page,
    passes::{self, Totals},
    run::Engine,
};
use crate::{crash, error::Error, figures, reminders};

/// How long a pass waits for what other processes are sending in it.
const WAIT_FOR_OTHERS: Duration = Duration::from_secs(30);

impl Engine {
    /// One pass of today, joined or begun; ends when nothing is left to take.
    pub(super) async fn pass(&self, day: NaiveDate, due: Option<NaiveDateTime>) -> Result<Totals, Error> {
        let (began, now) = (Instant::now(), self.clock.now());
        if calendar::day_of(now) != day {
            return Err(Error::NotToday);
        }
        // What the last pass left open is failed or settled first, or it could not be tried again.
        self.find_out().await?;
        let pass = self.db.write(move |conn| passes::join_or_begin(conn, day, due, now)).await?;
        crash::point("pass.begun");
        let networks = self.terms.pull_networks();
        for network in &networks {
            self.enter(network, day).await?;
        }
        try_join_all(networks.iter().map(|(network, _)| self.work(network, day, Some(pass)))).await?;
        self.find_out().await?;
        let (text, names) = (day.to_string(), networks.into_iter().map(|(network, _)| network).collect::<Vec<_>>());
        self.wait_for_others(&text, pass).await?;
        let ended = self.clock.now();
        let totals = self
            .db
            .write(move |conn| {
                let mut left = 0;
                for network in &names {
                    left += claim::left_to_take(conn, network, &text, pass)?;
                }
                if left == 0 {
                    passes::finish(conn, pass, ended)?;
                }
                Totals::of(conn, &text, pass, left)
            })
            .await?;
        tracing::info!(
            billing.day = %day,
            billing.due = totals.due,
            billing.charged = totals.charged,
            billing.failed = totals.failed,
            billing.unknown = totals.unknown,
            billing.skipped = totals.skipped,
            "billing pass of {day}: {} of {} charged",
            totals.charged,
            totals.due
        );
        figures::pass_took(began.elapsed());
        reminders::send_due(&self.db, &self.terms, self.clock.now()).await?;
        Ok(totals)
    }

    /// Gives everybody who is due their row of the ledger.
    async fn enter(&self, (network, services): &(String, Vec<i32>), day: NaiveDate) -> Result<(), Error> {
        let mut after = 0;
        loop {
            let (terms, network, services) = (self.terms.clone(), network.clone(), services.clone());
            let now = self.clock.now();
            let last =
                self.db.write(move |conn| enter_page(conn, &terms, (&network, &services), day, after, now)).await?;
            crash::point("pass.page-entered");
            match last {
                Some(last) => after = last,
                None => return Ok(()),
            }
        }
    }

    /// Another replica may still be sending in this pass; its outcomes belong to the totals.
    async fn wait_for_others(&self, day: &str, pass: i64) -> Result<(), Error> {
        let started = Instant::now();
        while started.elapsed() < WAIT_FOR_OTHERS {
            let day = day.to_owned();
            if self.db.run(move |conn| passes::in_flight(conn, &day, pass)).await? == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    }
}
