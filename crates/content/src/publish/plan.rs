//! What of a rendition goes where, and the record of it that is kept beside what was published.

use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::target::Known;
use crate::transcode::{self, Rendition};

const MASTER: &str = "master.m3u8";

/// Letters of a version: the beginning of a checksum.
const VERSION: usize = 16;

/// The source of a file's bytes.
pub enum Source {
    /// A file here.
    File(PathBuf),
    /// Written by us.
    Text(Vec<u8>),
}

/// A file that is to be at the target.
pub struct Item {
    /// Its path there, below the rendition's folder.
    pub name: String,
    pub source: Source,
    pub bytes: u64,
    /// SHA-256, in hexadecimal.
    pub sha256: String,
    /// Another file would have another name.
    pub named_by_contents: bool,
}

/// All files of a rendition.
pub struct Plan {
    /// The name of the streams' folder: the beginning of a checksum of its contents.
    pub version: String,
    items: Vec<Item>,
}

impl Plan {
    /// Reads the rendition in `folder`, which must be whole.
    pub fn of(folder: &Path) -> Result<Self, String> {
        let rendition = Rendition::read(folder).ok_or_else(|| format!("{} cannot be read", Rendition::FILE))?;
        if !rendition.is_whole(folder) {
            return Err("is not whole; `content transcode` makes it anew".to_owned());
        }
        let mut items = Vec::new();
        for (file, bytes) in &rendition.files {
            if !Path::new(file).components().all(|part| matches!(part, Component::Normal(_))) {
                return Err(format!("{} names {file:?}, which is not in the folder", Rendition::FILE));
            }
            let path = folder.join(file);
            let sha256 = transcode::checksum(&path).map_err(|error| format!("{file}: {error}"))?;
            let named_by_contents = file.contains('/');
            let source = Source::File(path);
            items.push(Item { name: file.clone(), source, bytes: *bytes, sha256, named_by_contents });
        }
        let version = version(&items);
        for item in items.iter_mut().filter(|item| item.named_by_contents) {
            item.name = format!("{version}/{}", item.name);
        }
        let master = items.iter_mut().find(|item| item.name == MASTER).ok_or("has no master playlist")?;
        let text = std::fs::read_to_string(folder.join(MASTER)).map_err(|error| format!("{MASTER}: {error}"))?;
        let text = below(&text, &version).into_bytes();
        (master.bytes, master.sha256) = (text.len() as u64, hex(&Sha256::digest(&text)));
        master.source = Source::Text(text);
        items.push(Item {
            name: Rendition::FILE.to_owned(),
            bytes: std::fs::metadata(folder.join(Rendition::FILE)).map_err(|error| error.to_string())?.len(),
            sha256: transcode::checksum(&folder.join(Rendition::FILE)).map_err(|error| error.to_string())?,
            source: Source::File(folder.join(Rendition::FILE)),
            named_by_contents: false,
        });
        Ok(Self { version, items })
    }

    /// The files in playlists.
    pub fn segments(&self) -> Vec<&Item> {
        self.items_where(|item| item.named_by_contents && !is_list(&item.name))
    }

    /// The playlists that the master names.
    pub fn lists(&self) -> Vec<&Item> {
        self.items_where(|item| item.named_by_contents && is_list(&item.name))
    }

    /// The files with fixed addresses, except the master playlist.
    pub fn fixed_address_files(&self) -> Vec<&Item> {
        self.items_where(|item| !item.named_by_contents && item.name != MASTER)
    }

    /// The master playlist.
    pub fn master(&self) -> Vec<&Item> {
        self.items_where(|item| item.name == MASTER)
    }

    fn items_where(&self, filter: impl Fn(&Item) -> bool) -> Vec<&Item> {
        self.items.iter().filter(|item| filter(item)).collect()
    }
}

fn is_list(name: &str) -> bool {
    name.ends_with(".m3u8")
}

