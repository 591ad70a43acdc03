//! The listener: accepts connections on every worker, reads requests by hyper (HTTP/1.1, and HTTP/2 over TLS), and gives every response
//! its id, its line in the access log and its place in the metrics.
//!
//! Each worker is a thread with a runtime of its own, so that a request never changes its thread.

use std::{
    convert::Infallible,
    io,
    net::{IpAddr, TcpListener},
    pin::pin,
    sync::Arc,
    thread::{Builder, JoinHandle},
    time::{Duration, Instant},
};

use http::{
    HeaderValue, Method, Request,
    header::{self, HeaderName},
};
use hyper::{
    body::Incoming,
    rt::{Read, Write},
    server::conn::{http1, http2},
    service::service_fn,
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::graceful::{GracefulShutdown, Watcher},
};
use languages::Language;
use service::{Cidrs, DRAIN, RequestCounters, Running, StartError};
use telemetry::names::MALFORMED_REQUESTS;
use tokio::{
    net::TcpStream,
    sync::{Semaphore, watch},
};
use tokio_rustls::TlsAcceptor;
use tracing::{Instrument, Span};

use crate::{
    NAME,
    connections::{Connections, OpenConnection},
    error::Error,
    guard::HSTS,
    host_cookies,
    request::{Head, REQUEST_ID},
    response::{self, Cause, Response},
    tls,
};

/// How long a client may take for a TLS handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Bytes that are read ahead, and bytes of responses that wait to be sent, on one HTTP/1.1 connection; then reading waits.
const BUFFER_BYTES: usize = 64 * 1024;

/// Requests under way at once on one HTTP/2 connection.
const STREAMS: u32 = 32;

/// Bytes that wait to be sent for one request of an HTTP/2 connection.
const STREAM_BUFFER_BYTES: usize = 16 * 1024;

/// The largest head that is read from an HTTP/2 connection; the guard refuses smaller ones.
const MAX_HTTP2_HEAD_BYTES: u32 = 32 * 1024;

/// How often a silent HTTP/2 connection is asked whether its client is still there, and how long the client may take to say so.
const PING: Duration = Duration::from_secs(20);

/// How long accepting pauses after the system has refused a connection, for want of descriptors say.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

const TRACE_PARENT: HeaderName = HeaderName::from_static(telemetry::TRACE_PARENT);

thread_local! {
    static TALLY: RequestCounters<&'static str> = RequestCounters::default();
}

/// What answers requests.
pub(crate) trait Handler: Send + Sync + 'static {
    /// Answers one request; its route counts it.
    fn handle(&self, head: &Head, body: Incoming) -> impl Future<Output = RoutedResponse> + Send;

    /// The language of a request's errors.
    fn language(&self, _: &Head) -> Language {
        Language::ENGLISH
    }
}

/// What a request was answered with.
pub(crate) struct RoutedResponse {
    /// The route for metrics: a pattern, never an address.
    pub(crate) route: &'static str,
    pub(crate) response: Result<Response, Error>,
}

/// A listener's rules and its handler.
pub(crate) struct Listener<H> {
    pub(crate) handler: H,
    /// The proxies before us.
    pub(crate) proxies: Cidrs,
    /// How many connections each address holds.
    pub(crate) connections: Arc<Connections>,
    /// Connections open at once.
    pub(crate) max_connections: usize,
    /// How long a request's head may take.
    pub(crate) head_timeout: Duration,
    /// https, where there is a certificate.
    pub(crate) tls: Option<TlsAcceptor>,
}

