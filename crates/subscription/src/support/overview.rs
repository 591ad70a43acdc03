//! The day at a glance, for staff: joins and leaves, money, and what waits or does not work. Sums and states; no number is in it.

use std::sync::PoisonError;

use actix_web::web::{Data, Json};
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use serde::Serialize;
use service::{Clock, OverviewCaller};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    App,
    billing::pause::ListedPause,
    error::Error,
    ledger::rows::{CHARGE, FAILED, PENDING, REFUND, SETTLED, UNKNOWN},
    schema::{daily_charges, daily_moves, daily_totals, hourly_sums},
    subscribers::{calendar, lifecycle::State},
    support::backlog::{Backlog, KINDS},
};

/// Today, yesterday, and the same day of the last week.
const DAYS_BACK: [i64; 3] = [0, 1, 7];

/// The day at a glance.
#[derive(Serialize, ToSchema)]
pub(crate) struct Overview {
    /// The time of the service's clock.
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    now: NaiveDateTime,
    /// When today's sums were counted, every five minutes; null before the first time.
    #[schema(value_type = Option<service::schema::Time>, required = true)]
    counted_at: Option<String>,
    /// Today, yesterday, and the same day of the last week.
    days: Vec<OverviewDay>,
    /// Today's hours in Johannesburg with charges or refunds.
    hours: Vec<OverviewHour>,
    /// Of each brand's service; empty until they were counted for the first time.
    services: Vec<OverviewService>,
    networks: Vec<OverviewNetwork>,
    /// Of each kind: "sms", "stop" and "refund".
    messages: Vec<OverviewMessages>,
    /// For how long a due pass has not begun.
    pass_overdue_seconds: i64,
    /// For how long one of today's passes has been open.
    pass_open_seconds: i64,
    /// Today's charges beyond a limit (`MAX_CHARGES_PER_NUMBER`, `MAX_CHARGES_PER_HOUR`): they are not sent.
    parked: i64,
    /// For how long a restored database has not caught up, in which nothing is charged; 0: it has.
    restored_seconds: i64,
    /// Publishers that are held now: no visitor of theirs can join.
    held_publishers: i64,
    /// Of these, the ones that the limits hold: a person has to decide about them.
    undecided_publishers: i64,
    /// Charges that staff have paused, oldest first.
    pauses: Vec<ListedPause>,
}

/// One day's moves and money.
#[derive(Serialize, ToSchema)]
pub(crate) struct OverviewDay {
    day: String,
    /// Subscriptions that the network confirmed.
    joins: i64,
    /// Subscriptions that ended, for any cause; attempts that expired are none.
    leaves: i64,
    charged_cents: i64,
    given_back_cents: i64,
    charges: i64,
    failed: i64,
    /// Charges and refunds without an outcome.
    open: i64,
}

/// One hour's money.
#[derive(Serialize, ToSchema)]
pub(crate) struct OverviewHour {
    /// 0 to 23.
    hour: i32,
    charged_cents: i64,
    given_back_cents: i64,
}

/// The subscriptions of one service.
#[derive(Serialize, ToSchema)]
pub(crate) struct OverviewService {
    svc_id: i32,
    service: String,
    active: i64,
    suspended: i64,
    pending: i64,
}

/// The state of one network.
#[derive(Serialize, ToSchema)]
pub(crate) struct OverviewNetwork {
    network: String,
    /// Whether charging pauses here, because the network does not answer. Each replica has its own circuit breaker.
    paused: bool,
    /// Today's charges that are not settled yet.
    open: i64,
    /// Charges with an unknown outcome, and the age of the oldest.
    unknown: i64,
    unknown_seconds: i64,
    /// Days whose comparison waits for a person, and days that could not be compared.
    held_days: i64,
    failed_days: i64,
}

/// The messages of one kind.
#[derive(Serialize, ToSchema)]
pub(crate) struct OverviewMessages {
    kind: &'static str,
    waiting: i64,
    /// The age of the oldest urgent one.
    oldest_seconds: i64,
    /// Messages that the network refused.
    dead: i64,
}

/// A day's rows of one kind and status in the ledger, counted.
#[derive(Queryable, Selectable)]
#[diesel(table_name = daily_charges)]
struct DailyCharges {
    kind: String,
    status: String,
    entries: i64,
    cents: i64,
}

impl OverviewDay {
    fn read(conn: &mut DbConnection, day: NaiveDate) -> Result<Self, Error> {
        let day = day.to_string();
        let moves: Vec<(String, String, i64)> = daily_moves::table
            .filter(daily_moves::day.eq(&day))
            .select((daily_moves::from_state, daily_moves::to_state, daily_moves::moves))
            .load(conn)?;
        let charges =
            daily_charges::table.filter(daily_charges::day.eq(&day)).select(DailyCharges::as_select()).load(conn)?;
        // A suspended subscription that is paid again is no join, and one that was never confirmed does not leave.
        let count = |to: State, not_from: State| {
            let is_meant = |(from, into, _): &&(String, String, i64)| into == to.as_str() && from != not_from.as_str();
            moves.iter().filter(is_meant).map(|(.., moves)| moves).sum()
        };
        let of = |kind: &str, states: &[&str]| {
            let meant = charges.iter().filter(|row| row.kind == kind && states.contains(&row.status.as_str()));
            meant.fold((0, 0), |(entries, cents), row| (entries + row.entries, cents + row.cents))
        };
        let (settled, given_back) = (of(CHARGE, &[SETTLED]), of(REFUND, &[SETTLED]));
        let open = [PENDING, UNKNOWN];
        Ok(Self {
            joins: count(State::Active, State::Suspended),
            leaves: count(State::Cancelled, State::Pending),
            charges: settled.0,
            charged_cents: settled.1,
            given_back_cents: given_back.1,
            failed: of(CHARGE, &[FAILED]).0,
            open: of(CHARGE, &open).0 + of(REFUND, &open).0,
            day,
        })
    }
}

