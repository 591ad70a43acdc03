//! What support does about a number in one call, with a reason: ends a subscription, blocks joins, sends a message again. The audit log
//! has the entry before the subscription service is called, and another where that call fails.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use serde::Deserialize;
use serde_json::json;
use service::{
    Id, StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use utoipa::ToSchema;

use crate::{
    app::App,
    error::Error,
    guard::Support,
    members::Member,
    support::{Record, checked_reason, record::Reason, record_act, record_failure},
};

/// Which subscription ends, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct EndOrder {
    subscription_id: i64,
    #[schema(min_length = 3, max_length = 256)]
    reason: String,
}

/// Whether a number is blocked from joining, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct BlockOrder {
    blocked: bool,
    #[schema(min_length = 3, max_length = 256)]
    reason: String,
}

/// Ends a subscription of the number: nothing is charged from the reply on.
#[utoipa::path(
    post,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    request_body = EndOrder,
    responses((status = 204, description = "It has ended."), NotFound, Conflict, Refused)
)]
pub(crate) async fn end_subscription(
    support: Support,
    app: Data<App>,
    record: Path<String>,
    order: Json<EndOrder>,
) -> Result<HttpResponse, Error> {
    const ACTION: &str = "subscription.ended";
    let Support(member) = support;
    let record = Record::open(&app, &member, &record).await?;
    let reason = checked_reason(&order.reason)?;
    let id = order.subscription_id;
    let account = record.account(&app, &member).await?;
    let subscription = account.subscriptions.iter().find(|subscription| subscription.id == id);
    let subscription = subscription.ok_or(Error::NotPossible(StaffText::new("no-such-subscription")))?;
    let details = json!({ "subscription": id, "service": subscription.service, "reason": reason });
    record_act(&app, &member, &record, ACTION, details).await?;
    let ended = app.subscription.end(&member, id, &reason).await;
    finished(&app, &member, &record, ACTION, ended).await
}

/// Blocks the number from joining, or lets it join again.
#[utoipa::path(
    put,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    request_body = BlockOrder,
    responses((status = 204, description = "It is as requested."), NotFound, Conflict, Refused)
)]
pub(crate) async fn change_block(
    support: Support,
    app: Data<App>,
    record: Path<String>,
    order: Json<BlockOrder>,
) -> Result<HttpResponse, Error> {
    let Support(member) = support;
    let record = Record::open(&app, &member, &record).await?;
    let reason = checked_reason(&order.reason)?;
    let action = if order.blocked { "number.blocked" } else { "number.unblocked" };
    record_act(&app, &member, &record, action, json!({ "reason": reason })).await?;
    let changed = app.subscription.change_block(&member, &record.msisdn, order.blocked, &reason).await;
    finished(&app, &member, &record, action, changed).await
}

/// Sends a dead message again, or a copy of an SMS that was sent.
#[utoipa::path(
    post,
    path = "",
    params(
        ("record" = String, Path, description = "`ref` of the record."),
        ("id" = Id, Path, description = "`message_id` of the timeline's entry.")
    ),
    request_body = Reason,
    responses((status = 204, description = "It waits to be sent."), NotFound, Conflict, Refused)
)]
pub(crate) async fn send_again(
    support: Support,
    app: Data<App>,
    path: Path<(String, Id)>,
    reason: Json<Reason>,
) -> Result<HttpResponse, Error> {
    const ACTION: &str = "message.sent_again";
    let Support(member) = support;
    let (token, id) = path.into_inner();
    let record = Record::open(&app, &member, &token).await?;
    let reason = checked_reason(&reason.reason)?;
    let account = record.account(&app, &member).await?;
    let message = account.messages.iter().find(|message| message.id == id.get() && message.can_be_sent_again());
    let message = message.ok_or(Error::NotPossible(StaffText::new("message-not-resendable")))?;
    record_act(&app, &member, &record, ACTION, json!({ "message": message.id, "reason": reason })).await?;
    let sent = app.subscription.send_again(&member, message).await;
    finished(&app, &member, &record, ACTION, sent).await
}

async fn finished(
    app: &App,
    member: &Member,
    record: &Record,
    action: &'static str,
    outcome: Result<(), Error>,
) -> Result<HttpResponse, Error> {
    match outcome {
        Ok(()) => Ok(HttpResponse::NoContent().finish()),
        Err(error) => Err(record_failure(app, member, record, action, error).await),
    }
}
