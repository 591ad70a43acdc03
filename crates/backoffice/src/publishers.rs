//! Publishers, the advertisements that bring visitors: what became of the joins of each, which are held and why, and the evidence. Support and
//! finance read; an administrator holds and releases.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Query},
};
use chrono::NaiveDate;
use serde::Deserialize;
use serde_json::{Value, json};
use service::openapi::{Conflict, NotFound, Refused};
use url::form_urlencoded::Serializer;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    document::attachment,
    error::Error,
    guard::{Administrator, Business},
    members::Member,
    subscription::publishers::PublisherPage,
    support::checked_reason,
};

/// Which publishers.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PublishersQuery {
    /// YYYY-MM; without, the month that runs.
    #[serde(default)]
    month: String,
    /// Only publishers whose name has this text.
    #[serde(default)]
    q: String,
    /// Only joins of this service.
    #[serde(default)]
    svc_id: i32,
    /// Only publishers that are held now.
    #[serde(default)]
    held: bool,
    /// "name", "tries", "held", "left" or "refunded": the largest share first.
    #[serde(default)]
    sort: String,
    /// `next` of the page before.
    #[serde(default)]
    offset: u32,
}

/// Which publisher's month.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EvidenceQuery {
    /// The publisher.
    ext_ref: String,
    /// YYYY-MM.
    month: String,
}

/// Which publisher is held or released, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct HoldOrder {
    #[schema(min_length = 1, max_length = 256)]
    ext_ref: String,
    #[schema(min_length = 3, max_length = 256)]
    reason: String,
}

/// The month, if it is written as one.
fn checked_month(month: &str) -> Result<&str, Error> {
    let is_month = month.len() == 7 && format!("{month}-01").parse::<NaiveDate>().is_ok();
    is_month.then_some(month).ok_or(Error::NotFound)
}

impl PublishersQuery {
    /// As the subscription service reads it.
    fn text(&self) -> Result<String, Error> {
        let mut query = Serializer::new(String::new());
        if !self.month.is_empty() {
            query.append_pair("month", checked_month(&self.month)?);
        }
        if matches!(self.sort.as_str(), "tries" | "held" | "left" | "refunded") {
            query.append_pair("sort", &self.sort);
        }
        query
            .append_pair("q", &self.q)
            .append_pair("svc_id", &self.svc_id.to_string())
            .append_pair("held", &self.held.to_string())
            .append_pair("offset", &self.offset.to_string());
        Ok(query.finish())
    }
}

impl EvidenceQuery {
    fn text(&self, format: &str) -> Result<String, Error> {
        let mut query = Serializer::new(String::new());
        query
            .append_pair("ext_ref", &self.ext_ref)
            .append_pair("month", checked_month(&self.month)?)
            .append_pair("format", format);
        Ok(query.finish())
    }
}

/// Adds an entry about a publisher.
async fn record_act(
    app: &App,
    member: &Member,
    action: &'static str,
    ext_ref: &str,
    details: Value,
) -> Result<(), Error> {
    let (member, subject, now) = (member.clone(), ext_ref.to_owned(), app.clock.now());
    app.audited(move |conn| audit::append_of(conn, &member, action, &subject, &details, now)).await
}

/// The publishers of a month, by brand.
#[utoipa::path(
    get,
    path = "",
    params(PublishersQuery),
    responses((status = 200, description = "One page.", body = PublisherPage), NotFound, Refused)
)]
pub(crate) async fn list_publishers(
    staff: Business,
    app: Data<App>,
    query: Query<PublishersQuery>,
) -> Result<Json<PublisherPage>, Error> {
    app.subscription.publishers(&staff.0, &query.text()?).await.map(Json)
}

/// The evidence against a publisher in a month as JSON: its counts, and each held join with time, rule and masked number.
#[utoipa::path(
    get,
    path = "",
    params(EvidenceQuery),
    responses((status = 200, description = "As the subscription service gives it.", body = Vec<u8>, content_type = "application/json"), NotFound, Refused)
)]
pub(crate) async fn get_evidence_json(
    staff: Business,
    app: Data<App>,
    query: Query<EvidenceQuery>,
) -> Result<HttpResponse, Error> {
    evidence(&app, &staff.0, &query, ("json", "application/json")).await
}

/// The held joins of a publisher in a month as CSV, a line each, with masked numbers.
#[utoipa::path(
    get,
    path = "",
    params(EvidenceQuery),
    responses((status = 200, description = "As the subscription service gives it.", body = String, content_type = "text/csv"), NotFound, Refused)
)]
pub(crate) async fn get_evidence_csv(
    staff: Business,
    app: Data<App>,
    query: Query<EvidenceQuery>,
) -> Result<HttpResponse, Error> {
    evidence(&app, &staff.0, &query, ("csv", "text/csv; charset=utf-8")).await
}

async fn evidence(
    app: &App,
    member: &Member,
    query: &EvidenceQuery,
    (format, content_type): (&'static str, &'static str),
) -> Result<HttpResponse, Error> {
    let file = app.subscription.evidence(member, &query.text(format)?).await?;
    let details = json!({ "month": query.month, "format": format });
    record_act(app, member, "publisher.exported", &query.ext_ref, details).await?;
    Ok(attachment(content_type, &format!("evidence-{}.{format}", query.month)).body(file))
}

/// Holds all joins of a publisher; or decides that it stays held by the limits.
#[utoipa::path(
    post,
    path = "",
    request_body = HoldOrder,
    responses((status = 204, description = "It is held."), Conflict, Refused)
)]
pub(crate) async fn hold_publisher(
    admin: Administrator,
    app: Data<App>,
    order: Json<HoldOrder>,
) -> Result<HttpResponse, Error> {
    decide(&app, &admin.0, &order, ("publisher.held", "hold")).await
}

/// Lets visitors of a publisher join again. It is judged by the days after.
#[utoipa::path(
    post,
    path = "",
    request_body = HoldOrder,
    responses((status = 204, description = "It is released."), Conflict, Refused)
)]
pub(crate) async fn release_publisher(
    admin: Administrator,
    app: Data<App>,
    order: Json<HoldOrder>,
) -> Result<HttpResponse, Error> {
    decide(&app, &admin.0, &order, ("publisher.released", "release")).await
}

async fn decide(
    app: &App,
    member: &Member,
    order: &HoldOrder,
    (action, call): (&'static str, &'static str),
) -> Result<HttpResponse, Error> {
    let reason = checked_reason(&order.reason)?;
    record_act(app, member, action, &order.ext_ref, json!({ "reason": reason })).await?;
    if let Err(error) = app.subscription.decide_about_publisher(member, call, &order.ext_ref, &reason).await {
        let details = json!({ "action": action, "cause": error.to_string() });
        record_act(app, member, "publisher.failed", &order.ext_ref, details).await?;
        return Err(error);
    }
    Ok(HttpResponse::NoContent().finish())
}
