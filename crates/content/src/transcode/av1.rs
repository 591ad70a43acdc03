//! AV1 beside H.264, for phones that decode it smoothly: the same picture in fewer bytes. One run of ffmpeg a size, since several encoders in
//! one need more memory than a run has.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use m3u8_rs::parse_media_playlist_res;

use super::{
    encode::{SEGMENT, aac, absolute, h264_name, hls, picture_filter, scale_filter, sound_filter},
    ladder::{CHANNEL_BITS, Variant},
    limited::ffmpeg,
    probe::Probe,
    programs::Programs,
    rendition::VariantReport,
};

/// The largest shorter side, in pixels: above it phones without a decoder in hardware grow hot.
const LARGEST: u32 = 480;

/// The sizes of pictures that SVT-AV1 encodes.
const SMALLEST_SIDE: u32 = 64;

/// The encoder's speed, from 0 to 13: twice as fast as 10 for a hundredth more bytes.
const PRESET: &str = "12";

/// The quantiser: the picture is as good as that of H.264 (`make bench` compares them).
const QUALITY: &str = "48";

/// The most bits of a second for each hundred of H.264.
const PERCENT: u32 = 50;

/// The most bytes for each hundred of H.264 with which AV1 is worth its place.
const MOST_PERCENT: u64 = 80;

/// Threads: each keeps pictures in memory.
const OWN: &str = "lp=2";

/// How long a run may take: an encoder that gets no memory waits for ever.
fn longest(seconds: f64) -> Duration {
    Duration::from_secs_f64(600.0 + seconds * 10.0)
}

/// Adds the AV1 variants of a rendition in `folder` to its master playlist, or returns why there are none.
pub fn add(
    source: &Path,
    probe: &Probe,
    variants: &[(Variant, u32, u32)],
    folder: &Path,
    programs: &Programs,
    progress: &dyn Fn(f64),
) -> Result<Vec<VariantReport>, String> {
    let fits = |(variant, width, height): &&(Variant, u32, u32)| {
        variant.short_side <= LARGEST && *width.min(height) >= SMALLEST_SIDE
    };
    let fitting: Vec<_> = variants.iter().filter(fits).collect();
    if fitting.is_empty() {
        return Err("the picture is too small for it".to_owned());
    }
    let made = make(source, probe, &fitting, folder, programs, progress);
    if made.is_err() {
        for (variant, ..) in fitting {
            let _ = fs::remove_dir_all(folder.join(name(variant)));
        }
    }
    made
}

fn make(
    source: &Path,
    probe: &Probe,
    variants: &[&(Variant, u32, u32)],
    folder: &Path,
    programs: &Programs,
    progress: &dyn Fn(f64),
) -> Result<Vec<VariantReport>, String> {
    if !has_encoder() {
        return Err("this ffmpeg has no libsvtav1".to_owned());
    }
    let (mut lines, mut reports) = (String::new(), Vec::new());
    let (mut own, mut h264) = (0, 0);
    for (number, &&(ref variant, width, height)) in variants.iter().enumerate() {
        let done = |seconds: f64| progress((number as f64 * probe.seconds + seconds) / variants.len() as f64);
        encode(source, probe, (variant, width, height), folder, programs, &done)?;
        let name = name(variant);
        let stream = Stream::read(&folder.join(&name))?;
        own += stream.bytes;
        h264 += Stream::read(&folder.join(h264_name(variant)))?.bytes;
        let sound = if probe.channels > 0 { ",mp4a.40.2" } else { "" };
        lines.push_str(&format!(
            "#EXT-X-STREAM-INF:BANDWIDTH={},AVERAGE-BANDWIDTH={},RESOLUTION={width}x{height},CODECS=\"{}{sound}\"\n{}/index.m3u8\n\n",
            stream.peak,
            stream.average,
            codec(&folder.join(&name).join("init.mp4"))?,
            name,
        ));
        let bits = variant.bits * PERCENT / 100 + CHANNEL_BITS * probe.channels;
        reports.push(VariantReport { name, width, height, bits, bytes: stream.bytes });
    }
    if own * 100 > h264 * MOST_PERCENT {
        return Err(format!("it has {own} bytes where H.264 has {h264}"));
    }
    // Behind those of H.264: players that know no codecs begin with the first.
    let master = folder.join("master.m3u8");
    let words = |error: std::io::Error| error.to_string();
    let text = fs::read_to_string(&master).map_err(words)?;
    fs::write(&master, format!("{}\n\n{lines}", text.trim_end())).map_err(words)?;
    Ok(reports)
}

