//! Faults on request, for tests: an outage, and replies that get lost after the work was done.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use actix_web::{
    Error as HttpError, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{Method, StatusCode},
    middleware::Next,
    web::{Bytes, Data, Json},
};
use futures_util::stream;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde::{Deserialize, Serialize};
use service::{Admin, Problem};

use crate::{App, error::Error};

/// Calls whose replies may get lost.
const LOSABLE: [&str; 5] = ["/charges", "/messages", "/opt-ins", "/refunds", "/stops"];

/// The faults that are on.
#[derive(Default)]
pub(crate) struct Faults {
    outage_until: Mutex<Option<Instant>>,
    lost: Mutex<Option<ReplyLoss>>,
}

/// The share of lost replies, and the random number generator that selects them.
struct ReplyLoss {
    percent: u8,
    rng: StdRng,
}

/// The seconds in which every call gets 503; 0 ends an outage.
#[derive(Deserialize)]
pub(crate) struct Outage {
    seconds: u32,
}

/// The percentage of lost replies; the seed and the order of calls determine which ones.
#[derive(Deserialize, Serialize)]
pub(crate) struct Chaos {
    lose_replies_percent: u8,
    #[serde(default)]
    seed: Option<u64>,
}

/// The reason of a closed connection.
#[derive(Debug, thiserror::Error)]
#[error("this reply is lost on purpose")]
struct DroppedReply;

/// Begins an outage, or ends one.
pub(crate) async fn set_outage(_: Admin, app: Data<App>, outage: Json<Outage>) -> HttpResponse {
    let until = Instant::now().checked_add(Duration::from_secs(outage.seconds.into()));
    *app.faults.outage_until.lock().unwrap_or_else(PoisonError::into_inner) = until;
    tracing::warn!(outage.seconds = outage.seconds, "every call answers 503 for {} s", outage.seconds);
    HttpResponse::NoContent().finish()
}

/// Sets how many replies get lost; 0 loses none.
pub(crate) async fn set_chaos(_: Admin, app: Data<App>, chaos: Json<Chaos>) -> Result<Json<Chaos>, Error> {
    let percent = chaos.lose_replies_percent;
    if percent > 100 {
        return Err(Error::BadPercentage);
    }
    let seed = chaos.seed.unwrap_or_else(rand::random);
    let lost = (percent > 0).then(|| ReplyLoss { percent, rng: StdRng::seed_from_u64(seed) });
    *app.faults.lost.lock().unwrap_or_else(PoisonError::into_inner) = lost;
    tracing::warn!(chaos.seed = seed, "{percent} of 100 replies get lost, by the seed {seed}");
    Ok(Json(Chaos { lose_replies_percent: percent, seed: Some(seed) }))
}

/// Around every call of the network: injects the outage and the lost replies.
pub(crate) async fn inject(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, HttpError> {
    let app = req.app_data::<Data<App>>().cloned();
    if app.as_ref().is_some_and(|app| app.faults.has_outage()) {
        return Ok(req.into_response(unavailable().response()));
    }
    let is_of_standard = req.path().starts_with("/camara/carrier-billing") || req.path().contains("Service/services/");
    let is_losable = is_of_standard || LOSABLE.contains(&req.path());
    let may_be_lost = req.method() == Method::POST && is_losable;
    let reply = next.call(req).await?.map_into_boxed_body();
    let lost = may_be_lost && reply.status().is_success() && app.is_some_and(|app| app.faults.lose_reply());
    Ok(if lost { reply.into_response(cut()) } else { reply })
}

/// 503, as from a network that is busy: nothing was done, another try may succeed.
pub(crate) fn unavailable() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "The network is busy. Please try again later.")
}

/// A reply of which not one byte leaves: its body fails before its head was sent, which ends the connection.
pub(crate) fn cut() -> HttpResponse {
    HttpResponse::Ok().streaming(stream::once(async { Err::<Bytes, DroppedReply>(DroppedReply) }))
}

impl actix_web::ResponseError for DroppedReply {}

impl Faults {
    fn has_outage(&self) -> bool {
        let outage_until = *self.outage_until.lock().unwrap_or_else(PoisonError::into_inner);
        outage_until.is_some_and(|until| Instant::now() < until)
    }

    /// Whether one more reply is to get lost.
    pub fn lose_reply(&self) -> bool {
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.as_mut().is_some_and(|lost| lost.rng.random_range(0..100) < lost.percent)
    }
}
