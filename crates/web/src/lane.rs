//! A lane for plain requests beside the server: they are answered on the connection itself, for a fraction of what the server's way costs.
//!
//! Whoever listens with a lane reads each request's head before the server does. What is plain, and what the lane says it answers, never
//! reaches the server. Any other plain request is lent to the server with its connection, until it has been answered; and what is not
//! plain is the server's, with all that follows it.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    future::Future,
    io,
    net::SocketAddr,
    pin::{Pin, pin},
    rc::Rc,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use actix_http::{Protocol, error::DispatchError};
use actix_server::GracefulShutdownSignal;
use actix_service::Service;
use actix_web::rt::net::TcpStream;
use bytes::{Bytes, BytesMut};
use tokio::time::{Sleep, sleep};

use crate::{
    Answer, Plain, REQUEST_ID_HEADER,
    direct::{Connection, Socket},
    observe,
    route::Tally,
};

/// How long a new connection may be silent.
const FIRST: Duration = Duration::from_secs(30);

/// How long it may be silent between two requests, as at the server.
const NEXT: Duration = Duration::from_secs(5);

/// The largest head that is looked at here.
const MAX_HEAD_BYTES: usize = 16 * 1024;

thread_local! {
    /// Where requests are read to, so that connections that wait hold no memory.
    static READ: RefCell<Box<[u8]>> = RefCell::new(vec![0; MAX_HEAD_BYTES].into());
}

/// Answers some of the plain requests.
pub trait Lane {
    /// How a request is answered; nothing leaves it to the server.
    fn take<'a>(&'a self, req: &'a Plain) -> Option<Taken<'a>>;
}

/// Makes the lane of a worker.
pub type Lanes = Arc<dyn Fn() -> Rc<dyn Lane> + Send + Sync>;

/// A request that the lane answers.
pub struct Taken<'a> {
    /// What it is counted under; there must be few.
    pub route: &'static str,
    /// Whether its sender may name its id.
    pub may_name: bool,
    /// The answer.
    pub answer: Pin<Box<dyn Future<Output = Answer> + 'a>>,
}

/// What the connections of a worker share.
pub(crate) struct Front<S> {
    /// The server.
    http: S,
    lane: Option<Rc<dyn Lane>>,
    service: &'static str,
    tally: Tally<&'static str>,
    /// Makes itself known when the server stops.
    stop: GracefulShutdownSignal,
    stopping: Rc<Cell<bool>>,
}

impl<S> Front<S> {
    pub fn new(service: &'static str, http: S, lane: Option<Rc<dyn Lane>>, stop: GracefulShutdownSignal) -> Self {
        let stopping = Rc::new(Cell::new(false));
        let (known, told) = (stopping.clone(), stop.clone());
        actix_web::rt::spawn(async move {
            told.notified().await;
            known.set(true);
        });
        Self { http, lane, service, tally: Tally::default(), stop, stopping }
    }
}

impl<S> Front<S>
where
    S: Service<(Connection, Protocol, Option<SocketAddr>), Response = (), Error = DispatchError>,
{
    /// Serves a connection to its end.
    pub async fn serve(&self, stream: TcpStream, guest: Option<Rc<dyn Any>>) -> Result<(), DispatchError> {
        let peer = stream.peer_addr().ok();
        let socket = Rc::new(Socket::new(stream, guest.clone()));
        let Some(lane) = &self.lane else {
            return self.http.call((socket.given(Bytes::new()), Protocol::Http1, peer)).await;
        };
        let stop = async {
            self.stop.notified().await;
            // Whoever hears it first tells all others, so that no reply promises more after somebody was let go.
            self.stopping.set(true);
        };
        let mut stop = pin!(stop);
        let mut silence = pin!(sleep(FIRST));
        let mut until = Instant::now() + FIRST;
        loop {
            let input = std::future::poll_fn(|cx| poll_next(&socket, stop.as_mut(), silence.as_mut(), until, cx)).await;
            let Some(input) = input else { return Ok(()) };
            let plain = match Plain::read(input, peer, guest.clone()) {
                Ok(plain) => plain,
                Err(input) => return self.http.call((socket.given(input.freeze()), Protocol::Http1, peer)).await,
            };
            if let Some(taken) = lane.take(&plain) {
                // Who has left gets no further reply.
                let Ok(true) = self.answer(&socket, &plain, taken).await else { return Ok(()) };
                until = Instant::now() + NEXT;
                continue;
            }
            let lent = socket.lent(plain.into_bytes());
            let mut served = Box::pin(self.http.call((lent, Protocol::Http1, peer)));
            let over = std::future::poll_fn(|cx| match served.as_mut().poll(cx) {
                Poll::Ready(over) => Poll::Ready(Some(over)),
                Poll::Pending if socket.is_returned() => Poll::Ready(None),
                Poll::Pending => Poll::Pending,
            });
            if let Some(over) = over.await {
                return over;
            }
            until = Instant::now() + NEXT;
        }
    }

    /// Answers a request; whether another may follow.
    async fn answer(&self, socket: &Rc<Socket>, req: &Plain, taken: Taken<'_>) -> io::Result<bool> {
        let started = Instant::now();
        let id = observe::id(taken.may_name.then(|| req.headers().get(REQUEST_ID_HEADER.as_str())).flatten());
        let mut answer = telemetry::for_request(id, async {
            let answer = taken.answer.await;
            observe::write_down(
                req.method(),
                || taken.route.to_owned(),
                answer.status,
                started,
                answer.cause.as_deref(),
            );
            answer
        })
        .await;
        let took = started.elapsed();
        self.tally.count(self.service, taken.route, || taken.route.to_owned(), req.method(), answer.status, took);
        let last = self.stopping.get();
        answer.complete(id, last);
        socket.tell(answer).await?;
        Ok(!last)
    }
}

