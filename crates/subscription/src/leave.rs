//! `POST /api/subscribe/unsubscribe`: in one tap with a session, through the network's confirm page without one.

use actix_web::{
    HttpResponse,
    web::{Data, Json},
};
use chrono::NaiveDateTime;
use identity::{Msisdn, Session, Site, Subscriber};
use operator::OptInKind;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::openapi::{Refused, TooMany, Unauthorized};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    App,
    billing::lease,
    crash,
    error::Error,
    join::count_number,
    lifecycle::{Cause, State},
    network_subscriptions::NetworkSubscription,
    opt_in::request_opt_in_page,
    outbox,
    policy::Policy,
    subscriptions::Subscription,
    verify::RedirectReply,
    visitor::Visitor,
};

/// Which service is to end, and for whom where no session tells.
#[derive(Deserialize, ToSchema)]
pub(crate) struct LeaveRequest {
    /// Needed where no session tells.
    #[serde(default)]
    #[schema(value_type = Option<service::schema::MobileNumber>)]
    msisdn: Option<String>,
    #[schema(value_type = service::schema::ServiceId)]
    svc_id: i32,
}

/// It is over.
#[derive(Serialize, ToSchema)]
struct LeaveReply {
    /// Always "cancelled".
    #[schema(pattern = "^cancelled$")]
    state: &'static str,
}

/// What a visitor who wants to leave gets.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum LeaveAnswer {
    /// With a session: done.
    Left(LeaveReply),
    /// Without one: to be confirmed at the network.
    Confirm(RedirectReply),
}

const LEFT: LeaveAnswer = LeaveAnswer::Left(LeaveReply { state: State::Cancelled.as_str() });

/// Ends a subscription, or sends whoever cannot prove a session to the network's confirm page.
#[utoipa::path(
    post,
    path = "",
    request_body = LeaveRequest,
    responses((status = 200, description = "It is over, or where to confirm it.", body = LeaveAnswer), Unauthorized, Refused, TooMany)
)]
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
        && !session.is_expired(app.clock.now().and_utc().timestamp())
        && msisdn.as_ref().is_none_or(|msisdn| *msisdn == session.msisdn)
    {
        if session.test {
            return Ok(HttpResponse::Ok().cookie(visitor.expired_session_cookie(&site.label)).json(LEFT));
        }
        if leave_by_session(&app, &session, &visitor).await? {
            return Ok(HttpResponse::Ok().json(LEFT));
        }
    }
    app.limits.count_address(&visitor.address).await?;
    let brand = app.brand(request.svc_id)?;
    let msisdn = msisdn.ok_or(Error::NoSession)?;
    count_number(&app, OptInKind::Leave, &msisdn, &visitor).await?;
    // Asked whether or not there is anything to end: the reply must not tell strangers who subscribes to what.
    let page = request_opt_in_page(&app, &brand, site.as_ref(), &visitor, &msisdn, OptInKind::Leave, "").await?;
    Ok(HttpResponse::Ok()
        .cookie(page.browser_cookie)
        .json(LeaveAnswer::Confirm(RedirectReply { redirect_url: page.redirect_url })))
}

/// Recorded at once, whatever the network does; the outbox tells it. False where the session is of an earlier life of the
/// subscription, which has begun again since.
///
/// Acknowledged once no replica can send a charge any more.
async fn leave_by_session(app: &App, session: &Session, visitor: &Visitor) -> Result<bool, Error> {
    let (policy, now) = (app.policy.clone(), app.clock.now());
    let (msisdn, svc_id, generation) = (session.msisdn.clone(), session.svc_id, session.generation);
    let evidence = json!({ "page": visitor.page, "address": visitor.address, "agent": visitor.agent });
    let left = app
        .db
        .write(move |conn| {
            let subscription = Subscription::lock(conn, &msisdn, svc_id, now)?;
            if subscription.generation != generation && subscription.state != State::Cancelled {
                return Ok(None);
            }
            let id = subscription.id;
            end(conn, &policy, subscription, &evidence, now)?;
            Ok::<_, Error>(Some(id))
        })
        .await?;
    let Some(id) = left else { return Ok(false) };
    crash::point("leave.recorded");
    app.outbox_wake.notify_one();
    lease::wait_until_unclaimed(&app.db, vec![id]).await?;
    Ok(true)
}

/// Ends a locked subscription by its person's own word, and everything that networks keep of it.
pub(crate) fn end(
    conn: &mut DbConnection,
    policy: &Policy,
    mut subscription: Subscription,
    evidence: &Value,
    now: NaiveDateTime,
) -> Result<(), Error> {
    for hold in NetworkSubscription::running(conn, subscription.id)? {
        outbox::end_and_notify_network(conn, &hold, &subscription, now)?;
    }
    subscription.record_leave_request(conn, now)?;
    subscription.advance(conn, policy, Cause::Left, now, evidence, now).map(|_| ())
}
