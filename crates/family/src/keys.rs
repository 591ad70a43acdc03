//! The key that signs sessions: made at the first start, kept with the state, so that subscribers stay in over restarts.

use std::{io::Write, os::unix::fs::OpenOptionsExt, path::Path};

use identity::SessionMinter;
use service::StartError;

/// A session key pair, as text.
pub struct Keys {
    /// Signs; for the subscription service alone.
    pub secret: String,
    /// Verifies; for everyone.
    pub public: String,
}

/// Reads `DATA_DIR/session.key`, making folder and key where there are none.
pub fn load_or_make(data_dir: &Path) -> Result<Keys, StartError> {
    let path = data_dir.join("session.key");
    let fault = |cause: String| StartError::Setting(format!("DATA_DIR: {}: {cause}", path.display()));
    let secret = match std::fs::read_to_string(&path) {
        Ok(text) => text.trim().to_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let secret = SessionMinter::generate().map_err(|error| fault(error.to_string()))?;
            std::fs::create_dir_all(data_dir).map_err(|error| fault(error.to_string()))?;
            write_private(&path, &secret).map_err(|error| fault(error.to_string()))?;
            secret
        }
        Err(error) => return Err(fault(error.to_string())),
    };
    let public = SessionMinter::parse(&secret).map_err(|error| fault(error.to_string()))?.public_key();
    Ok(Keys { secret, public })
}

/// Written beside and renamed, so that a stop in the middle leaves no half a key.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(beside, path)
}