/// What comes next over a connection; nothing where it ends: hung up, silent until then, or the server stops.
fn poll_next(
    socket: &Socket,
    stop: Pin<&mut impl Future<Output = ()>>,
    mut silence: Pin<&mut Sleep>,
    until: Instant,
    cx: &mut Context<'_>,
) -> Poll<Option<BytesMut>> {
    if let Poll::Ready(read) = READ.with_borrow_mut(|room| socket.poll_read_into(cx, room)) {
        return Poll::Ready(read.ok().filter(|bytes| !bytes.is_empty()));
    }
    if stop.poll(cx).is_ready() {
        return Poll::Ready(None);
    }
    // It is not set anew for each silence: it rings, and is then set for what is left of this one.
    if silence.deadline() > until.into() {
        silence.as_mut().reset(until.into());
    }
    while let Poll::Ready(()) = silence.as_mut().poll(cx) {
        if Instant::now() >= until {
            return Poll::Ready(None);
        }
        silence.as_mut().reset(until.into());
    }
    Poll::Pending
}

#[cfg(test)]
mod tests {
    use actix_web::{HttpRequest, HttpResponse, http::StatusCode, rt, web as routes};
    use futures_util::stream;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        sync::Semaphore,
    };
    use uuid::Uuid;

    use super::*;
    use crate::{Body, Direct, Listening, Problem, Running, Sends, ServeConfig, serve_with};

    /// Lets one request to `/lane/waits` go on.
    static WAITS: Semaphore = Semaphore::const_new(0);

    /// The same for `/lane/stops`.
    static STOPS: Semaphore = Semaphore::const_new(0);

    /// Answers what is below `/lane`.
    struct Below;

    impl Lane for Below {
        fn take<'a>(&'a self, req: &'a Plain) -> Option<Taken<'a>> {
            let path = req.address().path().strip_prefix("/lane/")?;
            let pieces = |pieces: &'static [&'static str]| {
                Box::pin(stream::iter(pieces.iter().map(|piece| Ok(Bytes::from_static(piece.as_bytes())))))
            };
            let body = match path {
                "nothing" => Body::None,
                "long" => Body::Whole(vec![b'x'; 100_000].into()),
                "sized" => Body::Flowing(Some(6), pieces(&["a", "", "bcd", "ef"])),
                "short" => Body::Flowing(Some(7), pieces(&["abc", "def"])),
                "more" => Body::Flowing(Some(5), pieces(&["abc", "def"])),
                "itself" => Body::Sent(200_000, Box::new(Itself { left: 200_000, breaks: false })),
                "breaks" => Body::Sent(9, Box::new(Itself { left: 3, breaks: true })),
                "empty" => Body::Sent(0, Box::new(Itself { left: 0, breaks: false })),
                "chunks" => Body::Flowing(None, pieces(&["a", "", "bcdefghijklmnopqrst", "u"])),
                _ => Body::Whole(Bytes::from_static(b"lane")),
            };
            let answer = Box::pin(async move {
                match path {
                    "waits" => WAITS.acquire().await.unwrap().forget(),
                    "stops" => STOPS.acquire().await.unwrap().forget(),
                    _ => {}
                }
                match path {
                    "nothing" => Answer::new(StatusCode::NO_CONTENT, body),
                    "problem" => Answer::problem(&Problem::internal("the lane is closed")),
                    _ => Answer::new(StatusCode::OK, body),
                }
            });
            Some(Taken { route: "/lane", may_name: path == "named", answer })
        }
    }

    /// Bytes that send themselves.
    struct Itself {
        left: usize,
        breaks: bool,
    }

    impl Sends for Itself {
        fn poll_send(&mut self, cx: &mut Context<'_>, connection: &Direct) -> Poll<io::Result<()>> {
            while self.left > 0 {
                let bytes = vec![b'x'; self.left];
                self.left -= std::task::ready!(connection.poll_send(cx, |stream| stream.try_write(&bytes)))?;
            }
            Poll::Ready(if self.breaks { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) })
        }
    }

    fn start() -> Running {
        let listener = crate::listen("test", "127.0.0.1:0".parse().unwrap()).unwrap();
        let listening = Listening { lane: Some(Arc::new(|| Rc::new(Below) as Rc<dyn Lane>)), ..Listening::default() };
        let config = ServeConfig { workers: 1, ..ServeConfig::default() };
        serve_with("test", listener, &config, listening, |all| {
            let answer = async |req: HttpRequest, body: String| {
                let mut reply = HttpResponse::Ok();
                if req.path() == "/last" {
                    reply.force_close();
                }
                if req.path() == "/flows" {
                    let body = stream::iter([Ok::<_, io::Error>(Bytes::from("flo")), Ok(Bytes::from("wing"))]);
                    return reply.streaming(body);
                }
                reply.body(format!("server {body}"))
            };
            all.default_service(routes::to(answer));
        })
        .unwrap()
    }

    struct Visitor {
        stream: TcpStream,
        input: String,
    }

    impl Visitor {
        async fn of(server: &Running) -> Self {
            Self { stream: TcpStream::connect(server.addr).await.unwrap(), input: String::new() }
        }

        async fn send(&mut self, text: &str) {
            self.stream.write_all(text.replace('\n', "\r\n").as_bytes()).await.unwrap();
        }

        /// The next reply's head and body, of which the latter ends like this; as much as there is where the connection ends.
        async fn hear(&mut self, end: &str) -> (String, String) {
            let mut room = [0; 4096];
            loop {
                let (head, body) = self.input.split_once("\r\n\r\n").unwrap_or_default();
                let ends = if end.is_empty() { Some(0) } else { body.find(end).map(|at| at + end.len()) };
                if let Some(ends) = ends.filter(|_| !head.is_empty()) {
                    let told = (head.to_lowercase(), body[..ends].to_owned());
                    self.input = body[ends..].to_owned();
                    return told;
                }
                match self.stream.read(&mut room).await {
                    Ok(read @ 1..) => self.input.push_str(std::str::from_utf8(&room[..read]).unwrap()),
                    _ => return (String::new(), std::mem::take(&mut self.input)),
                }
            }
        }

        async fn get(&mut self, path: &str, end: &str) -> (String, String) {
            self.send(&format!("GET {path} HTTP/1.1\nHost: x\n\n")).await;
            self.hear(end).await
        }

        /// Whether the connection has ended, or ends now.
        async fn is_let_go(&mut self) -> bool {
            matches!(self.stream.read(&mut [0]).await, Ok(0) | Err(_))
        }
    }

    #[actix_web::test]
    async fn lane_and_server_take_turns_on_one_connection() {
        let server = start();
        let mut visitor = Visitor::of(&server).await;
        for _ in 0..3 {
            assert_eq!(visitor.get("/lane/x", "lane").await.1, "lane");
            assert_eq!(visitor.get("/else", "server ").await.1, "server ");
            assert_eq!(visitor.get("/flows", "0\r\n\r\n").await.1, "3\r\nflo\r\n4\r\nwing\r\n0\r\n\r\n");
            visitor.send("HEAD /else HTTP/1.1\nHost: x\n\n").await;
            assert!(visitor.hear("").await.0.contains("content-length: 7"));
        }
        // What has a body is the server's, and whatever comes after it.
        visitor.send("POST /else HTTP/1.1\nHost: x\nContent-Length: 4\n\nbody").await;
        assert_eq!(visitor.hear("body").await.1, "server body");
        assert_eq!(visitor.get("/lane/x", "server ").await.1, "server ");
        // Two at once keep their order.
        let mut visitor = Visitor::of(&server).await;
        visitor.send("GET /else HTTP/1.1\nHost: x\n\nGET /lane/x HTTP/1.1\nHost: x\n\n").await;
        assert_eq!((visitor.hear("server ").await.1, visitor.hear("server ").await.1.len()), ("server ".into(), 7));
        // And so does one that comes while another is answered.
        let mut visitor = Visitor::of(&server).await;
        visitor.send("GET /lane/waits HTTP/1.1\nHost: x\n\n").await;
        sleep(Duration::from_millis(50)).await;
        visitor.send("GET /else HTTP/1.1\nHost: x\n\n").await;
        WAITS.add_permits(1);
        assert_eq!(
            (visitor.hear("lane").await.1.as_str(), visitor.hear("server ").await.1.as_str()),
            ("lane", "server ")
        );
        // A head in two parts is the server's.
        let mut visitor = Visitor::of(&server).await;
        visitor.send("GET /lane/x HTTP/1.1\nHo").await;
        sleep(Duration::from_millis(50)).await;
        visitor.send("st: x\n\n").await;
        assert_eq!(visitor.hear("server ").await.1, "server ");
        server.stop().await;
    }

    #[actix_web::test]
    async fn every_body_arrives_as_its_head_says() {
        let server = start();
        let mut visitor = Visitor::of(&server).await;
        let (head, body) = visitor.get("/lane/x", "lane").await;
        assert!(head.starts_with("http/1.1 200 ok\r\nx-request-id: "), "{head}");
        assert!(head.contains(" gmt\r\n") && head.ends_with("\r\ncontent-length: 4"), "{head}");
        assert_eq!(body, "lane");
        let (head, body) = visitor.get("/lane/long", &"x".repeat(100_000)).await;
        assert!(head.contains("content-length: 100000") && body.len() == 100_000, "{head}");
        let (head, body) = visitor.get("/lane/itself", &"x".repeat(200_000)).await;
        assert!(head.contains("content-length: 200000") && body.len() == 200_000, "{head}");
        assert!(visitor.get("/lane/empty", "").await.0.contains("content-length: 0"));
        let (head, body) = visitor.get("/lane/sized", "ef").await;
        assert!(head.contains("content-length: 6") && body == "abcdef", "{head} {body}");
        let (head, body) = visitor.get("/lane/chunks", "0\r\n\r\n").await;
        assert!(head.contains("transfer-encoding: chunked") && !head.contains("content-length"), "{head}");
        assert_eq!(body, "1\r\na\r\n13\r\nbcdefghijklmnopqrst\r\n1\r\nu\r\n0\r\n\r\n");
        let (head, _) = visitor.get("/lane/nothing", "").await;
        assert!(head.starts_with("http/1.1 204 no content") && !head.contains("length"), "{head}");
        let (head, body) = visitor.get("/lane/problem", "}").await;
        assert!(head.starts_with("http/1.1 500 ") && head.contains("application/problem+json"), "{head}");
        assert!(!body.contains("the lane is closed"), "{body}");
        let id = head.split("x-request-id: ").nth(1).unwrap();
        assert!(body.contains(&id[..36]), "{body}");
        server.stop().await;
    }

    #[actix_web::test]
    async fn an_id_is_its_senders_only_where_he_may_name_it() {
        let server = start();
        let mut visitor = Visitor::of(&server).await;
        for (path, named) in [("/lane/named", true), ("/lane/x", false)] {
            let id = Uuid::new_v4();
            visitor.send(&format!("GET {path} HTTP/1.1\nHost: x\nX-Request-Id: {id}\n\n")).await;
            let (head, _) = visitor.hear("lane").await;
            assert_eq!(head.contains(&id.to_string()), named, "{path}");
        }
        server.stop().await;
    }

    #[actix_web::test]
    async fn a_connection_ends_with_a_reply_that_cannot_be_whole() {
        let server = start();
        for (path, told) in [("/lane/short", "abcdef"), ("/lane/more", "abc"), ("/lane/breaks", "xxx")] {
            let mut visitor = Visitor::of(&server).await;
            let (_, whole) = visitor.get(path, "never").await;
            assert!(whole.ends_with(&format!("\r\n\r\n{told}")), "{whole}");
        }
        let mut visitor = Visitor::of(&server).await;
        let (head, _) = visitor.get("/last", "server ").await;
        assert!(head.contains("connection: close"), "{head}");
        assert!(visitor.is_let_go().await);
        server.stop().await;
    }

    #[actix_web::test]
    async fn who_is_silent_is_let_go() {
        let server = start();
        let mut visitors = Vec::new();
        for path in ["/lane/x", "/else"] {
            let mut visitor = Visitor::of(&server).await;
            visitor.get(path, "e").await;
            visitors.push(visitor);
        }
        for mut visitor in visitors {
            assert!(tokio::time::timeout(FIRST, visitor.is_let_go()).await.unwrap());
        }
        server.stop().await;
    }

    #[actix_web::test]
    async fn a_stopping_server_finishes_what_it_began_and_lets_everybody_go() {
        let server = start();
        let (mut busy, mut idle) = (Visitor::of(&server).await, Visitor::of(&server).await);
        idle.get("/lane/x", "lane").await;
        busy.send("GET /lane/stops HTTP/1.1\nHost: x\n\n").await;
        sleep(Duration::from_millis(100)).await;
        let stopped = rt::spawn(server.stop());
        assert!(idle.is_let_go().await);
        STOPS.add_permits(1);
        let (head, body) = busy.hear("lane").await;
        assert!(head.contains("connection: close") && body == "lane", "{head}");
        assert!(busy.is_let_go().await);
        stopped.await.unwrap();
    }
}
