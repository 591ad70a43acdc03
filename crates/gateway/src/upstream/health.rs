//! The watch over all replicas: each is asked once a second whether it is ready, and host names are resolved again.

use std::{sync::Weak, time::Duration};

use futures_util::future::join_all;
use http::{HeaderMap, header, uri::PathAndQuery};
use metrics::gauge;
use telemetry::names::UPSTREAM_REPLICAS;

use super::{
    Call, Upstream, Upstreams,
    pool::exchange,
    replicas::{Health, Replica},
};
use crate::response::value;

/// How often replicas are asked.
const EVERY: Duration = Duration::from_secs(1);

/// How long a replica may take to say whether it is ready.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often names are resolved.
const RESOLVED_EVERY: Duration = Duration::from_secs(5);

/// Watches the replicas until the services are dropped.
pub(crate) async fn watch(upstreams: Weak<Upstreams>) {
    tokio::join!(watch_names(&upstreams), watch_replicas(&upstreams));
}

/// Resolves names apart from asking replicas: a name server that does not answer delays the one, not the other.
async fn watch_names(upstreams: &Weak<Upstreams>) {
    while let Some(upstreams) = upstreams.upgrade() {
        join_all(upstreams.0.iter().map(|upstream| upstream.replicas.resolve())).await;
        drop(upstreams);
        tokio::time::sleep(RESOLVED_EVERY).await;
    }
}

async fn watch_replicas(upstreams: &Weak<Upstreams>) {
    while let Some(upstreams) = upstreams.upgrade() {
        join_all(upstreams.0.iter().map(Upstream::check)).await;
        drop(upstreams);
        tokio::time::sleep(EVERY).await;
    }
}

impl Upstream {
    /// Asks every replica whether it is ready.
    async fn check(&self) {
        let known = self.replicas.all();
        join_all(known.iter().map(|(_, replica)| self.check_one(replica))).await;
        self.count_replicas();
    }

    async fn check_one(&self, replica: &Replica) {
        let headers = HeaderMap::from_iter([(header::HOST, value(&replica.addr.to_string()))]);
        let call = Call::get(PathAndQuery::from_static("/readyz"), headers);
        let ready = exchange(replica.addr, &call, PATIENCE).await.is_ok_and(|response| response.status.is_success());
        let was_away = replica.is_away();
        if replica.set_health(if ready { Health::Ready } else { Health::Away }) && (was_away || !ready) {
            let (name, word) = (self.service.name(), if ready { "ready again" } else { "not ready" });
            tracing::info!(service.name = name, replica.addr = %replica.addr, "a replica of {name} is {word}");
        }
    }

    /// Publishes how many of the replicas are in which state.
    fn count_replicas(&self) {
        let (mut ready, mut away, mut unknown) = (0_u32, 0_u32, 0_u32);
        for (_, replica) in self.replicas.all().iter() {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{services::Service, upstream::pool::tests::replica};

    #[tokio::test]
    async fn a_replica_is_ready_as_long_as_it_says_so() {
        let (addr, _) = replica("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", false).await;
        let (unready, _) = replica("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n", false).await;
        let upstream = |addr| Upstream::new(Service::Meme, &format!("http://{addr}").parse().unwrap());
        let upstreams = Arc::new(Upstreams([addr, addr, addr, addr, unready].map(upstream)));
        let watch = tokio::spawn(watch(Arc::downgrade(&upstreams)));
        for _ in 0..100 {
            if upstreams.states().iter().filter(|part| part.ready).count() == 4 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(!upstreams.ready());
        assert!(upstreams.0[0].state().ready && !upstreams.0[4].state().ready);
        watch.abort();
    }
}
