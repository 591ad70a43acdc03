//! An authority of its own, whose certificates servers of this machine show.

use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

use super::Fault;

/// An authority, with its certificate in a file.
pub struct Authority {
    /// PEM: for `STORES_CA_FILE`.
    pub file: PathBuf,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    /// Makes one, and writes its certificate to `file`.
    pub fn make(file: &Path) -> Result<Self, Fault> {
        let key = KeyPair::generate().map_err(|error| error.to_string())?;
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        // A name of its own: one with another's name would be taken for it, and fail in other ways than as unknown.
        params.distinguished_name.push(DnType::CommonName, file.display().to_string());
        let certificate = params.self_signed(&key).map_err(|error| error.to_string())?;
        std::fs::write(file, certificate.pem()).map_err(|error| error.to_string())?;
        Ok(Self { file: file.to_owned(), issuer: Issuer::new(params, key) })
    }

    /// A certificate for this machine and its key, as PEM.
    pub fn issue(&self) -> Result<(String, String), Fault> {
        let issue = || {
            let key = KeyPair::generate()?;
            let mut params = CertificateParams::new(["localhost".to_owned(), "127.0.0.1".to_owned()])?;
            params.distinguished_name.push(DnType::CommonName, "localhost");
            let certificate = params.signed_by(&key, &self.issuer)?;
            Ok::<_, rcgen::Error>((certificate.pem(), key.serialize_pem()))
        };
        issue().map_err(|error| error.to_string())
    }
}
