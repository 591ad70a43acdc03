//! A listener that strangers reach: its certificate, and what is done about each connection.

use std::{any::Any, sync::Arc};

use actix_tls::accept::rustls_0_23::{TlsStream, reexports::ServerConfig};
use actix_web::{dev::Extensions, rt::net::TcpStream};

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

/// The socket of a connection that was greeted, under its TLS or bare.
pub fn tcp_stream_of(connection: &dyn Any) -> Option<&TcpStream> {
    connection
        .downcast_ref::<TcpStream>()
        .or_else(|| connection.downcast_ref::<TlsStream<TcpStream>>().map(|stream| stream.get_ref().0))
}
