//! `POST /api/session/test`: the session of the test number, where one is configured.

use actix_web::{
    HttpResponse,
    web::{Data, Json},
};
use identity::{Msisdn, Session, Site};
use serde::{Deserialize, Serialize};
use service::openapi::{NotFound, Refused};
use utoipa::ToSchema;

use crate::{App, error::Error, joins::visitor::Visitor};

/// The test number, and the host's service.
#[derive(Deserialize, ToSchema)]
pub(crate) struct TestSessionRequest {
    #[schema(value_type = service::schema::MobileNumber)]
    msisdn: String,
    #[schema(value_type = service::schema::ServiceId)]
    svc_id: i32,
}

/// The session is open.
#[derive(Serialize, ToSchema)]
struct TestSessionReply {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1)]
    result: u8,
}

/// Opens a session for the test number on this host.
#[utoipa::path(
    post,
    path = "",
    request_body = TestSessionRequest,
    responses(
        (
            status = 200,
            description = "The session is open.",
            body = TestSessionReply,
            headers(("Set-Cookie" = String, description = "The session."))
        ),
        NotFound,
        Refused
    )
)]
pub(crate) async fn open(
    app: Data<App>,
    site: Site,
    visitor: Visitor,
    request: Json<TestSessionRequest>,
) -> Result<HttpResponse, Error> {
    let test_msisdn = app.policy.test_msisdn.as_ref().ok_or(Error::TestNumberOff)?;
    let msisdn = Msisdn::parse(&request.msisdn)?;
    if msisdn != *test_msisdn {
        return Err(Error::NotTheTestNumber);
    }
    if request.svc_id != site.brand.svc_id {
        return Err(Error::UnknownService);
    }
    let issued_at = app.clock.now().and_utc().timestamp();
    let msisdn = msisdn.into();
    let session =
        Session { msisdn, svc_id: request.svc_id, label: site.label, issued_at, generation: 0, person: 0, test: true };
    Ok(HttpResponse::Ok().cookie(visitor.session_cookie(&app.minter, &session)?).json(TestSessionReply { result: 1 }))
}
