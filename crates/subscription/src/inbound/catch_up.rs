//! Catching up after a restore: takes in what the networks did since the restored time, and then allows billing again.
//!
//! First the subscriptions: a network lists those that started or ended since; one without such a list is asked about the opt-in of each
//! subscription of ours that is not over. Then the charges: each day since is compared with the networks' lists as in every night
//! (`reconcile`), which settles what was charged, and refunds what was charged after a leave. Every step may be repeated. A network that does
//! not answer, or a list that has to be accepted first, keeps billing off.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use actix_web::web::{Data, Json};
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use futures_util::{StreamExt, future::join_all, stream};
use identity::SubscriberId;
use operator::{NamedService, Notification, OptIn, OptInKind, OptInStatus, SubscriptionEvent};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{Admin, openapi::Refused};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    App,
    billing::{
        lease,
        reconcile::{Reconciled, Reconciler},
    },
    error::Error,
    inbound::{
        notifications::{NotificationHeaders, Outcome},
        reconfirm,
    },
    joins::{network_events::NetworkEvent, opt_in::confirms_by_sms},
    ledger::restores::{self, Restore},
    schema::{holds, subscriptions},
    subscribers::{
        attempts::{OptInAttempt, kind_name},
        calendar,
        lifecycle::{Cause, State},
        metrics,
        policy::Policy,
        subscriptions::Subscription,
    },
};

/// How much earlier than the newest restored row: another transaction may have been open then, and the networks' clocks differ from ours.
const OVERLAP: TimeDelta = TimeDelta::hours(1);

/// The most pages of one list.
const MAX_PAGES: usize = 100_000;

/// Rows applied in one transaction.
const BATCH_SIZE: usize = 200;

/// Concurrent requests about opt-ins to one network.
const CONCURRENT_REQUESTS: usize = 16;

/// The interval between two checks of an exhausted rate limit.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Whether lists with unreadable rows, or that contradict the ledger, are accepted.
#[derive(Deserialize, ToSchema)]
pub(crate) struct CatchUpRequest {
    #[serde(default)]
    accept: bool,
}

/// The result of catching up.
#[derive(Default, Serialize, ToSchema)]
pub(crate) struct CaughtUp {
    /// Whether billing is on. If not, `cause` of a network or of one of its days says why; repeat the call then.
    caught_up: bool,
    /// The time since which events were missing, UTC; absent where there was no restore to catch up with.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    networks: Vec<NetworkSubscriptions>,
    days: Vec<Reconciled>,
    /// Subscribers of networks that keep no subscriptions: each has to confirm again by SMS before the next charge.
    reconfirmations: usize,
}

/// What a network reported about its subscriptions.
#[derive(Default, Serialize, ToSchema)]
pub(crate) struct NetworkSubscriptions {
    network: String,
    /// Subscriptions that it listed or answered about.
    reported: usize,
    /// Of these, the ones that have started here or ended here by it.
    changed: usize,
    /// Rows of its list that could not be read or understood.
    unreadable: usize,
    /// Subscriptions that could not be asked about: they joined at the network itself, and it has no list.
    not_queried: usize,
    /// Why it has to be repeated.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
}

/// Takes in the networks' stops, joins and charges since the restored time; then billing goes on. Idempotent.
#[utoipa::path(
    post,
    path = "",
    request_body = CatchUpRequest,
    responses((status = 200, description = "Whether billing is on, and what was taken in.", body = CaughtUp), Refused)
)]
pub(crate) async fn catch_up(_: Admin, app: Data<App>, request: Json<CatchUpRequest>) -> Result<Json<CaughtUp>, Error> {
    let (app, accept) = (app.get_ref().clone(), request.accept);
    // A task of its own: a client that disconnects must not interrupt it.
    let run = actix_web::rt::spawn(async move { run(&app, accept).await });
    run.await.map_err(|_| Error::Stopping)?.map(Json)
}

async fn run(app: &App, accept: bool) -> Result<CaughtUp, Error> {
    let Some(restore) = app.db.run(restores::pending).await? else {
        return Ok(CaughtUp { caught_up: true, ..CaughtUp::default() });
    };
    let since = restore.since - OVERLAP;
    tracing::info!(restore.since = %restore.since, "catching up with the networks");
    let networks = app.networks.names();
    let networks = join_all(networks.iter().map(|network| take_in_subscriptions(app, network, since))).await;
    let is_complete = |one: &NetworkSubscriptions| one.cause.is_none() && (accept || one.unreadable == 0);
    let mut caught_up = networks.iter().all(is_complete);
    let mut days = Vec::new();
    // A charge is judged by whether its subscriber had left: not before all ends are known.
    if caught_up {
        for day in days_since(since, app.clock.now()) {
            let compared = Reconciler::of(app).compare_day(day, accept).await?;
            caught_up &= compared.is_repaired();
            days.push(compared);
        }
    }
    // After the comparison, which gives back what was charged after an end.
    let reconfirmations = if caught_up { reconfirm::request_again(app, restore.since).await? } else { 0 };
    if caught_up {
        finish(app, restore).await?;
    }
    app.wake();
    let since = Some(restore.since.format(service::timestamp::FORMAT).to_string());
    Ok(CaughtUp { caught_up, since, networks, days, reconfirmations })
}

