//! What a source is, as ffprobe sees it.

use std::{path::Path, process::Command};

use serde::Deserialize;

/// The shortest video, in seconds: less is a picture.
const SHORTEST: f64 = 0.5;

/// The properties of a source.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// The picture's width as it is shown: turned, with square pixels.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// Pictures a second in the renditions.
    pub rate: u32,
    /// Length in seconds.
    pub seconds: f64,
    /// Channels of the sound in the renditions: none in a silent video, one or two otherwise.
    pub channels: u32,
    /// Whether it is for brighter screens than phones have.
    pub hdr: bool,
    /// The index of its video stream.
    pub picture: u32,
    /// The length that its header has, in seconds; none where the format has no such header.
    pub declared: Option<f64>,
}

/// Formats whose header has the length; of others ffprobe estimates it.
const WITH_LENGTH: [&str; 5] = ["mov", "matroska", "avi", "asf", "flv"];

/// Formats that name other files, which ffmpeg would read.
const WITH_NAMES: [&str; 5] = ["hls", "concat", "dash", "imf", "sdp"];

#[derive(Deserialize)]
struct ProbeOutput {
    #[serde(default)]
    streams: Vec<Stream>,
    #[serde(default)]
    format: Format,
}

#[derive(Default, Deserialize)]
struct Format {
    duration: Option<String>,
    #[serde(default)]
    format_name: String,
}

#[derive(Deserialize)]
struct Stream {
    index: u32,
    #[serde(default)]
    codec_type: String,
    codec_name: Option<String>,
    width: Option<u32>,
    height: Option<u32>,
    sample_aspect_ratio: Option<String>,
    avg_frame_rate: Option<String>,
    duration: Option<String>,
    color_transfer: Option<String>,
    sample_rate: Option<String>,
    channels: Option<u32>,
    nb_read_packets: Option<String>,
    #[serde(default)]
    disposition: Disposition,
    #[serde(default)]
    side_data_list: Vec<SideData>,
}

#[derive(Default, Deserialize)]
struct Disposition {
    #[serde(default)]
    attached_pic: u8,
}

#[derive(Deserialize)]
struct SideData {
    rotation: Option<f64>,
}

/// Fails where the source is no file.
pub(super) fn must_be_file(source: &Path) -> Result<(), String> {
    if source.is_file() { Ok(()) } else { Err("is not a file".to_owned()) }
}

/// Runs ffprobe; an error is one sentence that says why the file cannot be transcoded.
pub fn probe(source: &Path) -> Result<Probe, String> {
    must_be_file(source)?;
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-of", "json", "-show_format", "-show_streams", "-protocol_whitelist", "file"])
        .arg(file_address(source))
        .output()
        .map_err(|error| format!("ffprobe cannot be started, which comes with ffmpeg: {error}"))?;
    let probed: ProbeOutput = serde_json::from_slice(&output.stdout)
        .unwrap_or(ProbeOutput { streams: Vec::new(), format: Format::default() });
    if !output.status.success() || probed.streams.is_empty() {
        return Err(format!("is broken or no video: {}", last_line(&output.stderr)));
    }
    video_of(source, probed)
}

/// Never an option or another protocol, whatever a file is called.
pub fn file_address(path: &Path) -> std::ffi::OsString {
    let mut address = std::ffi::OsString::from("file:");
    address.push(path);
    address
}

/// The last thing that a program complained of.
pub fn last_line(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it holds no stream").to_owned()
}

fn video_of(source: &Path, probed: ProbeOutput) -> Result<Probe, String> {
    let picture = probed
        .streams
        .iter()
        .find(|stream| stream.codec_type == "video" && stream.disposition.attached_pic == 0)
        .ok_or("holds no moving picture")?;
    let (Some(width), Some(height)) = (picture.width.filter(|side| *side > 0), picture.height.filter(|side| *side > 0))
    else {
        return Err("holds a picture of no size".to_owned());
    };
    if picture.codec_name.is_none() {
        return Err("holds a picture that ffmpeg cannot decode".to_owned());
    }
    let is_one_of = |names: &[&str]| probed.format.format_name.split(',').any(|name| names.contains(&name));
    if is_one_of(&WITH_NAMES) {
        return Err("names other files, and is no film itself".to_owned());
    }
    let lengths: Vec<f64> = [&picture.duration, &probed.format.duration]
        .into_iter()
        .flatten()
        .filter_map(|text| text.parse::<f64>().ok())
        .collect();
    let seconds = lengths.first().copied();
    let declared = lengths.into_iter().reduce(f64::min).filter(|_| is_one_of(&WITH_LENGTH));
    let rate = picture.avg_frame_rate.as_deref().and_then(|text| ratio(text, '/')).unwrap_or(25.0);
    let still = probed.format.format_name.contains("image2") || probed.format.format_name.ends_with("_pipe");
    let seconds = match seconds.unwrap_or(0.0) {
        // A bare stream of pictures has no clock, and the length that ffprobe reports of it is a guess.
        guess if guess < SHORTEST && !still => pictures(source, picture.index) / rate,
        known => known,
    };
    if still || seconds < SHORTEST {
        return Err(format!("is a still picture, or a video of {seconds:.1} seconds; {SHORTEST} are the least"));
    }
    let aspect = picture.sample_aspect_ratio.as_deref().and_then(|text| ratio(text, ':')).unwrap_or(1.0);
    // Within a picture's bounds, so nothing is lost.
    let shown = (f64::from(width) * aspect).round().clamp(1.0, 16384.0) as u32;
    let turned = picture.side_data_list.iter().filter_map(|data| data.rotation).any(|turn| turn.abs() % 180.0 == 90.0);
    let (width, height) = if turned { (height, shown) } else { (shown, height) };
    Ok(Probe {
        width,
        height,
        rate: rate.round().clamp(10.0, 30.0) as u32,
        seconds,
        channels: channels(&probed.streams),
        hdr: matches!(picture.color_transfer.as_deref(), Some("smpte2084" | "arib-std-b67")),
        picture: picture.index,
        declared,
    })
}

/// Channels of the first sound, two at most; none where there is nothing to hear.
fn channels(streams: &[Stream]) -> u32 {
    let first = streams.iter().find(|stream| stream.codec_type == "audio");
    if streams.iter().any(is_audio) { first.and_then(|stream| stream.channels).unwrap_or(2).clamp(1, 2) } else { 0 }
}

/// Whether there is something to hear: a sound may be announced of which nothing comes.
fn is_audio(stream: &Stream) -> bool {
    stream.codec_type == "audio" && stream.codec_name.is_some() && stream.sample_rate.as_deref() != Some("0")
}

/// The counted number of frames of a stream.
fn pictures(source: &Path, stream: u32) -> f64 {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-of", "json", "-count_packets", "-protocol_whitelist", "file"])
        .args(["-select_streams", &stream.to_string(), "-show_entries", "stream=index,nb_read_packets"])
        .arg(file_address(source))
        .output();
    let probed: Option<ProbeOutput> = output.ok().and_then(|output| serde_json::from_slice(&output.stdout).ok());
    let counted = probed.as_ref().and_then(|probed| probed.streams.first()?.nb_read_packets.as_deref()?.parse().ok());
    counted.unwrap_or(0.0)
}

fn ratio(text: &str, by: char) -> Option<f64> {
    let (over, under) = text.split_once(by)?;
    let ratio = over.parse::<f64>().ok()? / under.parse::<f64>().ok()?;
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}
