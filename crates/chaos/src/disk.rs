//! A small tmpfs of its own, and a file that fills it.

use std::{
    fs::File,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

/// Write sizes; the last one is small, so that no usable space is left.
const WRITE_SIZES: [usize; 2] = [1024 * 1024, 4096];

/// A tmpfs, unmounted when dropped.
pub(crate) struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// Mounts a tmpfs of this many megabytes at `folder`, which takes root and CAP_SYS_ADMIN.
    pub fn mount(folder: &Path, megabytes: u32) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let size = format!("size={megabytes}m,mode=0755");
        let output = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder).output()?;
        if !output.status.success() {
            anyhow::bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(Self { folder: folder.to_owned() })
    }

    /// Extends the filler file until no space is left.
    pub async fn fill(&self) -> anyhow::Result<()> {
        let path = self.filler_path();
        tokio::task::spawn_blocking(move || {
            let mut filler = File::options().create(true).append(true).open(path)?;
            for size in WRITE_SIZES {
                let zeros = vec![0; size];
                // Ends with ENOSPC, which is the purpose.
                while filler.write_all(&zeros).is_ok() {}
            }
            Ok(())
        })
        .await?
    }

    /// Deletes the filler file.
    pub fn free(&self) -> anyhow::Result<()> {
        match std::fs::remove_file(self.filler_path()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn filler_path(&self) -> PathBuf {
        self.folder.join("filler")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: processes that still have a file open there are about to end.
        let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
    }
}
