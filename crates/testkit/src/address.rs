//! Addresses that are reserved for one test.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use tokio::net::TcpSocket;

/// An address without a listener until the test opens one, and which is given to no other test while this lives.
///
/// A port that was free a moment ago is not free: other tests and every outgoing connection draw from the same ones.
pub struct Reserved {
    /// The address.
    pub addr: SocketAddr,
    _held: Option<TcpSocket>,
}

impl Reserved {
    /// Any free port of this machine.
    pub fn any() -> Self {
        Self::at(0).expect("a free port")
    }

    /// This port; `None` where a process listens on it.
    pub fn at(port: u16) -> Option<Self> {
        let socket = TcpSocket::new_v4().ok()?;
        socket.set_reuseaddr(true).ok()?;
        socket.bind((Ipv4Addr::LOCALHOST, port).into()).ok()?;
        let addr = socket.local_addr().ok()?;
        // A socket that is bound and does not listen keeps others away and lets a listener in beside it, on Linux. Where it
        // does not let it in, the address is only known to have been free.
        let shared = TcpListener::bind(addr).is_ok();
        if shared {
            return Some(Self { addr, _held: Some(socket) });
        }
        drop(socket);
        TcpListener::bind(addr).ok()?;
        Some(Self { addr, _held: None })
    }
}
