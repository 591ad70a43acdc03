//! Pictures: of an origin that stands for a folder, as the gateway's resizer has it, or of the origin itself.

use std::{
    io::Read,
    path::{Path, PathBuf},
    time::Duration,
};

use percent_encoding::percent_decode_str;
use pictures::SHOWN;
use tokio::task::spawn_blocking;

use super::{Picture, media_store::is_missing};
use crate::transcode::{CLIP_BYTES, clip_of};

/// The bytes at the beginning of a file by which the format of a picture is recognised.
const BEGINNING: u64 = 32;

/// The locations of pictures.
pub struct Pictures {
    origins: Vec<(String, PathBuf)>,
    /// Whether pictures of other origins are fetched.
    fetches_others: bool,
    http: reqwest::Client,
}

/// Reads `https://host=folder`, separated by commas: which origins stand for folders here. Of one without a folder, pictures are fetched.
pub fn origins(text: &str) -> Result<Vec<(String, PathBuf)>, String> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| match part.split_once('=') {
            Some((origin, folder)) if origin.starts_with("https://") => {
                Ok((origin.trim_end_matches('/').to_ascii_lowercase(), folder.into()))
            }
            _ => Err(format!("{part:?} is not of the form https://host=folder")),
        })
        .collect()
}

impl Pictures {
    /// Pictures of these origins are files of the folders; others are fetched, or refused as the sites do.
    pub fn new(origins: Vec<(String, PathBuf)>, fetches_others: bool) -> Result<Self, String> {
        let patience = Duration::from_secs(30);
        let http = reqwest::Client::builder().connect_timeout(patience).read_timeout(patience).build();
        Ok(Self { origins, fetches_others, http: http.map_err(|error| error.to_string())? })
    }

    /// A picture at most so many pixels wide, as WebP.
    pub async fn thumbnail(&self, address: &str, width: u32) -> Result<Vec<u8>, String> {
        let bytes = self.read(address, SHOWN.bytes + 1).await?;
        let made = spawn_blocking(move || pictures::thumbnail(&bytes, width)).await;
        made.unwrap_or_else(|error| Err(error.to_string()))
    }

    pub(super) async fn examine(&self, picture: &Picture) -> Result<(), String> {
        let limit = if picture.whole { SHOWN.bytes + 1 } else { BEGINNING };
        let bytes = self.read(&picture.address, limit).await?;
        if let Some(clip) = clip_of(&picture.address) {
            let clip = self.read(&clip, CLIP_BYTES + 1).await.map_err(|cause| format!("has a clip that {cause}"))?;
            if clip.len() as u64 > CLIP_BYTES || clip.get(4..8) != Some(b"ftyp") {
                return Err(format!("has a clip that is no MP4 of at most {CLIP_BYTES} bytes"));
            }
        }
        if bytes.len() as u64 > SHOWN.bytes {
            return Err(format!("has more than {} bytes", SHOWN.bytes));
        }
        if !picture.whole {
            return image::guess_format(&bytes).map(drop).map_err(|_| "is no picture".to_owned());
        }
        let decoded = spawn_blocking(move || decode(&bytes)).await;
        decoded.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// The first bytes of the file at an address.
    async fn read(&self, address: &str, limit: u64) -> Result<Vec<u8>, String> {
        let (files, may_be_fetched) = self.locations(address)?;
        let read =
            spawn_blocking(move || read_first(&files, limit)).await.unwrap_or_else(|error| Err(error.to_string()));
        match read? {
            Some(bytes) => Ok(bytes),
            None if may_be_fetched => self.fetch(address, limit).await,
            None => Err("is not there".to_owned()),
        }
    }

    /// The files that an address may mean, and whether it may be fetched: more than one folder can stand for an origin.
    fn locations(&self, address: &str) -> Result<(Vec<PathBuf>, bool), String> {
        let below = |origin: &str| address.strip_prefix(origin).and_then(|rest| rest.strip_prefix('/'));
        let found: Vec<_> = self.origins.iter().filter_map(|(origin, folder)| Some((below(origin)?, folder))).collect();
        if found.is_empty() && !self.fetches_others {
            return Err("is at an address of which the sites show no pictures".to_owned());
        }
        let (fetched, folders): (Vec<_>, Vec<_>) = found.iter().partition(|(_, folder)| folder.as_os_str().is_empty());
        let file = |(below, folder): &(&str, &PathBuf)| {
            let below = percent_decode_str(below.split(['?', '#']).next().unwrap_or_default()).decode_utf8_lossy();
            let is_plain = |part| matches!(part, std::path::Component::Normal(_));
            let plain = Path::new(below.as_ref()).components().all(is_plain);
            if plain { Ok(folder.join(below.as_ref())) } else { Err("leaves its folder".to_owned()) }
        };
        let files = folders.iter().map(file).collect::<Result<_, _>>()?;
        Ok((files, found.is_empty() || !fetched.is_empty()))
    }

    async fn fetch(&self, address: &str, limit: u64) -> Result<Vec<u8>, String> {
        let words = |error: reqwest::Error| format!("cannot be fetched: {}", error.without_url());
        let mut reply = self.http.get(address).send().await.map_err(words)?;
        if !reply.status().is_success() {
            return Err(format!("answers {}", reply.status()));
        }
        let mut bytes = Vec::new();
        while let Some(more) = reply.chunk().await.map_err(words)? {
            bytes.extend_from_slice(&more);
            if bytes.len() as u64 >= limit {
                break;
            }
        }
        Ok(bytes)
    }
}

/// The beginning of the first of these files that is there.
fn read_first(files: &[PathBuf], limit: u64) -> Result<Option<Vec<u8>>, String> {
    for path in files {
        match std::fs::File::open(path) {
            Ok(file) => {
                let mut bytes = Vec::new();
                file.take(limit).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
                return Ok(Some(bytes));
            }
            Err(error) if is_missing(&error) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(None)
}

fn decode(bytes: &[u8]) -> Result<(), String> {
    pictures::read(bytes, SHOWN).map(drop).map_err(|cause| format!("cannot be shown: {cause}"))
}
