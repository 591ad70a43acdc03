//! A connection to a replica: calls on it one after the other, and the connections that wait for their next call.
//!
//! HTTP/1.1 is actix's own codec's; here is only what a client of few, near and plain servers needs around it. A connection's buffers and
//! its codec live as long as it does, and a reply that comes whole is one piece.

use std::{
    cell::RefCell,
    collections::{HashMap, VecDeque},
    io,
    net::SocketAddr,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use actix_http::{
    RequestHead, RequestHeadType, ResponseHead, ServiceConfig,
    body::BodySize,
    h1::{ClientCodec, ClientPayloadCodec, Message, MessageType},
};
use actix_web::{
    error::PayloadError,
    http::{Method, header},
};
use bytes::{Bytes, BytesMut};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use tokio_util::{
    codec::{Decoder, Encoder},
    io::poll_read_buf,
};

/// How long a connection to a replica may take to open.
const CONNECT: Duration = Duration::from_secs(2);

/// Idle connections are let go before the services do it (after 5 s), so that no call is written into a closing one.
const IDLE: Duration = Duration::from_secs(4);

/// Room for what is read at once: most replies whole.
const READ: usize = 16 * 1024;

thread_local! {
    /// Each worker's connections that wait, by replica; the one used last is used next.
    static WAITING: RefCell<HashMap<SocketAddr, VecDeque<Waiting>>> = RefCell::default();
    /// What codecs are configured with: made once, since each has a clock of its own.
    static CONFIG: ServiceConfig = ServiceConfig::default();
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
    pub head: ResponseHead,
    pub body: Body,
}

/// A reply's body.
pub(super) enum Body {
    /// All of it.
    Whole(Bytes),
    /// What is still on its way.
    Coming(Box<Coming>),
}

/// Sends a call to a replica and waits until its reply begins.
pub(super) async fn exchange(addr: SocketAddr, head: Rc<RequestHead>, body: &Bytes) -> Result<Answer, Failure> {
    let mut wire = match Wire::waiting(addr) {
        Some(wire) => wire,
        None => Wire::open(addr).await.map_err(|cause| Failure::Unsent(format!("{addr}: {cause}")))?,
    };
    let cut = |cause: io::Error| Failure::Cut(format!("{addr}: {cause}"));
    wire.write(head, body).await.map_err(cut)?;
    let head = wire.read_head().await.map_err(cut)?;
    let body = wire.into_body(&head).map_err(|cause| Failure::Cut(format!("{addr}: {cause}")))?;
    Ok(Answer { head, body })
}

/// A connection between two calls, or one whose reply has not begun.
struct Wire {
    link: Link,
    codec: ClientCodec,
}

/// What a connection is whatever is said on it.
struct Link {
    addr: SocketAddr,
    stream: TcpStream,
    input: BytesMut,
    output: BytesMut,
}

struct Waiting {
    wire: Wire,
    since: Instant,
}

impl Wire {
    async fn open(addr: SocketAddr) -> io::Result<Self> {
        let stream = timeout(CONNECT, TcpStream::connect(addr)).await.map_err(|_| io::ErrorKind::TimedOut)??;
        stream.set_nodelay(true)?;
        let codec = CONFIG.with(|config| ClientCodec::new(config.clone()));
        Ok(Self { link: Link { addr, stream, input: BytesMut::new(), output: BytesMut::new() }, codec })
    }

    /// A connection that is open and silent.
    fn waiting(addr: SocketAddr) -> Option<Self> {
        WAITING.with_borrow_mut(|waiting| {
            let waiting = waiting.get_mut(&addr)?;
            while let Some(Waiting { wire, since }) = waiting.pop_back() {
                if since.elapsed() > IDLE {
                    // Those before it have waited longer.
                    waiting.clear();
                    return None;
                }
                // Whoever speaks unasked or has hung up is no use.
                let silent =
                    wire.link.stream.try_read(&mut [0]).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock);
                if silent {
                    return Some(wire);
                }
            }
            None
        })
    }

    /// Waits for the next call.
    fn wait(self) {
        if !self.codec.keep_alive() || !self.link.input.is_empty() {
            return;
        }
        WAITING.with_borrow_mut(|all| {
            // Whoever is new may stand in the place of one that is gone, whose connections nobody would ask for again.
            if !all.contains_key(&self.link.addr) {
                all.retain(|_, waiting| waiting.back().is_some_and(|last| last.since.elapsed() <= IDLE));
            }
            let waiting = all.entry(self.link.addr).or_default();
            while waiting.front().is_some_and(|oldest| oldest.since.elapsed() > IDLE) {
                waiting.pop_front();
            }
            waiting.push_back(Waiting { wire: self, since: Instant::now() });
        });
    }

    async fn write(&mut self, head: Rc<RequestHead>, body: &Bytes) -> io::Result<()> {
        let bodiless = body.is_empty() && matches!(head.method, Method::GET | Method::HEAD | Method::OPTIONS);
        let size = if bodiless { BodySize::None } else { BodySize::Sized(body.len() as u64) };
        self.link.output.clear();
        self.codec.encode(Message::Item((RequestHeadType::Rc(head, None), size)), &mut self.link.output)?;
        if !body.is_empty() {
            self.codec.encode(Message::Chunk(Some(body.clone())), &mut self.link.output)?;
        }
        self.link.stream.write_all(&self.link.output).await
    }

    async fn read_head(&mut self) -> io::Result<ResponseHead> {
        loop {
            self.link.input.reserve(READ);
            if self.link.stream.read_buf(&mut self.link.input).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            while let Some(head) = self.codec.decode(&mut self.link.input).map_err(io::Error::other)? {
                if !head.status.is_informational() {
                    return Ok(head);
                }
            }
        }
    }

    fn into_body(self, head: &ResponseHead) -> Result<Body, PayloadError> {
        let kind = self.codec.message_type();
        if kind == MessageType::None {
            self.wait();
            return Ok(Body::Whole(Bytes::new()));
        }
        let open = Some((self.link, self.codec.into_payload_codec()));
        let mut coming = Coming { open, first: None, until_closed: kind == MessageType::Stream };
        let announced = head.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        match coming.read_already()? {
            Some(None) => return Ok(Body::Whole(Bytes::new())),
            Some(Some(all)) if announced == Some(all.len()) && matches!(coming.read_already()?, Some(None)) => {
                return Ok(Body::Whole(all));
            }
            first => coming.first = first.flatten(),
        }
        Ok(Body::Coming(Box::new(coming)))
    }
}

