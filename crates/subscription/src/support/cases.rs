//! Complaints of subscribers that support decides, and all complaints of a subscription.

use actix_web::web::{Data, Json, Path};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use serde::Serialize;
use service::{Id, SupportCaller, openapi::NotFound};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    App,
    billing::complaints::CASE,
    error::Error,
    schema::{complaints, subscriptions},
};

/// The most open cases in a reply.
const MAX_CASES: i64 = 200;

/// A complaint about a charge.
#[derive(Queryable, Selectable, Serialize, ToSchema)]
#[diesel(table_name = complaints)]
pub(crate) struct ChargeComplaint {
    /// The number of the case, where it is one.
    pub id: i64,
    /// The day of the charge.
    #[diesel(column_name = charge_day)]
    pub day: String,
    pub cents: i64,
    /// "page" or "sms".
    pub channel: String,
    /// "refunded" by rule, or "case".
    pub outcome: String,
    /// Why it is a case: "again", "earlier" (than the last charge), "late" (after seven days) or "watched"; empty for a refund.
    pub why: String,
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub at: NaiveDateTime,
    /// Who closed the case; empty while it is open, and for a refund.
    pub closed_by: String,
}

impl ChargeComplaint {
    /// All of a subscription, the newest first.
    pub fn of_subscription(conn: &mut DbConnection, subscription_id: i64) -> Result<Vec<Self>, Error> {
        Ok(complaints::table
            .filter(complaints::subscription_id.eq(subscription_id))
            .order(complaints::id.desc())
            .select(Self::as_select())
            .load(conn)?)
    }
}

/// A case.
#[derive(Serialize, ToSchema)]
pub(crate) struct Case {
    msisdn: String,
    service: String,
    complaint: ChargeComplaint,
}

/// The cases of support, the oldest first: one by its number, or those that are open.
fn cases(conn: &mut DbConnection, app: &App, id: Option<i64>) -> Result<Vec<Case>, Error> {
    let (first, last) = id.map_or((0, i64::MAX), |id| (id, id));
    let is_open = complaints::closed_at.is_null();
    let query = complaints::table
        .inner_join(subscriptions::table)
        .filter(complaints::outcome.eq(CASE).and(complaints::id.between(first, last)))
        .filter(is_open.or(complaints::id.eq(id.unwrap_or_default())))
        .order(complaints::id)
        .limit(MAX_CASES)
        .select((subscriptions::msisdn, subscriptions::svc_id, ChargeComplaint::as_select()));
    let rows: Vec<(String, i32, ChargeComplaint)> = query.load(conn)?;
    let case = |(msisdn, svc_id, complaint)| {
        let service = app.brands.by_svc_id(svc_id).map(|brand| brand.service.clone()).unwrap_or_default();
        Case { msisdn, service, complaint }
    };
    Ok(rows.into_iter().map(case).collect())
}

/// The open cases.
#[utoipa::path(
    get,
    path = "",
    responses((status = 200, description = "At most 200, the oldest first.", body = [Case]))
)]
pub(crate) async fn list_open(_: SupportCaller, app: Data<App>) -> Result<Json<Vec<Case>>, Error> {
    let all = app.clone();
    app.db.run(move |conn| cases(conn, &all, None)).await.map(Json)
}

/// A case by its number.
#[utoipa::path(
    get,
    path = "",
    params(("id" = Id, Path, description = "The number of the case.")),
    responses((status = 200, description = "The case.", body = Case), NotFound)
)]
pub(crate) async fn get_case(_: SupportCaller, app: Data<App>, id: Path<Id>) -> Result<Json<Case>, Error> {
    let (all, id) = (app.clone(), id.get());
    let found = app.db.run(move |conn| cases(conn, &all, Some(id))).await?;
    found.into_iter().next().map(Json).ok_or(Error::Store(store::Error::NotFound))
}

/// Closes a case, once.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The number of the case.")),
    responses((status = 200, description = "The case, which is closed.", body = Case), NotFound)
)]
pub(crate) async fn close_case(caller: SupportCaller, app: Data<App>, id: Path<Id>) -> Result<Json<Case>, Error> {
    let (all, id, now) = (app.clone(), id.get(), app.clock.now());
    let name = caller.name().to_owned();
    let found = app
        .db
        .write(move |conn| {
            let open = complaints::table.find(id).filter(complaints::closed_at.is_null());
            diesel::update(open.filter(complaints::outcome.eq(CASE)))
                .set((complaints::closed_at.eq(now), complaints::closed_by.eq(name)))
                .execute(conn)?;
            cases(conn, &all, Some(id))
        })
        .await?;
    found.into_iter().next().map(Json).ok_or(Error::Store(store::Error::NotFound))
}
