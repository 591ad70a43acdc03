//! A service's response: its head, and a body that counts as a call under way until it has been passed on.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures_util::{Stream, stream};
use http::{
    HeaderMap, StatusCode,
    header::{self, HeaderName},
};
use http_body::Body as _;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use tokio::time::timeout;

use super::{
    pool::{Connection, Content, Exchanged},
    replicas::Replica,
};
use crate::{request::REQUEST_ID, response::Body};

/// How long a body's next piece may take.
const STALLED: Duration = if cfg!(test) { Duration::from_secs(2) } else { Duration::from_secs(30) };

/// Hop-by-hop headers (RFC 9110 section 7.6.1): they are about one connection, not about the message.
static HOP_BY_HOP: [HeaderName; 9] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    HeaderName::from_static("proxy-connection"),
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Whether a header is about one connection.
pub(crate) fn is_hop_by_hop(name: &HeaderName) -> bool {
    HOP_BY_HOP.contains(name)
}

/// The headers, in lower case, that `Connection` declares hop-by-hop.
pub(crate) fn connection_options(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(header::CONNECTION).iter().filter_map(|value| value.to_str().ok());
    let options = values.flat_map(|value| value.split(',')).map(str::trim).filter(|option| !option.is_empty());
    options.map(str::to_ascii_lowercase).collect()
}

/// What the gateway states itself.
static OWN: [HeaderName; 4] = [header::CONTENT_LENGTH, header::DATE, header::SERVER, REQUEST_ID];

/// Removes what is about the connection to the service, and what the gateway states itself.
fn remove_own(headers: &mut HeaderMap) {
    let options = connection_options(headers);
    let stays = |name: &HeaderName| {
        !is_hop_by_hop(name) && !OWN.contains(name) && !options.iter().any(|option| option == name.as_str())
    };
    let removed: Vec<HeaderName> = headers.keys().filter(|name| !stays(name)).cloned().collect();
    for name in removed {
        headers.remove(name);
    }
}

/// A call that is under way: it counts for its service and for its replica.
pub(super) struct InFlight {
    service: Arc<AtomicUsize>,
    replica: Arc<Replica>,
}

