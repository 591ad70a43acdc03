//! Complaints of subscribers that the rule of refunds does not settle: support decides, and closes them.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use identity::SubscriberId;
use serde::Serialize;
use serde_json::json;
use service::{
    Id,
    openapi::{NotFound, Refused},
};
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    guard::Support,
    subscription::{ChargeComplaint, SubscriberCase},
    support::{checked_reason, record::Reason, timeline},
};

/// A case.
#[derive(Serialize, ToSchema)]
pub(crate) struct Case {
    /// The number that its subscriber was told.
    id: i64,
    masked: String,
    service: String,
    /// The day of the charge, YYYY-MM-DD.
    day: String,
    cents: i64,
    /// The complaint in words, and why no rule has settled it.
    text: String,
    #[schema(value_type = String, format = "date-time")]
    at: DateTime<Utc>,
}

impl From<SubscriberCase> for Case {
    fn from(SubscriberCase { msisdn, service, complaint }: SubscriberCase) -> Self {
        let masked = SubscriberId::parse(&msisdn).map(|msisdn| msisdn.masked()).unwrap_or_default();
        let text = timeline::complaint_text(&complaint);
        let ChargeComplaint { id, day, cents, at, .. } = complaint;
        Self { id, masked, service, day, cents, text, at: at.and_utc() }
    }
}

/// The open cases, the oldest first.
#[utoipa::path(get, path = "", responses((status = 200, description = "At most 200.", body = [Case])))]
pub(crate) async fn list_cases(support: Support, app: Data<App>) -> Result<Json<Vec<Case>>, Error> {
    let cases = app.subscription.cases(&support.0).await?;
    Ok(Json(cases.into_iter().map(Case::from).collect()))
}

/// Closes a case; the reason is an entry of the audit log.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The number of the case.")),
    request_body = Reason,
    responses((status = 204, description = "It is closed."), NotFound, Refused)
)]
pub(crate) async fn close_case(
    support: Support,
    app: Data<App>,
    id: Path<Id>,
    reason: Json<Reason>,
) -> Result<HttpResponse, Error> {
    let Support(member) = support;
    let (id, reason, now) = (id.get(), checked_reason(&reason.reason)?, app.clock.now());
    app.subscription.close_case(&member, id).await?;
    let details = json!({ "reason": reason });
    app.audited(move |conn| audit::append_of(conn, &member, "case.closed", &format!("case {id}"), &details, now))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
