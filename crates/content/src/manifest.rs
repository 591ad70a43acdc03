//! A manifest as it lies on disk.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Why a manifest could not be used; each message names the file, and the line where there is one.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The file could not be opened or read.
    #[error("{path}: {cause}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The file is not a manifest.
    #[error("{path}: {cause}")]
    Malformed {
        /// The file.
        path: String,
        /// What is wrong, with line and column.
        cause: serde_json::Error,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    services: BTreeMap<String, Map<String, Value>>,
}

/// A manifest: each service's part, and the digest that names its content.
#[derive(Debug)]
pub struct Manifest {
    /// Service name (or alias) to its part.
    pub services: BTreeMap<String, Map<String, Value>>,
    /// SHA-256 of the file, in hexadecimal.
    pub digest: String,
}

impl Manifest {
    /// Reads the file at `path`.
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        let shown = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|cause| ManifestError::Unreadable { path: shown.clone(), cause })?;
        let file: File =
            serde_json::from_slice(&bytes).map_err(|cause| ManifestError::Malformed { path: shown, cause })?;
        let digest = Sha256::digest(&bytes).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        Ok(Self { services: file.services, digest })
    }
}
