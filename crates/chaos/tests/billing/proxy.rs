//! A TCP proxy with a fixed address before processes that are killed and restarted: it stands for the gateway in this test.

use std::{
    cell::RefCell,
    net::SocketAddr,
    rc::Rc,
    time::{Duration, Instant},
};

use testkit::actix_web::rt;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};

/// How long a connection waits for a backend.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Forwards each connection to one of the backends, in turn.
#[derive(Clone)]
pub struct Proxy {
    pub addr: SocketAddr,
    backends: Rc<RefCell<Vec<SocketAddr>>>,
}

impl Proxy {
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let proxy = Self { addr: listener.local_addr().unwrap(), backends: Rc::default() };
        let inner = proxy.clone();
        rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                rt::spawn(inner.clone().pass(stream));
            }
        });
        proxy
    }

    /// The URL for clients.
    pub fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// All current backends.
    pub fn backends(&self) -> Vec<SocketAddr> {
        self.backends.borrow().clone()
    }

    pub fn add_backend(&self, addr: SocketAddr) {
        self.backends.borrow_mut().push(addr);
    }

    pub fn remove_backend(&self, addr: SocketAddr) {
        self.backends.borrow_mut().retain(|other| *other != addr);
    }

    /// Skips backends that refuse the connection. Without a backend the connection waits, and is then closed.
    async fn pass(self, mut stream: TcpStream) {
        let came = Instant::now();
        while came.elapsed() < TIMEOUT {
            if let Some(addr) = self.next()
                && let Ok(mut inside) = TcpStream::connect(addr).await
            {
                // Either end may be killed at any time; the other then sees its connection closed.
                let _ = copy_bidirectional(&mut stream, &mut inside).await;
                return;
            }
            rt::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn next(&self) -> Option<SocketAddr> {
        let mut backends = self.backends.borrow_mut();
        (!backends.is_empty()).then(|| backends.rotate_left(1));
        backends.first().copied()
    }
}
