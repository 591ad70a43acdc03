//! The service's clock, which can be moved forward where TEST_CLOCK=1.

use actix_web::web::{Data, Json};
use service::{
    Admin, ClockReply, ClockRequest,
    openapi::{NotFound, Refused},
};

use crate::{App, error::Error, ledger::partitions};

/// Moves the clock forward, where TEST_CLOCK allows it.
#[utoipa::path(
    post,
    path = "",
    request_body = ClockRequest,
    responses((status = 200, description = "Where it stands.", body = ClockReply), NotFound, Refused)
)]
pub(crate) async fn move_clock(
    _: Admin,
    app: Data<App>,
    request: Json<ClockRequest>,
) -> Result<Json<ClockReply>, Error> {
    if !app.test_clock {
        return Err(Error::ClockFixed);
    }
    // Before any row is written there. Where it fails, the rows go to the default partition.
    if request.time() > app.clock.now()
        && let Err(error) = partitions::make_month(&app.db, request.time()).await
    {
        tracing::warn!(error = %error, "the month could not be made before the clock was moved");
    }
    let moved = app.clock.move_forward(&request).ok_or(Error::ClockBackwards)?;
    app.clock_moved.send_replace(());
    Ok(Json(moved))
}
