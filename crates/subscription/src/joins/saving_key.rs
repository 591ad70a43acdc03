//! `POST /api/subscribe/saving-key`: the key with which a browser encrypts the films that it saves.
//!
//! The key is derived and stored nowhere: of the secret, the session's subscription with its generation, and a random id in a cookie of the browser.
//! Another number, another browser and a subscription that has begun anew have other keys. An ended subscription has none: the page then
//! deletes its key and its films.

use actix_web::{HttpResponse, web::Data};
use base64::{Engine, engine::general_purpose::STANDARD};
use identity::Subscriber;
use serde::Serialize;
use service::openapi::Forbidden;
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    joins::visitor::Visitor,
    subscribers::{lifecycle::State, subscriptions::Subscription},
};

/// For how long a browser may use the key without asking again.
const SECONDS_WITHOUT_CONTACT: u32 = 48 * 3600;

/// The key of this browser and subscription.
#[derive(Serialize, ToSchema)]
pub(crate) struct SavingKey {
    /// 256 bits for AES-GCM, in base64.
    #[schema(min_length = 44, max_length = 44)]
    key: String,
    /// Seconds for which the browser may use it without another reply.
    #[schema(minimum = 1, example = 172_800)]
    valid_seconds: u32,
}

/// The key with which this browser encrypts saved films, and the cookie that it is bound to; 401 and 403 mean that saved films are to be deleted.
#[utoipa::path(
    post,
    path = "",
    responses((status = 200, description = "The key, the same for each call of this browser while the subscription runs.", body = SavingKey), Forbidden)
)]
pub(crate) async fn derive_key(
    app: Data<App>,
    subscriber: Subscriber,
    visitor: Visitor,
) -> Result<HttpResponse, Error> {
    let session = subscriber.session;
    if session.is_expired(app.clock.now().and_utc().timestamp()) {
        return Err(Error::NoSession);
    }
    let (msisdn, svc_id, generation) = (session.msisdn, session.svc_id, session.generation);
    let (cookie, device) = visitor.device_cookie();
    let digest = app.policy.secret.digest(&format!("saving/{}/{svc_id}/{generation}/{device}", msisdn.as_str()));
    let is_test = session.test && app.is_test(&msisdn);
    if !is_test {
        let subscription = app.db.run(move |conn| Subscription::of_number(conn, &msisdn, svc_id)).await?;
        match subscription.filter(|found| found.generation == generation).map(|found| found.state) {
            Some(State::Active) => {}
            None | Some(State::New | State::Cancelled) => return Err(Error::NoSession),
            Some(State::Pending | State::Suspended) => return Err(Error::Inactive),
        }
    }
    let key = STANDARD.encode(digest);
    Ok(HttpResponse::Ok().cookie(cookie).json(SavingKey { key, valid_seconds: SECONDS_WITHOUT_CONTACT }))
}
