//! `rendition.json`: what was transcoded from a source.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    encode::{SOUND, h264_name},
    ladder::{CHANNEL_BITS, variants},
    probe::Probe,
    programs::Programs,
    scan::scan,
};

/// Changes whenever the same source would become a different rendition.
const RECIPE: u32 = 7;

/// By how many seconds, and by which part, a film may be shorter than its packets say: more is missing from its middle or its end.
const SHORTER: f64 = 1.5;
const SHORTER_PART: f64 = 0.005;

/// The result of transcoding a source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rendition {
    /// SHA-256 of the source, in hexadecimal.
    pub source_sha256: String,
    /// By which recipe.
    pub recipe: u32,
    /// Length in seconds, as it plays.
    pub duration_s: f64,
    /// The picture's width over its height.
    pub aspect: f64,
    /// Bytes of the fallback.
    pub fallback_bytes: u64,
    /// Whether there is something to hear.
    pub sound: bool,
    /// From the smallest; the file calls them `rungs`.
    #[serde(rename = "rungs")]
    pub variants: Vec<VariantReport>,
    /// The same in AV1, if there are any.
    #[serde(default)]
    pub av1: Vec<VariantReport>,
    /// Why there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_av1: Option<String>,
    /// Every file but this one, with its bytes.
    pub files: Vec<(String, u64)>,
}

/// One encoded variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantReport {
    /// Its folder.
    pub name: String,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Bits a second that were aimed at, with the sound.
    pub bits: u32,
    /// Bytes of its playlist and segments.
    pub bytes: u64,
}

impl Rendition {
    /// The name of its file.
    pub const FILE: &str = "rendition.json";

    /// The rendition in `folder`.
    pub(super) fn of(
        folder: &Path,
        source: &Probe,
        source_sha256: String,
        in_av1: Result<Vec<VariantReport>, String>,
        programs: &Programs,
    ) -> Result<Self, String> {
        let mut files = Vec::new();
        list(folder, folder, &mut files).map_err(|error| error.to_string())?;
        files.sort();
        let below = |name: &str| {
            let prefix = format!("{name}/");
            files.iter().filter(|(file, _)| file.starts_with(&prefix)).map(|(_, bytes)| bytes).sum::<u64>()
        };
        let sound = CHANNEL_BITS * source.channels;
        let variants =
            variants(source.width, source.height).into_iter().map(|(variant, width, height)| VariantReport {
                name: h264_name(&variant),
                width,
                height,
                bits: variant.bits + sound,
                bytes: below(&h264_name(&variant)),
            });
        let (played, seconds) = (shipped(&folder.join("fallback.mp4"), programs)?, source.seconds);
        if played < seconds - SHORTER - seconds * SHORTER_PART {
            return Err(format!("can be played for {played:.1} of its {seconds:.1} seconds: it is not whole"));
        }
        Ok(Self {
            source_sha256,
            recipe: RECIPE,
            duration_s: played,
            aspect: f64::from(source.width) / f64::from(source.height),
            fallback_bytes: files.iter().find(|(file, _)| file == "fallback.mp4").map_or(0, |(_, bytes)| *bytes),
            sound: source.channels > 0,
            variants: variants.collect(),
            no_av1: in_av1.as_ref().err().cloned(),
            av1: in_av1.unwrap_or_default(),
            files,
        })
    }

    /// The rendition file of `folder`, if there is one.
    pub fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(folder.join(Self::FILE)).ok()?).ok()
    }

    /// The name of the film's sound alone; renditions of older recipes and silent films have none.
    pub fn sound_file(&self) -> Option<&str> {
        self.files.iter().map(|(file, _)| file.as_str()).find(|file| *file == SOUND)
    }

    /// The name of the captions made of the film's own text track, if it has one.
    pub fn captions_file(&self) -> Option<&str> {
        self.files.iter().map(|(file, _)| file.as_str()).find(|file| file.starts_with("captions."))
    }

    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        fs::write(folder.join(Self::FILE), serde_json::to_vec_pretty(self)?)
    }

    /// Whether it is of this source, by today's recipe, and whole.
    pub(super) fn is_of(&self, source_sha256: &str, folder: &Path) -> bool {
        self.source_sha256 == source_sha256 && self.recipe == RECIPE && self.is_whole(folder)
    }

    /// Whether every file is in `folder`, with its size.
    pub fn is_whole(&self, folder: &Path) -> bool {
        let there = |(file, bytes): &(String, u64)| {
            fs::metadata(folder.join(file)).is_ok_and(|known| known.is_file() && known.len() == *bytes)
        };
        !self.files.is_empty() && self.files.iter().all(there)
    }
}

/// The seconds for which a finished film plays: those of its picture, which is its first stream.
fn shipped(film: &Path, programs: &Programs) -> Result<f64, String> {
    let span = scan(film, &[0], programs)?.remove(&0).ok_or("cannot be played once it is encoded")?;
    Ok(span.end - span.start)
}

/// SHA-256 of a file, in hexadecimal.
pub(crate) fn checksum(path: &Path) -> io::Result<String> {
    let mut sum = Sha256::new();
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let read = io::Read::read(&mut file, &mut buffer)?;
        if read == 0 {
            return Ok(sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect());
        }
        sum.update(buffer.get(..read).unwrap_or_default());
    }
}

fn list(root: &Path, folder: &Path, files: &mut Vec<(String, u64)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(root, &path, files)?;
        } else if let Ok(name) = path.strip_prefix(root) {
            files.push((name.to_string_lossy().into_owned(), fs::metadata(&path)?.len()));
        }
    }
    Ok(())
}
