//! Settings that limit one visitor's share of the resources.

use std::path::PathBuf;

/// Bounds on the public listener, and its certificate.
#[derive(clap::Args, Clone, Debug)]
pub struct Protection {
    /// The most requests a second of one address, without media; many phones share an address. 0: no limit.
    #[arg(long, env = "RATE_LIMIT", default_value_t = Self::default().rate_limit)]
    pub rate_limit: u32,
    /// The burst of requests that RATE_LIMIT allows one address.
    #[arg(long, env = "RATE_BURST", default_value_t = Self::default().rate_burst)]
    pub rate_burst: u32,
    /// The most open connections; further ones wait.
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = Self::default().max_connections)]
    pub max_connections: usize,
    /// The most open connections of one address, except TRUSTED_PROXIES; 0: no limit.
    #[arg(long, env = "MAX_CONNECTIONS_PER_ADDRESS", default_value_t = Self::default().max_connections_per_address)]
    pub max_connections_per_address: usize,
    /// Seconds in which a request's headers must be received, from the end of the previous request.
    #[arg(long, env = "HEAD_SECONDS", default_value_t = Self::default().head_seconds, value_parser = clap::value_parser!(u64).range(1..=300))]
    pub head_seconds: u64,
    /// Seconds in which a request's body must be received.
    #[arg(long, env = "BODY_SECONDS", default_value_t = Self::default().body_seconds, value_parser = clap::value_parser!(u64).range(1..=300))]
    pub body_seconds: u64,
    /// A file with the certificate chain (PEM): the public listener then uses https. It is reloaded when it changes.
    #[arg(long, env = "TLS_CERT")]
    pub tls_cert: Option<PathBuf>,
    /// A file with that certificate's key (PEM).
    #[arg(long, env = "TLS_KEY")]
    pub tls_key: Option<PathBuf>,
}

impl Default for Protection {
    fn default() -> Self {
        Self {
            rate_limit: 2000,
            rate_burst: 20_000,
            max_connections: 20_000,
            max_connections_per_address: 5000,
            head_seconds: 30,
            body_seconds: 30,
            tls_cert: None,
            tls_key: None,
        }
    }
}
