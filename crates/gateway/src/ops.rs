//! The operators' listener: each part's state, and this process's metrics. Never on the public port.

use actix_web::{
    HttpResponse,
    http::header,
    web::{Data, ServiceConfig, get},
};
use serde::Serialize;

use crate::{app::App, upstreams::PartState};

pub(crate) fn routes(config: &mut ServiceConfig) {
    config.route("/healthz", get().to(HttpResponse::Ok)).route("/readyz", get().to(readyz)).configure(web::metrics);
}

#[derive(Serialize)]
struct Readiness {
    ready: bool,
    parts: Vec<PartState>,
}

async fn readyz(app: Data<App>) -> HttpResponse {
    let parts = app.upstreams.states();
    let ready = parts.iter().all(|part| part.ready);
    let mut reply = if ready { HttpResponse::Ok() } else { HttpResponse::ServiceUnavailable() };
    reply.insert_header((header::CACHE_CONTROL, "no-store")).json(Readiness { ready, parts })
}
