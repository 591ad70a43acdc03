//! Charges whose outcome got lost: the network is asked about their keys until it tells; they are never charged blindly.

use std::time::Duration;

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use futures_util::{StreamExt, stream};
use store::DbConnection;
use web::Clock;

use super::{
    calendar, charge,
    claim::Claimed,
    ledger::UNKNOWN,
    run::Engine,
    runners::{self, INTERRUPTED},
    settle::{Held, Outcome, settle},
};
use crate::{
    crash,
    error::Error,
    schema::{ledger, subscriptions},
};

/// Charges asked about in one round.
const AT_ONCE: i64 = 500;

/// Questions under way at once.
const SIDE_BY_SIDE: usize = 16;

/// An unknown charge.
pub(crate) struct Lost {
    pub charge: Claimed,
    /// Whether its process died, so that it may never have been sent.
    interrupted: bool,
    since: Option<NaiveDateTime>,
}

impl Engine {
    /// Takes over what dead processes had claimed, and asks about everything that is unknown; how many were found out.
    pub(crate) async fn find_out(&self) -> Result<usize, Error> {
        let taken = self.db.write(|conn| runners::take_over(conn, Clock::system_now())).await?;
        if taken > 0 {
            tracing::warn!(charges.taken_over = taken, "{taken} charges of a process that died are taken over");
        }
        let mut found_out = 0;
        let mut after = 0;
        loop {
            let page = self.db.run(move |conn| lost(conn, after)).await?;
            let Some(last) = page.last() else { return Ok(found_out) };
            after = last.charge.id;
            let outcomes: Vec<_> = stream::iter(page)
                .map(|lost| async move { self.ask(&lost).await.map(|outcome| (lost.charge, outcome)) })
                .buffer_unordered(SIDE_BY_SIDE)
                .filter_map(|outcome| async { outcome })
                .collect()
                .await;
            if outcomes.is_empty() {
                continue;
            }
            found_out += outcomes.len();
            crash::point("unknown.asked");
            let (terms, now) = (self.terms.clone(), self.clock.now());
            let moved = self
                .db
                .write(move |conn| settle(conn, &terms, Held::ByNobody, &outcomes, now, Clock::system_now()))
                .await?;
            self.follow(moved).await?;
        }
    }

    /// What became of it; `None` where that cannot be told yet.
    async fn ask(&self, lost: &Lost) -> Option<Outcome> {
        match charge::ask(&self.networks, &lost.charge).await {
            Ok(answer) => {
                let has_arrived = self.must_have_arrived(lost.since);
                lost.verdict(answer.map(charge::of_answer), has_arrived, calendar::day_of(self.clock.now()))
            }
            Err(error) => {
                tracing::warn!(ledger.id = lost.charge.id, error = %error, "a network could not be asked about a charge");
                None
            }
        }
    }

    fn must_have_arrived(&self, since: Option<NaiveDateTime>) -> bool {
        let patience = TimeDelta::from_std(self.patience + Duration::from_secs(1)).unwrap_or(TimeDelta::minutes(1));
        since.is_none_or(|since| Clock::system_now() > since + patience)
    }
}

impl Lost {
    /// What follows from the network's word on its key; nothing as long as it may still be on its way there.
    pub fn verdict(&self, known: Option<Outcome>, has_arrived: bool, today: NaiveDate) -> Option<Outcome> {
        match known {
            Some(outcome) => Some(outcome),
            None if !has_arrived => None,
            None if self.interrupted && self.charge.day == today.to_string() => Some(Outcome::Again),
            None => Some(Outcome::Failed { reason: "no answer, and not charged", counts: !self.interrupted }),
        }
    }
}

/// A page of what is unknown, with ids above `after`.
pub(crate) fn lost(conn: &mut DbConnection, after: i64) -> Result<Vec<Lost>, Error> {
    type Row = (i64, i64, String, i64, String, (i32, i32), String, String, Option<NaiveDateTime>, String, i32, String);
    let rows: Vec<Row> = ledger::table
        .inner_join(subscriptions::table)
        .filter(ledger::status.eq(UNKNOWN).and(ledger::id.gt(after)))
        .order(ledger::id)
        .limit(AT_ONCE)
        .select((
            ledger::id,
            ledger::subscription_id,
            ledger::charge_key,
            ledger::cents,
            ledger::day,
            (ledger::failures, ledger::attempts),
            ledger::network,
            ledger::reason,
            ledger::sent_at,
            subscriptions::msisdn,
            subscriptions::svc_id,
            subscriptions::state,
        ))
        .load(conn)?;
    Ok(rows
        .into_iter()
        .map(
            |(
                id,
                subscription_id,
                charge_key,
                cents,
                day,
                (failures, attempts),
                network,
                reason,
                since,
                msisdn,
                svc_id,
                state,
            )| {
                let charge = Claimed {
                    id,
                    subscription_id,
                    charge_key,
                    cents,
                    day,
                    failures,
                    attempts,
                    network,
                    msisdn,
                    svc_id,
                    state,
                    hold: None,
                };
                Lost { charge, interrupted: reason == INTERRUPTED, since }
            },
        )
        .collect())
}
