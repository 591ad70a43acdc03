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
    encode::{SEGMENT, SOUND, aac, absolute, h264_name, hls, picture_filter, scale_filter, sound_filter},
    ladder::{CHANNEL_BITS, SOUND_CHANNEL_BITS, Variant},
    limited::ffmpeg,
    probe::Probe,
    programs::Programs,
    rendition::VariantReport,
};

/// The largest shorter side, in pixels: above it phones without a decoder in hardware grow hot.
const LARGEST: u32 = 480;

/// The sizes of pictures that SVT-AV1 encodes.
const SMALLEST_SIDE: u32 = 64;

/// The encoder's speed, from 0 to 13: at 12 the picture of the same bytes is worse, by up to two of VMAF.
const PRESET: &str = "10";

/// The part of the bytes of H.264's picture with which AV1's is as good (`make bench` compares them), and by how much a size may miss it.
const PART: f64 = 0.65;
const MISS: f64 = 0.05;

/// The quantiser of the first try, its bounds, and by how much a larger one makes the picture `e` times smaller, nearly.
const QUALITY: f64 = 50.0;
const FINEST: f64 = 30.0;
const COARSEST: f64 = 62.0;
const STEP: f64 = 15.0;

/// The most tries of a size.
const TRIES: u32 = 3;

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
    let sound = sound_bytes(folder, probe);
    let mut quality = QUALITY;
    let (mut own, mut h264) = (0.0, 0.0);
    for (number, &&(ref variant, width, height)) in variants.iter().enumerate() {
        let done = |seconds: f64| progress((number as f64 * probe.seconds + seconds) / variants.len() as f64);
        let name = name(variant);
        let picture = |stream: &Stream| stream.bytes as f64 - sound;
        let whole = picture(&Stream::read(&folder.join(h264_name(variant)))?);
        let mut tries = 1;
        let stream = loop {
            encode(source, probe, (variant, width, height), quality, folder, programs, &done)?;
            let stream = Stream::read(&folder.join(&name))?;
            let part = picture(&stream).max(1.0) / whole.max(1.0);
            let next = (quality + STEP * (part / PART).ln()).round().clamp(FINEST, COARSEST);
            if tries == TRIES || next == quality || (part - PART).abs() <= MISS {
                break stream;
            }
            (quality, tries) = (next, tries + 1);
        };
        own += picture(&stream);
        h264 += whole;
        let sound = if probe.channels > 0 { ",mp4a.40.2" } else { "" };
        lines.push_str(&format!(
            "#EXT-X-STREAM-INF:BANDWIDTH={},AVERAGE-BANDWIDTH={},RESOLUTION={width}x{height},CODECS=\"{}{sound}\"\n{}/index.m3u8\n\n",
            stream.peak,
            stream.average,
            codec(&folder.join(&name).join("init.mp4"))?,
            name,
        ));
        // Far below what an u32 holds.
        let bits = (f64::from(variant.bits) * PART) as u32 + CHANNEL_BITS * probe.channels;
        reports.push(VariantReport { name, width, height, bits, bytes: stream.bytes });
    }
    if own > h264 * (PART + MISS) {
        return Err(format!("its pictures have {own:.0} bytes where those of H.264 have {h264:.0}"));
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
    quality: f64,
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
    let gap = (probe.rate * SEGMENT).to_string();
    for (option, value) in [
        ("-c:v", "libsvtav1"),
        ("-preset", PRESET),
        ("-crf", &quality.to_string()),
        // As of H.264. One that is reached more often makes the picture far worse.
        ("-maxrate:v", &(variant.bits + variant.bits / 10).to_string()),
        ("-bufsize:v", &(variant.bits * 2).to_string()),
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

/// The bytes of a variant's sound, by those of the film's sound alone.
fn sound_bytes(folder: &Path, probe: &Probe) -> f64 {
    let alone = if probe.channels > 0 { size(folder.join(SOUND)).unwrap_or(0) } else { 0 };
    alone as f64 * f64::from(CHANNEL_BITS) / f64::from(SOUND_CHANNEL_BITS)
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
