//! One service: a call goes to the replica that has least to do, and to another one when that fails before it answers.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use actix_web::http::Method;
use awc::{
    Client, ClientResponse, Connector,
    error::{ConnectError, SendRequestError},
};
use metrics::{Counter, counter};
use telemetry::names::UPSTREAM_RETRIES;

use super::{
    Call, PartState, ReplicaState, Service,
    replicas::{Fleet, Health, Replicas},
    reply::{Flight, Reply},
};
use crate::error::Error;

/// How long a connection to a replica may take to open.
const CONNECT_SECONDS: u64 = 2;

/// How long a replica may take until its reply begins.
const REPLY_SECONDS: u64 = 30;

/// Idle connections are let go before the services do it (after 5 s), so that no call is written into a closing one.
const IDLE_SECONDS: u64 = 4;

/// Calls under way at one service at most: beyond that it is not slow but stuck, and who asks now had better ask later.
const MAX_CALLS: usize = 1024;

/// Replicas that one call is tried on at most.
const MAX_TRIES: usize = 3;

thread_local! {
    // One client per worker, for the life of its thread. Leaked: closing its idle connections takes a runtime, and there is none
    // left when a thread's own variables are dropped. It opens as many connections as there are calls, and those are counted.
    pub(super) static CLIENT: &'static Client = Box::leak(Box::new(
        Client::builder()
            .connector(
                Connector::new()
                    .timeout(Duration::from_secs(CONNECT_SECONDS))
                    .conn_keep_alive(Duration::from_secs(IDLE_SECONDS))
                    .limit(0),
            )
            .disable_redirects()
            .no_default_headers()
            .finish(),
    ));
}

/// One service and its replicas.
pub(crate) struct Upstream {
    pub(super) service: Service,
    pub(super) fleet: Fleet,
    calls: Arc<AtomicUsize>,
    retries: Counter,
}

/// How far a call came before it failed.
enum Failure {
    /// No connection: the replica has seen nothing of it.
    Unsent(String),
    /// The connection ended before a reply began: the replica may have done it.
    Cut(String),
    /// Nothing that another try would better.
    Final(String),
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
        let tries = self.fleet.all().len().clamp(2, MAX_TRIES);
        let mut tried: Vec<SocketAddr> = Vec::new();
        let mut last = "it has no address".to_owned();
        for attempt in 1..=tries {
            let Some(replica) = self.fleet.pick(&tried) else { break };
            let again = tried.contains(&replica.addr);
            if self.calls.fetch_add(1, Ordering::Relaxed) >= MAX_CALLS {
                self.calls.fetch_sub(1, Ordering::Relaxed);
                return Err(Error::Busy { service: self.service.name() });
            }
            let flight = Flight::begin(self.calls.clone(), replica.clone());
            tried.push(replica.addr);
            let (cause, may_try) = match try_once(replica.addr, call).await {
                Ok(reply) => return Ok(Reply::new(reply, flight)),
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
            last = cause;
            if !may_try {
                break;
            }
            if attempt < tries {
                self.retries.increment(1);
                tracing::debug!(service.name = self.service.name(), cause = last, "trying again");
            }
        }
        Err(Error::Away { service: self.service.name(), cause: last })
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

async fn try_once(addr: SocketAddr, call: &Call) -> Result<ClientResponse, Failure> {
    let mut request = CLIENT
        .with(|client| client.request(call.method.clone(), format!("http://{addr}{}", call.address)))
        .timeout(Duration::from_secs(REPLY_SECONDS));
    *request.headers_mut() = call.headers.clone();
    let bodiless = call.body.is_empty() && matches!(call.method, Method::GET | Method::HEAD | Method::OPTIONS);
    let sent = if bodiless { request.send().await } else { request.send_body(call.body.clone()).await };
    sent.map_err(|error| {
        let cause = format!("{addr}: {error}");
        match error {
            // The client's words for "it hung up before it had answered".
            SendRequestError::Connect(ConnectError::Disconnected)
            | SendRequestError::Send(_)
            | SendRequestError::Response(_) => Failure::Cut(cause),
            SendRequestError::Connect(_) => Failure::Unsent(cause),
            _ => Failure::Final(cause),
        }
    })
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderMap;
    use bytes::Bytes;

    use super::*;

    #[actix_web::test]
    async fn a_service_that_is_stuck_gets_no_more_calls() {
        let upstream = Upstream::new(Service::Meme, &"http://127.0.0.1:1".parse().unwrap());
        let call = Call { method: Method::GET, address: "/".to_owned(), headers: HeaderMap::new(), body: Bytes::new() };
        let refused = async || upstream.send(&call).await.err().unwrap();
        assert!(matches!(refused().await, Error::Away { .. }));
        upstream.calls.store(MAX_CALLS, Ordering::Relaxed);
        assert!(matches!(refused().await, Error::Busy { .. }));
        upstream.calls.store(MAX_CALLS - 1, Ordering::Relaxed);
        assert!(matches!(refused().await, Error::Away { .. }));
        assert_eq!(upstream.calls.load(Ordering::Relaxed), MAX_CALLS - 1, "who is answered is no longer under way");
    }
}
