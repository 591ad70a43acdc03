//! An adaptive stream: its playlists lead to segments that are there, and of each variant the first, the middle one and the last play.

use std::collections::HashMap;

use m3u8_rs::{MasterPlaylist, MediaPlaylist, Playlist, parse_playlist_res};

use super::{
    Film, decode,
    film::length,
    media_store::{LocalFile, MediaStore},
};
use crate::transcode::Rendition;

/// The file beside a stream's playlists, for what cannot play them.
const FALLBACK: &str = "fallback.mp4";

/// A variant's or a sound's playlist.
struct List {
    /// Its path below the stream's folder.
    name: String,
    /// Pixels that the master promises.
    size: Option<(u64, u64)>,
}

/// The problems of the stream with its master playlist at `name`; with `whole`, every segment is decoded.
pub async fn examine(media: &MediaStore, name: &str, film: &Film, whole: bool) -> Result<Vec<String>, String> {
    let text = media.read(name).await?.ok_or("is not there")?;
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let lists = match parse_playlist_res(&text) {
        Ok(Playlist::MasterPlaylist(master)) => lists(&master)?,
        Ok(Playlist::MediaPlaylist(_)) => {
            vec![List { name: name.rsplit('/').next().unwrap_or(name).to_owned(), size: None }]
        }
        Err(_) => return Err("is no playlist".to_owned()),
    };
    if lists.is_empty() {
        return Err("names no variant".to_owned());
    }
    let rendition = media.read(&join(folder, Rendition::FILE)).await?;
    let rendition: Option<Rendition> = rendition.and_then(|text| serde_json::from_slice(&text).ok());
    let mut wrong = Vec::new();
    for list in &lists {
        match check_variant(media, folder, list, rendition.as_ref(), film, whole).await {
            Ok(found) => wrong.extend(found),
            Err(cause) => wrong.push(format!("{}: {cause}", join(folder, &list.name))),
        }
    }
    let fallback = FALLBACK.to_owned();
    let size = media.sizes(folder, std::slice::from_ref(&fallback)).await?.remove(&fallback);
    match (size, &rendition) {
        (None, Some(_)) => wrong.push(format!("{}: is not there", join(folder, &fallback))),
        (Some(bytes), _) if i64::try_from(bytes) != Ok(film.bytes) => {
            let name = join(folder, &fallback);
            wrong.push(format!("{name}: has {bytes} bytes, and {} are declared", film.bytes));
        }
        _ => {}
    }
    if size.is_some()
        && let Err(cause) = decode::check(&media.copy(&join(folder, &fallback)).await?, whole).await
    {
        wrong.push(format!("{}: {cause}", join(folder, &fallback)));
    }
    if let Some(file) = rendition.as_ref().and_then(Rendition::sound_file) {
        match media.sizes(folder, &[file.to_owned()]).await?.remove(file) {
            None => wrong.push(format!("{}: is not there", join(folder, file))),
            Some(_) => wrong.extend(sound_alone(media, &join(folder, file), film, whole).await),
        }
    }
    Ok(wrong)
}

/// The problem of the film's sound alone.
async fn sound_alone(media: &MediaStore, name: &str, film: &Film, whole: bool) -> Option<String> {
    let seen = match media.copy(name).await {
        Ok(copy) => decode::check(&copy, whole).await,
        Err(cause) => Err(cause),
    };
    match seen {
        Err(cause) => Some(format!("{name}: {cause}")),
        Ok(seen) if seen.size.is_some() => Some(format!("{name}: has a picture")),
        Ok(seen) => seen.seconds.and_then(|seconds| length(name, seconds, film)),
    }
}

fn lists(master: &MasterPlaylist) -> Result<Vec<List>, String> {
    let variants = master.variants.iter().map(|variant| {
        let size = variant.resolution.map(|size| (size.width, size.height));
        List { name: variant.uri.clone(), size }
    });
    let sounds = master.alternatives.iter().filter_map(|other| other.uri.clone());
    let lists: Vec<_> = variants.chain(sounds.map(|name| List { name, size: None })).collect();
    lists.iter().try_for_each(|list| neighbour(&list.name))?;
    Ok(lists)
}

