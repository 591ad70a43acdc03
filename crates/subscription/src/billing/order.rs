//! `POST /internal/billing/run`: the operators ask for a pass.

use actix_web::web::{Data, Json};
use serde::Deserialize;
use utoipa::ToSchema;
use web::{Admin, openapi::Refused};

use super::{calendar, export::parse_day, passes::Totals};
use crate::{App, error::Error};

/// Which day.
#[derive(Deserialize, ToSchema)]
pub(crate) struct DayRequest {
    /// Johannesburg's calendar day, YYYY-MM-DD.
    pub day: String,
}

/// One pass of today; asked for while one is under way, on whatever replica, it is that one.
#[utoipa::path(
    post,
    path = "",
    request_body = DayRequest,
    responses((status = 200, description = "What the pass did.", body = Totals), Refused)
)]
pub(crate) async fn run_pass(_: Admin, app: Data<App>, request: Json<DayRequest>) -> Result<Json<Totals>, Error> {
    let day = parse_day(&request.day)?;
    if day != calendar::day_of(app.clock.now()) {
        return Err(Error::NotToday);
    }
    app.counter.order(day).await.map(Json)
}