async fn finish(app: &App, restore: Restore) -> Result<(), Error> {
    let now = app.clock.now();
    app.db.write(move |conn| restores::finish(conn, restore, now)).await?;
    tracing::info!(restore.since = %restore.since, "caught up with the networks: billing goes on");
    // What is due by time alone has waited.
    app.clock_moved.send_replace(());
    Ok(())
}

/// The calendar days from a time to another.
fn days_since(since: NaiveDateTime, now: NaiveDateTime) -> impl Iterator<Item = NaiveDate> {
    let last = calendar::day_of(now);
    calendar::day_of(since).iter_days().take_while(move |day| *day <= last)
}

async fn take_in_subscriptions(app: &App, network: &str, since: NaiveDateTime) -> NetworkSubscriptions {
    let mut found = NetworkSubscriptions { network: network.to_owned(), ..NetworkSubscriptions::default() };
    let result = match read_list(app, network, since, &mut found).await {
        Ok(true) => Ok(()),
        // It keeps no subscriptions: its subscribers are asked again.
        Ok(false) if confirms_by_sms(&app.brands, network) => Ok(()),
        Ok(false) => query_each(app, network, &mut found).await,
        Err(error) => Err(error),
    };
    if let Err(error) = result {
        tracing::error!(network.name = network, error = %error, "a network's subscriptions could not be taken in");
        found.cause = Some(error.to_string());
    }
    found
}

/// Applies a network's list of subscriptions that started or ended since; false where it has none.
async fn read_list(
    app: &App,
    network: &str,
    since: NaiveDateTime,
    found: &mut NetworkSubscriptions,
) -> Result<bool, Error> {
    let operator = app.networks.operator(network)?;
    // Networks with one base URL list each other's subscriptions.
    let siblings: Arc<[String]> = Reconciler::of(app).networks_at(operator.address()).into();
    let (mut visited, mut next) = (BTreeSet::new(), None::<String>);
    for _ in 0..MAX_PAGES {
        let fetched = operator.subscriptions_since(since, next.as_deref()).await;
        metrics::network_call(network, "list", &fetched);
        let Some((page, link)) = fetched? else { return Ok(false) };
        found.unreadable += page.iter().filter(|row| row.is_none()).count();
        let rows: Vec<SubscriptionEvent> = page.into_iter().flatten().collect();
        let (policy, name, siblings) = (app.policy.clone(), network.to_owned(), siblings.clone());
        let events = app.db.run(move |conn| own_events(conn, &policy, &name, &siblings, rows)).await?;
        found.reported += events.len();
        for batch in events.chunks(BATCH_SIZE) {
            let (batch, network) = (batch.to_vec(), network.to_owned());
            let (policy, now) = (app.policy.clone(), app.clock.now());
            let applied = app.db.write(move |conn| apply_events(conn, &policy, &network, &batch, (since, now))).await?;
            found.changed += applied.changed;
            found.unreadable += applied.not_understood;
            lease::wait_until_unclaimed(&app.db, applied.subscriptions).await?;
        }
        match link {
            None => return Ok(true),
            Some(link) if visited.insert(link.clone()) => next = Some(link),
            Some(_) => break,
        }
    }
    Err(Error::NetworkUnavailable("the list of subscriptions does not end".to_owned()))
}

/// Those events that are a network's own: its network subscription is known, else it bills the number's subscription, else the service.
fn own_events(
    conn: &mut DbConnection,
    policy: &Policy,
    network: &str,
    siblings: &[String],
    events: Vec<SubscriptionEvent>,
) -> Result<Vec<SubscriptionEvent>, Error> {
    if siblings.len() < 2 {
        return Ok(events);
    }
    let mut own = Vec::with_capacity(events.len());
    for event in events {
        if owner(conn, policy, siblings, &event)?.is_none_or(|owner| owner == network) {
            own.push(event);
        }
    }
    Ok(own)
}

