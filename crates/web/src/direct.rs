//! A connection into which a part of a file goes by the system's own hand (sendfile(2)), instead of being read and written by ours.
//!
//! The server writes heads, and this writes such bodies. That neither comes between the other's bytes, a body first waits until all that
//! was written before it has gone into the socket; the server in turn writes nothing while a body is under way.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    io,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, Waker, ready},
};

use actix_web::{
    HttpResponse,
    body::{BodySize, BoxBody, MessageBody},
    rt::net::TcpStream,
};
use bytes::{Buf, Bytes, BytesMut};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::{Semaphore, SemaphorePermit},
};
use tokio_util::io::poll_write_buf;

use crate::sockets;

/// The connections of a program for which the system may take more ahead, as their visitors read quickly: a bound for its memory, should
/// all of them stop reading at once.
static QUICK: Semaphore = Semaphore::const_new(128);

/// A connection as the server has it.
pub(crate) struct Connection {
    socket: Rc<Socket>,
    /// What was read of it before the server had it.
    given: Bytes,
    /// Whether that is all the server may read: one request.
    lent: bool,
}

/// What a connection was greeted with; found among its data.
pub struct Guest(pub Rc<dyn Any>);

/// The same connection, as a body may have it; found among the connection's data.
#[derive(Clone)]
pub struct Direct(Rc<Socket>);

pub(crate) struct Socket {
    stream: RefCell<TcpStream>,
    guest: Option<Rc<dyn Any>>,
    /// Who waits until all that was written has gone into the socket.
    waiting: RefCell<Option<Waker>>,
    /// Since it was last asked, all that was written has gone into the socket.
    flushed: Cell<bool>,
    /// A body could not be sent whole: whoever reads must not take what follows for the rest of it.
    broken: Cell<bool>,
    /// Held while the visitor reads quickly.
    quick: RefCell<Option<SemaphorePermit<'static>>>,
    /// How far the server is with the one request for which it was lent the connection.
    lent: Cell<Lent>,
}

/// How far the server is with a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lent {
    /// Its reply is still to come, or on its way.
    Working,
    /// It has the whole reply.
    Ended,
    /// The reply has gone into the socket, and another request may follow.
    Done,
    /// The connection ends.
    Closing,
}

/// A reply's body; when it has been taken in, or dropped, the server has the whole reply.
pub(crate) struct Ending {
    body: BoxBody,
    socket: Option<Rc<Socket>>,
}

impl Ending {
    /// Watches over a reply on behalf of who lent the connection; not where the connection ends with it.
    pub fn of(reply: HttpResponse, connection: Option<Direct>) -> HttpResponse<Self> {
        let connection = connection.filter(|_| reply.head().keep_alive());
        reply.map_body(|_, body| Self { body, socket: connection.map(|Direct(socket)| socket) })
    }
}

impl MessageBody for Ending {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(cx)
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(socket) = &self.socket {
            socket.move_on(Lent::Working, Lent::Ended);
        }
    }
}

impl Socket {
    pub(crate) fn new(stream: TcpStream, guest: Option<Rc<dyn Any>>) -> Self {
        Self {
            stream: RefCell::new(stream),
            guest,
            waiting: RefCell::default(),
            flushed: Cell::new(false),
            broken: Cell::new(false),
            quick: RefCell::default(),
            lent: Cell::new(Lent::Working),
        }
    }

    /// The connection for the server, with what was read of it.
    pub(crate) fn given(self: &Rc<Self>, given: Bytes) -> Connection {
        Connection { socket: self.clone(), given, lent: false }
    }

    /// The connection for the server, until it has answered this one request.
    pub(crate) fn lent(self: &Rc<Self>, request: Bytes) -> Connection {
        self.lent.set(Lent::Working);
        Connection { socket: self.clone(), given: request, lent: true }
    }

    /// Whether the server has answered the request, and the connection may be used for another.
    pub(crate) fn is_returned(&self) -> bool {
        self.lent.get() == Lent::Done && !self.broken.get()
    }

    fn move_on(&self, from: Lent, to: Lent) {
        if self.lent.get() == from {
            self.lent.set(to);
        }
    }

