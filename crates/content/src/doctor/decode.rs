//! Whether a file plays, as ffprobe sees it: it decodes the first seconds, some in the middle and the last, or all of it.

use std::{path::Path, process::Command};

use serde::Deserialize;
use tokio::task::spawn_blocking;

use super::media_store::LocalFile;
use crate::transcode::{LOOK, Programs, file_address, last_line, limited};

/// The properties of a decoded file.
#[derive(Clone, Debug, PartialEq)]
pub struct DecodedMedia {
    /// Pixels of the picture; none where there is only sound.
    pub size: Option<(u64, u64)>,
    /// Length in seconds, where the file says.
    pub seconds: Option<f64>,
}

#[derive(Deserialize)]
struct ProbeOutput {
    #[serde(default)]
    streams: Vec<Stream>,
    format: Option<Format>,
}

#[derive(Deserialize)]
struct Stream {
    codec_type: String,
    width: Option<u64>,
    height: Option<u64>,
    nb_read_frames: Option<String>,
}

#[derive(Deserialize)]
struct Format {
    duration: Option<String>,
}

#[derive(Deserialize)]
struct Packets {
    #[serde(default)]
    packets: Vec<Packet>,
}

#[derive(Deserialize)]
struct Packet {
    codec_type: String,
    pts_time: Option<String>,
    duration_time: Option<String>,
}

/// The most seconds by which picture and sound may begin or end apart.
const STEP: f64 = 0.1;

/// All of a file, for `-read_intervals`.
const WHOLE: &str = "%";

/// The most seconds of computing for a few seconds of film.
const GLANCE: u32 = 60;

/// Whether ffprobe is there at all.
pub fn check_ffprobe() -> Result<(), String> {
    let run = Command::new("ffprobe").arg("-version").output();
    run.map(drop).map_err(|error| {
        format!("ffprobe cannot be started, which tells whether media play and comes with ffmpeg (Debian: apt-get install ffmpeg): {error}")
    })
}

/// Looks at the first seconds of a file, its middle and its end, or at the whole of it.
pub async fn check(copy: &LocalFile, whole: bool) -> Result<DecodedMedia, String> {
    let path = copy.path().to_owned();
    let look = move || {
        if whole {
            return probe(&path, WHOLE);
        }
        let seen = probe(&path, "%+2")?;
        let Some(seconds) = seen.seconds else { return Ok(seen) };
        if seconds > 6.0 {
            let middle = format!("{:.2}%+2", seconds / 2.0);
            probe(&path, &middle).map_err(|cause| format!("{cause} (in its middle)"))?;
        }
        if seconds > 3.0 {
            probe(&path, &format!("{:.2}%", seconds - 1.0)).map_err(|cause| format!("{cause} (at its end)"))?;
        }
        Ok(seen)
    };
    spawn_blocking(look).await.unwrap_or_else(|error| Err(error.to_string()))
}

/// Whether picture and sound of a part of a stream begin and end together, for players with Media Source: they know no edit lists.
pub async fn in_step(copy: &LocalFile) -> Result<(), String> {
    let path = copy.path().to_owned();
    let look = move || {
        let mut command = limited("ffprobe", LOOK);
        command.args(["-v", "error", "-of", "json", "-protocol_whitelist", "file", "-ignore_editlist", "1"]);
        command.args(["-show_entries", "packet=codec_type,pts_time,duration_time"]).arg(file_address(&path));
        let (_, output, _) = Programs::default().read(command)?;
        let read: Option<Packets> = serde_json::from_str(&output).ok();
        let packets = read.map(|read| read.packets).unwrap_or_default();
        let (Some(picture), Some(sound)) = (span(&packets, "video"), span(&packets, "audio")) else { return Ok(()) };
        let begins = picture.0 - sound.0;
        let ends = picture.1 - sound.1;
        // One picture more: of those that are decoded before others, ffprobe counts the wait.
        let step = STEP + picture.2;
        match (begins.abs() <= step, ends.abs() <= step) {
            (false, _) => Err(format!("has picture and sound {:.2} seconds apart", begins.abs())),
            (_, false) => Err(format!("has a picture and a sound that end {:.2} seconds apart", ends.abs())),
            _ => Ok(()),
        }
    };
    spawn_blocking(look).await.unwrap_or_else(|error| Err(error.to_string()))
}

/// The first time of a kind of packets, their end, and the length of the longest.
fn span(packets: &[Packet], kind: &str) -> Option<(f64, f64, f64)> {
    let number = |text: &Option<String>| text.as_deref().and_then(|text| text.parse::<f64>().ok());
    let times = packets.iter().filter(|packet| packet.codec_type == kind).filter_map(|packet| {
        let start = number(&packet.pts_time)?;
        Some((
            start,
            start + number(&packet.duration_time).unwrap_or(0.0),
            number(&packet.duration_time).unwrap_or(0.0),
        ))
    });
    times.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1), all.2.max(one.2)))
}

/// Decodes a part of a file, which is named as ffprobe's `-read_intervals` are.
fn probe(path: &Path, part: &str) -> Result<DecodedMedia, String> {
    let mut command = limited("ffprobe", if part == WHOLE { LOOK } else { GLANCE });
    command.args(["-v", "error", "-of", "json", "-count_frames", "-read_intervals", part]);
    command.args(["-show_entries", "stream=codec_type,width,height,nb_read_frames:format=duration"]);
    command.args(["-protocol_whitelist", "file"]).arg(file_address(path));
    let (ended_well, output, messages) = Programs::default().read(command)?;
    let probed: Option<ProbeOutput> = serde_json::from_str(&output).ok();
    let probed = probed.filter(|probed| ended_well && !probed.streams.is_empty());
    let Some(probed) = probed else { return Err(format!("does not play: {}", last_line(&messages))) };
    // ffmpeg recovers from some errors that phones do not.
    if !messages.trim().is_empty() {
        return Err(format!("does not play well: {}", last_line(&messages)));
    }
    for stream in &probed.streams {
        let frames = stream.nb_read_frames.as_deref().and_then(|frames| frames.parse::<u64>().ok()).unwrap_or(0);
        if matches!(stream.codec_type.as_str(), "video" | "audio") && frames == 0 {
            return Err(format!("does not play: nothing of its {} can be decoded", stream.codec_type));
        }
    }
    let picture = probed.streams.iter().find(|stream| stream.codec_type == "video");
    let seconds = probed.format.and_then(|format| format.duration).and_then(|text| text.parse().ok());
    Ok(DecodedMedia { size: picture.and_then(|picture| picture.width.zip(picture.height)), seconds })
}
