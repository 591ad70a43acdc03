//! `content transcode`: from source video to what phones play, by ffmpeg.
//!
//! For each source a folder: `master.m3u8` with a variant per size (fragmented MP4), the smaller ones in AV1 as well, `fallback.mp4` for what cannot
//! play that, `poster.webp` and `card.clip.webp`, the clip of ten seconds `card.clip.mp4`, and `rendition.json`, which says what was made of
//! what. A folder appears when it is whole, and is left alone as long as the source and the recipe are the same.

mod av1;
mod clip;
mod encode;
mod interlace;
mod ladder;
mod limited;
mod probe;
mod programs;
mod rendition;
mod scan;
mod whole;

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use catalogue::manifest::{FieldType as _, Title};
use sha2::{Digest as _, Sha256};

pub use clip::{CLIP, CLIP_BYTES, clip_of};
pub use encode::stills;
pub use ladder::{LADDER, Variant, variants};
pub(crate) use limited::{LOOK, file_address, limited};
pub use probe::{Probe, probe};
pub use programs::Programs;
pub(crate) use programs::last_line;
pub(crate) use rendition::checksum;
pub use rendition::{Rendition, VariantReport};

/// Whether the programs are there; an error says which one is not.
pub fn check_programs() -> Result<(), String> {
    for program in ["ffmpeg", "ffprobe"] {
        let run = Command::new(program).arg("-version").stdin(Stdio::null()).output();
        run.map_err(|error| format!("{program} cannot be started, which transcoding needs: {error}"))?;
    }
    Ok(())
}

/// Why a source could not be transcoded, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", source_path.display())]
pub struct TranscodeError {
    /// The source.
    pub source_path: PathBuf,
    /// The problem.
    pub cause: String,
}

/// The result for a source.
#[derive(Clone, Debug)]
pub struct Transcoded {
    /// The name of its folder.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// Its rendition.
    pub rendition: Rendition,
    /// It was there already.
    pub skipped: bool,
}

/// Makes renditions of all sources in folders below `out`, several at once; `progress` gets a source's slug and the seconds of it
/// that are done. `programs` ends them all.
pub fn transcode(
    sources: &[PathBuf],
    out: &Path,
    programs: &Programs,
    progress: &(dyn Fn(&str, f64) + Sync),
) -> Vec<Result<Transcoded, TranscodeError>> {
    let mut slugs: HashMap<String, &Path> = HashMap::new();
    let named: Vec<_> = sources
        .iter()
        .map(|source| {
            let slug = slug_of(source);
            match slugs.insert(slug.clone(), source) {
                None => Ok(slug),
                Some(other) => Err(format!("{} would have the same folder, {slug}", other.display())),
            }
        })
        .collect();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Result<Transcoded, TranscodeError>>>> =
        Mutex::new(sources.iter().map(|_| None).collect());
    // An encoder uses several cores by itself, though not all of them all the time.
    let workers = std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2));
    std::thread::scope(|scope| {
        for _ in 0..workers.min(sources.len()) {
            scope.spawn(|| {
                loop {
                    let turn = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(source), Some(slug)) = (sources.get(turn), named.get(turn)) else { return };
                    let outcome = slug.clone().and_then(|slug| one(source, &slug, out, programs, progress));
                    let outcome = outcome.map_err(|cause| TranscodeError { source_path: source.clone(), cause });
                    if let Some(place) = done.lock().unwrap_or_else(PoisonError::into_inner).get_mut(turn) {
                        *place = Some(outcome);
                    }
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}

fn one(
    source: &Path,
    slug: &str,
    out: &Path,
    programs: &Programs,
    progress: &(dyn Fn(&str, f64) + Sync),
) -> Result<Transcoded, String> {
    let words = |error: io::Error| error.to_string();
    probe::must_be_file(source)?;
    let sha256 = checksum(source).map_err(words)?;
    let folder = out.join(slug);
    if let Some(rendition) = Rendition::read(&folder).filter(|rendition| rendition.is_of(&sha256, &folder)) {
        return Ok(Transcoded { slug: slug.to_owned(), title: title_of(source, slug), rendition, skipped: true });
    }
    let probe = probe(source, programs)?;
    // The rest of an interrupted run is deleted.
    let part = out.join(format!(".{slug}.part"));
    let _ = fs::remove_dir_all(&part);
    fs::create_dir_all(&part).map_err(words)?;
    let made = encode::encode(source, &probe, &part, programs, &|seconds| progress(slug, seconds))
        .and_then(|in_av1| clip::clip(source, &probe, &part, programs).map(|()| in_av1))
        .and_then(|in_av1| Rendition::of(&part, &probe, sha256, in_av1, programs))
        .and_then(|rendition| rendition.write(&part).map(|()| rendition).map_err(words));
    let rendition = match made {
        Ok(rendition) => rendition,
        Err(cause) => {
            let _ = fs::remove_dir_all(&part);
            return Err(cause);
        }
    };
    let old = out.join(format!(".{slug}.old"));
    let _ = fs::remove_dir_all(&old);
    if folder.exists() {
        fs::rename(&folder, &old).map_err(words)?;
    }
    fs::rename(&part, &folder).map_err(words)?;
    let _ = fs::remove_dir_all(&old);
    Ok(Transcoded { slug: slug.to_owned(), title: title_of(source, slug), rendition, skipped: false })
}

/// The longest name of a folder.
const LONGEST_NAME: usize = 80;

/// The length of what tells it from others, with its hyphen.
const SUM_LENGTH: usize = 9;

/// A film's folder by the name of its file.
fn slug_of(source: &Path) -> String {
    folder_name(&source.file_stem().unwrap_or_default().to_string_lossy())
}

/// A folder's name for a film or picture with this name, whatever its letters: those that have no plain form (Cyrillic, emoji alone) are told
/// apart by a checksum.
pub fn folder_name(name: &str) -> String {
    let compared = languages::compared(name);
    let plain: String = compared.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let words = plain.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    let is_whole = !words.is_empty()
        && words.len() <= LONGEST_NAME
        && !compared.chars().any(|c| c.is_alphanumeric() && !c.is_ascii());
    if is_whole {
        return words;
    }
    let short: String = words.chars().take(LONGEST_NAME - SUM_LENGTH).collect();
    let sum: String = Sha256::digest(name).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{sum}", if short.is_empty() { "film" } else { short.trim_end_matches('-') })
}

/// A film's title: the name of its file as it is, without signs that no title may have, such as marks of direction. A name of which nothing can be
/// seen becomes that of its folder, in words.
fn title_of(source: &Path, slug: &str) -> String {
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let visible = stem.chars().map(|c| if c.is_control() { ' ' } else { c });
    let title: String = visible.filter(|c| Title(format!("a{c}")).check("").is_ok()).collect();
    let title = title.trim().trim_start_matches(['=', '+']).to_owned();
    if Title(title.clone()).check("").is_ok() { title } else { slug.replace('-', " ") }
}

#[cfg(test)]
mod tests {
    use catalogue::manifest::Slug;

    use super::*;

    #[test]
    fn folder_name_follows_the_source() {
        assert_eq!(slug_of(Path::new("/a/My Film (final).MOV")), "my-film-final");
        for name in ["…", "видео", "😂", "=1", &"a".repeat(300)] {
            let slug = folder_name(name);
            assert_eq!(Slug(slug.clone()).check(""), Ok(()), "{name}: {slug}");
            assert_eq!(folder_name(&slug), slug, "{name}");
        }
        assert_ne!(folder_name("видео 1"), folder_name("музыка 1"));
    }
}
