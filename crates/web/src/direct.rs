//! A connection into which a part of a file goes by the system's own hand (sendfile(2)), instead of being read and written by ours.
//!
//! The server writes heads, and this writes such bodies. That neither comes between the other's bytes, a body first waits until all that
//! was written before it has gone into the socket; the server in turn writes nothing while a body is under way.

use std::{
    cell::{Cell, RefCell},
    io,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, Waker, ready},
};

use actix_web::rt::net::TcpStream;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::{Semaphore, SemaphorePermit},
};

use crate::sockets;

/// The connections of a program for which the system may take more ahead, as their visitors read quickly: a bound for its memory, should
/// all of them stop reading at once.
static QUICK: Semaphore = Semaphore::const_new(128);

/// A connection as the server has it.
pub(crate) struct Connection(Rc<Socket>);

/// The same connection, as a body may have it; found among the connection's data.
#[derive(Clone)]
pub struct Direct(Rc<Socket>);

struct Socket {
    stream: RefCell<TcpStream>,
    /// Who waits until all that was written has gone into the socket.
    waiting: RefCell<Option<Waker>>,
    /// Since it was last asked, all that was written has gone into the socket.
    flushed: Cell<bool>,
    /// A body could not be sent whole: whoever reads must not take what follows for the rest of it.
    broken: Cell<bool>,
    /// Held while the visitor reads quickly.
    quick: RefCell<Option<SemaphorePermit<'static>>>,
}

impl Socket {
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
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self(Rc::new(Socket {
            stream: RefCell::new(stream),
            waiting: RefCell::default(),
            flushed: Cell::new(false),
            broken: Cell::new(false),
            quick: RefCell::default(),
        }))
    }

    pub(crate) fn direct(&self) -> Direct {
        Direct(self.0.clone())
    }

    /// Calls `look` with the socket.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&TcpStream) -> T) -> T {
        look(&self.0.stream.borrow())
    }

    fn whole(&self) -> io::Result<()> {
        if self.0.broken.get() { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
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
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0.stream.borrow_mut()).poll_read(cx, buf)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.whole()?;
        if self.0.waiting.borrow().is_some() {
            // A head, and its body comes next: they may go out together.
            return self.0.poll_send(cx, |stream| sockets::send_more(stream, buf));
        }
        Pin::new(&mut *self.0.stream.borrow_mut()).poll_write(cx, buf)
    }

    /// The server calls it when it has nothing left to write.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.whole()?;
        self.0.flushed.set(true);
        if let Some(waiting) = self.0.waiting.take() {
            waiting.wake();
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0.stream.borrow_mut()).poll_shutdown(cx)
    }
}
