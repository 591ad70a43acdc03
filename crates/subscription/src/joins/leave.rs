//! `POST /api/subscribe/unsubscribe`: in one request with a session, through the network's confirm page without one. And
//! `POST /internal/subscriptions/{id}/end`, by which support ends a subscription whose owner asks for it.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use identity::{Msisdn, Session, Site, Subscriber, SubscriberId};
use operator::OptInKind;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    Id, SupportCaller,
    openapi::{NotFound, Refused, TooMany, Unauthorized},
};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    joins::{
        ending::{acknowledge_end, end},
        opt_in::{Campaign, RedirectReply, request_opt_in_page},
        visitor::Visitor,
    },
    subscribers::{lifecycle::State, offers, subscriptions::Subscription, text::plain_text},
};

/// The service to leave, and the number if there is no session.
#[derive(Deserialize, ToSchema)]
pub(crate) struct LeaveRequest {
    /// Required if there is no session.
    #[serde(default)]
    #[schema(value_type = Option<service::schema::MobileNumber>)]
    msisdn: Option<String>,
    #[schema(value_type = service::schema::ServiceId)]
    svc_id: i32,
}

/// The subscription has ended.
#[derive(Serialize, ToSchema)]
pub(crate) struct LeaveReply {
    /// Always "cancelled".
    #[schema(value_type = service::schema::SubscriptionState)]
    state: &'static str,
}

/// The reply to a request to leave.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum LeaveAnswer {
    /// With a session: the subscription has ended.
    Left(LeaveReply),
    /// Without a session: the leave must be confirmed on the network's page.
    Confirm(RedirectReply),
}

const LEFT: LeaveAnswer = LeaveAnswer::Left(LeaveReply { state: State::Cancelled.as_str() });

/// With a session, ends the subscription; without one, returns the network's confirm page.
#[utoipa::path(
    post,
    path = "",
    request_body = LeaveRequest,
    responses((status = 200, description = "The subscription has ended, or the page on which to confirm the leave.", body = LeaveAnswer), Unauthorized, Refused, TooMany)
)]
pub(crate) async fn leave(
    app: Data<App>,
    subscriber: Option<Subscriber>,
    site: Option<Site>,
    visitor: Visitor,
    request: Json<LeaveRequest>,
) -> Result<HttpResponse, Error> {
    let msisdn = match request.msisdn.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => Some(SubscriberId::from(Msisdn::parse(text)?)),
        None => None,
    };
    // A session is valid for its own number and service only; anything else is confirmed at the network.
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
    let Some(msisdn) = msisdn else {
        // An empty field is a number that was forgotten.
        return Err(if request.msisdn.is_some() { Error::InvalidMsisdn } else { Error::NoSession });
    };
    app.limits.count_number(OptInKind::Leave, &msisdn, &visitor.address).await?;
    // The network is called whether or not there is a subscription: the reply must not tell strangers which numbers subscribe.
    let offer = offers::of_owner(&app, &brand, &msisdn).await?;
    let page = request_opt_in_page(
        &app,
        (&brand, &offer),
        site.as_ref(),
        &visitor,
        Some(&msisdn),
        OptInKind::Leave,
        Campaign::default(),
    )
    .await?;
    Ok(HttpResponse::Ok()
        .cookie(page.browser_cookie)
        .json(LeaveAnswer::Confirm(RedirectReply { redirect_url: page.redirect_url })))
}

/// Records the leave, whether or not the network is available; the outbox notifies it. False where the session belongs to an earlier
/// generation of a subscription that has started again.
///
/// Returns once no replica can send a charge any more.
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
    acknowledge_end(app, id).await?;
    Ok(true)
}

/// Why support ends a subscription.
#[derive(Deserialize, ToSchema)]
pub(crate) struct EndOrder {
    #[schema(min_length = 1, max_length = 256)]
    reason: String,
}

/// Ends a subscription for its owner, as a leave on the site does: nothing is charged from the reply on. Twice is once.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The subscription's id.")),
    request_body = EndOrder,
    responses((status = 200, description = "The subscription has ended.", body = LeaveReply), NotFound, Refused)
)]
pub(crate) async fn end_subscription(
    caller: SupportCaller,
    app: Data<App>,
    id: Path<Id>,
    order: Json<EndOrder>,
) -> Result<Json<LeaveReply>, Error> {
    let (id, reason) = (id.get(), plain_text(&order.reason)?);
    let (policy, now) = (app.policy.clone(), app.clock.now());
    let evidence = json!({ "made_by": caller.name(), "reason": reason });
    app.db
        .write(move |conn| {
            let subscription = Subscription::lock_by_id(conn, id)?.ok_or(Error::Store(store::Error::NotFound))?;
            end(conn, &policy, subscription, &evidence, now)
        })
        .await?;
    acknowledge_end(&app, id).await?;
    Ok(Json(LeaveReply { state: State::Cancelled.as_str() }))
}