fn owner(
    conn: &mut DbConnection,
    policy: &Policy,
    siblings: &[String],
    event: &SubscriptionEvent,
) -> Result<Option<String>, Error> {
    let (NamedService::Id(svc_id), Ok(msisdn)) = (&event.svc_id, SubscriberId::parse(&event.user_msisdn)) else {
        return Ok(None);
    };
    let known: Option<String> = holds::table
        .inner_join(subscriptions::table)
        .filter(holds::network.eq_any(siblings).and(holds::network_ref.eq(&event.subscription_id)))
        .filter(subscriptions::msisdn.eq(msisdn.as_str()).and(subscriptions::svc_id.eq(svc_id)))
        .select(holds::network)
        .first(conn)
        .optional()?;
    if known.is_some() {
        return Ok(known);
    }
    let billed_by = match Subscription::of_number(conn, &msisdn, *svc_id)? {
        Some(subscription) => policy.network_of(&subscription.network, subscription.svc_id),
        None => policy.brand(*svc_id).map(|brand| brand.network.clone()),
    };
    Ok(billed_by.filter(|network| siblings.contains(network)))
}

/// The effects of a batch.
#[derive(Default)]
struct Applied {
    changed: usize,
    not_understood: usize,
    subscriptions: Vec<i64>,
}

/// Applies rows of a list as the notifications that were lost, at the times when they happened.
fn apply_events(
    conn: &mut DbConnection,
    policy: &Policy,
    network: &str,
    events: &[SubscriptionEvent],
    (since, now): (NaiveDateTime, NaiveDateTime),
) -> Result<Applied, Error> {
    let mut applied = Applied::default();
    for event in events {
        let at = |time: Option<chrono::DateTime<chrono::Utc>>| time.map(|at| at.naive_utc().min(now));
        let before = state_of(conn, event)?;
        let started_at = at(event.created_at).filter(|at| *at >= since);
        // Also of one that has ended since: a charge in between was due.
        if let Some(started_at) = started_at.filter(|_| event.status_id != ACTIVE) {
            let start = SubscriptionEvent { status_id: ACTIVE, updated_at: event.created_at, ..event.clone() };
            apply_event(conn, policy, network, start, started_at, &mut applied)?;
        }
        let happened_at = at(event.updated_at).or(started_at).unwrap_or(now);
        apply_event(conn, policy, network, event.clone(), happened_at, &mut applied)?;
        applied.changed += usize::from(state_of(conn, event)? != before);
    }
    Ok(applied)
}

/// `status_id` of an active subscription.
const ACTIVE: i32 = 2;

fn apply_event(
    conn: &mut DbConnection,
    policy: &Policy,
    network: &str,
    event: SubscriptionEvent,
    happened_at: NaiveDateTime,
    applied: &mut Applied,
) -> Result<(), Error> {
    // Without an SMS, which was sent when it happened.
    let headers =
        NotificationHeaders { network: network.to_owned(), received_at: happened_at, ..NotificationHeaders::default() };
    let processed = headers.apply(conn, None, policy, Ok(Notification::Subscription(event)))?;
    applied.not_understood += usize::from(processed.outcome == Outcome::NotUnderstood);
    applied.subscriptions.extend(processed.subscriptions);
    Ok(())
}

/// The states of a number's subscriptions, to tell whether an event changed one.
fn state_of(conn: &mut DbConnection, event: &SubscriptionEvent) -> Result<Vec<(i64, String, i32)>, Error> {
    let Ok(msisdn) = SubscriberId::parse(&event.user_msisdn) else { return Ok(Vec::new()) };
    Ok(subscriptions::table
        .filter(subscriptions::msisdn.eq(msisdn.as_str()))
        .order(subscriptions::id)
        .select((subscriptions::id, subscriptions::state, subscriptions::generation))
        .load(conn)?)
}

/// A subscription that is not over, with the opt-in that started it.
struct RunningSubscription {
    id: i64,
    msisdn: String,
    svc_id: i32,
    opt_in: Option<OptInAttempt>,
}

