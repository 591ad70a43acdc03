//! The certificate of the public listener. Changed files are reloaded within seconds and at SIGHUP, for new connections only.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use arc_swap::ArcSwap;
use rustls::{
    ServerConfig,
    crypto::{CryptoProvider, aws_lc_rs},
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use service::StartError;
use tokio_rustls::TlsAcceptor;

use crate::protection::Protection;

/// HTTP/2's ALPN id (RFC 7301).
pub(crate) const H2: &[u8] = b"h2";

/// How often the files are read.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The content of both files.
#[derive(Clone, PartialEq, Eq)]
struct Files {
    chain: Vec<u8>,
    key: Vec<u8>,
}

/// The current certificate.
#[derive(Debug)]
struct Certificate(ArcSwap<CertifiedKey>);

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.load_full())
    }
}

/// The files in the settings.
#[derive(Clone)]
pub(crate) struct Tls {
    cert: PathBuf,
    key: PathBuf,
    certificate: Arc<Certificate>,
    provider: Arc<CryptoProvider>,
}

impl Tls {
    /// Reads both files; `None` if none are configured.
    pub(crate) fn new(config: &Protection) -> Result<Option<Self>, StartError> {
        let named = |path: &Option<PathBuf>| path.clone().filter(|path| !path.as_os_str().is_empty());
        let (cert, key) = match (named(&config.tls_cert), named(&config.tls_key)) {
            (Some(cert), Some(key)) => (cert, key),
            (None, None) => return Ok(None),
            _ => return Err(StartError::Setting("TLS_CERT: is set together with TLS_KEY, or neither".to_owned())),
        };
        let provider = Arc::new(aws_lc_rs::default_provider());
        let certified = read(&cert, &key)
            .and_then(|files| certified(&files, &provider))
            .map_err(|cause| StartError::Setting(format!("TLS_CERT: {cause}")))?;
        let certificate = Arc::new(Certificate(ArcSwap::from_pointee(certified)));
        Ok(Some(Self { cert, key, certificate, provider }))
    }

    /// The TLS configuration of the listener, with HTTP/2 by ALPN.
    pub(crate) fn acceptor(&self) -> Result<TlsAcceptor, StartError> {
        let fault = |error: rustls::Error| StartError::Setting(format!("TLS_CERT: {error}"));
        let mut config = ServerConfig::builder_with_provider(self.provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(fault)?
            .with_no_client_auth()
            .with_cert_resolver(self.certificate.clone());
        config.alpn_protocols = vec![H2.to_vec(), b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    /// Reloads the files when they change, as long as the listener exists.
    pub(crate) async fn watch(self) {
        let mut hangups = service::hangups();
        let mut last_files = read(&self.cert, &self.key).ok();
        let mut pending_files = None;
        while Arc::strong_count(&self.certificate) > 1 {
            let reload = tokio::select! {
                () = tokio::time::sleep(POLL_INTERVAL) => false,
                Ok(()) = hangups.changed() => true,
            };
            let this = self.clone();
            let read = tokio::task::spawn_blocking(move || read(&this.cert, &this.key)).await;
            let files = match read {
                Ok(Ok(files)) => files,
                Ok(Err(cause)) if reload => {
                    tracing::error!(error = cause, "the certificate stays as it was");
                    continue;
                }
                _ => continue,
            };
            // Applied after two equal reads, since one of the files may just be written.
            if !reload && (last_files.as_ref() == Some(&files) || pending_files.as_ref() != Some(&files)) {
                pending_files = Some(files);
                continue;
            }
            match certified(&files, &self.provider) {
                Ok(new) => {
                    self.certificate.0.store(Arc::new(new));
                    tracing::info!("the certificate of {} is in force", self.cert.display());
                }
                Err(cause) => tracing::error!(error = cause, "the certificate stays as it was"),
            }
            last_files = Some(files);
        }
    }
}

fn read(cert: &Path, key: &Path) -> Result<Files, String> {
    let read = |path: &Path| std::fs::read(path).map_err(|cause| format!("cannot read {}: {cause}", path.display()));
    Ok(Files { chain: read(cert)?, key: read(key)? })
}

fn certified(files: &Files, provider: &CryptoProvider) -> Result<CertifiedKey, String> {
    let chain = CertificateDer::pem_slice_iter(&files.chain).collect::<Result<Vec<_>, _>>();
    let chain = chain.map_err(|error| format!("no certificate in PEM: {error}"))?;
    if chain.is_empty() {
        return Err("no certificate in PEM".to_owned());
    }
    let key = PrivateKeyDer::from_pem_slice(&files.key).map_err(|error| format!("no key in PEM: {error}"))?;
    CertifiedKey::from_der(chain, key, provider).map_err(|error| error.to_string())
}
