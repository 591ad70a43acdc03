//! A film that a record names: a file, or a stream.

use super::{Film, decode, media_store::MediaStore, stream};

/// Seconds by which a film may be longer or shorter than is said of it: lengths are whole seconds there.
pub const TOLERANCE: f64 = 1.0;

/// The problems of a film; with `whole`, all of it is decoded.
pub async fn examine(media: &MediaStore, film: &Film, whole: bool) -> Vec<String> {
    let Some(name) = film.address.strip_prefix("/media/") else {
        return vec![format!("{} is not below /media/", film.address)];
    };
    let found = match name.to_ascii_lowercase().ends_with(".m3u8") {
        true => stream::examine(media, name, film, whole).await,
        false => file(media, name, film, whole).await,
    };
    found.unwrap_or_else(|cause| vec![format!("{name}: {cause}")])
}

async fn file(media: &MediaStore, name: &str, film: &Film, whole: bool) -> Result<Vec<String>, String> {
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    let size = media.sizes(folder, &[file.to_owned()]).await?.remove(file).ok_or("is not there")?;
    let mut wrong = Vec::new();
    if i64::try_from(size) != Ok(film.bytes) {
        wrong.push(format!("{name}: has {size} bytes, and {} are declared", film.bytes));
    }
    match decode::check(&media.copy(name).await?, whole).await {
        Err(cause) => wrong.push(format!("{name}: {cause}")),
        Ok(seen) if seen.size.is_none() => wrong.push(format!("{name}: has no picture")),
        Ok(seen) => wrong.extend(seen.seconds.and_then(|seconds| length(name, seconds, film))),
    }
    Ok(wrong)
}

/// The problem of a duration, if any.
pub fn length(name: &str, seconds: f64, film: &Film) -> Option<String> {
    // Lengths of films are far below where whole numbers stop being exact.
    let declared = film.seconds as f64;
    ((seconds - declared).abs() > TOLERANCE)
        .then(|| format!("{name}: plays {seconds:.1} seconds, and {declared} are declared"))
}
