//! The work itself: one run of ffmpeg for all variants, from which the fallback is copied, and two for the pictures.

use std::{path::Path, process::Command};

use super::{
    ladder::{CHANNEL_BITS, Variant, variants},
    probe::{Probe, file_address},
    programs::Programs,
};

/// Seconds of a segment, and between keyframes: those of all variants are at the same times.
pub const SEGMENT: u32 = 4;

/// The finest quantiser of H.264 that is used: what is finer cannot be told apart on a phone, and costs airtime. A film that is easy to
/// compress, a cartoon or a talk, so stays far below its variants' bits a second.
const FINEST: u32 = 26;

/// The fallback is the largest variant up to this one.
const FALLBACK: u32 = 360;

/// Makes everything of a source in `folder`; `progress` gets the seconds that are done.
pub fn encode(
    source: &Path,
    probe: &Probe,
    folder: &Path,
    programs: &Programs,
    progress: &dyn Fn(f64),
) -> Result<(), String> {
    let variants = variants(probe.width, probe.height);
    streams(source, probe, &variants, folder, programs, progress)?;
    let fallback = variants
        .iter()
        .map(|(variant, ..)| variant)
        .rfind(|variant| variant.short_side <= FALLBACK)
        .or(variants.first().map(|(variant, ..)| variant));
    if let Some(variant) = fallback {
        copy_fallback(variant, folder, programs)?;
    }
    picture(source, probe, folder, "poster.webp", POSTER, programs)?;
    picture(source, probe, folder, "card.webp", CARD, programs)
}

/// The name of a variant's folder.
pub fn name(variant: &Variant) -> String {
    format!("{}p", variant.short_side)
}

fn streams(
    source: &Path,
    probe: &Probe,
    variants: &[(Variant, u32, u32)],
    folder: &Path,
    programs: &Programs,
    progress: &dyn Fn(f64),
) -> Result<(), String> {
    let mut command = ffmpeg();
    command.args(["-progress", "pipe:1", "-protocol_whitelist", "file", "-i"]).arg(file_address(source));
    let count = variants.len();
    let mut graph = format!("[0:{}]{}fps={},split={count}", probe.picture, to_sdr(probe), probe.rate);
    graph.extend((0..count).map(|number| format!("[s{number}]")));
    for (number, (_, width, height)) in variants.iter().enumerate() {
        graph.push_str(&format!(";[s{number}]scale={width}:{height}:flags=lanczos,setsar=1,format=yuv420p[v{number}]"));
    }
    command.args(["-filter_complex", &graph]);
    let gap = (probe.rate * SEGMENT).to_string();
    let mut map = Vec::new();
    for (number, (variant, ..)) in variants.iter().enumerate() {
        command.args(["-map", &format!("[v{number}]")]);
        for (option, value) in [
            ("b", variant.bits.to_string()),
            ("maxrate", (variant.bits + variant.bits / 10).to_string()),
            ("bufsize", (variant.bits * 2).to_string()),
            ("profile", variant.profile.to_owned()),
        ] {
            command.args([format!("-{option}:v:{number}"), value]);
        }
        // Each variant has the sound in it: one request a segment, and players need not know how to join two.
        let sound = if probe.channels > 0 { format!("a:{number},") } else { String::new() };
        map.push(format!("v:{number},{sound}name:{}", name(variant)));
    }
    command.args(["-c:v", "libx264", "-preset", "medium", "-qmin", &FINEST.to_string()]);
    command.args(["-g", &gap, "-keyint_min", &gap, "-sc_threshold", "0"]);
    if probe.channels > 0 {
        for _ in variants {
            command.args(["-map", "0:a:0"]);
        }
        let bits = CHANNEL_BITS * probe.channels;
        command.args(["-c:a", "aac", "-b:a", &bits.to_string(), "-ac", &probe.channels.to_string(), "-ar", "44100"]);
    }
    command.args(["-map_metadata", "-1", "-map_chapters", "-1", "-sn", "-dn", "-max_muxing_queue_size", "4096"]);
    command.args(["-f", "hls", "-hls_time", &SEGMENT.to_string(), "-hls_playlist_type", "vod"]);
    command.args([
        "-hls_segment_type",
        "fmp4",
        "-hls_flags",
        "independent_segments",
        "-hls_fmp4_init_filename",
        "init.mp4",
    ]);
    command.args(["-master_pl_name", "master.m3u8", "-var_stream_map", &map.join(" "), "-hls_segment_filename"]);
    command.arg(folder.join("%v/%05d.m4s")).arg(folder.join("%v/index.m3u8"));
    let messages = programs.run(command, &|line| {
        if let Some(micros) = line.strip_prefix("out_time_us=").and_then(|text| text.parse::<f64>().ok()) {
            progress(micros / 1e6);
        }
    })?;
    // ffmpeg ends well where a file ends too early.
    match messages.lines().any(|line| CUT_OFF.iter().any(|words| line.contains(words))) {
        true => Err("ends before its header says it does: it is not whole".to_owned()),
        false => Ok(()),
    }
}

