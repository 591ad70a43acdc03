//! HTTP/1.1 connections to replicas: one request after the other on each, and a pool of those that are idle.

use std::{
    cell::RefCell,
    collections::{HashMap, VecDeque},
    error::Error,
    io,
    net::SocketAddr,
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use hyper::{
    body::Incoming,
    client::conn::http1::{Builder, SendRequest},
};
use hyper_util::rt::TokioIo;
use tokio::{
    net::TcpStream,
    time::{Instant, timeout, timeout_at},
};

use super::Call;

/// How long a connection to a replica may take to open.
const CONNECT: Duration = Duration::from_secs(2);

/// How long a connection stays idle. Services close theirs after 5 s: ours are closed before, so that no request is written to a
/// connection that is being closed.
const IDLE: Duration = Duration::from_secs(4);

/// Idle connections of one worker to one replica at most.
const MAX_IDLE: usize = 64;

/// A connection's read buffer, and with it the largest head of a response; it has at most 100 headers, hyper's own limit.
const MAX_BUFFER_BYTES: usize = 64 * 1024;

/// Bodies up to this length are read whole before a response is passed on.
const MAX_WHOLE_BYTES: u64 = 64 * 1024;

thread_local! {
    /// Each worker's idle connections, by replica; the most recently used one is last.
    static POOL: RefCell<HashMap<SocketAddr, VecDeque<Idle>>> = RefCell::default();
}

/// An idle connection.
struct Idle {
    sender: SendRequest<Full<Bytes>>,
    since: Instant,
}

/// Why there is no response.
#[derive(Debug)]
pub(super) enum Failure {
    /// The request never reached the replica.
    Unsent(String),
    /// The connection ended, or sent what is no response, after the request was written: the replica may have handled it.
    Cut(String),
    /// A retry would not help.
    Final(String),
}

/// A response that has begun.
pub(super) struct UpstreamResponse {
    pub status: StatusCode,
    /// Every header.
    pub headers: HeaderMap,
    /// The announced length of its body.
    pub length: Option<u64>,
    pub content: Content,
}

/// A response's body.
pub(super) enum Content {
    /// None, as the request was a HEAD.
    Omitted,
    /// The complete body.
    Whole(Bytes),
    /// A body that is still read from its connection.
    Streamed(Incoming, Connection),
}

/// Sends a request to a replica and waits until its response begins; for that, no longer than `patience`.
pub(super) async fn exchange(addr: SocketAddr, call: &Call, patience: Duration) -> Result<UpstreamResponse, Failure> {
    let deadline = Instant::now() + patience;
    loop {
        let (connection, is_reused) = match Connection::idle(addr) {
            Some(connection) => (connection, true),
            None => {
                let opened = Connection::open(addr).await;
                (opened.map_err(|cause| Failure::Unsent(format!("{addr}: {cause}")))?, false)
            }
        };
        match timeout_at(deadline, connection.send(call)).await {
            Err(_) => return Err(Failure::Final(format!("{addr}: no reply for {} s", patience.as_secs()))),
            // The replica closed an idle connection before the request was written to it: another connection may be open.
            Ok(Err(Failure::Unsent(_))) if is_reused => {}
            Ok(outcome) => return outcome,
        }
    }
}

/// An open connection that is in use.
pub(super) struct Connection {
    addr: SocketAddr,
    sender: SendRequest<Full<Bytes>>,
}

impl Connection {
    /// Takes the most recently used idle connection that is still open.
    fn idle(addr: SocketAddr) -> Option<Self> {
        POOL.with_borrow_mut(|pool| {
            let connections = pool.get_mut(&addr)?;
            while let Some(Idle { sender, since }) = connections.pop_back() {
                if since.elapsed() > IDLE {
                    // The remaining ones have been idle for longer.
                    connections.clear();
                } else if sender.is_ready() {
                    return Some(Self { addr, sender });
                }
            }
            None
        })
    }

    async fn open(addr: SocketAddr) -> io::Result<Self> {
        let stream = timeout(CONNECT, TcpStream::connect(addr)).await??;
        stream.set_nodelay(true)?;
        let mut builder = Builder::new();
        builder.max_buf_size(MAX_BUFFER_BYTES);
        let (sender, connection) = builder.handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(replica.addr = %addr, cause = describe(&error), "a connection to a replica failed");
            }
        });
        Ok(Self { addr, sender })
    }

    async fn send(mut self, call: &Call) -> Result<UpstreamResponse, Failure> {
        let addr = self.addr;
        let cut = |cause: &str| Failure::Cut(format!("{addr}: {cause}"));
        let response = self.sender.send_request(call.request()).await.map_err(|error| match error.is_canceled() {
            true => Failure::Unsent(format!("{addr}: {}", describe(&error))),
            false => cut(&describe(&error)),
        })?;
        let (parts, body) = response.into_parts();
        if parts.status == StatusCode::SWITCHING_PROTOCOLS {
            return Err(cut("it switches to another protocol"));
        }
        let length = announced_length(&parts.headers).ok_or_else(|| cut("the length of its response is ambiguous"))?;
        let content = if call.is_head() {
            self.release();
            Content::Omitted
        } else if body.is_end_stream() || length.is_some_and(|length| length <= MAX_WHOLE_BYTES) {
            let whole = body.collect().await.map_err(|error| cut(&describe(&error)))?;
            self.release();
            Content::Whole(whole.to_bytes())
        } else {
            Content::Streamed(body, self)
        };
        Ok(UpstreamResponse { status: parts.status, headers: parts.headers, length, content })
    }

    /// Returns the connection to the pool; its response has been read to the end.
    pub fn release(mut self) {
        if self.sender.is_ready() {
            self.return_to_pool();
        } else if !self.sender.is_closed() {
            // The connection's task has not yet noticed the end, or is still writing a request that was answered early.
            tokio::spawn(async move {
                if matches!(timeout(IDLE, self.sender.ready()).await, Ok(Ok(()))) {
                    self.return_to_pool();
                }
            });
        }
    }

    fn return_to_pool(self) {
        POOL.with_borrow_mut(|pool| {
            let now = Instant::now();
            let is_stale = |idle: &Idle| now - idle.since > IDLE;
            let idle = Idle { sender: self.sender, since: now };
            match pool.get_mut(&self.addr) {
                Some(connections) => {
                    while connections.front().is_some_and(is_stale) || connections.len() >= MAX_IDLE {
                        connections.pop_front();
                    }
                    connections.push_back(idle);
                }
                None => {
                    // A new replica may have replaced another one, whose connections nothing else would take out.
                    pool.retain(|_, connections| connections.back().is_some_and(|last| !is_stale(last)));
                    pool.insert(self.addr, VecDeque::from([idle]));
                }
            }
        });
    }
}

