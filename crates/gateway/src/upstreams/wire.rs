//! A connection to a replica: calls on it one after the other, and the connections that wait for their next call.
//!
//! What few, near and plain servers want of a client, and no more. A connection's buffer and timer live as long as it does, and a reply
//! that comes whole is one piece.

use std::{
    cell::RefCell,
    collections::VecDeque,
    io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use actix_web::http::StatusCode;
use bytes::{Bytes, BytesMut};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Sleep, sleep, timeout},
};
use tokio_util::io::poll_read_buf;
use web::Lines;

use super::{
    Call,
    message::{self, Framing, Head},
};

/// How long a connection to a replica may take to open.
const CONNECT: Duration = Duration::from_secs(2);

/// Idle connections are let go before the services do it (after 5 s), so that no call is written into a closing one.
const IDLE: Duration = Duration::from_secs(4);

/// Room for what is read at once: most replies whole.
const READ: usize = 16 * 1024;

thread_local! {
    /// Each worker's connections that wait, by replica; the one used last is used next.
    static WAITING: RefCell<Vec<(SocketAddr, VecDeque<Waiting>)>> = RefCell::default();
}

/// How far a call came before it failed.
pub(super) enum Failure {
    /// No connection: the replica has seen nothing of it.
    Unsent(String),
    /// The connection ended before a reply began: the replica may have done it.
    Cut(String),
    /// Nothing that another try would better.
    Final(String),
}

/// A reply that has begun.
pub(super) struct Answer {
    pub status: StatusCode,
    /// Of its headers those that travel on.
    pub lines: Lines,
    /// The length it announces.
    pub length: Option<u64>,
    pub body: Body,
}

/// A reply's body.
pub(super) enum Body {
    /// All of it.
    Whole(Bytes),
    /// What is still on its way.
    Coming(Box<Coming>),
}

/// Sends a call to a replica and waits until its reply begins; for that, no longer than `patience`.
pub(super) async fn exchange(addr: SocketAddr, call: &Call, patience: Duration) -> Result<Answer, Failure> {
    let now = Instant::now();
    let mut wire = match Wire::waiting(addr, now) {
        Some(wire) => wire,
        None => Wire::open(addr).await.map_err(|cause| Failure::Unsent(format!("{addr}: {cause}")))?,
    };
    let cut = |cause: io::Error| Failure::Cut(format!("{addr}: {cause}"));
    match wire.ask(call, now + patience).await {
        Ok(Some(head)) => wire.into_answer(head).map_err(cut),
        Ok(None) => Err(Failure::Final(format!("{addr}: no reply for {} s", patience.as_secs()))),
        Err(cause) => Err(cut(cause)),
    }
}

/// A connection.
struct Wire {
    addr: SocketAddr,
    stream: TcpStream,
    input: BytesMut,
    /// Set anew for each call, which costs less than a timer for each.
    patience: Pin<Box<Sleep>>,
}

struct Waiting {
    wire: Wire,
    since: Instant,
}

impl Wire {
    async fn open(addr: SocketAddr) -> io::Result<Self> {
        let stream = timeout(CONNECT, TcpStream::connect(addr)).await.map_err(|_| io::ErrorKind::TimedOut)??;
        stream.set_nodelay(true)?;
        Ok(Self { addr, stream, input: BytesMut::new(), patience: Box::pin(sleep(Duration::ZERO)) })
    }

