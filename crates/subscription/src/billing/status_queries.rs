//! Status queries for charges whose outcome is unknown: their network is queried by key until it answers, within a rate limit and with
//! growing pauses; a charge with an unknown outcome is never simply repeated.

use std::{sync::Arc, time::Duration};

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use futures_util::{StreamExt, stream};
use operator::{ChargeEvent, ChargeRequest};
use service::Clock;
use store::DbConnection;

use crate::{
    billing::{
        context::{BillingContext, charge_outcome, charge_request},
        lease::INTERRUPTED,
    },
    error::Error,
    ledger::rows::{ACCEPTED, Charge, Outcome, OutcomeSource, RowIds, open_since, rows},
    networks::{Admission, NetworkHandle},
    schema::{ledger, subscriptions},
    subscribers::{crash, metrics},
};

/// Concurrent status queries to one network.
const CONCURRENCY: usize = 8;

/// The longest pause between two queries of one charge.
const MAX_PAUSE: TimeDelta = TimeDelta::minutes(10);

/// An unknown charge.
pub(crate) struct StatusQuery {
    pub charge: Charge,
    /// Whether its process died, so that it may never have been sent.
    interrupted: bool,
    since: Option<NaiveDateTime>,
}

/// Queries the due unknown charges of a network, within its rate limit; returns how many outcomes are known now.
pub(crate) async fn query_due(context: &BillingContext, network: &str) -> Result<usize, Error> {
    let NetworkHandle { operator, throttle, .. } = context.networks.get(network)?;
    let most = match throttle.admission() {
        Admission::None(_) => return Ok(0),
        Admission::One => 1,
        Admission::Any => usize::try_from(throttle.status_queries()).unwrap_or(1),
    };
    let (name, charge_timeout) = (network.to_owned(), context.charge_timeout);
    let find_due = move |conn: &mut DbConnection| claim_due(conn, &name, most, charge_timeout, Clock::system_now());
    let queries = context.db.write(find_due).await?;
    let outcomes: Vec<(Charge, Outcome)> = stream::iter(queries)
        .map(|mut query| {
            let (operator, throttle) = (operator.clone(), throttle.clone());
            async move {
                while !throttle.try_status_query() {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                if matches!(throttle.admission(), Admission::None(_)) {
                    return None;
                }
                let _call = throttle.begin();
                let sent_at = query.sent_at(context.clock.now(), Clock::system_now());
                let request = ChargeRequest { sent_at, ..charge_request(&query.charge) };
                let answer = operator.charge_status(&request).await;
                throttle.record(answer.is_ok());
                metrics::network_call(network, "question", &answer);
                let answer = answer
                    .inspect_err(|error| {
                        tracing::warn!(ledger.id = query.charge.id, error = %error, "the status query of a charge failed");
                    })
                    .ok()?;
                let has_arrived = has_arrived_by_now(context.charge_timeout, query.since);
                let known = answer.map(|answer| charge_outcome(&mut query.charge, answer));
                let outcome = query.outcome(known, has_arrived, context.today())?;
                Some((query.charge, outcome))
            }
        })
        .buffer_unordered(CONCURRENCY)
        .filter_map(|outcome| async { outcome })
        .collect()
        .await;
    if outcomes.is_empty() {
        return Ok(0);
    }
    crash::point("unknown.asked");
    let resolved = outcomes.len();
    for subscription in context.settle(OutcomeSource::StatusQuery, Arc::new(outcomes)).await?.unknown_to_network {
        super::unknown_subscriptions::end_if_unknown(context, network, subscription).await?;
    }
    Ok(resolved)
}

fn has_arrived_by_now(charge_timeout: Duration, since: Option<NaiveDateTime>) -> bool {
    since.is_none_or(|since| Clock::system_now() > since + max_transit_time(charge_timeout))
}

/// How long a charge may be in flight before a network's "not known" is believed.
fn max_transit_time(charge_timeout: Duration) -> TimeDelta {
    TimeDelta::from_std(charge_timeout + Duration::from_secs(1)).unwrap_or(TimeDelta::minutes(1))
}

impl StatusQuery {
    /// About when it was sent, by the service's clock, which tests move; `None` where its process died, which is noticed later.
    fn sent_at(&self, now: NaiveDateTime, system_now: NaiveDateTime) -> Option<NaiveDateTime> {
        self.since.filter(|_| !self.interrupted).map(|since| now - (system_now - since))
    }

    /// The outcome by the network's answer for the key; `None` while the charge may still be in flight.
    pub fn outcome(&self, known: Option<Outcome>, has_arrived: bool, today: NaiveDate) -> Option<Outcome> {
        match known {
            Some(Outcome::Unknown { .. } | Outcome::Accepted) => None,
            Some(outcome) => Some(outcome),
            None if !has_arrived => None,
            None if self.interrupted && self.charge.day == today.to_string() => Some(Outcome::Resend),
            // A missing reply is no failure of the subscriber.
            None => Some(Outcome::Unavailable { reason: "no answer, and not charged" }),
        }
    }
}

/// An unknown charge, as it is stored.
#[derive(Queryable, Selectable)]
#[diesel(table_name = ledger)]
struct Row {
    id: i64,
    subscription_id: i64,
    charge_key: String,
    cents: i64,
    day: String,
    failures: i32,
    attempts: i32,
    status_queries: i32,
    reason: String,
    sent_at: Option<NaiveDateTime>,
    network_ref: Option<String>,
    unanswered: bool,
    #[diesel(select_expression = subscriptions::msisdn)]
    msisdn: String,
    #[diesel(select_expression = subscriptions::svc_id)]
    svc_id: i32,
    #[diesel(select_expression = subscriptions::state)]
    state: String,
    #[diesel(select_expression = subscriptions::parts)]
    parts: String,
}

/// The due unknown charges of a network; schedules the next query of each.
pub(crate) fn claim_due(
    conn: &mut DbConnection,
    network: &str,
    most: usize,
    charge_timeout: Duration,
    system_now: NaiveDateTime,
) -> Result<Vec<StatusQuery>, Error> {
    let found = ledger::table
        // A literal in the SQL, because a partial index is used only where the database sees the condition.
        .filter(sql::<Bool>("ledger.status = 'unknown'").and(ledger::network.eq(network)))
        .filter(ledger::ask_at.is_null().or(ledger::ask_at.le(system_now)))
        .filter(ledger::day.ge(open_since(conn)?))
        .order((ledger::ask_at, ledger::id))
        .limit(i64::try_from(most).unwrap_or(i64::MAX))
        .select((ledger::id, ledger::day));
    let found: Vec<(i64, String)> = match conn {
        DbConnection::Postgres(conn) => found.for_update().skip_locked().load(conn)?,
        DbConnection::Sqlite(conn) => found.load(conn)?,
    };
    let ids: RowIds = found.iter().map(|(id, day)| (*id, day.as_str())).collect();
    let rows = rows(&ids).inner_join(subscriptions::table).order(ledger::id).select(Row::as_select()).load(conn)?;
    let mut queries = Vec::with_capacity(rows.len());
    for row in rows {
        diesel::update(ledger::table.filter(ledger::id.eq(row.id).and(ledger::day.eq(&row.day))))
            .set((
                ledger::status_queries.eq(row.status_queries.saturating_add(1)),
                ledger::ask_at.eq(system_now + pause(row.status_queries, charge_timeout)),
            ))
            .execute(conn)?;
        let interrupted = row.reason == INTERRUPTED;
        let charge = Charge {
            id: row.id,
            subscription_id: row.subscription_id,
            charge_key: row.charge_key,
            cents: row.cents,
            day: row.day,
            failures: row.failures,
            attempts: row.attempts,
            msisdn: row.msisdn,
            svc_id: row.svc_id,
            state: row.state,
            network_subscription_id: None,
            // Of an attempt before the one that was interrupted.
            network_ref: row.network_ref.filter(|_| !interrupted),
            // After an earlier no, the network's answer may be that one, unless it has accepted this request.
            unanswered: row.unanswered || (row.failures > 0 && row.reason != ACCEPTED),
            parts: row.parts,
        };
        queries.push(StatusQuery { charge, interrupted, since: row.sent_at });
    }
    Ok(queries)
}

/// Makes an unknown charge due for a query now, because its network says that it has the result; returns how many charges it names.
pub(crate) fn make_due(
    conn: &mut DbConnection,
    network: &str,
    event: &ChargeEvent,
    system_now: NaiveDateTime,
) -> Result<usize, Error> {
    let unknown = ledger::table
        .filter(sql::<Bool>("ledger.status = 'unknown'").and(ledger::network.eq(network)))
        .filter(ledger::charge_key.nullable().eq(&event.key).or(ledger::network_ref.eq(&event.network_ref)))
        .filter(ledger::day.ge(open_since(conn)?));
    Ok(diesel::update(unknown).set(ledger::ask_at.eq(system_now)).execute(conn)?)
}

/// The pause until the next query: first until "not known" can be believed, then twice as long each time.
fn pause(queries_sent: i32, charge_timeout: Duration) -> TimeDelta {
    let doubled = 1_i32.checked_shl(queries_sent.unsigned_abs().min(16)).unwrap_or(i32::MAX);
    max_transit_time(charge_timeout).checked_mul(doubled).map_or(MAX_PAUSE, |pause| pause.min(MAX_PAUSE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pause_doubles_up_to_ten_minutes() {
        let charge_timeout = Duration::from_secs(5);
        let pauses: Vec<i64> =
            [0, 1, 2, 3, 7, 40].map(|queries_sent| pause(queries_sent, charge_timeout).num_seconds()).into();
        assert_eq!(pauses, [6, 12, 24, 48, 600, 600]);
    }
}
