//! A TCP proxy at a fixed address in front of a process that is restarted, which injects faults into the link: delays, refused
//! connections and truncated replies.

use std::{net::SocketAddr, time::Duration};

use testkit::Reserved;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream, tcp::OwnedReadHalf, tcp::OwnedWriteHalf},
    sync::watch,
    task::spawn_local,
};

/// Bytes that are read from a connection at once.
const CHUNK: usize = 16 * 1024;

/// How many bytes of a reply pass before it is cut: enough for the status line to have begun.
const BYTES_BEFORE_CUT: usize = 12;

/// The listener's backlog.
const BACKLOG: u32 = 1024;

/// A fault of the link between client and server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkFault {
    /// Requests and replies pass unchanged.
    None,
    /// Each chunk of a reply is delayed by this much.
    Slow(Duration),
    /// New connections are refused, and open ones are closed.
    Refused,
    /// Requests reach the server, and its replies break off.
    Cut,
}

#[derive(Clone, Copy)]
struct State {
    upstream: Option<SocketAddr>,
    fault: LinkFault,
}

impl State {
    /// The server that connections are passed to; `None` while they are refused.
    fn reachable_upstream(self) -> Option<SocketAddr> {
        self.upstream.filter(|_| self.fault != LinkFault::Refused)
    }
}

/// One proxy.
pub(crate) struct FaultProxy {
    /// Where it listens.
    pub addr: SocketAddr,
    state: watch::Sender<State>,
}

impl FaultProxy {
    /// Reserves an address; connections are refused until there is an upstream.
    pub fn bind() -> Self {
        let reserved = Reserved::any();
        let addr = reserved.addr;
        let (state, receiver) = watch::channel(State { upstream: None, fault: LinkFault::None });
        spawn_local(async move {
            // An error means that the proxy was dropped.
            let _ = serve(&reserved, receiver).await;
        });
        Self { addr, state }
    }

    /// Its base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// Changes the server that connections are passed to; with `None` they are refused.
    pub fn set_upstream(&self, upstream: Option<SocketAddr>) {
        self.state.send_modify(|state| state.upstream = upstream);
    }

    /// Changes the fault that is injected.
    pub fn set_fault(&self, fault: LinkFault) {
        self.state.send_modify(|state| state.fault = fault);
    }
}

/// Listens while there is a reachable upstream; otherwise connections are refused, as for a process that has ended.
async fn serve(reserved: &Reserved, mut state: watch::Receiver<State>) -> anyhow::Result<()> {
    loop {
        if state.borrow_and_update().reachable_upstream().is_none() {
            state.changed().await?;
            continue;
        }
        let listener = listen(reserved.addr)?;
        loop {
            tokio::select! {
                accepted = listener.accept() => {
                    if let Ok((stream, _)) = accepted {
                        spawn_local(forward(stream, state.clone()));
                    }
                }
                changed = state.changed() => {
                    changed?;
                    if state.borrow_and_update().reachable_upstream().is_none() {
                        break;
                    }
                }
            }
        }
    }
}

fn listen(addr: SocketAddr) -> anyhow::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(addr)?;
    Ok(socket.listen(BACKLOG)?)
}

/// Forwards one connection until client, server or proxy closes it.
async fn forward(client: TcpStream, mut state: watch::Receiver<State>) {
    let Some(upstream) = state.borrow().reachable_upstream() else { return };
    let Ok(server) = TcpStream::connect(upstream).await else { return };
    let (_, _) = (client.set_nodelay(true), server.set_nodelay(true));
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let fault = state.clone();
    let requests = spawn_local(forward_requests(from_client, to_server));
    tokio::select! {
        () = forward_replies(from_server, to_client, &fault) => {}
        _ = state.wait_for(|state| state.reachable_upstream().is_none()) => {}
    }
    requests.abort();
}

/// Requests pass under every fault: the server acts, and only the client does not know the outcome.
async fn forward_requests(mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
    let _ = tokio::io::copy(&mut from, &mut to).await;
    let _ = to.shutdown().await;
}

async fn forward_replies(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, state: &watch::Receiver<State>) {
    let mut chunk = vec![0; CHUNK];
    loop {
        let Ok(length) = from.read(&mut chunk).await else { return };
        let fault = state.borrow().fault;
        let forwarded = chunk.get(..if fault == LinkFault::Cut { length.min(BYTES_BEFORE_CUT) } else { length });
        if let LinkFault::Slow(delay) = fault {
            tokio::time::sleep(delay).await;
        }
        let sent = to.write_all(forwarded.unwrap_or_default()).await;
        if length == 0 || fault == LinkFault::Cut || sent.is_err() {
            let _ = to.shutdown().await;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends one line and reads the reply.
    async fn echo(addr: SocketAddr) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(addr).await?;
        stream.write_all(b"a request that is long enough\n").await?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await?;
        Ok(reply)
    }

    #[test]
    fn fault_proxy_refuses_cuts_and_delays_replies() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        tokio::task::LocalSet::new().block_on(&runtime, async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let upstream = listener.local_addr().unwrap();
            spawn_local(async move {
                while let Ok((mut stream, _)) = listener.accept().await {
                    let mut request = [0; 1024];
                    let length = stream.read(&mut request).await.unwrap();
                    stream.write_all(&request[..length]).await.unwrap();
                }
            });
            let proxy = FaultProxy::bind();
            assert!(echo(proxy.addr).await.is_err(), "connections are refused without an upstream");
            proxy.set_upstream(Some(upstream));
            while TcpStream::connect(proxy.addr).await.is_err() {
                tokio::task::yield_now().await;
            }
            assert_eq!(echo(proxy.addr).await.unwrap(), "a request that is long enough\n");
            proxy.set_fault(LinkFault::Cut);
            assert_eq!(echo(proxy.addr).await.unwrap(), "a request th");
            proxy.set_fault(LinkFault::Slow(Duration::from_millis(300)));
            let began = std::time::Instant::now();
            assert_eq!(echo(proxy.addr).await.unwrap(), "a request that is long enough\n");
            assert!(began.elapsed() >= Duration::from_millis(300));
            proxy.set_fault(LinkFault::Refused);
            tokio::time::sleep(Duration::from_millis(50)).await;
            assert!(echo(proxy.addr).await.is_err());
        });
    }
}
