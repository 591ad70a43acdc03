//! Charges, paused and resumed by finance or an administrator: those of a network, of a brand, or all.

use actix_web::web::{Data, Json};
use serde::Deserialize;
use serde_json::json;
use service::openapi::{Conflict, NotFound, Refused};
use utoipa::ToSchema;

use super::record_act;
use crate::{
    app::App,
    error::Error,
    guard::Money,
    members::Member,
    subscription::pauses::{ChargePause, ChargePauses},
    support::checked_reason,
};

/// Which charges, and why. Without a network and a service: all.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChargeOrder {
    /// Only charges of this network.
    #[serde(default)]
    network: String,
    /// Only charges of this service.
    #[serde(default)]
    svc_id: i32,
    #[schema(min_length = 3, max_length = 256)]
    reason: String,
}

/// Which charges are paused, which were, and which can be.
#[utoipa::path(
    get,
    path = "",
    responses((status = 200, description = "As the subscription service gives them.", body = ChargePauses))
)]
pub(crate) async fn list_pauses(staff: Money, app: Data<App>) -> Result<Json<ChargePauses>, Error> {
    app.subscription.pauses(&staff.0).await.map(Json)
}

/// Pauses charges: joins go on, and what is paused is sent once it is resumed, on the same day.
#[utoipa::path(
    post,
    path = "",
    request_body = ChargeOrder,
    responses((status = 200, description = "They are paused.", body = ChargePause), Conflict, NotFound, Refused)
)]
pub(crate) async fn pause_charges(
    staff: Money,
    app: Data<App>,
    order: Json<ChargeOrder>,
) -> Result<Json<ChargePause>, Error> {
    change(&app, &staff.0, &order, ("charges.paused", "pause")).await
}

/// Resumes charges that were paused in the same scope.
#[utoipa::path(
    post,
    path = "",
    request_body = ChargeOrder,
    responses((status = 200, description = "They are resumed.", body = ChargePause), Conflict, NotFound, Refused)
)]
pub(crate) async fn resume_charges(
    staff: Money,
    app: Data<App>,
    order: Json<ChargeOrder>,
) -> Result<Json<ChargePause>, Error> {
    change(&app, &staff.0, &order, ("charges.resumed", "resume")).await
}

/// The entry stands before the service is called.
async fn change(
    app: &App,
    member: &Member,
    order: &ChargeOrder,
    (action, call): (&'static str, &'static str),
) -> Result<Json<ChargePause>, Error> {
    let (reason, scope) = (checked_reason(&order.reason)?, (order.network.as_str(), order.svc_id));
    let subject = match scope {
        ("", 0) => "all".to_owned(),
        ("", svc_id) => format!("service {svc_id}"),
        (network, _) => format!("network {network}"),
    };
    record_act(app, member, action, subject.clone(), json!({ "reason": reason })).await?;
    match app.subscription.change_charges(member, call, scope, &reason).await {
        Ok(pause) => Ok(Json(pause)),
        Err(error) => {
            let details = json!({ "action": action, "cause": error.to_string() });
            record_act(app, member, "finance.failed", subject, details).await?;
            Err(error)
        }
    }
}
