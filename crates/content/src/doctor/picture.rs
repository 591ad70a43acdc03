//! Pictures: of an origin that stands for a folder, as the gateway's resizer has it, or of the origin itself.

use std::{
    io::Read,
    path::{Path, PathBuf},
    time::Duration,
};

use percent_encoding::percent_decode_str;
use pictures::SHOWN;
use tokio::task::spawn_blocking;

use super::Picture;

/// The bytes at the beginning of a file by which the format of a picture is recognised.
const BEGINNING: u64 = 32;

/// The locations of pictures.
pub struct Pictures {
    origins: Vec<(String, PathBuf)>,
    http: reqwest::Client,
}

/// Reads `https://host=folder`, separated by commas: which origins stand for folders here.
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
    /// Pictures of these origins are files of the folders; others are fetched.
    pub fn new(origins: Vec<(String, PathBuf)>) -> Result<Self, String> {
        let patience = Duration::from_secs(30);
        let http = reqwest::Client::builder().connect_timeout(patience).read_timeout(patience).build();
        Ok(Self { origins, http: http.map_err(|error| error.to_string())? })
    }

    pub(super) async fn examine(&self, picture: &Picture) -> Result<(), String> {
        let limit = if picture.whole { SHOWN.bytes + 1 } else { BEGINNING };
        let bytes = match self.file(&picture.address)? {
            Some(path) => {
                let read = spawn_blocking(move || read(&path, limit)).await;
                read.unwrap_or_else(|error| Err(error.to_string()))?
            }
            None => self.fetch(&picture.address, limit).await?,
        };
        if bytes.len() as u64 > SHOWN.bytes {
            return Err(format!("has more than {} bytes", SHOWN.bytes));
        }
        if !picture.whole {
            return image::guess_format(&bytes).map(drop).map_err(|_| "is no picture".to_owned());
        }
        let decoded = spawn_blocking(move || decode(&bytes)).await;
        decoded.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// The file behind an address of an origin that is a folder.
    fn file(&self, address: &str) -> Result<Option<PathBuf>, String> {
        for (origin, folder) in &self.origins {
            let Some(below) = address.strip_prefix(origin.as_str()).and_then(|rest| rest.strip_prefix('/')) else {
                continue;
            };
            let below = percent_decode_str(below.split(['?', '#']).next().unwrap_or_default()).decode_utf8_lossy();
            let plain =
                Path::new(below.as_ref()).components().all(|part| matches!(part, std::path::Component::Normal(_)));
            return if plain { Ok(Some(folder.join(below.as_ref()))) } else { Err("leaves its folder".to_owned()) };
        }
        Ok(None)
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

fn read(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let file = std::fs::File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "is not there".to_owned(),
        _ => error.to_string(),
    })?;
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn decode(bytes: &[u8]) -> Result<(), String> {
    pictures::read(bytes, SHOWN).map(drop).map_err(|cause| format!("cannot be shown: {cause}"))
}