/// The announced length of a body, `Some(None)` where none is announced. Nothing where the framing can be read in two ways (RFC 9112
/// section 6.3): hyper decides for one of them.
fn announced_length(headers: &HeaderMap) -> Option<Option<u64>> {
    let mut lengths = headers.get_all(header::CONTENT_LENGTH).iter();
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter();
    match (lengths.next(), lengths.next(), codings.next(), codings.next()) {
        (None, _, None, _) => Some(None),
        (None, _, Some(coding), None) => coding.as_bytes().eq_ignore_ascii_case(b"chunked").then_some(None),
        (Some(length), None, None, _) => {
            let digits = length.to_str().ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
            digits.and_then(|digits| digits.parse().ok()).map(Some)
        }
        _ => None,
    }
}

/// An error of hyper's with its cause, which its own text leaves out.
fn describe(error: &hyper::Error) -> String {
    error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}"))
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use http::{
        Method,
        header::{HeaderName, HeaderValue},
        uri::PathAndQuery,
    };
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    pub const PATIENCE: Duration = Duration::from_secs(5);

    /// A replica that answers each request with the same bytes, and the number of connections that were opened to it. With `hangs_up`,
    /// it closes a connection after its first response.
    pub async fn replica(response: impl Into<Vec<u8>>, hangs_up: bool) -> (SocketAddr, Arc<AtomicUsize>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let addr = listener.local_addr().unwrap();
        let (response, opened) = (Arc::new(response.into()), Arc::new(AtomicUsize::new(0)));
        let accepted = Arc::clone(&opened);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                accepted.fetch_add(1, Ordering::Relaxed);
                let response = Arc::clone(&response);
                tokio::spawn(async move {
                    while !read_head(&mut stream).await.is_empty() {
                        let written = stream.write_all(&response).await;
                        if written.is_err() || hangs_up {
                            return;
                        }
                    }
                });
            }
        });
        (addr, opened)
    }

    /// Reads to the end of a request's head; nothing where the connection ends.
    async fn read_head(stream: &mut TcpStream) -> String {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            match stream.read_u8().await {
                Ok(byte) => head.push(byte),
                Err(_) => return String::new(),
            }
        }
        String::from_utf8(head).unwrap()
    }

    pub fn call(method: Method) -> Call {
        let headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static("memeworld"))]);
        Call::new(method, PathAndQuery::from_static("/a%2Fb?c=%20d|"), headers, Bytes::new())
    }

    async fn answer(addr: SocketAddr, method: Method) -> Result<UpstreamResponse, Failure> {
        exchange(addr, &call(method), PATIENCE).await
    }

    #[tokio::test]
    async fn a_request_goes_out_with_the_given_headers_and_address() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let addr = listener.local_addr().unwrap();
        let sent = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let head = read_head(&mut stream).await;
            stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
            let posted = read_head(&mut stream).await;
            let mut body = [0; 2];
            stream.read_exact(&mut body).await.unwrap();
            stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
            (head, posted, body)
        });
        answer(addr, Method::GET).await.unwrap();
        let headers = HeaderMap::from_iter([(HeaderName::from_static("x-a"), HeaderValue::from_static("b"))]);
        let post = Call::new(Method::POST, PathAndQuery::from_static("/"), headers, Bytes::from_static(b"{}"));
        exchange(addr, &post, PATIENCE).await.unwrap();
        let (head, posted, body) = sent.await.unwrap();
        assert_eq!(head, "GET /a%2Fb?c=%20d| HTTP/1.1\r\nhost: memeworld\r\n\r\n");
        assert_eq!(posted, "POST / HTTP/1.1\r\nx-a: b\r\ncontent-length: 2\r\n\r\n");
        assert_eq!(&body, b"{}");
    }

    #[tokio::test]
    async fn a_connection_is_used_again_once_its_response_was_read() {
        for response in [
            "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na",
        ] {
            let (addr, opened) = replica(response, false).await;
            for _ in 0..3 {
                let exchanged = answer(addr, Method::POST).await.unwrap();
                assert!(matches!(exchanged.content, Content::Whole(_)) && !exchanged.status.is_informational());
            }
            assert_eq!(opened.load(Ordering::Relaxed), 1, "{response}");
        }
        let (addr, opened) = replica("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n", false).await;
        for _ in 0..2 {
            let exchanged = answer(addr, Method::HEAD).await.unwrap();
            assert!(matches!((exchanged.content, exchanged.length), (Content::Omitted, Some(3))));
        }
        assert_eq!(opened.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn a_closed_idle_connection_is_not_used() {
        let (addr, opened) = replica("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", true).await;
        for round in 1..=20 {
            answer(addr, Method::POST).await.unwrap();
            assert_eq!(opened.load(Ordering::Relaxed), round);
            if round % 2 == 0 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
    }

    #[tokio::test]
    async fn connections_to_a_replica_that_is_gone_are_dropped() {
        let response = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
        let ((gone, _), (new, _)) = (replica(response, false).await, replica(response, false).await);
        answer(gone, Method::GET).await.unwrap();
        POOL.with_borrow_mut(|pool| pool.get_mut(&gone).unwrap()[0].since -= 2 * IDLE);
        answer(new, Method::GET).await.unwrap();
        let has = |addr| POOL.with_borrow(|pool| pool.contains_key(&addr));
        assert!(!has(gone) && has(new));
        POOL.with_borrow_mut(|pool| pool.get_mut(&new).unwrap()[0].since -= 2 * IDLE);
        assert!(Connection::idle(new).is_none(), "it has been idle for too long");
    }

    #[tokio::test]
    async fn a_failure_says_whether_the_replica_may_have_handled_the_request() {
        let unused = TcpListener::bind(("127.0.0.1", 0)).await.unwrap().local_addr().unwrap();
        assert!(matches!(answer(unused, Method::GET).await, Err(Failure::Unsent(_))));
        let (silent, _) = replica("", false).await;
        let late = exchange(silent, &call(Method::GET), Duration::from_millis(50)).await;
        assert!(matches!(late, Err(Failure::Final(cause)) if cause.ends_with("no reply for 0 s")));
        for response in [
            "",
            "HTTP/1.1 200 OK\r\nx: y",
            "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab",
            "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\ncontent-length: +3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\ncontent-length: 3, 3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\ncontent-length:\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n",
            "HTTP/1.1 099 None\r\n\r\n",
            "HTTP/2 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nx : y\r\n\r\n",
            &format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "a".repeat(2 * MAX_BUFFER_BYTES)),
            &format!("HTTP/1.1 200 OK\r\n{}\r\n", "x: y\r\n".repeat(200)),
        ] {
            let (addr, _) = replica(response, true).await;
            let outcome = answer(addr, Method::GET).await;
            assert!(matches!(outcome, Err(Failure::Cut(_))), "{:?}", response.get(..80).unwrap_or(response));
        }
    }
}
