//! One service: a call goes to the replica that has least to do, and to another one when that fails before it answers.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use metrics::{Counter, counter};
use telemetry::names::UPSTREAM_RETRIES;

use super::{
    Call, PartState, ReplicaState, Service,
    replicas::{Fleet, Health, Replicas},
    reply::{Flight, Reply},
    wire::{Failure, exchange},
};
use crate::error::Error;

/// How long a replica may take until its reply begins.
const REPLY: Duration = Duration::from_secs(30);

/// Calls under way at one service at most: beyond that it is not slow but stuck, and who asks now had better ask later.
const MAX_CALLS: usize = 1024;

/// Replicas that one call is tried on at most.
const MAX_TRIES: usize = 3;

/// One service and its replicas.
pub(crate) struct Upstream {
    pub(super) service: Service,
    pub(super) fleet: Fleet,
    calls: Arc<AtomicUsize>,
    retries: Counter,
}

impl Upstream {
    pub(super) fn new(service: Service, replicas: &Replicas) -> Self {
        telemetry::collect_metrics();
        let retries = counter!(UPSTREAM_RETRIES, "service" => service.name());
        Self { service, fleet: Fleet::new(replicas), calls: Arc::default(), retries }
    }

    /// The reply's head, its body still to come. What never reached a replica is tried on the next one; what may have been
    /// done is tried again only where twice is once.
    pub(crate) async fn send(&self, call: &Call) -> Result<Reply, Error> {
        // A lone replica that hung up gets a second chance too: its end of an idle connection may close just as we write.
        let tries = self.fleet.len().clamp(2, MAX_TRIES);
        let mut tried: Vec<SocketAddr> = Vec::new();
        let mut last = None;
        for attempt in 1..=tries {
            let Some(replica) = self.fleet.pick(&tried) else { break };
            let again = tried.contains(&replica.addr);
            if self.calls.fetch_add(1, Ordering::Relaxed) >= MAX_CALLS {
                self.calls.fetch_sub(1, Ordering::Relaxed);
                return Err(Error::Busy { service: self.service.name() });
            }
            let flight = Flight::begin(self.calls.clone(), replica.clone());
            let (cause, may_try) = match exchange(replica.addr, call, REPLY).await {
                Ok(answer) => return Ok(Reply::new(answer, flight)),
                Err(Failure::Unsent(cause)) => {
                    if replica.found(Health::Away) {
                        tracing::warn!(
                            service.name = self.service.name(), replica.addr = %replica.addr, cause,
                            "a replica of {} cannot be reached", self.service.name(),
                        );
                    }
                    (cause, !again)
                }
                Err(Failure::Cut(cause)) => (cause, call.idempotent()),
                Err(Failure::Final(cause)) => (cause, false),
            };
            tried.push(replica.addr);
            let cause = last.insert(cause);
            if !may_try {
                break;
            }
            if attempt < tries {
                self.retries.increment(1);
                tracing::debug!(service.name = self.service.name(), cause, "trying again");
            }
        }
        let cause = last.unwrap_or_else(|| "it has no address".to_owned());
        Err(Error::Away { service: self.service.name(), cause })
    }

    pub(super) fn state(&self) -> PartState {
        let known = self.fleet.all();
        let replicas: Vec<_> = known
            .iter()
            .map(|(_, replica)| ReplicaState { url: format!("http://{}", replica.addr), ready: replica.is_ready() })
            .collect();
        PartState { part: self.service.name(), ready: replicas.iter().any(|replica| replica.ready), replicas }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::uri::PathAndQuery;

    use super::*;
    use crate::upstreams::Headers;

    #[actix_web::test]
    async fn a_service_that_is_stuck_gets_no_more_calls() {
        let upstream = Upstream::new(Service::Meme, &"http://127.0.0.1:1".parse().unwrap());
        let call = Call::get(PathAndQuery::from_static("/"), &Headers::new());
        let refused = async || upstream.send(&call).await.err().unwrap();
        assert!(matches!(refused().await, Error::Away { .. }));
        upstream.calls.store(MAX_CALLS, Ordering::Relaxed);
        assert!(matches!(refused().await, Error::Busy { .. }));
        upstream.calls.store(MAX_CALLS - 1, Ordering::Relaxed);
        assert!(matches!(refused().await, Error::Away { .. }));
        assert_eq!(upstream.calls.load(Ordering::Relaxed), MAX_CALLS - 1, "who is answered is no longer under way");
    }
}