impl InFlight {
    /// Counts a call for the replica; the service has counted it already.
    pub fn begin(service: Arc<AtomicUsize>, replica: Arc<Replica>) -> Self {
        replica.calls.fetch_add(1, Ordering::Relaxed);
        Self { service, replica }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.service.fetch_sub(1, Ordering::Relaxed);
        self.replica.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A service's response.
pub(crate) struct ServiceResponse {
    pub(crate) status: StatusCode,
    /// Its headers, without those about the connection and those that the gateway states itself.
    pub(crate) headers: HeaderMap,
    length: Option<u64>,
    content: Content,
    in_flight: InFlight,
}

impl ServiceResponse {
    pub(super) fn new(exchanged: Exchanged, in_flight: InFlight) -> Self {
        let Exchanged { status, mut headers, length, content } = exchanged;
        remove_own(&mut headers);
        Self { status, headers, length, content, in_flight }
    }

    /// The body's length in bytes, where it is announced.
    pub(crate) fn length(&self) -> Option<u64> {
        self.length
    }

    /// Whether its body is a problem document (RFC 9457).
    pub(crate) fn is_problem(&self) -> bool {
        let kind = self.headers.get(header::CONTENT_TYPE);
        kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/problem+json"))
    }

    /// Reads the whole body, of at most `most` bytes.
    pub(crate) async fn read(self, most: usize) -> io::Result<Bytes> {
        let Self { content, in_flight: _in_flight, .. } = self;
        match content {
            Content::Omitted => Ok(Bytes::new()),
            Content::Whole(bytes) if bytes.len() > most => Err(io::ErrorKind::FileTooLarge.into()),
            Content::Whole(bytes) => Ok(bytes),
            Content::Streamed(body, connection) => {
                let whole = timeout(STALLED, Limited::new(body, most).collect()).await?.map_err(io::Error::other)?;
                connection.release();
                Ok(whole.to_bytes())
            }
        }
    }

    /// The body, to be passed on. That of a response to a HEAD has no bytes, but the announced length.
    pub(crate) fn into_body(self) -> Body {
        match self.content {
            Content::Omitted => Body::stream(self.length, stream::empty()),
            Content::Whole(bytes) => bytes.into(),
            Content::Streamed(body, connection) => Body::stream(self.length, pieces(body, connection, self.in_flight)),
        }
    }
}

/// A body's pieces. The call is under way until the stream is dropped.
fn pieces(body: Incoming, connection: Connection, in_flight: InFlight) -> impl Stream<Item = io::Result<Bytes>> + Send {
    stream::try_unfold((body, Some(connection), in_flight), |(mut body, mut connection, in_flight)| async move {
        loop {
            let frame = timeout(STALLED, body.frame()).await?.transpose().map_err(io::Error::other)?;
            // A body of known length is not polled again after its last piece.
            if frame.is_none() || body.is_end_stream() {
                connection.take().into_iter().for_each(Connection::release);
            }
            match frame.map(http_body::Frame::into_data) {
                None => return Ok(None),
                Some(Ok(piece)) => return Ok(Some((piece, (body, connection, in_flight)))),
                // Trailers are hop-by-hop for us: a response's own end is announced anew.
                Some(Err(_)) => {}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use http::Method;

    use super::*;
    use crate::{
        services::Service,
        upstream::{
            Upstream,
            pool::tests::{call, replica},
        },
    };

    async fn upstream(response: impl Into<Vec<u8>>) -> (Upstream, Arc<AtomicUsize>) {
        let (addr, opened) = replica(response, false).await;
        (Upstream::new(Service::Meme, &format!("http://{addr}").parse().unwrap()), opened)
    }

    #[tokio::test]
    async fn headers_about_the_connection_do_not_pass() {
        let (upstream, _) = upstream(
            "HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nKeep-Alive: timeout=5\r\nX-Hop: a\r\nDate: b\r\n\
             Server: c\r\nX-Request-Id: d\r\nX-Kept: e\r\nSet-Cookie: f\r\nSet-Cookie: g\r\n\
             Content-Type: application/problem+json; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}",
        )
        .await;
        let response = upstream.send(&call(Method::GET)).await.unwrap();
        let mut names: Vec<_> = response.headers.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["content-type", "set-cookie", "set-cookie", "x-kept"]);
        assert!(response.is_problem());
        assert_eq!(response.length(), Some(2));
        assert_eq!(response.read(2).await.unwrap(), "{}");
        assert!(upstream.send(&call(Method::GET)).await.unwrap().read(1).await.is_err());
        assert_eq!(upstream.send(&call(Method::HEAD)).await.unwrap().into_body().length(), Some(2));
    }

    #[tokio::test]
    async fn a_long_body_is_streamed_and_its_connection_used_again() {
        let long = "a".repeat(1_000_000);
        for (response, length) in [
            (format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{long}", long.len()), Some(1_000_000)),
            (
                format!(
                    "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n{:x}\r\n{long}\r\n0\r\nx: y\r\n\r\n",
                    long.len()
                ),
                None,
            ),
        ] {
            let (upstream, opened) = upstream(response).await;
            for _ in 0..3 {
                let mut body = upstream.send(&call(Method::GET)).await.unwrap().into_body();
                assert_eq!((body.length(), upstream.calls()), (length, 1));
                // As hyper's server does: it stops at the announced end.
                let mut read = 0;
                while !body.is_end_stream()
                    && let Some(frame) = body.frame().await
                {
                    read += frame.unwrap().into_data().unwrap().len();
                }
                drop(body);
                assert_eq!((read, upstream.calls()), (long.len(), 0));
                assert_eq!(upstream.send(&call(Method::GET)).await.unwrap().read(long.len()).await.unwrap(), long);
            }
            assert_eq!(opened.load(Ordering::Relaxed), 1);
            drop(upstream.send(&call(Method::GET)).await.unwrap());
            assert!(upstream.send(&call(Method::GET)).await.unwrap().read(9).await.is_err());
            assert_eq!(upstream.send(&call(Method::GET)).await.unwrap().read(long.len()).await.unwrap(), long);
            assert_eq!(opened.load(Ordering::Relaxed), 3, "a response that was not read costs its connection");
        }
    }

    #[tokio::test]
    async fn a_body_that_stalls_fails() {
        let (upstream, _) = upstream("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nabc").await;
        let mut body = upstream.send(&call(Method::GET)).await.unwrap().into_body();
        assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap(), "abc");
        assert_eq!(body.frame().await.unwrap().unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