/// Asks a network without a list about the opt-in of each subscription that is not over here, and ends those that are over there. When they
/// ended is not known: a charge until now counts as due.
async fn query_each(app: &App, network: &str, found: &mut NetworkSubscriptions) -> Result<(), Error> {
    let link = app.networks.get(network)?;
    let mut after = 0;
    loop {
        let (policy, name) = (app.policy.clone(), network.to_owned());
        let (rows, last) = app.db.run(move |conn| running_page(conn, &policy, &name, after)).await?;
        let Some(last) = last else { return Ok(()) };
        after = last;
        let mut statuses = stream::iter(rows)
            .map(|row| {
                let link = &link;
                async move {
                    let Some(opt_in) = &row.opt_in else { return Ok((row, None)) };
                    while !link.throttle.try_status_query() {
                        tokio::time::sleep(POLL_INTERVAL).await;
                    }
                    let status = link.operator.opt_in_status(&opt_in.reference).await;
                    metrics::network_call(network, "question", &status);
                    match status {
                        Ok(status) => Ok((row, Some(status))),
                        // It no longer knows the opt-in.
                        Err(Error::NetworkRejected(_)) => Ok((row, None)),
                        Err(error) => Err(error),
                    }
                }
            })
            .buffered(CONCURRENT_REQUESTS);
        while let Some(answer) = statuses.next().await {
            let (row, Some(status)) = answer? else {
                found.not_queried += 1;
                continue;
            };
            found.reported += 1;
            let (policy, now, name, id) = (app.policy.clone(), app.clock.now(), network.to_owned(), row.id);
            let is_changed = app.db.write(move |conn| apply_status(conn, &policy, &name, &row, &status, now)).await?;
            if is_changed {
                found.changed += 1;
                lease::wait_until_unclaimed(&app.db, vec![id]).await?;
            }
        }
    }
}

/// Those of a network among the next subscriptions that are not over, and the last id of these; `None` where there are no more.
fn running_page(
    conn: &mut DbConnection,
    policy: &Policy,
    network: &str,
    after: i64,
) -> Result<(Vec<RunningSubscription>, Option<i64>), Error> {
    let states = [State::Pending, State::Active, State::Suspended].map(State::as_str);
    #[derive(Queryable, Selectable)]
    #[diesel(table_name = subscriptions)]
    struct Row {
        id: i64,
        msisdn: String,
        svc_id: i32,
        network: String,
    }
    let rows = subscriptions::table
        .filter(subscriptions::state.eq_any(states).and(subscriptions::id.gt(after)))
        .order(subscriptions::id)
        .limit(i64::try_from(BATCH_SIZE).unwrap_or(i64::MAX))
        .select(Row::as_select())
        .load(conn)?;
    let last = rows.last().map(|row| row.id);
    let mut running = Vec::with_capacity(rows.len());
    for Row { id, msisdn, svc_id, network: billed_by } in rows {
        let opt_in = OptInAttempt::last(conn, id, kind_name(OptInKind::OptIn))?;
        let is_of_network = match &opt_in {
            Some(opt_in) => opt_in.network == network,
            None if !billed_by.is_empty() => billed_by == network,
            None => policy.brand(svc_id).is_some_and(|brand| brand.network == network),
        };
        if is_of_network && !policy.is_test(&msisdn) {
            running.push(RunningSubscription { id, msisdn, svc_id, opt_in });
        }
    }
    Ok((running, last))
}

/// Applies the status of an opt-in; whether it changed the subscription.
fn apply_status(
    conn: &mut DbConnection,
    policy: &Policy,
    network: &str,
    row: &RunningSubscription,
    status: &OptIn,
    now: NaiveDateTime,
) -> Result<bool, Error> {
    let (Some(opt_in), OptInStatus::Confirmed) = (&row.opt_in, status.status) else { return Ok(false) };
    let msisdn = SubscriberId::parse(&row.msisdn)?;
    let state = |conn: &mut DbConnection| -> Result<String, Error> {
        Ok(subscriptions::table.find(row.id).select(subscriptions::state).first(conn)?)
    };
    let before = state(conn)?;
    let event = |happened_at: NaiveDateTime| NetworkEvent {
        policy,
        network,
        msisdn: &msisdn,
        svc_id: row.svc_id,
        attempt: Some(opt_in),
        network_ref: status.network_subscription_id.as_deref(),
        happened_at,
        updated_at: None,
        evidence: json!({ "asked": status.reference, "active": status.active, "id": status.network_subscription_id }),
        sends_sms: false,
        now: happened_at,
    };
    if status.active {
        // A join that was confirmed since.
        let decided_at = status.decided_at.map_or(now, |at| at.naive_utc().min(now));
        event(decided_at).apply_answer(conn, status.kind, status.status, &status.reference)?;
    } else {
        match &status.network_subscription_id {
            Some(network_ref) => event(now).apply_end(conn, network_ref, Cause::Stopped)?,
            None => event(now).apply_stop(conn)?,
        }
    }
    Ok(state(conn)? != before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since_covers_both_ends_in_johannesburg() {
        let at = |text: &str| text.parse::<NaiveDateTime>().unwrap();
        // Half past eleven at night in Johannesburg, and half past midnight two days later.
        let days = days_since(at("2060-02-28T21:30:00"), at("2060-03-01T22:30:00"));
        let days: Vec<String> = days.map(|day| day.to_string()).collect();
        assert_eq!(days, ["2060-02-28", "2060-02-29", "2060-03-01", "2060-03-02"]);
    }
}