impl<H: Handler> Listener<H> {
    /// Starts so many workers, which end when the server is stopped or dropped.
    pub(crate) fn serve(self, listener: TcpListener, workers: usize) -> Result<Running, StartError> {
        let fault = |cause: io::Error| StartError::other(NAME, cause);
        let addr = listener.local_addr().map_err(fault)?;
        listener.set_nonblocking(true).map_err(fault)?;
        // Exposed from the start, so that its first increase is seen.
        metrics::counter!(MALFORMED_REQUESTS).increment(0);
        let (stop, stopped) = watch::channel(());
        let permits = Arc::new(Semaphore::new(self.max_connections.min(Semaphore::MAX_PERMITS)));
        let shared = Arc::new(self);
        let mut threads = Vec::with_capacity(workers);
        for worker in 0..workers {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(fault)?;
            let listener = listener.try_clone().map_err(fault)?;
            let (shared, permits, stopped) = (shared.clone(), permits.clone(), stopped.clone());
            let accept = move || runtime.block_on(shared.accept(listener, permits, stopped));
            threads.push(Builder::new().name(format!("{NAME}-{worker}")).spawn(accept).map_err(fault)?);
        }
        tracing::debug!(service.name = NAME, service.addr = %addr, "{NAME} listens on {addr}");
        Ok(Running::new(NAME, addr, move || async move {
            stop.send_replace(());
            let ended = tokio::task::spawn_blocking(move || {
                threads.into_iter().map(JoinHandle::join).all(|ended| matches!(ended, Ok(Ok(()))))
            });
            if !ended.await.unwrap_or(false) {
                tracing::error!(service.name = NAME, "a worker ended badly");
            }
        }))
    }

