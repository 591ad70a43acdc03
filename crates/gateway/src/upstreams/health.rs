//! The watch over all replicas: once a second each is asked whether it is ready, and names are asked again who they are.

use std::{sync::Weak, time::Duration};

use actix_web::http::{header, uri::PathAndQuery};
use futures_util::future::join_all;
use metrics::gauge;
use telemetry::names::UPSTREAM_REPLICAS;

use super::{
    Call, Headers, Upstream,
    replicas::{Health, Replica},
    wire::exchange,
};
use crate::app::App;

/// How often replicas are asked.
const EVERY: Duration = Duration::from_secs(1);

/// How long a replica may take to say whether it is ready.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often names are resolved.
const RESOLVED_EVERY: Duration = Duration::from_secs(5);

/// Watches for as long as there is a gateway.
pub(crate) async fn watch(app: Weak<App>) {
    tokio::join!(watch_names(&app), watch_replicas(&app));
}

/// Apart from the replicas: names that nobody answers for are waited for long, and meanwhile those that are known are still asked.
async fn watch_names(app: &Weak<App>) {
    while let Some(app) = app.upgrade() {
        join_all(app.upstreams.0.iter().map(|upstream| upstream.fleet.resolve())).await;
        app.rates.forget_the_quiet();
        drop(app);
        tokio::time::sleep(RESOLVED_EVERY).await;
    }
}

async fn watch_replicas(app: &Weak<App>) {
    while let Some(app) = app.upgrade() {
        join_all(app.upstreams.0.iter().map(|upstream| async move {
            let known = upstream.fleet.all();
            join_all(known.iter().map(|(_, replica)| ask(upstream, replica))).await;
            upstream.tell();
        }))
        .await;
        drop(app);
        tokio::time::sleep(EVERY).await;
    }
}

impl Upstream {
    /// How many of the replicas are in which state, for the operators.
    fn tell(&self) {
        let (mut ready, mut away, mut unknown) = (0_u32, 0_u32, 0_u32);
        for (_, replica) in self.fleet.all().iter() {
            match (replica.is_ready(), replica.is_away()) {
                (true, _) => ready += 1,
                (_, true) => away += 1,
                _ => unknown += 1,
            }
        }
        for (state, replicas) in [("ready", ready), ("away", away), ("unknown", unknown)] {
            gauge!(UPSTREAM_REPLICAS, "service" => self.service.name(), "state" => state).set(replicas);
        }
    }
}

async fn ask(upstream: &Upstream, replica: &Replica) {
    let mut headers = Headers::new();
    headers.add_text(&header::HOST, &replica.addr.to_string());
    let call = Call::get(PathAndQuery::from_static("/readyz"), &headers);
    let ready = exchange(replica.addr, &call, PATIENCE).await.is_ok_and(|answer| answer.status.is_success());
    let was_away = replica.is_away();
    if replica.found(if ready { Health::Ready } else { Health::Away }) && (was_away || !ready) {
        let (name, word) = (upstream.service.name(), if ready { "ready again" } else { "not ready" });
        tracing::info!(service.name = name, replica.addr = %replica.addr, "a replica of {name} is {word}");
    }
}
