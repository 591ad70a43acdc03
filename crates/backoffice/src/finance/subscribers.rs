//! The subscribers of a month's days: joins, leaves and running subscriptions, beside the book.

use actix_web::web::{Data, Json, Path, Query};
use service::openapi::NotFound;

use super::{month::Month, months::BookQuery};
use crate::{app::App, error::Error, guard::Finance, subscription::SubscriberDays};

/// Joins, leaves and running subscriptions of a month by day, brand, network and price.
#[utoipa::path(
    get,
    path = "",
    params(("month" = String, Path, description = "YYYY-MM."), BookQuery),
    responses((status = 200, description = "The days with any.", body = SubscriberDays), NotFound)
)]
pub(crate) async fn list_days(
    finance: Finance,
    app: Data<App>,
    month: Path<String>,
    query: Query<BookQuery>,
) -> Result<Json<SubscriberDays>, Error> {
    let month = Month::parse(&month)?;
    let mut found = app.subscription.subscribers(&finance.0, month.first_day(), month.last_day()).await?;
    found.days.retain(|day| query.is_of(day.svc_id, &day.network));
    Ok(Json(found))
}
