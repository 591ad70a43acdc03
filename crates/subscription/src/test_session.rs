//! `POST /api/session/test`: the session of the test number, where there is one.

use actix_web::{
    HttpResponse,
    web::{Data, Json},
};
use identity::{Msisdn, Session, Site};
use serde::{Deserialize, Serialize};

use crate::{App, clock, error::Error, visitor::Visitor};

/// The test number, and the service of the host it is used on.
#[derive(Deserialize)]
pub(crate) struct TestSessionRequest {
    msisdn: String,
    svc_id: i32,
}

#[derive(Serialize)]
struct TestSessionReply {
    result: u8,
}

/// Opens a session for the test number on this host.
pub(crate) async fn open(
    app: Data<App>,
    site: Site,
    visitor: Visitor,
    request: Json<TestSessionRequest>,
) -> Result<HttpResponse, Error> {
    let test_msisdn = app.test_msisdn.as_ref().ok_or(Error::TestNumberOff)?;
    let msisdn = Msisdn::parse(&request.msisdn)?;
    if msisdn != *test_msisdn {
        return Err(Error::NotTheTestNumber);
    }
    if request.svc_id != site.brand.svc_id {
        return Err(Error::UnknownService);
    }
    let issued_at = clock::now().and_utc().timestamp();
    let session = Session { msisdn, svc_id: request.svc_id, label: site.label, issued_at, test: true };
    Ok(HttpResponse::Ok().cookie(visitor.session_cookie(&app.minter, &session)?).json(TestSessionReply { result: 1 }))
}
