//! The services behind us: their replicas, the client that speaks to them, and the second try on another replica.

use std::{
    str::FromStr,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use actix_web::http::{Method, Uri, header::HeaderMap};
use awc::{
    Client, ClientResponse, Connector,
    error::{ConnectError, SendRequestError},
};
use brands::Kind;
use bytes::Bytes;
use futures_util::future::join_all;
use serde::Serialize;

use crate::{Config, error::Error};

/// How long a connection to a replica may take to open.
const CONNECT_SECONDS: u64 = 2;

/// How long a replica may take until its reply begins.
const REPLY_SECONDS: u64 = 30;

/// How long a replica may take to say whether it is ready.
const READY_SECONDS: u64 = 2;

/// Idle connections are let go before the services do it (after 5 s), so that no call is written into a closing one.
const IDLE_SECONDS: u64 = 4;

/// Connections one worker keeps to all services together.
const MAX_CONNECTIONS: usize = 512;

thread_local! {
    // One client per worker, for the life of its thread. Leaked: closing its idle connections takes a runtime, and there is none
    // left when a thread's own variables are dropped.
    static CLIENT: &'static Client = Box::leak(Box::new(
        Client::builder()
            .connector(
                Connector::new()
                    .timeout(Duration::from_secs(CONNECT_SECONDS))
                    .conn_keep_alive(Duration::from_secs(IDLE_SECONDS))
                    .limit(MAX_CONNECTIONS),
            )
            .disable_redirects()
            .no_default_headers()
            .finish(),
    ));
}

/// The base URLs of one service's replicas.
#[derive(Clone, Debug)]
pub struct Replicas(Vec<String>);

impl FromStr for Replicas {
    type Err = String;

    /// `http://host:port`, one or more, separated by commas.
    fn from_str(text: &str) -> Result<Self, String> {
        let bases = text
            .split(',')
            .map(str::trim)
            .filter(|base| !base.is_empty())
            .map(|base| {
                let uri: Uri = base.parse().map_err(|_| format!("{base:?} is no address"))?;
                let plain = uri.path() == "/" && uri.query().is_none();
                match (uri.scheme_str(), uri.authority()) {
                    (Some("http"), Some(authority)) if plain => Ok(format!("http://{authority}")),
                    _ => Err(format!("{base:?} is not of the form http://host:port")),
                }
            })
            .collect::<Result<Vec<_>, String>>()?;
        if bases.is_empty() { Err("it names no address".to_owned()) } else { Ok(Self(bases)) }
    }
}

/// A service of the family, as the gateway knows it: somebody who answers below a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Service {
    Comedy,
    Diski,
    Meme,
    Tt,
    Subscription,
}

impl Service {
    /// Every service.
    pub(crate) const ALL: [Self; 5] = [Self::Comedy, Self::Diski, Self::Meme, Self::Tt, Self::Subscription];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Comedy => "comedy",
            Self::Diski => "diski",
            Self::Meme => "meme",
            Self::Tt => "tt",
            Self::Subscription => "subscription",
        }
    }

    /// The kind of brand a service shows; subscription serves them all.
    pub(crate) fn kind(self) -> Option<Kind> {
        match self {
            Self::Comedy => Some(Kind::Comedy),
            Self::Diski => Some(Kind::Diski),
            Self::Meme => Some(Kind::Meme),
            Self::Tt => Some(Kind::Tt),
            Self::Subscription => None,
        }
    }
}

/// A call as it leaves for a service.
pub(crate) struct Call {
    pub(crate) method: Method,
    /// Path and query, unchanged from the client's.
    pub(crate) address: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Call {
    /// Whether doing it twice is doing it once. Not so for the check that opens a session: its first answer carries the
    /// cookie, a second one would not.
    fn idempotent(&self) -> bool {
        let opens_session = self.address.starts_with("/api/subscribe/check-sub");
        !opens_session
            && matches!(self.method, Method::GET | Method::HEAD | Method::OPTIONS | Method::PUT | Method::DELETE)
    }
}

/// What one replica, or a whole service, says of itself.
#[derive(Serialize)]
pub(crate) struct PartState {
    part: &'static str,
    pub(crate) ready: bool,
    replicas: Vec<ReplicaState>,
}

#[derive(Serialize)]
struct ReplicaState {
    url: String,
    ready: bool,
}

/// Every service.
pub(crate) struct Upstreams {
    comedy: Upstream,
    diski: Upstream,
    meme: Upstream,
    tt: Upstream,
    subscription: Upstream,
}

impl Upstreams {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            comedy: Upstream::new(Service::Comedy, &config.comedy_url),
            diski: Upstream::new(Service::Diski, &config.diski_url),
            meme: Upstream::new(Service::Meme, &config.meme_url),
            tt: Upstream::new(Service::Tt, &config.tt_url),
            subscription: Upstream::new(Service::Subscription, &config.subscription_url),
        }
    }

    pub(crate) fn of(&self, service: Service) -> &Upstream {
        match service {
            Service::Comedy => &self.comedy,
            Service::Diski => &self.diski,
            Service::Meme => &self.meme,
            Service::Tt => &self.tt,
            Service::Subscription => &self.subscription,
        }
    }

    /// Asks every replica of every service whether it is ready.
    pub(crate) async fn states(&self) -> Vec<PartState> {
        join_all([&self.comedy, &self.diski, &self.meme, &self.tt, &self.subscription].map(Upstream::state)).await
    }

    /// Whether each service has a replica that is ready.
    pub(crate) async fn ready(&self) -> bool {
        self.states().await.iter().all(|part| part.ready)
    }
}

