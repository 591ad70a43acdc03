//! A reply of a lane, as it goes over the wire.

use std::{
    cell::RefCell,
    io::{self, Write},
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
    time::SystemTime,
};

use actix_web::{HttpResponse, body::MessageBody, http::StatusCode};
use bytes::{Buf, Bytes};
use futures_util::Stream;
use uuid::Uuid;

use crate::{Direct, Problem, REQUEST_ID_HEADER, direct::Socket, problem::Cause};

/// Room for a reply's head: most fit.
const USUAL_HEAD_BYTES: usize = 1024;

/// A body of at most this length is copied behind its head: the system takes one piece for less than two.
const COPIED_BYTES: usize = 16 * 1024;

thread_local! {
    /// The second it is, as `Date` names it (RFC 9110 section 6.6.1).
    static DATE: RefCell<(u64, String)> = RefCell::default();
}

/// A reply.
pub struct Answer {
    pub(crate) status: StatusCode,
    /// Headers as they go over the wire.
    head: Vec<u8>,
    body: Body,
    /// What failed, for the log alone.
    pub(crate) cause: Option<String>,
}

/// A reply's body.
pub enum Body {
    /// None, and no word of its length: a reply that has none by its status.
    None,
    /// All of it.
    Whole(Bytes),
    /// What is still on its way, and its length where that is known.
    Flowing(Option<u64>, Pin<Box<dyn Stream<Item = io::Result<Bytes>>>>),
    /// What sends itself, and its length.
    Sent(u64, Box<dyn Sends>),
}

/// Bytes that go into a connection without passing through us.
pub trait Sends {
    /// Sends what there is room for; ready when all has gone. After an error nothing more may go over the connection.
    fn poll_send(&mut self, cx: &mut Context<'_>, connection: &Direct) -> Poll<io::Result<()>>;
}

impl Answer {
    /// A reply without headers.
    pub fn new(status: StatusCode, body: Body) -> Self {
        let copied = match &body {
            Body::Whole(bytes) if bytes.len() <= COPIED_BYTES => bytes.len(),
            _ => 0,
        };
        let mut head = Vec::with_capacity(USUAL_HEAD_BYTES + copied);
        // The reason is for people, and only where there is one.
        head.extend_from_slice(b"HTTP/1.1 ");
        head.extend_from_slice(status.as_str().as_bytes());
        head.push(b' ');
        head.extend_from_slice(status.canonical_reason().unwrap_or_default().as_bytes());
        head.extend_from_slice(b"\r\n");
        Self { status, head, body, cause: None }
    }

    /// A problem, as the server would tell it.
    pub fn problem(problem: &Problem) -> Self {
        let reply: HttpResponse = problem.response();
        let cause = reply.extensions().get::<Cause>().map(|cause| cause.0.clone());
        let (reply, body) = reply.into_parts();
        let mut answer = Self::new(reply.status(), Body::Whole(body.try_into_bytes().unwrap_or_default()));
        for (name, value) in reply.headers() {
            answer.add(name.as_str(), value.as_bytes());
        }
        Self { cause, ..answer }
    }

    /// Adds a header, whose name and value are such.
    pub fn add(&mut self, name: impl AsRef<[u8]>, value: &[u8]) {
        for part in [name.as_ref(), b": ", value, b"\r\n"] {
            self.head.extend_from_slice(part);
        }
    }

    /// Adds what every reply has.
    pub(crate) fn complete(&mut self, id: Uuid, last: bool) {
        self.add(REQUEST_ID_HEADER.as_str(), id.hyphenated().encode_lower(&mut Uuid::encode_buffer()).as_bytes());
        DATE.with_borrow_mut(|(second, date)| {
            let now = SystemTime::now();
            let since = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
            if *second != since || date.is_empty() {
                (*second, *date) = (since, httpdate::fmt_http_date(now));
            }
            self.add("date", date.as_bytes());
        });
        match &self.body {
            Body::None => {}
            Body::Whole(bytes) => self.add_length(bytes.len() as u64),
            Body::Flowing(Some(length), _) | Body::Sent(length, _) => self.add_length(*length),
            Body::Flowing(None, _) => self.add("transfer-encoding", b"chunked"),
        }
        if last {
            self.add("connection", b"close");
        }
        self.head.extend_from_slice(b"\r\n");
        if let Body::Whole(bytes) = &self.body
            && bytes.len() <= COPIED_BYTES
        {
            self.head.extend_from_slice(bytes);
            self.body = Body::None;
        }
    }

    fn add_length(&mut self, length: u64) {
        self.add("content-length", itoa::Buffer::new().format(length).as_bytes());
    }
}

impl Socket {
    /// Sends a reply.
    pub(crate) async fn tell(self: &Rc<Self>, answer: Answer) -> io::Result<()> {
        let head = Bytes::from(answer.head);
        match answer.body {
            Body::None => self.send(head).await,
            Body::Whole(bytes) => self.send(head.chain(bytes)).await,
            Body::Flowing(length, mut pieces) => {
                let mut head = head;
                let mut left = length;
                while let Some(piece) = std::future::poll_fn(|cx| pieces.as_mut().poll_next(cx)).await {
                    let piece = piece?;
                    let before = std::mem::take(&mut head);
                    match &mut left {
                        None if piece.is_empty() => head = before,
                        None => {
                            let mut size = Vec::with_capacity(20);
                            write!(size, "{:x}\r\n", piece.len())?;
                            let chunk = before.chain(Bytes::from(size)).chain(piece).chain(&b"\r\n"[..]);
                            self.send(chunk).await?;
                        }
                        Some(left) => {
                            *left = left.checked_sub(piece.len() as u64).ok_or(io::ErrorKind::InvalidData)?;
                            self.send(before.chain(piece)).await?;
                        }
                    }
                }
                match left {
                    None => self.send(head.chain(&b"0\r\n\r\n"[..])).await,
                    Some(0) => self.send(head).await,
                    // Who reads must not take the next reply for the rest of this one.
                    Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
                }
            }
            Body::Sent(0, _) => self.send(head).await,
            Body::Sent(_, mut body) => {
                let mut head = head;
                while head.has_remaining() {
                    let sent = std::future::poll_fn(|cx| self.poll_send_more(cx, &head)).await?;
                    head.advance(sent);
                }
                let connection = self.direct();
                std::future::poll_fn(|cx| body.poll_send(cx, &connection)).await
            }
        }
    }

    async fn send(&self, mut bytes: impl Buf) -> io::Result<()> {
        while bytes.has_remaining() {
            if std::future::poll_fn(|cx| self.poll_write_buf(cx, &mut bytes)).await? == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
        }
        Ok(())
    }
}
