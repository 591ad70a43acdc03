//! A listener that strangers reach: its certificate, and what is done about each connection.

use std::{any::Any, sync::Arc};

use actix_tls::accept::rustls_0_23::{TlsStream, reexports::ServerConfig};
use actix_web::{dev::Extensions, rt::net::TcpStream};

use crate::direct::Connection;

/// Sees each new connection, and may leave something with it.
pub type Greet = Arc<dyn Fn(&dyn Any, &mut Extensions) + Send + Sync>;

/// How a listener treats whoever comes.
#[derive(Default)]
pub struct Listening {
    /// https, by this.
    pub tls: Option<ServerConfig>,
    /// Connections open at once, over all workers; whoever comes then waits. A quarter of a hundred thousand a worker where it is not said.
    pub max_connections: Option<usize>,
    /// Sees each connection.
    pub greet: Option<Greet>,
}

/// Calls `look` with the socket of a connection that was greeted, under its TLS or bare.
pub fn with_tcp_stream<T>(connection: &dyn Any, look: impl FnOnce(&TcpStream) -> T) -> Option<T> {
    if let Some(bare) = connection.downcast_ref::<Connection>() {
        return Some(bare.with(look));
    }
    connection.downcast_ref::<TlsStream<TcpStream>>().map(|stream| look(stream.get_ref().0))
}
