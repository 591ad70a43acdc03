//! A small disk of its own, and a balloon that fills it.

use std::{
    fs::File,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

/// What is written at once; the last pieces are small, so that really nothing is left.
const PIECES: [usize; 2] = [1024 * 1024, 4096];

/// A file system in memory, gone when dropped.
pub(crate) struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// Mounts so many megabytes at `folder`, which takes root and the right to mount.
    pub fn mount(folder: &Path, megabytes: u32) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let size = format!("size={megabytes}m,mode=0755");
        let output = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder).output()?;
        if !output.status.success() {
            anyhow::bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(Self { folder: folder.to_owned() })
    }

    /// Blows the balloon up until nothing else fits.
    pub async fn fill(&self) -> anyhow::Result<()> {
        let path = self.balloon();
        tokio::task::spawn_blocking(move || {
            let mut balloon = File::options().create(true).append(true).open(path)?;
            for piece in PIECES {
                let zeros = vec![0; piece];
                // It ends where there is no room: that is the purpose.
                while balloon.write_all(&zeros).is_ok() {}
            }
            Ok(())
        })
        .await?
    }

    /// Lets the air out.
    pub fn release(&self) -> anyhow::Result<()> {
        match std::fs::remove_file(self.balloon()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn balloon(&self) -> PathBuf {
        self.folder.join("balloon")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: whoever still has a file open there is about to end.
        let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
    }
}