async fn check_variant(
    media: &MediaStore,
    folder: &str,
    list: &List,
    rendition: Option<&Rendition>,
    film: &Film,
    whole: bool,
) -> Result<Vec<String>, String> {
    let name = join(folder, &list.name);
    let text = media.read(&name).await?.ok_or("is not there")?;
    let Ok(Playlist::MediaPlaylist(playlist)) = parse_playlist_res(&text) else {
        return Err("is no playlist of segments".to_owned());
    };
    let below = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let segments = segments(&playlist)?;
    let end = segments.len().checked_sub(1).ok_or("names no segment")?;
    let mut files: Vec<String> =
        segments.iter().flat_map(|(file, init)| [Some(file), init.as_ref()]).flatten().cloned().collect();
    files.extend(list.name.rsplit('/').next().map(str::to_owned));
    files.sort();
    files.dedup();
    let sizes = media.sizes(below, &files).await?;

    let mut wrong = Vec::new();
    wrong.extend(length(&name, playlist.segments.iter().map(|segment| f64::from(segment.duration)).sum(), film));
    let absent: Vec<_> = files.iter().filter(|file| sizes.get(*file).is_none_or(|bytes| *bytes == 0)).collect();
    if let Some(one) = absent.first() {
        let more = if absent.len() > 1 { format!(" (and {} more)", absent.len() - 1) } else { String::new() };
        wrong.push(format!("{}: is not there, or empty{more}", join(below, one)));
    }
    wrong.extend(bytes(below, &sizes, rendition));
    let looked = segments.iter().enumerate().filter(|(number, _)| whole || [0, end / 2, end].contains(number));
    for (_, (file, init)) in looked {
        if absent.contains(&file) || init.as_ref().is_some_and(|init| absent.contains(&init)) {
            continue;
        }
        if let Err(cause) = plays(media, below, file, init.as_deref(), list.size).await {
            wrong.push(format!("{}: {cause}", join(below, file)));
        }
    }
    Ok(wrong)
}

/// Each segment, with what stands before it.
fn segments(playlist: &MediaPlaylist) -> Result<Vec<(String, Option<String>)>, String> {
    let mut init = None;
    let mut found = Vec::new();
    for segment in &playlist.segments {
        if let Some(map) = &segment.map {
            neighbour(&map.uri)?;
            init = Some(map.uri.clone());
        }
        neighbour(&segment.uri)?;
        found.push((segment.uri.clone(), init.clone()));
    }
    Ok(found)
}

fn neighbour(address: &str) -> Result<(), String> {
    if is_below(address) { Ok(()) } else { Err(format!("names {address:?}, which is elsewhere")) }
}

/// The file of a film that every browser plays: of a stream the one beside its playlists, else the film itself.
pub fn plain_file(media: &str) -> String {
    match media.rsplit_once('/') {
        Some((folder, playlist)) if playlist.ends_with(".m3u8") => format!("{folder}/{FALLBACK}"),
        _ => media.to_owned(),
    }
}

/// Whether what a playlist names is a file beside it or below, for every player and by its plain name: the gateway serves nothing else.
/// `%2e%2e` and a backslash lead out of a folder in browsers, a colon is behind a scheme, and blanks at an end are not sent.
pub fn is_below(address: &str) -> bool {
    address.trim() == address
        && !address.contains(|c: char| c.is_control() || matches!(c, '\\' | '%' | '?' | '#' | ':'))
        && address.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
}

/// The problem of a variant's size, compared with the rendition.
fn bytes(below: &str, sizes: &HashMap<String, u64>, rendition: Option<&Rendition>) -> Option<String> {
    let variant = below.rsplit('/').next()?;
    let rendition = rendition?;
    let declared = rendition.variants.iter().chain(&rendition.av1).find(|report| report.name == variant)?.bytes;
    let there: u64 = sizes.values().sum();
    (there != declared).then(|| format!("{below}: has {there} bytes, and {declared} are declared"))
}

async fn plays(
    media: &MediaStore,
    below: &str,
    file: &str,
    init: Option<&str>,
    size: Option<(u64, u64)>,
) -> Result<(), String> {
    let mut bytes = Vec::new();
    for name in init.into_iter().chain([file]) {
        bytes.extend(media.read(&join(below, name)).await?.ok_or("is not there")?);
    }
    let copy = LocalFile::of(&bytes)?;
    let seen = decode::check(&copy, true).await?;
    if init.is_some() {
        decode::in_step(&copy).await?;
    }
    match (size, seen.size) {
        (Some((width, height)), Some((w, h))) if (width, height) != (w, h) => {
            Err(format!("has {w} by {h} pixels, and {width} by {height} are declared"))
        }
        (Some(_), None) => Err("has no picture".to_owned()),
        _ => Ok(()),
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn playlist_may_name_only_files_of_its_own_folder() {
        for address in ["a.ts", "720p/a.m4s", "720p/list 2.m3u8", "caf\u{e9}.ts"] {
            assert!(is_below(address), "{address}");
        }
        for address in [
            "",
            "/a.ts",
            "//other.example/a.ts",
            "https://other.example/a.ts",
            "data:video/mp2t,x",
            "../a.ts",
            "720p/../../a.ts",
            "%2e%2e/a.ts",
            "%2E./a.ts",
            "..\\a.ts",
            "..;/a.ts",
            ".hidden.ts",
            "720p//a.ts",
            "720p/",
            " a.ts",
            "a.ts?range=1",
            "a.ts#1",
            "a\n.ts",
        ] {
            assert!(!is_below(address), "{address}");
        }
    }
}