/// The name of a variant's folder.
fn name(variant: &Variant) -> String {
    format!("{}-av1", h264_name(variant))
}

/// Whether ffmpeg has the encoder.
pub fn has_encoder() -> bool {
    let encoders = Command::new("ffmpeg").args(["-hide_banner", "-encoders"]).stdin(Stdio::null()).output();
    encoders.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("libsvtav1"))
}

fn encode(
    source: &Path,
    probe: &Probe,
    (variant, width, height): (&Variant, u32, u32),
    folder: &Path,
    programs: &Programs,
    progress: &dyn Fn(f64),
) -> Result<(), String> {
    let name = name(variant);
    fs::create_dir_all(folder.join(&name)).map_err(|error| error.to_string())?;
    let mut command = ffmpeg();
    // Its errors alone.
    command.current_dir(folder).env("SVT_LOG", "1");
    command.args(["-progress", "pipe:1", "-protocol_whitelist", "file", "-i"]).arg(absolute(source)?);
    let mut graph = format!("{},{}[v]", picture_filter(probe), scale_filter(width, height));
    if let Some(sound) = sound_filter(probe) {
        graph.push_str(&format!(";{sound}[a]"));
    }
    command.args(["-filter_complex", &graph, "-map", "[v]"]);
    let bits = variant.bits * PERCENT / 100;
    let gap = (probe.rate * SEGMENT).to_string();
    for (option, value) in [
        ("-c:v", "libsvtav1"),
        ("-preset", PRESET),
        ("-crf", QUALITY),
        ("-maxrate:v", &bits.to_string()),
        ("-bufsize:v", &(bits * 2).to_string()),
        ("-g", &gap),
        ("-svtav1-params", OWN),
    ] {
        command.args([option, value]);
    }
    if probe.channels > 0 {
        command.args(["-map", "[a]"]).args(aac(probe, CHANNEL_BITS));
    }
    hls(&mut command);
    command.args(["-hls_segment_filename", &format!("{name}/%05d.m4s"), &format!("{name}/index.m3u8")]);
    programs.run_within(longest(probe.seconds), command, &|line| {
        if let Some(micros) = line.strip_prefix("out_time_us=").and_then(|text| text.parse::<f64>().ok()) {
            progress(micros / 1e6);
        }
    })?;
    Ok(())
}

/// A variant's playlist and segments.
struct Stream {
    bytes: u64,
    /// Bits a second of its largest segment.
    peak: u64,
    /// Bits a second.
    average: u64,
}

impl Stream {
    fn read(folder: &Path) -> Result<Self, String> {
        let words = |error: std::io::Error| error.to_string();
        let text = fs::read(folder.join("index.m3u8")).map_err(words)?;
        let playlist = parse_media_playlist_res(&text).map_err(|error| error.to_string())?;
        let (mut peak, mut segments, mut seconds) = (0, 0, 0.0);
        for segment in &playlist.segments {
            let (bytes, length) = (size(folder.join(&segment.uri))?, f64::from(segment.duration));
            (segments, seconds, peak) = (segments + bytes, seconds + length, peak.max(rate(bytes, length)));
        }
        let head = playlist.segments.first().and_then(|segment| segment.map.as_ref()).ok_or("has no head")?;
        let bytes = text.len() as u64 + segments + size(folder.join(&head.uri))?;
        Ok(Self { bytes, peak, average: rate(segments, seconds) })
    }
}

fn size(file: PathBuf) -> Result<u64, String> {
    fs::metadata(file).map(|known| known.len()).map_err(|error| error.to_string())
}

/// Bits a second.
fn rate(bytes: u64, seconds: f64) -> u64 {
    // Films are far below where either loses a bit.
    (bytes as f64 * 8.0 / seconds.max(0.001)).ceil() as u64
}

/// The codec of a file, as RFC 6381 names it: by the configuration of AV1 in it (AV1 in ISOBMFF, 2.3).
fn codec(init: &Path) -> Result<String, String> {
    let bytes = fs::read(init).map_err(|error| error.to_string())?;
    let at = bytes.windows(4).position(|name| name == b"av1C").ok_or("has no AV1 in it")?;
    let Some(&[_, sequence, format]) = bytes.get(at + 4..at + 7).and_then(|part| part.first_chunk::<3>()) else {
        return Err("has no AV1 in it".to_owned());
    };
    let tier = if format & 0x80 == 0 { 'M' } else { 'H' };
    let depth = if format & 0x40 == 0 { 8 } else { 10 };
    Ok(format!("av01.{}.{:02}{tier}.{depth:02}", sequence >> 5, sequence & 0x1f))
}