    /// A connection that is open and silent.
    fn waiting(addr: SocketAddr, now: Instant) -> Option<Self> {
        WAITING.with_borrow_mut(|all| {
            let (_, waiting) = all.iter_mut().find(|(of, _)| *of == addr)?;
            while let Some(Waiting { wire, since }) = waiting.pop_back() {
                if now - since > IDLE {
                    // Those before it have waited longer.
                    waiting.clear();
                    return None;
                }
                // Whoever speaks unasked or has hung up is no use.
                let silent =
                    wire.stream.try_read(&mut [0]).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock);
                if silent {
                    return Some(wire);
                }
            }
            None
        })
    }

    /// Waits for the next call.
    fn wait(self) {
        // What nobody asked for is no reply.
        if !self.input.is_empty() {
            return;
        }
        WAITING.with_borrow_mut(|all| {
            let now = Instant::now();
            let addr = self.addr;
            let place = all.iter().position(|(of, _)| *of == addr).unwrap_or_else(|| {
                // Whoever is new may stand in the place of one that is gone, whose connections nobody would ask for again.
                all.retain(|(_, waiting)| waiting.back().is_some_and(|last| now - last.since <= IDLE));
                all.push((addr, VecDeque::new()));
                all.len() - 1
            });
            if let Some((_, waiting)) = all.get_mut(place) {
                while waiting.front().is_some_and(|oldest| now - oldest.since > IDLE) {
                    waiting.pop_front();
                }
                waiting.push_back(Waiting { wire: self, since: now });
            }
        });
    }

    /// Sends a call and reads the head of its reply; nothing where that takes longer.
    async fn ask(&mut self, call: &Call, until: Instant) -> io::Result<Option<Head>> {
        let Self { stream, input, patience: late, .. } = self;
        late.as_mut().reset(until.into());
        let answer = async {
            stream.write_all(call.message()).await?;
            loop {
                input.reserve(READ);
                if stream.read_buf(input).await? == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                if let Some(head) = message::head(input, call.is_head())? {
                    return Ok(head);
                }
            }
        };
        tokio::select! {
            biased;
            head = answer => head.map(Some),
            () = late => Ok(None),
        }
    }

    fn into_answer(self, head: Head) -> io::Result<Answer> {
        let Head { status, lines, length, framing, keeps } = head;
        let mut coming = Coming { open: Some(self), first: None, framing, keeps };
        let body = match coming.read_already()? {
            Some(None) => Body::Whole(Bytes::new()),
            Some(Some(first)) if coming.framing == Framing::Length(0) => {
                coming.end();
                Body::Whole(first)
            }
            first => {
                coming.first = first.flatten();
                Body::Coming(Box::new(coming))
            }
        };
        Ok(Answer { status, lines, length, body })
    }
}

/// A body on its way. Its connection waits for the next call when all of it has come, and is closed where it is dropped before.
pub(super) struct Coming {
    open: Option<Wire>,
    /// What came with the head.
    first: Option<Bytes>,
    framing: Framing,
    /// Whether another call may follow.
    keeps: bool,
}

impl Coming {
    /// The next piece of what has been read, `Some(None)` at the end, nothing where more must be read.
    fn read_already(&mut self) -> io::Result<Option<Option<Bytes>>> {
        let Some(wire) = &mut self.open else { return Ok(Some(None)) };
        let piece = self.framing.piece(&mut wire.input)?;
        if matches!(piece, Some(None)) {
            self.end();
        }
        Ok(piece)
    }

    /// All of it has come.
    fn end(&mut self) {
        if let Some(wire) = self.open.take().filter(|_| self.keeps) {
            wire.wait();
        }
    }

    /// The next piece; nothing at the end.
    pub fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(first)));
        }
        loop {
            if let Some(piece) = self.read_already()? {
                return Poll::Ready(piece.map(Ok));
            }
            let Some(Wire { stream, input, .. }) = &mut self.open else { return Poll::Ready(None) };
            input.reserve(READ);
            if ready!(poll_read_buf(Pin::new(stream), cx, input))? == 0 {
                self.open = None;
                let cut = io::ErrorKind::UnexpectedEof.into();
                return Poll::Ready((self.framing != Framing::UntilClosed).then_some(Err(cut)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::{
        App, HttpResponse, HttpServer,
        http::{header, uri::PathAndQuery},
        web::to,
    };

    use super::*;
    use crate::upstreams::Headers;

    const PATIENCE: Duration = Duration::from_secs(5);

    fn replica() -> SocketAddr {
        let server = HttpServer::new(|| App::new().default_service(to(HttpResponse::Ok)));
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let addr = server.addrs()[0];
        actix_web::rt::spawn(server.run());
        addr
    }

    async fn is_answered(addr: SocketAddr) -> bool {
        let mut headers = Headers::new();
        headers.add_text(&header::HOST, "localhost");
        exchange(addr, &Call::get(PathAndQuery::from_static("/"), &headers), PATIENCE).await.is_ok()
    }

    #[actix_web::test]
    async fn the_connections_to_who_is_gone_are_let_go() {
        let (gone, new) = (replica(), replica());
        assert!(is_answered(gone).await);
        WAITING.with_borrow_mut(|all| {
            let (_, waiting) = all.iter_mut().find(|(addr, _)| *addr == gone).unwrap();
            waiting[0].since -= 2 * IDLE;
        });
        assert!(is_answered(new).await);
        assert_eq!(WAITING.with_borrow(|all| all.iter().map(|(addr, _)| *addr).collect::<Vec<_>>()), [new]);
    }
}
