//! The networks of `DEMO_NETWORKS`, added to `BRANDS_FILE`: every service of the family reads the file that this writes, and follows it while
//! one of the two changes.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use service::StartError;

/// The interval between two looks at the files.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The two files, and the one that is written.
#[derive(Clone)]
struct Files {
    brands: PathBuf,
    networks: PathBuf,
    both: PathBuf,
}

/// The file with the brands and the demo's networks, below `folder`.
pub(crate) fn combine(brands: &Path, networks: &Path, folder: &Path) -> Result<PathBuf, StartError> {
    let files = Files { brands: brands.into(), networks: networks.into(), both: folder.join("brands.toml") };
    let fault = |setting, path: &Path, cause| StartError::Setting(format!("{setting}: {}: {cause}", path.display()));
    let mut written = files.read().map_err(|cause| fault("DEMO_NETWORKS", networks, cause))?;
    files.write(&written).map_err(|cause| fault("DATA_DIR", &files.both, cause))?;
    let path = files.both.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(POLL_INTERVAL).await;
            // What cannot be read changes nothing; a service refuses what it cannot use, and says why.
            let Ok(text) = files.read() else { continue };
            if text != written && files.write(&text).is_ok() {
                written = text;
            }
        }
    });
    Ok(path)
}

impl Files {
    fn read(&self) -> Result<String, String> {
        let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| error.to_string());
        brands::with_networks(&read(&self.brands)?, &read(&self.networks)?)
    }

    /// As a whole: a service may read it at any time.
    fn write(&self, text: &str) -> Result<(), String> {
        let new = self.both.with_extension("new");
        std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &self.both)).map_err(|error| error.to_string())
    }
}
