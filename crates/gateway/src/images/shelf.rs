//! Finished images in a folder, so that a restart makes none of them again: bounded in bytes, those asked for longest ago go first.
//!
//! A file's name is the digest of what the image depends on, its source's own time and size among it; so a source that changes is
//! another name. The file begins with the digest of the rest, and is put in place by a rename: what a crash has left half-written, or
//! anybody else has put there, is never shown. Everything here blocks.

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

/// How the name of a finished image ends.
const ENDING: &str = ".image";

/// How the name of one begins that is being written.
const UNFINISHED: &str = ".unfinished-";

/// Bytes of a digest, before the image's own.
const DIGEST: usize = 32;

/// What a file costs beside its bytes, so that many small ones count too.
const OVERHEAD: usize = 512;

/// The folder, and what is in it.
pub(super) struct Shelf {
    folder: PathBuf,
    /// Names and sizes, in the order of their use.
    index: Cache<String, u32>,
}

impl Shelf {
    /// Opens or makes the folder, and finds what is in it.
    pub fn open(folder: &Path, most: u64) -> Result<Self, String> {
        let told = |error: io::Error| format!("cannot use {}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(told)?;
        let place = folder.to_owned();
        let index = Cache::builder()
            .max_capacity(most)
            .weigher(|_: &String, size: &u32| *size)
            .eviction_policy(EvictionPolicy::lru())
            .eviction_listener(move |name: std::sync::Arc<String>, _, cause| {
                if cause != RemovalCause::Replaced {
                    let _ = std::fs::remove_file(place.join(name.as_str()));
                }
            })
            .build();
        let mut found: Vec<(SystemTime, String, u32)> = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(told)? {
            let entry = entry.map_err(told)?;
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
        // What is to be is found out now, not by the first visitor.
        NamedTempFile::with_prefix_in(UNFINISHED, folder).map_err(told)?;
        Ok(Self { folder: folder.to_owned(), index })
    }

    /// The image kept for `identity`; a file that is not whole is taken away.
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
        // The order of use, for us and for whoever opens the folder after us. A file that is not in the index is another process's.
        if self.index.get(&name).is_none() {
            self.keep(name, file.len());
        }
        let _ = File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(Bytes::from(file).slice(DIGEST..))
    }

    /// Keeps an image. Where that cannot be done it is only logged: the image itself is there.
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
    let digits = Sha256::digest(identity).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    digits + ENDING
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
    fn what_was_put_there_is_there_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::open(folder.path(), MOST).unwrap();
        assert_eq!(shelf.get("a"), None);
        shelf.put("a", &image(1, 5000));
        shelf.put("a", &image(1, 5000));
        assert_eq!(shelf.get("a").unwrap(), image(1, 5000));
        drop(shelf);
        let shelf = Shelf::open(folder.path(), MOST).unwrap();
        assert_eq!(shelf.get("a").unwrap(), image(1, 5000));
        assert_eq!(shelf.get("b"), None);
        assert_eq!(files(folder.path()).len(), 1);
    }

    #[test]
    fn its_bytes_are_bounded_and_what_was_not_asked_for_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::open(folder.path(), MOST).unwrap();
        let bytes = || -> u64 {
            files(folder.path()).iter().map(|name| folder.path().join(name).metadata().unwrap().len()).sum()
        };
        for at in 0..40_u8 {
            shelf.put(&format!("image {at}"), &image(at, 10_000));
            assert!(bytes() <= MOST, "{} after {at}", bytes());
            assert!(shelf.get("image 0").is_some(), "it is asked for all the time: {at}");
        }
        assert!(files(folder.path()).len() >= 8, "and filled: {}", bytes());
        assert_eq!(shelf.get("image 1"), None);
        assert!(shelf.get("image 39").is_some());
        drop(shelf);

        // The order outlives the process, and so does a smaller bound.
        let path = folder.path().join(name_of("image 39"));
        let long_ago = SystemTime::now() - Duration::from_secs(1000);
        File::options().append(true).open(path).unwrap().set_modified(long_ago).unwrap();
        let shelf = Shelf::open(folder.path(), 3 * 10_600).unwrap();
        assert_eq!(files(folder.path()).len(), 3);
        assert!(shelf.get("image 0").is_some());
        assert_eq!(shelf.get("image 39"), None);
    }

    #[test]
    fn broken_and_foreign_files_are_never_shown() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let shelf = Shelf::open(folder.path(), MOST).unwrap();
        for (identity, broken) in
            [("cut", &[7; 20][..]), ("empty", &[]), ("half", &[0; 3000]), ("other", b"<svg onload=alert(1)>")]
        {
            shelf.put(identity, &image(9, 4000));
            std::fs::write(at(&name_of(identity)), broken).unwrap();
        }
        std::fs::write(at("notes.txt"), "mine").unwrap();
        std::fs::write(at(&format!("x{ENDING}")), "mine too").unwrap();
        std::fs::create_dir(at(&name_of("folder"))).unwrap();
        std::fs::write(at(&format!("{UNFINISHED}1")), "half").unwrap();
        drop(shelf);
        let shelf = Shelf::open(folder.path(), MOST).unwrap();
        for identity in ["cut", "empty", "half", "other", "folder"] {
            assert_eq!(shelf.get(identity), None, "{identity}");
        }
        shelf.put("cut", &image(9, 4000));
        shelf.put("folder", &image(9, 4000));
        assert_eq!(shelf.get("cut").unwrap(), image(9, 4000));
        assert_eq!(shelf.get("folder"), None);
        let mut left = files(folder.path());
        left.sort();
        let mut expected = vec![name_of("cut"), name_of("folder"), "notes.txt".to_owned(), format!("x{ENDING}")];
        expected.sort();
        assert_eq!(left, expected);
    }

    #[test]
    fn a_folder_that_cannot_be_used_is_named() {
        let file = NamedTempFile::new().unwrap();
        let error = Shelf::open(file.path(), MOST).err().unwrap();
        assert!(error.contains(&file.path().display().to_string()), "{error}");
    }
}
