//! A service's reply: its head, and a body that counts as work until it has been handed on.

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

use actix_web::http::{
    StatusCode,
    header::{HeaderName, HeaderValue},
};
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use tokio::time::{Sleep, sleep, timeout};
use web::Lines;

use super::{
    replicas::Replica,
    wire::{Answer, Body, Coming},
};

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

/// Headers, each as the server takes it.
pub(crate) fn as_headers(lines: &Lines) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    lines.iter().filter_map(|(name, value)| HeaderName::from_bytes(name).ok().zip(HeaderValue::from_bytes(value).ok()))
}

/// A service's reply.
pub(crate) struct Reply {
    status: StatusCode,
    lines: Lines,
    length: Option<u64>,
    body: Body,
    flight: Flight,
}

/// A reply's body, as it is passed on.
pub(crate) enum Passing {
    /// All of it.
    Whole(Bytes),
    /// What is still on its way.
    Flowing(Flowing),
}

impl Reply {
    pub(super) fn new(answer: Answer, flight: Flight) -> Self {
        let Answer { status, lines, length, body } = answer;
        Self { status, lines, length, body, flight }
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// Its headers; those that travel on.
    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The body's length, where it is announced.
    pub(crate) fn length(&self) -> Option<u64> {
        self.length
    }

    /// Headers and body, to be passed on.
    pub(crate) fn into_parts(self) -> (Lines, Passing) {
        let body = match self.body {
            Body::Whole(bytes) => Passing::Whole(bytes),
            Body::Coming(coming) => Passing::Flowing(Flowing { coming, idle: None, _flight: self.flight }),
        };
        (self.lines, body)
    }

    /// The whole body, of at most `most` bytes.
    pub(crate) async fn read(self, most: usize) -> io::Result<Bytes> {
        let bytes = match self.into_parts().1 {
            Passing::Whole(bytes) => bytes,
            Passing::Flowing(flowing) => {
                timeout(IDLE, flowing.read(most)).await.map_err(|_| io::ErrorKind::TimedOut)??
            }
        };
        if bytes.len() > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
    }
}

/// A body that is still on its way: a stream of its pieces.
pub(crate) struct Flowing {
    coming: Box<Coming>,
    idle: Option<Pin<Box<Sleep>>>,
    _flight: Flight,
}

impl Flowing {
    async fn read(mut self, most: usize) -> io::Result<Bytes> {
        let mut whole = BytesMut::new();
        while let Some(piece) = self.next().await {
            whole.extend_from_slice(&piece?);
            if whole.len() > most {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
        }
        Ok(whole.freeze())
    }
}

impl Stream for Flowing {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let piece = self.coming.poll_piece(cx);
        if piece.is_ready() {
            self.idle = None;
            return piece;
        }
        let idle = self.idle.get_or_insert_with(|| Box::pin(sleep(IDLE)));
        idle.as_mut().poll(cx).map(|()| Some(Err(io::ErrorKind::TimedOut.into())))
    }
}