/// Today's hours.
fn hours(conn: &mut DbConnection, today: NaiveDate) -> Result<Vec<OverviewHour>, Error> {
    let rows: Vec<(i32, String, i64)> = hourly_sums::table
        .filter(hourly_sums::day.eq(today.to_string()))
        .order(hourly_sums::hour)
        .select((hourly_sums::hour, hourly_sums::kind, hourly_sums::cents))
        .load(conn)?;
    let mut hours: Vec<OverviewHour> = Vec::new();
    for (hour, kind, cents) in rows {
        if hours.last().is_none_or(|last| last.hour != hour) {
            hours.push(OverviewHour { hour, charged_cents: 0, given_back_cents: 0 });
        }
        if let Some(last) = hours.last_mut() {
            *if kind == CHARGE { &mut last.charged_cents } else { &mut last.given_back_cents } += cents;
        }
    }
    Ok(hours)
}

/// The day at a glance.
#[utoipa::path(get, path = "", responses((status = 200, description = "The day at a glance.", body = Overview)))]
pub(crate) async fn get_overview(_: OverviewCaller, app: Data<App>) -> Result<Json<Overview>, Error> {
    let (now, times) = (app.clock.now(), app.billing_times.clone());
    let today = calendar::day_of(now);
    let (days, hours, counted_at, backlog) = app
        .db
        .run(move |conn| {
            let days = DAYS_BACK.map(|back| today - TimeDelta::days(back));
            let days = days.into_iter().map(|day| OverviewDay::read(conn, day)).collect::<Result<Vec<_>, _>>()?;
            let counted_at: Option<NaiveDateTime> = daily_totals::table
                .filter(daily_totals::day.eq(today.to_string()))
                .select(daily_totals::counted_at)
                .first(conn)
                .optional()?;
            Ok::<_, Error>((
                days,
                hours(conn, today)?,
                counted_at,
                Backlog::read(conn, &times, now, Clock::system_now())?,
            ))
        })
        .await?;
    let counts = app.row_counts.read().unwrap_or_else(PoisonError::into_inner);
    let counts = counts.as_ref();
    let services = app.brands.iter().filter_map(|brand| {
        let of = |state: State| {
            let key = (brand.svc_id, state.as_str().to_owned());
            counts.map(|counts| counts.subscriptions.get(&key).copied().unwrap_or(0))
        };
        Some(OverviewService {
            svc_id: brand.svc_id,
            service: brand.service.clone(),
            active: of(State::Active)?,
            suspended: of(State::Suspended)?,
            pending: of(State::Pending)?,
        })
    });
    let mut services: Vec<_> = services.collect();
    // Two labels of one service are one.
    services.dedup_by_key(|service| service.svc_id);
    let networks = app.networks.names().into_iter().map(|network| {
        let (unknown, oldest) = backlog.unknown.get(&network).copied().unwrap_or((0, TimeDelta::zero()));
        let (held_days, failed_days) =
            backlog.reconciled.get(&network).map_or((0, 0), |reconciled| (reconciled.held, reconciled.failed));
        Ok(OverviewNetwork {
            paused: app.networks.get(&network)?.throttle.is_paused(),
            open: counts.and_then(|counts| counts.open.get(&network).copied()).unwrap_or(0),
            unknown,
            unknown_seconds: oldest.num_seconds(),
            held_days,
            failed_days,
            network,
        })
    });
    let messages = KINDS.map(|kind| OverviewMessages {
        kind,
        waiting: backlog.messages.get(kind).copied().unwrap_or(0),
        oldest_seconds: backlog.oldest_message.get(kind).map_or(0, TimeDelta::num_seconds),
        dead: backlog.dead.get(kind).copied().unwrap_or(0),
    });
    Ok(Json(Overview {
        now,
        counted_at: counted_at.map(|at| at.format(service::timestamp::FORMAT).to_string()),
        days,
        hours,
        services,
        networks: networks.collect::<Result<_, Error>>()?,
        messages: messages.into(),
        pass_overdue_seconds: backlog.pass_overdue.num_seconds(),
        pass_open_seconds: backlog.pass_open.num_seconds(),
        parked: counts.map_or(0, |counts| counts.parked),
        restored_seconds: backlog.restored.num_seconds(),
        held_publishers: backlog.publishers.by_limits + backlog.publishers.by_staff,
        undecided_publishers: backlog.publishers.by_limits,
        pauses: backlog.pauses.into_iter().map(|pause| ListedPause::of(pause, &app.policy)).collect(),
    }))
}
