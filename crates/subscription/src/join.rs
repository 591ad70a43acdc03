//! `POST /api/subscribe`: a number asks to join.

use actix_web::{
    HttpResponse,
    web::{Data, Json},
};
use identity::{Msisdn, Site};
use operator::OptInKind;
use serde::{Deserialize, Serialize};

use crate::{App, error::Error, life::State, opt_in::open_page, subscriptions::Subscription, visitor::Visitor};

/// The only channel these sites join through.
const CHANNEL: &str = "WAP";

/// The longest advertisement's reference we keep, in characters.
const MAX_EXT_REF: usize = 256;

/// What a join form sends.
#[derive(Deserialize)]
pub(crate) struct JoinRequest {
    msisdn: String,
    #[serde(default)]
    ext_ref: Option<String>,
    channel: String,
    svc_id: i32,
}

/// What a join form gets.
#[derive(Serialize)]
pub(crate) struct JoinReply {
    /// 1: go to `redirectUrl`. 2: the number is active already.
    result: u8,
    #[serde(rename = "redirectUrl", skip_serializing_if = "Option::is_none")]
    redirect_url: Option<String>,
    #[serde(rename = "subscriptionId", skip_serializing_if = "Option::is_none")]
    subscription_id: Option<String>,
}

/// Sends the number to the network's opt-in page, unless it is active already.
pub(crate) async fn join(
    app: Data<App>,
    site: Option<Site>,
    visitor: Visitor,
    request: Json<JoinRequest>,
) -> Result<HttpResponse, Error> {
    app.limits.count_address(&visitor.address).await?;
    if request.channel != CHANNEL {
        return Err(Error::WrongChannel);
    }
    let brand = app.brand(request.svc_id)?;
    let msisdn = Msisdn::parse(&request.msisdn)?;
    let ext_ref = ext_ref(request.ext_ref.as_deref())?;
    app.limits.count_number(&msisdn, &visitor.address).await?;
    if app.is_test(&msisdn) || is_active(&app, &msisdn, brand.svc_id).await? {
        // Nothing in this reply may tell one active number's browser from another's.
        return Ok(HttpResponse::Ok().json(JoinReply { result: 2, redirect_url: None, subscription_id: None }));
    }
    let page = open_page(&app, brand, site.as_ref(), &visitor, &msisdn, OptInKind::OptIn, ext_ref).await?;
    Ok(HttpResponse::Ok().cookie(page.browser_cookie).json(JoinReply {
        result: 1,
        redirect_url: Some(page.redirect_url),
        subscription_id: Some(page.try_id),
    }))
}

/// Whether the number is active for the service.
pub(crate) async fn is_active(app: &App, msisdn: &Msisdn, svc_id: i32) -> Result<bool, Error> {
    let msisdn = msisdn.clone();
    let found = app.db.run(move |conn| Subscription::of_number(conn, &msisdn, svc_id)).await?;
    Ok(found.is_some_and(|subscription| subscription.state == State::Active))
}

fn ext_ref(text: Option<&str>) -> Result<&str, Error> {
    let text = text.unwrap_or_default();
    if text.chars().count() > MAX_EXT_REF || text.chars().any(char::is_control) {
        return Err(Error::BadExtRef);
    }
    Ok(text)
}