    /// Reads what has come, and copies it; of no length where it was hung up.
    pub(crate) fn poll_read_into(&self, cx: &mut Context<'_>, room: &mut [u8]) -> Poll<io::Result<BytesMut>> {
        let mut room = ReadBuf::new(room);
        ready!(Pin::new(&mut *self.stream.borrow_mut()).poll_read(cx, &mut room))?;
        Poll::Ready(Ok(BytesMut::from(room.filled())))
    }

    pub(crate) fn poll_write_buf(&self, cx: &mut Context<'_>, bytes: &mut impl Buf) -> Poll<io::Result<usize>> {
        let mut stream = self.stream.borrow_mut();
        let stream = Pin::new(&mut *stream);
        // One piece costs the system less said as one than as a list of one.
        if bytes.chunk().len() < bytes.remaining() {
            return poll_write_buf(stream, cx, bytes);
        }
        let written = ready!(stream.poll_write(cx, bytes.chunk()))?;
        bytes.advance(written);
        Poll::Ready(Ok(written))
    }

    /// Writes what more follows.
    pub(crate) fn poll_send_more(&self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_send(cx, |stream| sockets::send_more(stream, bytes))
    }

    /// The connection, for a body that sends itself.
    pub(crate) fn direct(self: &Rc<Self>) -> Direct {
        Direct(self.clone())
    }

    fn poll_send(
        &self,
        cx: &mut Context<'_>,
        mut send: impl FnMut(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        let stream = self.stream.borrow();
        loop {
            ready!(stream.poll_write_ready(cx))?;
            match stream.try_io(tokio::io::Interest::WRITABLE, || send(&stream)) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                sent => return Poll::Ready(sent),
            }
        }
    }
}

impl Connection {
    pub(crate) fn direct(&self) -> Direct {
        self.socket.direct()
    }

    pub(crate) fn guest(&self) -> Option<Guest> {
        self.socket.guest.clone().map(Guest)
    }

    fn whole(&self) -> io::Result<()> {
        if self.socket.broken.get() { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
    }
}

impl Direct {
    /// Ready once all that the server wrote before has gone into the socket; from then on, what is sent here comes next. To be asked
    /// again and again by a body, from its first poll.
    pub fn poll_flushed(&self, begun: &mut bool, cx: &mut Context<'_>) -> Poll<()> {
        if !std::mem::replace(begun, true) {
            self.0.flushed.set(false);
        }
        if self.0.flushed.get() {
            return Poll::Ready(());
        }
        self.0.waiting.replace(Some(cx.waker().clone()));
        Poll::Pending
    }

    /// Calls `send` once the socket takes something, and again as long as it says [`io::ErrorKind::WouldBlock`].
    pub fn poll_send(
        &self,
        cx: &mut Context<'_>,
        send: impl FnMut(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        self.0.poll_send(cx, send)
    }

    /// Lets the system take more ahead for a visitor who reads quickly, and less for another.
    pub fn reads_quickly(&self, quickly: bool) {
        let mut quick = self.0.quick.borrow_mut();
        if quick.is_some() != quickly {
            *quick = if quickly { QUICK.try_acquire().ok() } else { None };
            if let Err(error) = sockets::take_ahead(&*self.0.stream.borrow(), quick.is_some()) {
                tracing::debug!(error = %error, "a connection's bound stays");
            }
        }
    }

    /// A body ends before its announced length: nothing more may go over this connection.
    pub fn break_off(&self) {
        self.0.broken.set(true);
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if !self.given.is_empty() {
            let most = self.given.len().min(buf.remaining());
            buf.put_slice(&self.given.split_to(most));
            return Poll::Ready(Ok(()));
        }
        if self.lent {
            // What follows is read when the connection has been given back.
            return Poll::Pending;
        }
        Pin::new(&mut *self.socket.stream.borrow_mut()).poll_read(cx, buf)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.whole()?;
        if self.socket.waiting.borrow().is_some() {
            // A head, and its body comes next: they may go out together.
            return self.socket.poll_send_more(cx, buf);
        }
        Pin::new(&mut *self.socket.stream.borrow_mut()).poll_write(cx, buf)
    }

    /// The server calls it when it has nothing left to write.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.whole()?;
        self.socket.flushed.set(true);
        self.socket.move_on(Lent::Ended, Lent::Done);
        if let Some(waiting) = self.socket.waiting.take() {
            waiting.wake();
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.socket.lent.set(Lent::Closing);
        Pin::new(&mut *self.socket.stream.borrow_mut()).poll_shutdown(cx)
    }
}
