//! `content transcode`: from source video to what phones play, by ffmpeg.
//!
//! For each source a folder: `master.m3u8` with a variant per size (fragmented MP4), `fallback.mp4` for what cannot
//! play that, `poster.webp` and `card.webp`, and `rendition.json`, which says what was made of what. A folder appears when it is
//! whole, and is left alone as long as the source and the recipe are the same.

mod encode;
mod interlace;
mod ladder;
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

use catalogue::manifest::{FieldType as _, Slug};

pub use encode::stills;
pub use ladder::{LADDER, Variant, variants};
pub use probe::{Probe, probe};
pub(crate) use probe::{file_address, last_line};
pub use programs::Programs;
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
            let slug = slug_of(source)?;
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
        return Ok(Transcoded { slug: slug.to_owned(), rendition, skipped: true });
    }
    let probe = probe(source)?;
    // The rest of an interrupted run is deleted.
    let part = out.join(format!(".{slug}.part"));
    let _ = fs::remove_dir_all(&part);
    fs::create_dir_all(&part).map_err(words)?;
    let made = encode::encode(source, &probe, &part, programs, &|seconds| progress(slug, seconds))
        .and_then(|()| Rendition::of(&part, &probe, sha256))
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
    Ok(Transcoded { slug: slug.to_owned(), rendition, skipped: false })
}

/// A folder's name: the file's, in the letters of a slug.
pub(crate) fn slug_of(source: &Path) -> Result<String, String> {
    let stem = source.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let plain: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let slug = plain.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    Slug(slug.clone()).check("").map_err(|_| "its name has no letters or digits to call the folder by".to_owned())?;
    Ok(slug)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_name_follows_the_source() {
        assert_eq!(slug_of(Path::new("/a/My Film (final).MOV")).ok().as_deref(), Some("my-film-final"));
        assert!(slug_of(Path::new("/a/…")).is_err());
    }
}
