//! One HTTP exchange with a network: a request's bytes, and its reply's.

use async_trait::async_trait;
use bytes::Bytes;
use reqwest::{Request, Response, StatusCode, header::HeaderMap};

/// A network's reply.
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it was sent; why there is none where the connection was cut in it.
    pub body: Result<Bytes, NoReply>,
}

/// Why there is no reply.
#[derive(Debug, thiserror::Error)]
pub enum NoReply {
    /// The connection failed, so the network got no request.
    #[error("{0}")]
    NotSent(String),
    /// No reply in time.
    #[error("{0}")]
    TimedOut(String),
    /// The connection was cut.
    #[error("{0}")]
    Cut(String),
}

/// Stands in the place of HTTP: a simulated network.
#[async_trait]
pub trait Transport: Send + Sync {
    /// Sends a request. One without a timeout has that of `CHARGE_TIMEOUT_MS`.
    async fn send(&self, request: Request) -> Result<Reply, NoReply>;
}

/// Without the URL, which may contain an opt-in's reference.
impl From<reqwest::Error> for NoReply {
    fn from(error: reqwest::Error) -> Self {
        use std::error::Error as _;
        let error = error.without_url();
        // A parser's message may quote the invalid value, which may be a phone number.
        let source = if error.is_decode() { None } else { error.source() };
        let source = source.map(|source| format!(": {source}")).unwrap_or_default();
        let cause = format!("{error}{source}");
        match error {
            error if error.is_connect() => Self::NotSent(cause),
            error if error.is_timeout() => Self::TimedOut(cause),
            _ => Self::Cut(cause),
        }
    }
}

impl Reply {
    /// Reads all of a response.
    pub(super) async fn read(response: Response) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        Self { status, headers, body: response.bytes().await.map_err(NoReply::from) }
    }

    /// The text of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}