/// A body on its way. Its connection waits for the next call when all of it has come, and is closed where it is dropped before.
pub(super) struct Coming {
    open: Option<(Link, ClientPayloadCodec)>,
    /// What came with the head.
    first: Option<Bytes>,
    /// It ends with its connection.
    until_closed: bool,
}

impl Coming {
    /// The next piece of what has been read, `Some(None)` at the end, nothing where more must be read.
    fn read_already(&mut self) -> Result<Option<Option<Bytes>>, PayloadError> {
        let Some((link, codec)) = &mut self.open else { return Ok(Some(None)) };
        let piece = codec.decode(&mut link.input)?;
        if matches!(piece, Some(None))
            && let Some((link, codec)) = self.open.take()
        {
            Wire { link, codec: codec.into_message_codec() }.wait();
        }
        Ok(piece)
    }

    /// The next piece; nothing at the end.
    pub fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, PayloadError>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(first)));
        }
        loop {
            if let Some(piece) = self.read_already()? {
                return Poll::Ready(piece.map(Ok));
            }
            let Some((link, _)) = &mut self.open else { return Poll::Ready(None) };
            link.input.reserve(READ);
            if ready!(poll_read_buf(Pin::new(&mut link.stream), cx, &mut link.input))? == 0 {
                self.open = None;
                let cut = PayloadError::Incomplete(None);
                return Poll::Ready((!self.until_closed).then_some(Err(cut)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::{
        App, HttpResponse, HttpServer,
        http::{
            header::{HeaderMap, HeaderValue},
            uri::PathAndQuery,
        },
        web::to,
    };

    use super::*;
    use crate::upstreams::Call;

    fn replica() -> SocketAddr {
        let server = HttpServer::new(|| App::new().default_service(to(HttpResponse::Ok)));
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let addr = server.addrs()[0];
        actix_web::rt::spawn(server.run());
        addr
    }

    async fn is_answered(addr: SocketAddr) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("localhost"));
        let call = Call::get(PathAndQuery::from_static("/"), headers);
        exchange(addr, call.head.clone(), &call.body).await.is_ok()
    }

    #[actix_web::test]
    async fn the_connections_to_who_is_gone_are_let_go() {
        let (gone, new) = (replica(), replica());
        assert!(is_answered(gone).await);
        WAITING.with_borrow_mut(|all| all.get_mut(&gone).unwrap()[0].since -= 2 * IDLE);
        assert!(is_answered(new).await);
        WAITING.with_borrow(|all| assert!(all.contains_key(&new) && !all.contains_key(&gone)));
    }
}
