//! Charges whose outcome is unknown: their network is asked about their keys until it answers, within a budget and ever more seldom;
//! they are never charged again on a guess.

use std::{sync::Arc, time::Duration};

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use futures_util::{StreamExt, stream};
use service::Clock;
use store::DbConnection;

use super::{
    lease::INTERRUPTED,
    ledger::{Charge, Outcome, Writer},
    parts::{Parts, outcome_of, request_of},
};
use crate::{
    crash,
    error::Error,
    figures,
    networks::{Link, Permitted},
    schema::{ledger, subscriptions},
};

/// Questions under way at one network at once.
const AT_ONCE: usize = 8;

/// The longest pause between two questions about one charge.
const LONGEST_PAUSE: TimeDelta = TimeDelta::minutes(10);

/// An unknown charge.
pub(crate) struct Question {
    pub charge: Charge,
    /// Whether its process died, so that it may never have been sent.
    interrupted: bool,
    since: Option<NaiveDateTime>,
}

/// Asks a network about the unknown charges that are due, as many as its budget has left; how many were found out.
pub(crate) async fn ask_due(parts: &Parts, network: &str) -> Result<usize, Error> {
    let Link { operator, gate, .. } = parts.networks.link(network)?;
    let most = match gate.permitted() {
        Permitted::None(_) => return Ok(0),
        Permitted::One => 1,
        Permitted::Any => usize::try_from(gate.questions()).unwrap_or(1),
    };
    let (name, patience) = (network.to_owned(), parts.patience);
    let looked = move |conn: &mut DbConnection| due(conn, &name, most, patience, Clock::system_now());
    let questions = parts.db.write(looked).await?;
    let outcomes: Vec<(Charge, Outcome)> = stream::iter(questions)
        .map(|question| {
            let (operator, gate) = (operator.clone(), gate.clone());
            async move {
                while !gate.may_ask() {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                if matches!(gate.permitted(), Permitted::None(_)) {
                    return None;
                }
                let _trial = gate.begin();
                let answer = operator.charge_of(&request_of(&question.charge)).await;
                gate.record(answer.is_ok());
                figures::network_call(network, "question", &answer);
                let answer = answer
                    .inspect_err(|error| {
                        tracing::warn!(ledger.id = question.charge.id, error = %error, "a network could not be asked about a charge");
                    })
                    .ok()?;
                let has_arrived = must_have_arrived(parts.patience, question.since);
                let outcome = question.verdict(answer.map(outcome_of), has_arrived, parts.today())?;
                Some((question.charge, outcome))
            }
        })
        .buffer_unordered(AT_ONCE)
        .filter_map(|outcome| async { outcome })
        .collect()
        .await;
    if outcomes.is_empty() {
        return Ok(0);
    }
    crash::point("unknown.asked");
    let found_out = outcomes.len();
    for subscription in parts.settle(Writer::Inquirer, Arc::new(outcomes)).await? {
        super::gone::end_if_unknown(parts, network, subscription).await?;
    }
    Ok(found_out)
}

fn must_have_arrived(patience: Duration, since: Option<NaiveDateTime>) -> bool {
    since.is_none_or(|since| Clock::system_now() > since + longest_way(patience))
}

/// How long a charge may be on its way before a network's "not known" is believed.
fn longest_way(patience: Duration) -> TimeDelta {
    TimeDelta::from_std(patience + Duration::from_secs(1)).unwrap_or(TimeDelta::minutes(1))
}

impl Question {
    /// What follows from the network's answer about its key; nothing as long as the charge may still be on its way there.
    pub fn verdict(&self, known: Option<Outcome>, has_arrived: bool, today: NaiveDate) -> Option<Outcome> {
        match known {
            Some(Outcome::Unknown { .. }) => None,
            Some(outcome) => Some(outcome),
            None if !has_arrived => None,
            None if self.interrupted && self.charge.day == today.to_string() => Some(Outcome::Again),
            // No answer is no failure of the subscriber's.
            None => Some(Outcome::Unavailable { reason: "no answer, and not charged" }),
        }
    }
}

/// The unknown charges of a network that are due to be asked about, and puts off the next question about each.
pub(crate) fn due(
    conn: &mut DbConnection,
    network: &str,
    most: usize,
    patience: Duration,
    system_now: NaiveDateTime,
) -> Result<Vec<Question>, Error> {
    type Row = (i64, i64, String, i64, String, (i32, i32, i32), String, Option<NaiveDateTime>, String, i32, String);
    let ids = ledger::table
        // As a constant in the text, because an engine takes a partial index only for a condition that it sees.
        .filter(sql::<Bool>("ledger.status = 'unknown'").and(ledger::network.eq(network)))
        .filter(ledger::ask_at.is_null().or(ledger::ask_at.le(system_now)))
        .order((ledger::ask_at, ledger::id))
        .limit(i64::try_from(most).unwrap_or(i64::MAX))
        .select(ledger::id);
    let ids: Vec<i64> = match conn {
        DbConnection::Postgres(conn) => ids.for_update().skip_locked().load(conn)?,
        DbConnection::Sqlite(conn) => ids.load(conn)?,
    };
    let rows: Vec<Row> = ledger::table
        .inner_join(subscriptions::table)
        .filter(ledger::id.eq_any(&ids))
        .order(ledger::id)
        .select((
            ledger::id,
            ledger::subscription_id,
            ledger::charge_key,
            ledger::cents,
            ledger::day,
            (ledger::failures, ledger::attempts, ledger::asked),
            ledger::reason,
            ledger::sent_at,
            subscriptions::msisdn,
            subscriptions::svc_id,
            subscriptions::state,
        ))
        .load(conn)?;
    let mut questions = Vec::with_capacity(rows.len());
    for (id, subscription_id, charge_key, cents, day, counts, reason, since, msisdn, svc_id, state) in rows {
        let (failures, attempts, asked) = counts;
        diesel::update(ledger::table.find(id))
            .set((ledger::asked.eq(asked.saturating_add(1)), ledger::ask_at.eq(system_now + pause(asked, patience))))
            .execute(conn)?;
        let charge = Charge {
            id,
            subscription_id,
            charge_key,
            cents,
            day,
            failures,
            attempts,
            msisdn,
            svc_id,
            state,
            network_subscription_id: None,
        };
        questions.push(Question { charge, interrupted: reason == INTERRUPTED, since });
    }
    Ok(questions)
}

/// Until a charge is asked about again: first until "not known" can be believed, then twice as long each time.
fn pause(asked: i32, patience: Duration) -> TimeDelta {
    let doubled = 1_i32.checked_shl(asked.unsigned_abs().min(16)).unwrap_or(i32::MAX);
    longest_way(patience).checked_mul(doubled).map_or(LONGEST_PAUSE, |pause| pause.min(LONGEST_PAUSE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_ten_minutes() {
        let patience = Duration::from_secs(5);
        let pauses: Vec<i64> = [0, 1, 2, 3, 7, 40].map(|asked| pause(asked, patience).num_seconds()).into();
        assert_eq!(pauses, [6, 12, 24, 48, 600, 600]);
    }
}
