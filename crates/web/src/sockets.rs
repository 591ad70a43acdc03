//! What the system is told about connections before there are any: each inherits it from its listener.

#[cfg(target_os = "linux")]
use std::os::fd::AsFd;
use std::{io, net::TcpListener};

use socket2::SockRef;

/// Connections that may wait to be accepted; the standard library's 128 are gone in an instant when many come at once.
const BACKLOG: i32 = 1024;

/// Bytes that the system takes from us ahead of what it may send. Left alone it takes four megabytes for each visitor who reads slowly,
/// and a thousand of those fill the memory that it has for all connections: then it drops what others send. With half as much as this a
/// film goes out in so many small helpings that they cost as much again as the film.
#[cfg(target_os = "linux")]
const UNSENT_BYTES: u32 = 256 * 1024;

/// The same for a visitor who is known to read quickly: there each helping costs more than memory that is free again at once.
#[cfg(target_os = "linux")]
const QUICK_UNSENT_BYTES: u32 = 1024 * 1024;

/// How long what was sent may lie untaken before the connection is given up.
#[cfg(target_os = "linux")]
const UNTAKEN: std::time::Duration = std::time::Duration::from_secs(60);

/// Sets the bounds of every connection that will be accepted here.
pub(crate) fn bound(listener: &TcpListener) -> io::Result<()> {
    let socket = SockRef::from(listener);
    #[cfg(target_os = "linux")]
    {
        socket.set_tcp_notsent_lowat(UNSENT_BYTES)?;
        socket.set_tcp_user_timeout(Some(UNTAKEN))?;
    }
    socket.listen(BACKLOG)
}

/// Sets how much the system takes ahead of what it may send over a connection.
#[cfg(target_os = "linux")]
pub(crate) fn take_ahead(connection: &impl AsFd, reads_quickly: bool) -> io::Result<()> {
    SockRef::from(connection).set_tcp_notsent_lowat(if reads_quickly { QUICK_UNSENT_BYTES } else { UNSENT_BYTES })
}

/// There is no such bound.
#[cfg(not(target_os = "linux"))]
pub(crate) fn take_ahead<T>(_: &T, _: bool) -> io::Result<()> {
    Ok(())
}

/// Sends what more follows, which the system therefore need not send at once.
#[cfg(target_os = "linux")]
pub(crate) fn send_more(connection: &impl AsFd, bytes: &[u8]) -> io::Result<usize> {
    use rustix::net::SendFlags;
    Ok(rustix::net::send(connection, bytes, SendFlags::MORE | SendFlags::NOSIGNAL)?)
}

/// No other system is told.
#[cfg(not(target_os = "linux"))]
pub(crate) fn send_more<T>(connection: &T, bytes: &[u8]) -> io::Result<usize>
where
    for<'a> SockRef<'a>: From<&'a T>,
{
    SockRef::from(connection).send(bytes)
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn connections_inherit_the_bounds() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        bound(&listener).unwrap();
        let _visitor = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (accepted, _) = listener.accept().unwrap();
        let socket = SockRef::from(&accepted);
        assert_eq!(socket.tcp_notsent_lowat().unwrap(), UNSENT_BYTES);
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(UNTAKEN));
    }
}
