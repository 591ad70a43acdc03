//! Finished images in a folder, so that they survive a restart: bounded in bytes, the least recently used go first.
//!
//! A file's name is the digest of what the image depends on, its source's own time and size among it; so a source that changes gets
//! another name. The file begins with the digest of the rest, and is put in place by a rename: a file that a crash has left half-written, or
//! that another program has put there, is never shown. Everything here blocks.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

use bytes::Bytes;
use moka::{notification::RemovalCause, policy::EvictionPolicy, sync::Cache};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::digest::full_hex;

/// The end of a finished image's name.
const ENDING: &str = ".image";

/// The beginning of the name of an image that is being written.
const UNFINISHED: &str = ".unfinished-";

/// Bytes of the digest that stands before the image's own.
const DIGEST: usize = 32;

/// Bytes that a file costs beside its own, so that many small ones count too.
const OVERHEAD: usize = 512;

/// A folder of finished images.
pub(super) struct DiskCache {
    folder: PathBuf,
    /// Names and sizes, least recently used first.
    index: Cache<String, u32>,
}

impl DiskCache {
    /// Opens the folder, which it makes where it is missing, and lists the images in it; `most` bounds their bytes.
    pub fn open(folder: &Path, most: u64) -> Result<Self, String> {
        let fault = |error: io::Error| format!("cannot use {}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(fault)?;
        let root = folder.to_owned();
        let index = Cache::builder()
            .max_capacity(most)
            .weigher(|_: &String, size: &u32| *size)
            .eviction_policy(EvictionPolicy::lru())
            .eviction_listener(move |name: std::sync::Arc<String>, _, cause| {
                if cause != RemovalCause::Replaced {
                    let _ = std::fs::remove_file(root.join(name.as_str()));
                }
            })
            .build();
        let mut found: Vec<(SystemTime, String, u32)> = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let Ok(known) = entry.metadata() else { continue };
            if name.starts_with(UNFINISHED) && known.is_file() {
                let _ = std::fs::remove_file(entry.path());
            } else if is_ours(&name) && known.is_file() {
                let size = usize::try_from(known.len()).unwrap_or(usize::MAX);
                found.push((known.modified().unwrap_or(SystemTime::UNIX_EPOCH), name, weight(size)));
            }
        }
        found.sort();
        for (_, name, size) in found {
            index.insert(name, size);
        }
        index.run_pending_tasks();
        // A folder that cannot be written to is found out now, not by the first request.
        NamedTempFile::with_prefix_in(UNFINISHED, folder).map_err(fault)?;
        Ok(Self { folder: folder.to_owned(), index })
    }

    /// Returns the image kept for `identity`, and removes a file that is not whole.
    pub fn get(&self, identity: &str) -> Option<Bytes> {
        let name = name_of(identity);
        let path = self.folder.join(&name);
        let Ok(file) = std::fs::read(&path) else {
            self.index.invalidate(&name);
            return None;
        };
        let whole = file.split_at_checked(DIGEST).is_some_and(|(digest, image)| digest == &Sha256::digest(image)[..]);
        if !whole {
            tracing::warn!(image.file = name, "a kept image is broken; it is made again");
            self.index.invalidate(&name);
            let _ = std::fs::remove_file(&path);
            return None;
        }
        // The order of use is kept in the index, and in the file's time for the process that opens the folder next. A file that is not in
        // the index was written by another process.
        if self.index.get(&name).is_none() {
            self.keep(name, file.len());
        }
        let _ = File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(Bytes::from(file).slice(DIGEST..))
    }

    /// Keeps an image. A failure is only logged: the image itself can be shown.
    pub fn put(&self, identity: &str, image: &Bytes) {
        let name = name_of(identity);
        match self.write(&name, image) {
            Ok(()) => self.keep(name, DIGEST + image.len()),
            Err(error) => tracing::warn!(error = %error, "a finished image could not be kept"),
        }
    }

    fn write(&self, name: &str, image: &Bytes) -> io::Result<()> {
        let mut file = NamedTempFile::with_prefix_in(UNFINISHED, &self.folder)?;
        file.write_all(&Sha256::digest(image))?;
        file.write_all(image)?;
        file.persist(self.folder.join(name))?;
        Ok(())
    }

    fn keep(&self, name: String, size: usize) {
        self.index.insert(name, weight(size));
        self.index.run_pending_tasks();
    }
}

