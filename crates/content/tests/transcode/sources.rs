//! Sources, made by ffmpeg; and what ffprobe says of a file.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// Runs ffmpeg, which must succeed.
pub(crate) fn ffmpeg(arguments: &[&str]) {
    let mut command = Command::new("ffmpeg");
    let output = command.args(["-nostdin", "-v", "error", "-y"]).args(arguments).output();
    let output = output.expect("ffmpeg, which `make test` installs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Makes a source of this name.
pub(crate) fn make(folder: &Path, name: &str, arguments: &[&str]) -> PathBuf {
    let path = folder.join(name);
    ffmpeg(&[arguments, &[path.to_str().unwrap()]].concat());
    path
}

/// Two seconds, small, with sound.
pub(crate) fn small(folder: &Path, name: &str) -> PathBuf {
    make(
        folder,
        name,
        &[
            "-f",
            "lavfi",
            "-i",
            "testsrc2=s=256x144:r=25:d=2",
            "-f",
            "lavfi",
            "-i",
            "sine=d=2",
            "-c:v",
            "libx264",
            "-preset",
            "ultrafast",
            "-c:a",
            "aac",
            "-shortest",
        ],
    )
}

/// Streams and format of a file, as ffprobe sees them.
pub(crate) fn media(path: &Path) -> Value {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-of", "json", "-show_streams", "-show_format", "-allowed_extensions", "ALL"])
        .arg(path)
        .output()
        .unwrap();
    if output.status.success() {
        return serde_json::from_slice(&output.stdout).unwrap();
    }
    // Pictures know no such option.
    let output =
        Command::new("ffprobe").args(["-v", "error", "-of", "json", "-show_streams"]).arg(path).output().unwrap();
    assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Copies an MP4 file, whose track is then to be shown turned by a quarter: the matrix of its header says so (ISO 14496-12, 8.3.2).
pub(crate) fn turn(file: &Path, turned: &Path) {
    const ONE: [u8; 4] = [0, 1, 0, 0];
    const MINUS_ONE: [u8; 4] = [255, 255, 0, 0];
    const NO: [u8; 4] = [0; 4];
    let upright = [ONE, NO, NO, NO, ONE, NO].concat();
    let mut bytes = std::fs::read(file).unwrap();
    let header = bytes.windows(4).position(|four| four == b"tkhd").unwrap();
    let matrix = header + bytes[header..].windows(upright.len()).position(|bytes| bytes == upright).unwrap();
    bytes[matrix..matrix + upright.len()].copy_from_slice(&[NO, ONE, NO, MINUS_ONE, NO, NO].concat());
    std::fs::write(turned, bytes).unwrap();
}
