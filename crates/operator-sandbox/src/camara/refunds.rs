//! Refunds of payments.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Json, Path},
};
use operator::{
    ChargeRequest, RefundRequest,
    camara::{CreateRefund, Refund},
};

use super::{find, reply};
use crate::{App, refunds};

/// `POST /payments/{id}/refunds`.
pub(crate) async fn create_refund(
    app: App,
    req: HttpRequest,
    id: Path<String>,
    refund: Json<CreateRefund>,
) -> HttpResponse {
    let create = async || {
        let networks = app.payments.access(&req)?;
        let attempt = find(&app, &networks, &id).await?;
        let ChargeRequest { key, msisdn, svc_id, cents, .. } = attempt.request;
        let requested = refund.cents().unwrap_or(cents);
        let request = RefundRequest {
            key: refund.key().to_owned(),
            charge_key: key,
            msisdn,
            svc_id,
            cents: requested,
            reason: refund.reason().to_owned(),
            network_ref: None,
            day: None,
            in_part: requested < cents,
        };
        let (made, _) = refunds::make(&app, request).await?;
        let part = made.cents.filter(|made| *made != cents);
        Ok(HttpResponse::Created().json(Refund::made(&made, part)))
    };
    reply(create().await)
}

/// `GET /payments/{id}/refunds`.
pub(crate) async fn list_refunds(app: App, req: HttpRequest, id: Path<String>) -> HttpResponse {
    let list = async || {
        let networks = app.payments.access(&req)?;
        let ChargeRequest { key, cents, .. } = find(&app, &networks, &id).await?.request;
        let made = refunds::of_charge(&app, key).await?;
        let refunds = made.iter().map(|made| Refund::made(made, made.cents.filter(|made| *made != cents)));
        Ok(HttpResponse::Ok().json(refunds.collect::<Vec<_>>()))
    };
    reply(list().await)
}
