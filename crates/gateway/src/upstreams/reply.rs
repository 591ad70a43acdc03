//! A service's reply: its head, and a body that is still on its way and counts as work until it has arrived.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use actix_web::{
    error::PayloadError,
    http::{StatusCode, header::HeaderMap},
};
use awc::ClientResponse;
use bytes::Bytes;
use futures_util::Stream;
use tokio::time::{Sleep, sleep};

use super::replicas::Replica;

/// How long a body may stand still.
const IDLE: Duration = Duration::from_secs(30);

/// A call that is under way: it counts for its service and for its replica.
pub(super) struct Flight {
    service: Arc<AtomicUsize>,
    replica: Arc<Replica>,
}

impl Flight {
    /// One more for the replica; the service has counted it already.
    pub fn begin(service: Arc<AtomicUsize>, replica: Arc<Replica>) -> Self {
        replica.calls.fetch_add(1, Ordering::Relaxed);
        Self { service, replica }
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.service.fetch_sub(1, Ordering::Relaxed);
        self.replica.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A service's reply; read as a stream it is the body.
pub(crate) struct Reply {
    inner: ClientResponse,
    idle: Option<Pin<Box<Sleep>>>,
    _flight: Flight,
}

impl Reply {
    pub(super) fn new(inner: ClientResponse, flight: Flight) -> Self {
        Self { inner, idle: None, _flight: flight }
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.inner.status()
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        self.inner.headers()
    }

    /// The whole body, of at most `most` bytes.
    pub(crate) async fn read(mut self, most: usize) -> Result<Bytes, PayloadError> {
        let body = tokio::time::timeout(IDLE, self.inner.body().limit(most));
        body.await.unwrap_or_else(|_| Err(PayloadError::Io(io::ErrorKind::TimedOut.into())))
    }
}

impl Stream for Reply {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let chunk = Pin::new(&mut self.inner).poll_next(cx);
        if chunk.is_ready() {
            self.idle = None;
            return chunk;
        }
        let idle = self.idle.get_or_insert_with(|| Box::pin(sleep(IDLE)));
        idle.as_mut().poll(cx).map(|()| Some(Err(PayloadError::Io(io::ErrorKind::TimedOut.into()))))
    }
}
