//! Converts an image file to a WebP of one width, or reads a clip. Blocks.

use std::{fs::File, io::Read, path::Path};

use bytes::Bytes;
use pictures::{SHOWN, thumbnail};

use super::CLIP_BYTES;
use crate::{error::Error, paths};

/// Converts the file of these path segments below an origin's folder to this width.
pub(super) fn picture(root: &Path, below: &[String], width: u32) -> Result<Bytes, Error> {
    let path = paths::file_below(root, below).ok_or(Error::NotFound)?;
    let metadata = path.metadata().map_err(|_| Error::NotFound)?;
    if metadata.len() > SHOWN.bytes {
        return Err(Error::NotAnImage("too many bytes".to_owned()));
    }
    let source = std::fs::read(&path).map_err(|_| Error::NotFound)?;
    thumbnail(&source, width).map(Bytes::from).map_err(Error::NotAnImage)
}

/// Reads the clip of these path segments below an origin's folder.
pub(super) fn clip(root: &Path, below: &[String]) -> Result<Bytes, Error> {
    let path = paths::file_below(root, below).ok_or(Error::NotFound)?;
    let file = File::open(path).map_err(|_| Error::NotFound)?;
    let mut bytes = Vec::new();
    file.take(CLIP_BYTES + 1).read_to_end(&mut bytes).map_err(|_| Error::NotFound)?;
    Ok(bytes.into())
}