/// ffmpeg's words for a file that ends too early.
const CUT_OFF: [&str; 2] = ["partial file", "File ended prematurely"];

/// Light for brighter screens, brought down to what phones show.
fn to_sdr(probe: &Probe) -> &'static str {
    if probe.hdr {
        "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p,"
    } else {
        ""
    }
}

fn copy_fallback(variant: &Variant, folder: &Path, programs: &Programs) -> Result<(), String> {
    let mut command = ffmpeg();
    command.args(["-allowed_extensions", "ALL", "-i"]).arg(folder.join(name(variant)).join("index.m3u8"));
    command.args(["-c", "copy", "-movflags", "+faststart", "-f", "mp4"]).arg(folder.join("fallback.mp4"));
    programs.run(command, &|_| {}).map(drop)
}

/// Pictures of a source to choose a poster from, at equal distances: `poster-1.webp` and `card-1.webp` in `folder`, and so on.
pub fn stills(source: &Path, probe: &Probe, folder: &Path, count: u32, programs: &Programs) -> Result<(), String> {
    for number in 1..=count {
        let at = probe.seconds * (f64::from(number) - 0.5) / f64::from(count);
        picture_at(source, probe, folder, &format!("poster-{number}.webp"), (POSTER, at), programs)?;
        picture_at(source, probe, folder, &format!("card-{number}.webp"), (CARD, at), programs)?;
    }
    Ok(())
}

/// The shorter sides of pictures, in pixels.
const POSTER: u32 = 720;
const CARD: u32 = 270;

/// A picture from the source's first tenth, of this shorter side at most.
fn picture(
    source: &Path,
    probe: &Probe,
    folder: &Path,
    name: &str,
    short_side: u32,
    programs: &Programs,
) -> Result<(), String> {
    picture_at(source, probe, folder, name, (short_side, (probe.seconds / 10.0).min(10.0)), programs)
}

fn picture_at(
    source: &Path,
    probe: &Probe,
    folder: &Path,
    name: &str,
    (short_side, at): (u32, f64),
    programs: &Programs,
) -> Result<(), String> {
    let short = probe.width.min(probe.height);
    let scale = f64::from(short_side.min(short)) / f64::from(short);
    let side = |side: u32| ((f64::from(side) * scale / 2.0).round().max(1.0) as u32) * 2;
    let mut command = ffmpeg();
    command.args(["-ss", &format!("{at:.3}"), "-protocol_whitelist", "file", "-i"]);
    command.arg(file_address(source));
    let filter = format!(
        "{}scale={}:{}:flags=lanczos,setsar=1,format=yuv420p",
        to_sdr(probe),
        side(probe.width),
        side(probe.height)
    );
    command.args(["-map", &format!("0:{}", probe.picture), "-vf", &filter, "-frames:v", "1", "-map_metadata", "-1"]);
    command.args(["-c:v", "libwebp", "-quality", "78", "-f", "webp"]).arg(folder.join(name));
    programs.run(command, &|_| {})?;
    match std::fs::metadata(folder.join(name)) {
        Ok(known) if known.len() > 0 => Ok(()),
        _ => Err(format!("gives no picture for {name}")),
    }
}

fn ffmpeg() -> Command {
    let mut command = Command::new("ffmpeg");
    command.args(["-nostdin", "-hide_banner", "-y", "-v", "error"]);
    command
}