/// One service's replicas, taken in turns.
pub(crate) struct Upstream {
    service: Service,
    replicas: Vec<String>,
    turn: AtomicUsize,
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
    fn new(service: Service, replicas: &Replicas) -> Self {
        Self { service, replicas: replicas.0.clone(), turn: AtomicUsize::new(0) }
    }

    /// The reply's head, its body still to come. What never reached a replica is tried on the next one; what may have been
    /// done is tried again only where twice is once.
    pub(crate) async fn send(&self, call: &Call) -> Result<ClientResponse, Error> {
        let start = self.turn.fetch_add(1, Ordering::Relaxed);
        let count = self.replicas.len();
        // A lone replica that hung up gets a second chance too: its end of an idle connection may close just as we write.
        let tries = count.max(2);
        for attempt in 1..=tries {
            let Some(base) = self.replicas.get(start.wrapping_add(attempt) % count) else { break };
            let (cause, again) = match try_once(base, call).await {
                Ok(reply) => return Ok(reply),
                Err(Failure::Unsent(cause)) => (cause, attempt < count),
                Err(Failure::Cut(cause)) => (cause, attempt < tries && call.idempotent()),
                Err(Failure::Final(cause)) => (cause, false),
            };
            if !again {
                return Err(Error::Away { service: self.service.name(), cause });
            }
            tracing::warn!(
                service.name = self.service.name(),
                replica.url = base,
                cause,
                "{base} does not answer; trying again"
            );
        }
        Err(Error::Away { service: self.service.name(), cause: "no replica answered".to_owned() })
    }

    async fn state(&self) -> PartState {
        let replicas = join_all(self.replicas.iter().map(|base| async move {
            let asked = CLIENT
                .with(|client| client.get(format!("{base}/readyz")))
                .timeout(Duration::from_secs(READY_SECONDS))
                .send();
            let ready = asked.await.is_ok_and(|reply| reply.status().is_success());
            ReplicaState { url: base.clone(), ready }
        }))
        .await;
        PartState { part: self.service.name(), ready: replicas.iter().any(|replica| replica.ready), replicas }
    }
}

async fn try_once(base: &str, call: &Call) -> Result<ClientResponse, Failure> {
    let mut request = CLIENT
        .with(|client| client.request(call.method.clone(), format!("{base}{}", call.address)))
        .timeout(Duration::from_secs(REPLY_SECONDS));
    *request.headers_mut() = call.headers.clone();
    let bodiless = call.body.is_empty() && matches!(call.method, Method::GET | Method::HEAD | Method::OPTIONS);
    let sent = if bodiless { request.send().await } else { request.send_body(call.body.clone()).await };
    sent.map_err(|error| {
        let cause = format!("{base}: {error}");
        match error {
            // The client's word for "it hung up before it answered".
            SendRequestError::Connect(ConnectError::Disconnected) | SendRequestError::Send(_) => Failure::Cut(cause),
            SendRequestError::Connect(_) => Failure::Unsent(cause),
            _ => Failure::Final(cause),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::Replicas;

    #[test]
    fn replicas_are_plain_http_addresses() {
        let parsed = |text: &str| text.parse::<Replicas>().map(|replicas| replicas.0);
        assert_eq!(parsed("http://a:1, http://b:2/").unwrap(), ["http://a:1", "http://b:2"]);
        for text in ["", ",", "a:1", "https://a:1", "http://a:1/path", "http://a:1?x", "ftp://a"] {
            assert!(parsed(text).is_err(), "{text}");
        }
    }
}