fn version(items: &[Item]) -> String {
    let mut sum = Sha256::new();
    for item in items.iter().filter(|item| item.named_by_contents) {
        sum.update(format!("{} {}\n", item.sha256, item.name));
    }
    hex(&sum.finalize()).chars().take(VERSION).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A master playlist whose addresses, on lines of their own and in `URI="…"`, are below this folder.
fn below(master: &str, folder: &str) -> String {
    let mut text = String::new();
    for line in master.lines() {
        match line.strip_prefix('#') {
            Some(_) => text.push_str(&line.replace("URI=\"", &format!("URI=\"{folder}/"))),
            None if line.trim().is_empty() => {}
            None => text.push_str(&format!("{folder}/{line}")),
        }
        text.push('\n');
    }
    text
}

/// The record of the last publication, stored beside it.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The folder of the streams.
    pub version: String,
    /// The one before: it may still be watched.
    previous: String,
    /// The files whose names say nothing about their contents.
    files: BTreeMap<String, Sum>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Sum {
    sha256: String,
    /// The target's tag of the contents.
    tag: Option<String>,
}

impl Record {
    pub const FILE: &'static str = "published.json";

    /// One that cannot be read is none.
    pub fn read(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or_default()
    }

    /// The record of this plan, without files yet.
    pub fn after(plan: &Plan, before: &Self) -> Self {
        let previous = if before.version == plan.version { &before.previous } else { &before.version };
        Self { version: plan.version.clone(), previous: previous.clone(), files: BTreeMap::new() }
    }

    /// Remembers a file that was put, and what the target knows of it now.
    pub fn add_file(&mut self, item: &Item, known: Option<Known>) {
        let sum = Sum { sha256: item.sha256.clone(), tag: known.and_then(|known| known.tag) };
        self.files.insert(item.name.clone(), sum);
    }

    pub fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }

    /// Whether this is the file that was uploaded, unchanged since.
    pub fn has(&self, item: &Item, known: Option<Known>) -> bool {
        let is =
            |sum: &Sum, known: Known| sum.sha256 == item.sha256 && known.bytes == item.bytes && known.tag == sum.tag;
        self.files.get(&item.name).zip(known).is_some_and(|(sum, known)| is(sum, known))
    }

    /// Whether this file, of the rendition at `name`, belongs to streams from before the last ones.
    pub fn is_outdated(&self, file: &str, name: &str) -> bool {
        let below = file.strip_prefix(name).unwrap_or_default().trim_start_matches('/');
        let Some((folder, _)) = below.split_once('/') else { return false };
        let is_version = folder.len() == VERSION && folder.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_version && folder != self.version && folder != self.previous
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_master_names_the_folder_of_its_streams() {
        let master = "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,URI=\"sound/index.m3u8\",NAME=\"a\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\n144p/index.m3u8\n\n";
        assert_eq!(
            below(master, "v1"),
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,URI=\"v1/sound/index.m3u8\",NAME=\"a\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv1/144p/index.m3u8\n\n"
        );
    }

    #[test]
    fn only_folders_of_streams_become_outdated() {
        let record = Record { version: "a".repeat(16), previous: "b".repeat(16), files: BTreeMap::new() };
        for (file, is_outdated) in [
            ("films/x/cccccccccccccccc/144p/00000.m4s", true),
            ("films/x/aaaaaaaaaaaaaaaa/144p/00000.m4s", false),
            ("films/x/bbbbbbbbbbbbbbbb/144p/00000.m4s", false),
            ("films/x/master.m3u8", false),
            ("films/x/extras/more.mp4", false),
            ("films/other/cccccccccccccccc/144p/00000.m4s", false),
        ] {
            assert_eq!(record.is_outdated(file, "films/x"), is_outdated, "{file}");
        }
        assert!(record.is_outdated("cccccccccccccccc/144p/00000.m4s", ""));
    }
}
