//! A listener that strangers reach: its certificate, and what is done about each connection.

use std::{any::Any, rc::Rc, sync::Arc};

use actix_tls::accept::rustls_0_23::{TlsStream, reexports::ServerConfig};
use actix_web::rt::net::TcpStream;

use crate::lane::Lanes;

/// Sees each new connection; what it leaves lives as long as the connection, among whose data it is a [`crate::Guest`].
pub type Greet = Arc<dyn Fn(&TcpStream) -> Rc<dyn Any> + Send + Sync>;

/// How a listener treats whoever comes.
#[derive(Default)]
pub struct Listening {
    /// https, by this.
    pub tls: Option<ServerConfig>,
    /// Connections open at once, over all workers; whoever comes then waits. A quarter of a hundred thousand a worker where it is not said.
    pub max_connections: Option<usize>,
    /// Sees each connection.
    pub greet: Option<Greet>,
    /// Answers plain requests beside the server, where there is no TLS.
    pub lane: Option<Lanes>,
}

/// The socket of a connection under its TLS.
pub(crate) fn under_tls(connection: &dyn Any) -> Option<&TcpStream> {
    connection.downcast_ref::<TlsStream<TcpStream>>().map(|stream| stream.get_ref().0)
}
