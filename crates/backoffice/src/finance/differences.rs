//! The queue of differences: which days agree with the networks' lists, and the comparison of a day, which a person accepts where a list
//! contradicts the ledger too much.

use actix_web::web::{Data, Json, Path};
use chrono::{NaiveDate, TimeDelta};
use identity::SubscriberId;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::openapi::{Conflict, NotFound, Refused};
use utoipa::ToSchema;

use super::record_act;
use crate::{
    app::App,
    error::Error,
    guard::Finance,
    subscription::{ComparedDays, ComparedNetwork},
    support::checked_reason,
};

/// How far back the queue goes.
const DAYS_BACK: TimeDelta = TimeDelta::days(62);

/// Whether the lists are accepted even if they contradict the ledger, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct CompareOrder {
    #[serde(default)]
    accept: bool,
    /// Needed to accept.
    #[serde(default)]
    #[schema(max_length = 256)]
    reason: String,
}

/// One difference, without the whole number.
#[derive(Serialize, ToSchema)]
pub(crate) struct DayDifference {
    /// "charged_not_settled", "charged_not_recorded", "charged_after_leaving", "charged_twice", "never_charged", "not_listed",
    /// "amount_differs", "unknown_service", "unreadable_row" or "repair_undone".
    kind: String,
    /// "settled", "excess_refunded", "refunded", "countered" or "none".
    repair: String,
    #[schema(required = true)]
    ledger_id: Option<i64>,
    masked: String,
    svc_id: i32,
    cents: i64,
    network: String,
}

/// A comparison.
#[derive(Serialize, ToSchema)]
pub(crate) struct DayComparison {
    day: String,
    /// Charges on the networks' lists.
    listed: i64,
    agreed: i64,
    networks: Vec<ComparedNetwork>,
    differences: Vec<DayDifference>,
    /// How many more there are.
    more: i64,
}

/// The days of the last two months that were compared, newest first.
#[utoipa::path(get, path = "", responses((status = 200, description = "Each with its result.", body = ComparedDays)))]
pub(crate) async fn list_days(finance: Finance, app: Data<App>) -> Result<Json<ComparedDays>, Error> {
    let Finance(member) = finance;
    let day = app.clock.now().date();
    let today = app.subscription.books(&member, day, day, false).await?.today;
    app.subscription.compared_days(&member, today - DAYS_BACK, today).await.map(Json)
}

/// Compares a day with the networks' lists, and repairs what differs in the customer's favour.
#[utoipa::path(
    post,
    path = "",
    params(("day" = String, Path, description = "YYYY-MM-DD.")),
    request_body = CompareOrder,
    responses((status = 200, description = "How they differ.", body = DayComparison), NotFound, Conflict, Refused)
)]
pub(crate) async fn compare_day(
    finance: Finance,
    app: Data<App>,
    day: Path<String>,
    order: Json<CompareOrder>,
) -> Result<Json<DayComparison>, Error> {
    let (Finance(member), accept) = (finance, order.accept);
    let day: NaiveDate = day.parse().map_err(|_| Error::NotFound)?;
    let (action, details) = match accept {
        true => ("day.accepted", json!({ "reason": checked_reason(&order.reason)? })),
        false => ("day.compared", json!({})),
    };
    record_act(&app, &member, action, day.to_string(), details).await?;
    let compared = match app.subscription.reconcile(&member, day, accept).await {
        Ok(compared) => compared,
        Err(error) => {
            let details = json!({ "action": action, "cause": error.to_string() });
            record_act(&app, &member, "finance.failed", day.to_string(), details).await?;
            return Err(error);
        }
    };
    let differences = compared.differences.into_iter().map(|difference| DayDifference {
        // A list may have what is no number.
        masked: SubscriberId::parse(&difference.msisdn).map(|msisdn| msisdn.masked()).unwrap_or_default(),
        kind: difference.kind,
        repair: difference.repair,
        ledger_id: difference.ledger_id,
        svc_id: difference.svc_id,
        cents: difference.cents,
        network: difference.network,
    });
    Ok(Json(DayComparison {
        day: day.to_string(),
        listed: compared.listed,
        agreed: compared.agreed,
        networks: compared.networks,
        differences: differences.collect(),
        more: compared.more,
    }))
}
