//! A TLS server in front of another server that asks its clients for a certificate, as mobile networks do.

use std::{
    net::SocketAddr,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use rustls::{
    RootCertStore, ServerConfig,
    crypto::aws_lc_rs::default_provider,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::WebPkiClientVerifier,
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};
use tokio_rustls::TlsAcceptor;

use crate::servers::Authority;

/// The server, on a port of its own. It accepts certificates of its own authority alone.
pub struct TlsFront {
    /// Its address: `https://localhost:PORT`.
    pub url: String,
    /// A certificate that it accepts, and its key, as PEM.
    pub client_pem: String,
    /// The certificate of the authority that signed its own, as PEM.
    pub authority_pem: String,
    upstream: Arc<Mutex<Option<SocketAddr>>>,
    accepted: Arc<AtomicUsize>,
    refused: Arc<AtomicUsize>,
}

impl TlsFront {
    /// Starts it; connections wait for nothing until `forward_to`.
    pub async fn start(folder: &Path) -> Self {
        let authority = Authority::make(&folder.join("authority.pem")).expect("an authority");
        let authority_pem = std::fs::read_to_string(&authority.file).expect("its certificate");
        let (certificate, key) = authority.issue().expect("a certificate");
        let (client_certificate, client_key) = authority.issue().expect("a certificate of a client");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("https://localhost:{}", listener.local_addr().expect("its address").port());
        let acceptor = acceptor(&authority_pem, &certificate, &key);
        let front = Self {
            url,
            client_pem: format!("{client_certificate}{client_key}"),
            authority_pem,
            upstream: Arc::default(),
            accepted: Arc::default(),
            refused: Arc::default(),
        };
        let (upstream, accepted, refused) = (front.upstream.clone(), front.accepted.clone(), front.refused.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, accepted, refused) = (acceptor.clone(), accepted.clone(), refused.clone());
                let upstream = *upstream.lock().unwrap_or_else(PoisonError::into_inner);
                tokio::spawn(async move {
                    let Ok(mut client) = acceptor.accept(stream).await else {
                        refused.fetch_add(1, Ordering::Relaxed);
                        return;
                    };
                    accepted.fetch_add(1, Ordering::Relaxed);
                    let Some(upstream) = upstream else { return };
                    let Ok(mut server) = TcpStream::connect(upstream).await else { return };
                    let _ = copy_bidirectional(&mut client, &mut server).await;
                });
            }
        });
        front
    }

    /// Passes later connections on to this server.
    pub fn forward_to(&self, upstream: SocketAddr) {
        *self.upstream.lock().unwrap_or_else(PoisonError::into_inner) = Some(upstream);
    }

    /// How many clients showed a certificate that it accepts.
    pub fn accepted(&self) -> usize {
        self.accepted.load(Ordering::Relaxed)
    }

    /// How many clients showed none, or did not accept its own.
    pub fn refused(&self) -> usize {
        self.refused.load(Ordering::Relaxed)
    }
}

fn acceptor(authority: &str, certificate: &str, key: &str) -> TlsAcceptor {
    let certificate_of = |pem: &str| CertificateDer::from_pem_slice(pem.as_bytes()).expect("a certificate");
    let mut authorities = RootCertStore::empty();
    authorities.add(certificate_of(authority)).expect("an authority");
    let provider = Arc::new(default_provider());
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(authorities), provider.clone());
    let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).expect("a key");
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("TLS 1.2 and 1.3")
        .with_client_cert_verifier(verifier.build().expect("a verifier"))
        .with_single_cert(vec![certificate_of(certificate)], key)
        .expect("the server's own certificate");
    TlsAcceptor::from(Arc::new(config))
}