fn weight(size: usize) -> u32 {
    u32::try_from(size.saturating_add(OVERHEAD)).unwrap_or(u32::MAX)
}

fn name_of(identity: &str) -> String {
    full_hex(&Sha256::digest(identity)) + ENDING
}

fn is_ours(name: &str) -> bool {
    name.strip_suffix(ENDING)
        .is_some_and(|digits| digits.len() == 2 * DIGEST && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const MOST: u64 = 100_000;

    fn image(seed: u8, size: usize) -> Bytes {
        (0..size).map(|at| u8::try_from(at % 251).unwrap() ^ seed).collect::<Vec<u8>>().into()
    }

    fn files(folder: &Path) -> Vec<String> {
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    #[test]
    fn get_after_a_restart_returns_what_was_put() {
        let folder = tempfile::tempdir().unwrap();
        let cache = DiskCache::open(folder.path(), MOST).unwrap();
        assert_eq!(cache.get("a"), None);
        cache.put("a", &image(1, 5000));
        cache.put("a", &image(1, 5000));
        assert_eq!(cache.get("a").unwrap(), image(1, 5000));
        drop(cache);
        let cache = DiskCache::open(folder.path(), MOST).unwrap();
        assert_eq!(cache.get("a").unwrap(), image(1, 5000));
        assert_eq!(cache.get("b"), None);
        assert_eq!(files(folder.path()).len(), 1);
    }

    #[test]
    fn put_beyond_the_bound_removes_the_least_recently_used() {
        let folder = tempfile::tempdir().unwrap();
        let cache = DiskCache::open(folder.path(), MOST).unwrap();
        let bytes = || -> u64 {
            files(folder.path()).iter().map(|name| folder.path().join(name).metadata().unwrap().len()).sum()
        };
        for at in 0..40_u8 {
            cache.put(&format!("image {at}"), &image(at, 10_000));
            assert!(bytes() <= MOST, "{} after {at}", bytes());
            assert!(cache.get("image 0").is_some(), "it is asked for all the time: {at}");
        }
        assert!(files(folder.path()).len() >= 8, "and filled: {}", bytes());
        assert_eq!(cache.get("image 1"), None);
        assert!(cache.get("image 39").is_some());
        drop(cache);

        // The order outlives the process, and so does a smaller bound.
        let path = folder.path().join(name_of("image 39"));
        let long_ago = SystemTime::now() - Duration::from_secs(1000);
        File::options().append(true).open(path).unwrap().set_modified(long_ago).unwrap();
        let cache = DiskCache::open(folder.path(), 3 * 10_600).unwrap();
        assert_eq!(files(folder.path()).len(), 3);
        assert!(cache.get("image 0").is_some());
        assert_eq!(cache.get("image 39"), None);
    }

    #[test]
    fn get_never_returns_broken_or_foreign_files() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let cache = DiskCache::open(folder.path(), MOST).unwrap();
        for (identity, broken) in
            [("cut", &[7; 20][..]), ("empty", &[]), ("half", &[0; 3000]), ("other", b"<svg onload=alert(1)>")]
        {
            cache.put(identity, &image(9, 4000));
            std::fs::write(at(&name_of(identity)), broken).unwrap();
        }
        std::fs::write(at("notes.txt"), "mine").unwrap();
        std::fs::write(at(&format!("x{ENDING}")), "mine too").unwrap();
        std::fs::create_dir(at(&name_of("folder"))).unwrap();
        std::fs::write(at(&format!("{UNFINISHED}1")), "half").unwrap();
        drop(cache);
        let cache = DiskCache::open(folder.path(), MOST).unwrap();
        for identity in ["cut", "empty", "half", "other", "folder"] {
            assert_eq!(cache.get(identity), None, "{identity}");
        }
        cache.put("cut", &image(9, 4000));
        cache.put("folder", &image(9, 4000));
        assert_eq!(cache.get("cut").unwrap(), image(9, 4000));
        assert_eq!(cache.get("folder"), None);
        let mut left = files(folder.path());
        left.sort();
        let mut expected = vec![name_of("cut"), name_of("folder"), "notes.txt".to_owned(), format!("x{ENDING}")];
        expected.sort();
        assert_eq!(left, expected);
    }

    #[test]
    fn open_names_a_folder_that_cannot_be_used() {
        let file = NamedTempFile::new().unwrap();
        let error = DiskCache::open(file.path(), MOST).err().unwrap();
        assert!(error.contains(&file.path().display().to_string()), "{error}");
    }
}
