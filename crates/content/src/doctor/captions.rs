//! The captions of a film: WebVTT, with lines that belong to it.

use super::{
    Film, decode,
    film::TOLERANCE,
    media_store::{LocalFile, MediaStore},
};

/// What every WebVTT file begins with, behind a byte order mark if it has one (<https://www.w3.org/TR/webvtt1/#file-structure>).
const SIGNATURE: &str = "WEBVTT";

/// Fails where a film's captions cannot be shown, or are not this film's. Films without captions pass.
pub async fn examine(media: &MediaStore, film: &Film) -> Result<(), String> {
    let Some(address) = &film.captions else { return Ok(()) };
    let Some(name) = address.strip_prefix("/media/") else { return Err(format!("{address} is not below /media/")) };
    read(media, name, film).await.map_err(|cause| format!("{name}: {cause}"))
}

async fn read(media: &MediaStore, name: &str, film: &Film) -> Result<(), String> {
    let bytes = media.read(name).await?.ok_or("is not there")?;
    let text = str::from_utf8(&bytes).map_err(|_| "is not UTF-8")?;
    if !text.trim_start_matches('\u{feff}').starts_with(SIGNATURE) {
        return Err("is no WebVTT".to_owned());
    }
    let lines = decode::captions(&LocalFile::of(&bytes)?).await?;
    let Some(last) = lines.into_iter().reduce(f64::max) else { return Err("has no line that can be shown".to_owned()) };
    // Lengths of films are far below where whole numbers stop being exact.
    let end = film.seconds as f64;
    match last > end + TOLERANCE {
        true => Err(format!("has a line at {last:.1} seconds, and the film has {end}")),
        false => Ok(()),
    }
}
