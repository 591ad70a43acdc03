//! The keys that sign sessions, and the calls of staff: made at the first start, kept with the state, so that subscribers stay in over
//! restarts.

use std::{
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
};

use service::{EncryptionKeys, InvalidKey, SigningKey, StartError};

/// The key pairs, as text.
pub struct Keys {
    /// Signs sessions; for the subscription service alone.
    pub secret: String,
    /// Verifies sessions; for everyone.
    pub public: String,
    /// Signs the tokens of staff; for the back office alone.
    pub staff_secret: String,
    /// Verifies them.
    pub staff_public: String,
    /// Encrypts the secrets of second factors.
    pub second_factor: String,
}

/// Reads `session.key`, `staff.key` and `second-factor.key` in DATA_DIR, making folder and keys where there are none.
pub fn load_or_make(data_dir: &Path) -> Result<Keys, StartError> {
    let (secret, public) = pair(data_dir, "session.key")?;
    let (staff_secret, staff_public) = pair(data_dir, "staff.key")?;
    let second_factor = key(data_dir, "second-factor.key", EncryptionKeys::generate)?;
    Ok(Keys { secret, public, staff_secret, staff_public, second_factor })
}

/// The secret and the public key of a file.
fn pair(data_dir: &Path, name: &str) -> Result<(String, String), StartError> {
    let secret = key(data_dir, name, SigningKey::generate)?;
    let public = SigningKey::parse(&secret).map_err(|error| fault(&data_dir.join(name), &error))?.public_key();
    Ok((secret, public))
}

/// The key of a file, which is made where there is none.
fn key(data_dir: &Path, name: &str, generate: fn() -> Result<String, InvalidKey>) -> Result<String, StartError> {
    let path = data_dir.join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(text.trim().to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let secret = generate().map_err(|error| fault(&path, &error))?;
            // The databases beside the keys have personal data.
            std::fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(data_dir)
                .map_err(|error| fault(&path, &error))?;
            write_private(&path, &secret).map_err(|error| fault(&path, &error))?;
            Ok(secret)
        }
        Err(error) => Err(fault(&path, &error)),
    }
}

fn fault(path: &Path, cause: &dyn std::fmt::Display) -> StartError {
    StartError::Setting(format!("DATA_DIR: {}: {cause}", path.display()))
}

/// Written beside and renamed, so that a stop in the middle leaves no half a key.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(beside, path)
}
