//! One service: a request goes to the less busy of two replicas, and to another one when that fails before it responds.

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
    Call, PartState, ReplicaState, ServiceResponse,
    pool::{Failure, exchange},
    replicas::{Health, ReplicaSet, Replicas},
    response::InFlight,
};
use crate::{error::Error, services::Service};

/// How long a replica may take until its response begins.
const REPLY: Duration = Duration::from_secs(30);

/// Calls under way at one service at most: a service with more is stuck rather than slow, and further calls would only add to them.
const MAX_CALLS: usize = 1024;

/// Replicas that one call is tried on at most.
const MAX_TRIES: usize = 3;

/// One service and its replicas.
pub(crate) struct Upstream {
    pub(super) service: Service,
    pub(super) replicas: ReplicaSet,
    calls: Arc<AtomicUsize>,
    retries: Counter,
}

impl Upstream {
    pub(super) fn new(service: Service, replicas: &Replicas) -> Self {
        telemetry::collect_metrics();
        let retries = counter!(UPSTREAM_RETRIES, "service" => service.name());
        Self { service, replicas: ReplicaSet::new(replicas), calls: Arc::default(), retries }
    }

    /// Sends a call and returns the response once it begins. A request that never reached a replica is sent to the next one; one that a
    /// replica may have handled is sent again only where it is idempotent.
    pub(crate) async fn send(&self, call: &Call) -> Result<ServiceResponse, Error> {
        // A lone replica gets a second try too: it may close an idle connection just as a request is written to it.
        let tries = self.replicas.len().clamp(2, MAX_TRIES);
        let mut tried: Vec<SocketAddr> = Vec::new();
        let mut last = None;
        for attempt in 1..=tries {
            let Some(replica) = self.replicas.pick(&tried) else { break };
            let again = tried.contains(&replica.addr);
            if self.calls.fetch_add(1, Ordering::Relaxed) >= MAX_CALLS {
                self.calls.fetch_sub(1, Ordering::Relaxed);
                return Err(Error::Busy { service: self.service.name() });
            }
            let in_flight = InFlight::begin(self.calls.clone(), replica.clone());
            let (cause, may_try) = match exchange(replica.addr, call, REPLY).await {
                Ok(exchanged) => return Ok(ServiceResponse::new(exchanged, in_flight)),
                Err(Failure::Unsent(cause)) => {
                    if replica.set_health(Health::Away) {
                        tracing::warn!(
                            service.name = self.service.name(), replica.addr = %replica.addr, cause,
                            "a replica of {} cannot be reached", self.service.name(),
                        );
                    }
                    (cause, !again)
                }
                Err(Failure::Cut(cause)) => (cause, call.is_idempotent()),
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
        Err(Error::Unavailable { service: self.service.name(), cause })
    }

    pub(super) fn state(&self) -> PartState {
        let known = self.replicas.all();
        let replicas: Vec<_> = known
            .iter()
            .map(|(_, replica)| ReplicaState { url: format!("http://{}", replica.addr), ready: replica.is_ready() })
            .collect();
        PartState { part: self.service.name(), ready: replicas.iter().any(|replica| replica.ready), replicas }
    }

    /// Calls under way.
    #[cfg(test)]
    pub(super) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use http::Method;

    use super::*;
    use crate::upstream::pool::tests::{call, replica};

    #[tokio::test]
    async fn a_call_to_a_service_with_too_many_calls_under_way_is_refused() {
        let upstream = Upstream::new(Service::Meme, &"http://127.0.0.1:1".parse().unwrap());
        let call = call(Method::GET);
        let refused = async || upstream.send(&call).await.err().unwrap();
        assert!(matches!(refused().await, Error::Unavailable { .. }));
        upstream.calls.store(MAX_CALLS, Ordering::Relaxed);
        assert!(matches!(refused().await, Error::Busy { .. }));
        upstream.calls.store(MAX_CALLS - 1, Ordering::Relaxed);
        assert!(matches!(refused().await, Error::Unavailable { .. }));
        assert_eq!(upstream.calls.load(Ordering::Relaxed), MAX_CALLS - 1, "a call that failed is no longer under way");
    }

    #[tokio::test]
    async fn send_repeats_idempotent_calls_after_a_lost_connection() {
        for (method, expected) in [(Method::GET, 2), (Method::DELETE, 2), (Method::POST, 1)] {
            let (addr, opened) = replica("", true).await;
            let upstream = Upstream::new(Service::Meme, &format!("http://{addr}").parse().unwrap());
            assert!(matches!(upstream.send(&call(method.clone())).await, Err(Error::Unavailable { .. })));
            assert_eq!(opened.load(Ordering::Relaxed), expected, "{method}");
            assert!(!upstream.replicas.all().iter().any(|(_, replica)| replica.is_away()));
        }
    }
}
