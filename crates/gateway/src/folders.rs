//! Folders in settings, and blocking work.

use std::path::{Path, PathBuf};

use service::StartError;

use crate::error::Error;

/// Resolves a setting's folder to its canonical path, with which paths of files are compared. Blocks.
pub(crate) fn existing(setting: &str, folder: &Path) -> Result<PathBuf, StartError> {
    let fault = |cause: String| StartError::Setting(format!("{setting}: cannot read {}: {cause}", folder.display()));
    let real = folder.canonicalize().map_err(|cause| fault(cause.to_string()))?;
    if real.is_dir() { Ok(real) } else { Err(fault("it is not a folder".to_owned())) }
}

/// Runs blocking work on another thread.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::Internal(format!("blocking work was interrupted: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_error_names_the_setting() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(existing("X", folder.path()).unwrap(), folder.path().canonicalize().unwrap());
        for wrong in [file, folder.path().join("missing")] {
            let error = existing("MEDIA_DIR", &wrong).unwrap_err().to_string();
            assert!(error.contains("MEDIA_DIR: ") && error.contains(&wrong.display().to_string()), "{error}");
        }
    }
}
