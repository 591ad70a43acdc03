//! Publishers, the advertisements that bring visitors: what became of the joins of each, which are held and why, and the evidence. Support and
//! finance read; an administrator holds and releases.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Query},
};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use service::openapi::{Conflict, NotFound, Refused};
use url::form_urlencoded::Serializer;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    finance::documents::attachment,
    guard::{Administrator, Business, Member},
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

/// What was decided last about a publisher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HoldState {
    /// All of its joins are held.
    Held,
    /// They are not.
    Released,
}

/// Whether all joins of a publisher are held.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct Hold {
    state: HoldState,
    reason: String,
    /// "limits", or who decided.
    made_by: String,
    /// Since when.
    #[serde(deserialize_with = "moment")]
    #[schema(value_type = String, format = "date-time")]
    at: DateTime<Utc>,
}

/// A publisher's joins of one brand.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct PublisherLine {
    /// Empty: visitors who came by themselves.
    ext_ref: String,
    /// 0: held without a join in the month, or counted before brands were.
    svc_id: i32,
    service: String,
    /// Joins of persons and held ones; a person who was held at first and typed the code counts once.
    tries: i64,
    held: i64,
    /// Held joins whose visitor had to type a code.
    codes: i64,
    /// Of these, the joins that went on with it.
    passed_by_code: i64,
    /// Joins that the network confirmed.
    confirmed: i64,
    /// Subscriptions that ended within 24 hours, at their subscriber's request.
    left_early: i64,
    /// Charges that staff gave back.
    refunded: i64,
    /// Shares in hundredths of a percent: held joins of the tries, early ends and refunds of the confirmed joins.
    held_basis_points: i64,
    left_basis_points: i64,
    refunded_basis_points: i64,
    /// Null where the publisher was never held.
    #[serde(default)]
    #[schema(required = true)]
    hold: Option<Hold>,
}

/// A brand's service.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct PublisherBrand {
    svc_id: i32,
    service: String,
}

/// A page of the publishers of a month.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct PublisherPage {
    month: String,
    /// The month that runs.
    this_month: String,
    /// How many months counts and evidence are kept.
    kept_months: u32,
    /// Whether joins are held; else they are only counted.
    is_enforced: bool,
    services: Vec<PublisherBrand>,
    publishers: Vec<PublisherLine>,
    /// `offset` of the next page; null on the last one.
    #[schema(required = true)]
    next: Option<u32>,
}

/// Which publisher is held or released, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct HoldOrder {
    #[schema(min_length = 1, max_length = 256)]
    ext_ref: String,
    #[schema(min_length = 3, max_length = 256)]
    reason: String,
}

fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DateTime<Utc>, D::Error> {
    service::timestamp::deserialize(deserializer).map(|at| at.and_utc())
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
    Ok(attachment(content_type, &format!("evidence-{}.{format}", query.month), file))
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