    /// Accepts connections until the server stops, and then lets the requests under way finish.
    async fn accept(
        self: Arc<Self>,
        listener: TcpListener,
        permits: Arc<Semaphore>,
        mut stopped: watch::Receiver<()>,
    ) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let connections = GracefulShutdown::new();
        let is_stopped = {
            let mut stop = pin!(stopped.changed());
            loop {
                let accepted = async {
                    let permit = permits.clone().acquire_owned().await;
                    (permit, listener.accept().await)
                };
                let (permit, accepted) = tokio::select! {
                    biased;
                    stop = &mut stop => break stop.is_ok(),
                    accepted = accepted => accepted,
                };
                match accepted {
                    Ok((stream, peer)) => {
                        let (this, watcher) = (self.clone(), connections.watcher());
                        tokio::spawn(async move {
                            this.connection(stream, peer.ip().to_canonical(), watcher).await;
                            drop(permit);
                        });
                    }
                    // The connection was gone before it was accepted, or there is no room for it.
                    Err(error) => {
                        tracing::debug!(error = %error, "a connection could not be accepted");
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                    }
                }
            }
        };
        // Dropped without having been stopped: requests under way are dropped too.
        if is_stopped {
            drop(listener);
            let _ = tokio::time::timeout(DRAIN, connections.shutdown()).await;
        }
        Ok(())
    }

    async fn connection(self: Arc<Self>, stream: TcpStream, peer: IpAddr, watcher: Watcher) {
        let open_connection = Arc::new(self.connections.register(peer));
        let _ = stream.set_nodelay(true);
        let Some(tls) = &self.tls else {
            return self.clone().http1(TokioIo::new(stream), peer, open_connection, watcher).await;
        };
        match tokio::time::timeout(HANDSHAKE, tls.accept(stream)).await {
            Ok(Ok(stream)) if stream.get_ref().1.alpn_protocol() == Some(tls::H2) => {
                self.clone().http2(TokioIo::new(stream), peer, open_connection, watcher).await;
            }
            Ok(Ok(stream)) => self.clone().http1(TokioIo::new(stream), peer, open_connection, watcher).await,
            Ok(Err(error)) => tracing::debug!(error = %error, "a TLS handshake failed"),
            Err(_) => tracing::debug!("a TLS handshake took too long"),
        }
    }

    async fn http1<I>(self: Arc<Self>, io: I, peer: IpAddr, open_connection: Arc<OpenConnection>, watcher: Watcher)
    where
        I: Read + Write + Unpin + Send + 'static,
    {
        let head_timeout = self.head_timeout;
        let service = service_fn(move |request| self.clone().respond(request, peer, open_connection.clone()));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(head_timeout)
            .max_buf_size(BUFFER_BYTES)
            // Responses queue up to the buffer's size, and then reading waits; flattened ones would not be counted.
            .writev(true)
            .serve_connection(io, service);
        ended(watcher.watch(connection).await);
    }

    async fn http2<I>(self: Arc<Self>, io: I, peer: IpAddr, open_connection: Arc<OpenConnection>, watcher: Watcher)
    where
        I: Read + Write + Unpin + Send + 'static,
    {
        let service = service_fn(move |request| self.clone().respond(request, peer, open_connection.clone()));
        let connection = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .max_concurrent_streams(STREAMS)
            .max_send_buf_size(STREAM_BUFFER_BYTES)
            .max_header_list_size(MAX_HTTP2_HEAD_BYTES)
            .keep_alive_interval(PING)
            .keep_alive_timeout(PING)
            .serve_connection(io, service);
        ended(watcher.watch(connection).await);
    }

    /// Answers one request, within its id and its span.
    async fn respond(
        self: Arc<Self>,
        request: Request<Incoming>,
        peer: IpAddr,
        open_connection: Arc<OpenConnection>,
    ) -> Result<Response, Infallible> {
        let started = Instant::now();
        let (parts, body) = request.into_parts();
        let head = Head::new(parts, peer, self.tls.is_some(), &self.proxies);
        // Only a trusted proxy may name a request and its trace.
        let named = |name: &HeaderName| head.headers.get(name).filter(|_| self.proxies.contain(peer));
        let id = service::request_id(named(&REQUEST_ID).map(HeaderValue::as_bytes));
        let span = match telemetry::traced() {
            true => service::request_span(id, named(&TRACE_PARENT).and_then(|parent| parent.to_str().ok())),
            false => Span::none(),
        };
        // Boxed: the wrappers around it, and each connection, hold a pointer in place of kilobytes.
        let answered = Box::pin(async {
            let RoutedResponse { route, response } = match open_connection.over {
                true => RoutedResponse { route: "(none)", response: Err(Error::TooManyConnections) },
                false => self.handler.handle(&head, body).await,
            };
            let closes = matches!(response, Err(Error::TooManyConnections | Error::BodyTooSlow | Error::BodyCoding));
            let mut response = response.unwrap_or_else(|error| response::problem(&error.problem()));
            response::translate(&mut response, || self.handler.language(&head));
            if closes && head.version <= http::Version::HTTP_11 {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            note(&head.method, route, &response, started);
            response
        });
        let mut response = telemetry::for_request(id, answered.instrument(span)).await;
        let headers = response.headers_mut();
        headers.insert(REQUEST_ID, response::value(&id.hyphenated().to_string()));
        if head.client.https {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
            host_cookies::write(headers);
        }
        Ok(if head.method == Method::HEAD { response::without_body(response) } else { response })
    }
}

/// Counts a response, and writes its line and its span.
fn note(method: &Method, route: &'static str, response: &Response, started: Instant) {
    let status = response.status().as_u16();
    let cause = response.extensions().get::<Cause>().map(|Cause(cause)| cause.as_str());
    let method_word = service::method_word(method.as_str());
    TALLY.with(|tally| tally.count(NAME, route, || route.to_owned(), method_word, status, started.elapsed()));
    if telemetry::traced() {
        service::describe_span(&Span::current(), NAME, method_word, route, status);
    }
    service::write_line(method_word, route, status, started, cause);
}

/// How a connection ended: what was no HTTP is counted, and everything else is the network's or the client's affair.
fn ended(outcome: Result<(), hyper::Error>) {
    let Err(error) = outcome else { return };
    if error.is_parse() {
        metrics::counter!(MALFORMED_REQUESTS).increment(1);
        tracing::debug!(error = %error, "a malformed request was refused");
    } else {
        tracing::debug!(error = %error, "a connection ended early");
    }
}
