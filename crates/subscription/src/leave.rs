//! `POST /api/subscribe/unsubscribe`: in one tap with a session, through the network's confirm page without one.

use actix_web::{
    HttpResponse,
    web::{Data, Json},
};
use identity::{Msisdn, Site, Subscriber};
use operator::OptInKind;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    App, clock,
    error::Error,
    holds::Hold,
    life::{Cause, State},
    opt_in::open_page,
    outbox,
    subscriptions::Subscription,
    verify::RedirectReply,
    visitor::Visitor,
};

/// Which service is to end, and for whom where no session tells.
#[derive(Deserialize)]
pub(crate) struct LeaveRequest {
    #[serde(default)]
    msisdn: Option<String>,
    svc_id: i32,
}

#[derive(Serialize)]
struct LeaveReply {
    state: &'static str,
}

/// Ends a subscription, or sends whoever cannot prove a session to the network's confirm page.
pub(crate) async fn leave(
    app: Data<App>,
    subscriber: Option<Subscriber>,
    site: Option<Site>,
    visitor: Visitor,
    request: Json<LeaveRequest>,
) -> Result<HttpResponse, Error> {
    let msisdn = match request.msisdn.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => Some(Msisdn::parse(text)?),
        None => None,
    };
    // A session speaks for its own number and service; anything else is asked at the network.
    if let Some(Subscriber { session, site }) = subscriber
        && session.svc_id == request.svc_id
        && msisdn.as_ref().is_none_or(|msisdn| *msisdn == session.msisdn)
    {
        if session.test {
            return Ok(HttpResponse::Ok()
                .cookie(visitor.no_session_cookie(&site.label))
                .json(LeaveReply { state: State::Cancelled.as_str() }));
        }
        leave_at_once(&app, session.msisdn, session.svc_id, &visitor).await?;
        return Ok(HttpResponse::Ok().json(LeaveReply { state: State::Cancelled.as_str() }));
    }
    app.limits.count_address(&visitor.address).await?;
    let brand = app.brand(request.svc_id)?;
    let msisdn = msisdn.ok_or(Error::Anonymous)?;
    app.limits.count_number(&msisdn, &visitor.address).await?;
    // Asked whether or not there is anything to end: the reply must not tell strangers who subscribes to what.
    let page = open_page(&app, brand, site.as_ref(), &visitor, &msisdn, OptInKind::Leave, "").await?;
    Ok(HttpResponse::Ok().cookie(page.browser_cookie).json(RedirectReply { redirect_url: page.redirect_url }))
}

/// Recorded at once, whatever the network does; the outbox tells it.
async fn leave_at_once(app: &App, msisdn: Msisdn, svc_id: i32, visitor: &Visitor) -> Result<(), Error> {
    let brands = app.brands.clone();
    let evidence = json!({ "page": visitor.page, "address": visitor.address, "agent": visitor.agent });
    app.db
        .write(move |conn| {
            let now = clock::now();
            let mut subscription = Subscription::lock(conn, &msisdn, svc_id, now)?;
            for hold in Hold::running(conn, subscription.id, None)? {
                outbox::end_and_tell(conn, &hold, &subscription, now)?;
            }
            subscription.advance(conn, &brands, Cause::Left, now, &evidence, now)
        })
        .await?;
    app.outbox_bell.notify_one();
    Ok(())
}
