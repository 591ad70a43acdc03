//! The day at a glance, each part for the roles that work on it.

use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    error::Error,
    members::{Member, Role},
    subscription::{
        overview::{CountedAt, Day, OverviewHour, OverviewMessages, OverviewNetwork, OverviewService},
        pauses::ChargePause,
    },
};

/// The day at a glance. A part is null for who has none of its roles.
#[derive(Serialize, ToSchema)]
pub(crate) struct Overview {
    /// For support, finance and administrators.
    #[schema(required = true)]
    subscribers: Option<Subscribers>,
    /// For finance and administrators.
    #[schema(required = true)]
    money: Option<Money>,
    /// For support and administrators.
    #[schema(required = true)]
    operations: Option<Operations>,
    /// For support, finance and administrators: publishers that the limits hold, about which a person has to decide.
    #[schema(required = true)]
    undecided_publishers: Option<i64>,
    /// For support, finance and administrators: charges that staff have paused, oldest first.
    #[schema(required = true)]
    pauses: Option<Vec<ChargePause>>,
}

/// Joins and leaves.
#[derive(Serialize, ToSchema)]
pub(crate) struct Subscribers {
    #[schema(value_type = String, format = "date-time")]
    now: DateTime<Utc>,
    /// When the sums of today were counted, every five minutes; null before the first time.
    #[schema(value_type = Option<String>, format = "date-time", required = true)]
    counted_at: Option<DateTime<Utc>>,
    /// Today, yesterday, and the same day of the last week.
    days: Vec<DayMoves>,
    /// Empty until they were counted for the first time.
    services: Vec<OverviewService>,
}

/// One day's joins and leaves.
#[derive(Serialize, ToSchema)]
pub(crate) struct DayMoves {
    day: String,
    joins: i64,
    leaves: i64,
}

/// Charges and refunds, in cents with VAT.
#[derive(Serialize, ToSchema)]
pub(crate) struct Money {
    /// Today, yesterday, and the same day of the last week.
    days: Vec<DayMoney>,
    /// Today's hours in Johannesburg with charges or refunds.
    hours: Vec<OverviewHour>,
}

/// One day's money.
#[derive(Serialize, ToSchema)]
pub(crate) struct DayMoney {
    day: String,
    charged_cents: i64,
    given_back_cents: i64,
    charges: i64,
    failed: i64,
    /// Charges and refunds without an outcome.
    open: i64,
}

/// What waits or does not work.
#[derive(Serialize, ToSchema)]
pub(crate) struct Operations {
    networks: Vec<OverviewNetwork>,
    messages: Vec<OverviewMessages>,
    /// For how long a due pass has not begun.
    pass_overdue_seconds: i64,
    /// For how long one of today's passes has been open.
    pass_open_seconds: i64,
    /// Today's charges beyond a limit, which are not sent.
    parked: i64,
    /// For how long a restored database has not caught up, in which nothing is charged; 0: it has.
    restored_seconds: i64,
}

/// The day at a glance.
#[utoipa::path(get, path = "", responses((status = 200, description = "The day at a glance.", body = Overview)))]
pub(crate) async fn get_overview(member: Member, app: Data<App>) -> Result<Json<Overview>, Error> {
    let has = |roles: &[Role]| roles.iter().any(|role| member.roles.contains(role));
    let (sees_subscribers, sees_money, sees_operations) = (
        has(&[Role::Support, Role::Finance, Role::Administrator]),
        has(&[Role::Finance, Role::Administrator]),
        has(&[Role::Support, Role::Administrator]),
    );
    if !sees_subscribers {
        return Ok(Json(Overview {
            subscribers: None,
            money: None,
            operations: None,
            undecided_publishers: None,
            pauses: None,
        }));
    }
    let day = app.subscription.overview(&member).await?;
    let money_of = |day: &Day| DayMoney {
        day: day.day.clone(),
        charged_cents: day.charged_cents,
        given_back_cents: day.given_back_cents,
        charges: day.charges,
        failed: day.failed,
        open: day.open,
    };
    let days = day.days.iter();
    Ok(Json(Overview {
        undecided_publishers: Some(day.undecided_publishers),
        pauses: Some(day.pauses),
        money: sees_money.then(|| Money { days: days.clone().map(money_of).collect(), hours: day.hours }),
        subscribers: Some(Subscribers {
            now: day.now.and_utc(),
            counted_at: day.counted_at.map(|CountedAt(at)| at.and_utc()),
            days: days.map(|day| DayMoves { day: day.day.clone(), joins: day.joins, leaves: day.leaves }).collect(),
            services: day.services,
        }),
        operations: sees_operations.then_some(Operations {
            networks: day.networks,
            messages: day.messages,
            pass_overdue_seconds: day.pass_overdue_seconds,
            pass_open_seconds: day.pass_open_seconds,
            parked: day.parked,
            restored_seconds: day.restored_seconds,
        }),
    }))
}
