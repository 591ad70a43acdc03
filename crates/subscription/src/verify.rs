//! `POST /api/subscribe/verify`: an active number proves on a new phone that it is its holder's.

use actix_web::{
    HttpResponse,
    web::{Data, Json},
};
use identity::{Msisdn, Site};
use operator::OptInKind;
use serde::{Deserialize, Serialize};

use crate::{App, error::Error, join::is_active, opt_in::open_page, visitor::Visitor};

/// Whose phone this is said to be.
#[derive(Deserialize)]
pub(crate) struct VerifyRequest {
    msisdn: String,
    svc_id: i32,
}

/// Where to go.
#[derive(Serialize)]
pub(crate) struct RedirectReply {
    #[serde(rename = "redirectUrl")]
    pub redirect_url: String,
}

/// Sends an active number to the network's confirm page; it costs nothing.
pub(crate) async fn verify(
    app: Data<App>,
    site: Option<Site>,
    visitor: Visitor,
    request: Json<VerifyRequest>,
) -> Result<HttpResponse, Error> {
    app.limits.count_address(&visitor.address).await?;
    let brand = app.brand(request.svc_id)?;
    let msisdn = Msisdn::parse(&request.msisdn)?;
    app.limits.count_number(&msisdn, &visitor.address).await?;
    if !is_active(&app, &msisdn, brand.svc_id).await? {
        return Err(Error::NotActive);
    }
    let page = open_page(&app, brand, site.as_ref(), &visitor, &msisdn, OptInKind::Verify, "").await?;
    Ok(HttpResponse::Ok().cookie(page.browser_cookie).json(RedirectReply { redirect_url: page.redirect_url }))
}
