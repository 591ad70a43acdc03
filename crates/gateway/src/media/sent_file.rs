//! A part of a file that the system sends by itself, from its own memory into the connection (sendfile(2)): no byte of it passes through
//! ours. Over TLS there is no such way, nor on other systems than Linux: there `file_body` reads it.

use std::{
    fs::File,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use actix_web::{
    body::{BodySize, MessageBody},
    rt::task::{JoinHandle, spawn_blocking},
};
use bytes::Bytes;
use web::{Direct, Sends};

use super::file_body::system;

/// Bytes that are looked for in the system's memory at a time.
const PIECE: u64 = 256 * 1024;

/// Bytes for one visitor, until all others of the same worker have had their turn; sent in one go where they are in memory, for the end of
/// each go wakes the visitor.
const TURN: u64 = 1024 * 1024;

/// Who takes this much …
const TIMED: u64 = 1024 * 1024;

/// … within this time reads quickly. It is more than a socket takes by itself.
const QUICK: Duration = Duration::from_millis(250);

/// `left` bytes of a file from `at` on.
pub(super) struct FilePart {
    file: Arc<File>,
    at: u64,
    left: u64,
    /// Up to where the file is known to be in the system's memory.
    at_hand: u64,
    fetching: Option<JoinHandle<io::Result<()>>>,
    /// Since when, and from which place on, it is seen how quickly the visitor reads.
    timed: Option<(Instant, u64)>,
}

impl FilePart {
    pub(super) fn new(file: File, at: u64, left: u64) -> Self {
        Self { file: Arc::new(file), at, left, at_hand: at, fetching: None, timed: None }
    }

    /// Sends what there is room for; ready when what a turn may send, or less, has gone.
    fn poll_some(&mut self, cx: &mut Context<'_>, connection: &Direct) -> Poll<io::Result<()>> {
        if self.at >= self.at_hand {
            ready!(self.poll_at_hand(cx))?;
        }
        let mut at = self.at;
        let (since, from) = *self.timed.get_or_insert_with(|| (Instant::now(), at));
        let sent = ready!(connection.poll_send(cx, |stream| {
            let wanted = usize::try_from(self.in_memory_until().saturating_sub(self.at)).unwrap_or(usize::MAX);
            system::send(stream, &self.file, &mut at, wanted)
        }))?;
        if sent == 0 {
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file has become shorter")));
        }
        self.at = at;
        self.left = self.left.saturating_sub(u64::try_from(sent).unwrap_or(u64::MAX));
        if at.saturating_sub(from) >= TIMED {
            connection.reads_quickly(since.elapsed() <= QUICK);
            self.timed = None;
        }
        Poll::Ready(Ok(()))
    }

    /// Ready once the next piece is in memory: sending it from the disk would hold up everybody on this thread.
    fn poll_at_hand(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let piece = self.left.min(PIECE);
        let end = self.at.saturating_add(piece);
        if self.fetching.is_none() {
            if self.is_in_memory(self.at) && self.is_in_memory(end.saturating_sub(1)) {
                self.at_hand = end;
                return Poll::Ready(Ok(()));
            }
            let (file, at) = (self.file.clone(), self.at);
            self.fetching = Some(spawn_blocking(move || {
                let mut bytes = vec![0; usize::try_from(piece).unwrap_or(0)];
                system::read_at(&file, &mut bytes, at).map(|_| ())
            }));
        }
        let Some(fetching) = &mut self.fetching else { return Poll::Pending };
        let fetched = ready!(Pin::new(fetching).poll(cx));
        self.fetching = None;
        fetched.map_err(io::Error::other)??;
        self.at_hand = end;
        Poll::Ready(Ok(()))
    }

    /// Up to where what a turn may send is in memory, at this moment.
    fn in_memory_until(&self) -> u64 {
        let most = self.at.saturating_add(self.left.min(TURN));
        let mut until = self.at_hand;
        while until < most {
            let end = most.min(until.saturating_add(PIECE));
            if !self.is_in_memory(end.saturating_sub(1)) {
                break;
            }
            until = end;
        }
        until
    }

    /// Whether the system has a byte in its memory; and with it what lies between it and one before that it has, as files are read ahead.
    fn is_in_memory(&self, at: u64) -> bool {
        system::read_at_once(&self.file, &mut [0], at).is_ok()
    }
}

impl Sends for FilePart {
    fn poll_send(&mut self, cx: &mut Context<'_>, connection: &Direct) -> Poll<io::Result<()>> {
        let turn = self.at.saturating_add(TURN);
        while self.left > 0 {
            if self.at >= turn {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            if let Err(error) = ready!(self.poll_some(cx, connection)) {
                // Most often a visitor who has left; who is still there sees the connection end.
                tracing::debug!(error = %error, "a file was not sent whole");
                return Poll::Ready(Err(error));
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// A part of a file as the body of a reply of the server's. Its length is to be said in the reply's head, as it does not pass through the
/// server.
pub(super) struct SentFile {
    connection: Direct,
    /// Whether the connection was asked for already.
    begun: bool,
    part: FilePart,
}

impl SentFile {
    pub(super) fn new(connection: Direct, part: FilePart) -> Self {
        Self { connection, begun: false, part }
    }
}

impl MessageBody for SentFile {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let this = &mut *self;
        ready!(this.connection.poll_flushed(&mut this.begun, cx));
        if ready!(this.part.poll_send(cx, &this.connection)).is_err() {
            this.connection.break_off();
        }
        Poll::Ready(None)
    }
}
