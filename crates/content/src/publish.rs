//! `content publish`: uploads renditions to the folder or bucket that the gateway serves.
//!
//! A player gets the old rendition or the new one, and never parts of both: the files that the master playlist names are in a folder
//! named by their checksum, so that none is overwritten, and the master playlist is uploaded last.

mod plan;
mod target;

use std::{
    io,
    path::{Path, PathBuf},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::task::spawn_blocking;

pub use target::Target;

use self::{
    plan::{Plan, Record},
    target::Cache,
};
use crate::transcode::Rendition;

/// Files on their way at once.
const AT_ONCE: usize = 8;

/// Why something was not published, in one line.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// A rendition here is not whole; the others are not affected.
    #[error("{}: {cause}", folder.display())]
    Rendition {
        /// Its folder.
        folder: PathBuf,
        /// The problem.
        cause: String,
    },
    /// The target refuses or is away: what follows was not tried.
    #[error("{name}: {cause}")]
    Target {
        /// The file.
        name: String,
        /// The error message.
        cause: String,
    },
}

/// The result for a rendition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Its folder, below the one that was published; empty where it is that one.
    pub name: String,
    /// The number of uploaded files.
    pub put: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The number of existing files.
    pub unchanged: usize,
    /// The number of deleted files of older renditions.
    pub removed: usize,
}

/// The renditions below a folder, in the order of their names; or `folder` itself, if it is one.
pub fn renditions(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    gather(folder, &mut found)?;
    found.sort();
    Ok(found)
}

fn gather(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if folder.join(Rendition::FILE).is_file() {
        found.push(folder.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // Incomplete folders have a name with a leading dot.
        if entry.file_type()?.is_dir() && !entry.file_name().to_string_lossy().starts_with('.') {
            gather(&entry.path(), found)?;
        }
    }
    Ok(())
}

/// Puts the rendition in `folder`, which is `root` or below it, to the same place below the target; `progress` gets the number of bytes
/// as the target receives them.
pub async fn publish(
    root: &Path,
    folder: &Path,
    target: &Target,
    progress: &dyn Fn(u64),
) -> Result<Published, PublishError> {
    let name = folder.strip_prefix(root).unwrap_or(folder).to_string_lossy().into_owned();
    let plan = {
        let folder = folder.to_owned();
        spawn_blocking(move || Plan::of(&folder)).await.unwrap_or_else(|error| Err(error.to_string()))
    };
    let plan = plan.map_err(|cause| PublishError::Rendition { folder: folder.to_owned(), cause })?;
    let at = |file: &str| if name.is_empty() { file.to_owned() } else { format!("{name}/{file}") };

    let there = target.list(&name).await?;
    let before = target.find(&at(Record::FILE)).await?.map(|text| Record::read(&text)).unwrap_or_default();
    let mut done = Published { name: name.clone(), put: 0, bytes: 0, unchanged: 0, removed: 0 };
    // Files that no playlist names yet come first, and then the playlists that name them.
    for stage in [plan.segments(), plan.lists(), plan.fixed_address_files(), plan.master()] {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for item in stage {
            let name = at(&item.name);
            let same = match item.named_by_contents {
                true => there.get(&name) == Some(&item.bytes),
                false if there.contains_key(&name) => before.has(item, target.known(&name).await?),
                false => false,
            };
            if same { old.push(item) } else { new.push(item) }
        }
        done.unchanged += old.len();
        progress(old.iter().map(|item| item.bytes).sum());
        let puts = new.into_iter().map(|item| {
            let name = at(&item.name);
            async move {
                let cache = if item.named_by_contents { Cache::Forever } else { Cache::OneMinute };
                target.put(&name, &item.source, cache).await.map(|()| item.bytes)
            }
        });
        let sizes: Vec<u64> =
            stream::iter(puts).buffer_unordered(AT_ONCE).inspect_ok(|bytes| progress(*bytes)).try_collect().await?;
        done.put += sizes.len();
        done.bytes += sizes.iter().sum::<u64>();
    }
    if done.put > 0 || before.version != plan.version {
        let mut record = Record::after(&plan, &before);
        for item in plan.fixed_address_files().into_iter().chain(plan.master()) {
            record.add_file(item, target.known(&at(&item.name)).await?);
        }
        target.put_bytes(&at(Record::FILE), record.bytes(), Cache::OneMinute).await?;
        // Players of the last rendition may play it to its end.
        let old: Vec<_> =
            target.list(&name).await?.into_keys().filter(|file| record.is_outdated(file, &name)).collect();
        done.removed = old.len();
        stream::iter(old.iter().map(|file| target.remove(file))).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
    }
    Ok(done)
}
