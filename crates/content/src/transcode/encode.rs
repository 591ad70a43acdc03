//! The work itself: one run of ffmpeg for all variants and the sound alone, from which the fallback is copied, one for each variant in AV1, and
//! two for the pictures.

use std::{ffi::OsString, path::Path, process::Command};

use super::{
    av1,
    interlace::Fields,
    ladder::{CHANNEL_BITS, SOUND_CHANNEL_BITS, Variant, variants},
    limited::{ffmpeg, file_address},
    probe::Probe,
    programs::Programs,
    rendition::VariantReport,
    whole::{CUT_OFF, NOT_WHOLE},
};

/// Seconds of a segment, and between keyframes: those of all variants are at the same times.
pub const SEGMENT: u32 = 4;

/// The finest quantiser of H.264 that is used: what is finer cannot be told apart on a phone, and costs airtime. A film that is easy to
/// compress, a cartoon or a talk, so stays far below its variants' bits a second.
const FINEST: u32 = 26;

/// Samples of sound a second, and those that the encoder puts in front of the first.
const SAMPLES: u32 = 44_100;
const PRIMING: u32 = 1024;

/// The longest time, in seconds, for which the last picture may stand in for pictures that are missing at the end.
const LONGEST_REST: u32 = 1;

/// No edit list: Media Source ignores it. The first picture's time is nought although it is decoded before others that are shown earlier.
const NO_EDITS: &str = "movflags=+negative_cts_offsets:use_editlist=0:avoid_negative_ts=disabled";

/// A file that says in front what is in it, without an edit list.
const PLAIN_FILE: [&str; 8] = [
    "-movflags",
    "+faststart+negative_cts_offsets",
    "-use_editlist",
    "0",
    "-avoid_negative_ts",
    "disabled",
    "-f",
    "mp4",
];

/// The fallback is the largest variant up to this one.
const FALLBACK: u32 = 360;

/// The film's sound alone.
pub const SOUND: &str = "sound.m4a";

/// The picture of the film's clip.
const CLIP_PICTURE: &str = "card.clip.webp";

/// Makes the streams and pictures of a source in `folder`; `progress` gets the seconds that are done. Returns the AV1 variants, or why there
/// are none: a film needs none.
pub fn encode(
    source: &Path,
    probe: &Probe,
    folder: &Path,
    programs: &Programs,
    progress: &dyn Fn(f64),
) -> Result<Result<Vec<VariantReport>, String>, String> {
    let variants = variants(probe.width, probe.height);
    // AV1 takes about as long as H.264.
    streams(source, probe, &variants, folder, programs, &|seconds| progress(seconds / 2.0))?;
    let in_av1 = av1::add(source, probe, &variants, folder, programs, &|seconds| {
        progress((probe.seconds + seconds) / 2.0);
    });
    progress(probe.seconds);
    let fallback = variants
        .iter()
        .map(|(variant, ..)| variant)
        .rfind(|variant| variant.short_side <= FALLBACK)
        .or(variants.first().map(|(variant, ..)| variant));
    if let Some(variant) = fallback {
        copy_fallback(variant, folder, programs)?;
    }
    picture(source, probe, folder, "poster.webp", POSTER, programs)?;
    picture(source, probe, folder, CLIP_PICTURE, CARD, programs)?;
    captions(source, probe, folder, programs)?;
    Ok(in_av1)
}

/// The name of a variant's folder.
pub fn h264_name(variant: &Variant) -> String {
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
    // Names of files are patterns to ffmpeg, and a folder's may have a per cent sign: it works in the folder.
    command.current_dir(folder);
    command.args(["-progress", "pipe:1", "-protocol_whitelist", "file", "-i"]).arg(absolute(source)?);
    let count = variants.len();
    let mut graph = format!("{},split={count}", picture_filter(probe));
    graph.extend((0..count).map(|number| format!("[s{number}]")));
    for (number, (_, width, height)) in variants.iter().enumerate() {
        graph.push_str(&format!(";[s{number}]{}[v{number}]", scale_filter(*width, *height)));
    }
    if let Some(sound) = sound_filter(probe) {
        graph.push_str(&format!(";{sound},asplit={}", count + 1));
        graph.extend((0..=count).map(|number| format!("[a{number}]")));
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
        map.push(format!("v:{number},{sound}name:{}", h264_name(variant)));
    }
    command.args(["-c:v", "libx264", "-preset", "medium", "-qmin", &FINEST.to_string(), "-b-pyramid", "none"]);
    command.args(["-g", &gap, "-keyint_min", &gap, "-sc_threshold", "0"]);
    if probe.channels > 0 {
        for number in 0..count {
            command.args(["-map", &format!("[a{number}]")]);
        }
        command.args(aac(probe, CHANNEL_BITS));
    }
    hls(&mut command);
    command.args(["-master_pl_name", "master.m3u8", "-var_stream_map", &map.join(" "), "-hls_segment_filename"]);
    command.args(["%v/%05d.m4s", "%v/index.m3u8"]);
    if probe.channels > 0 {
        command.args(["-map", &format!("[a{count}]"), "-map_metadata", "-1", "-map_chapters", "-1"]);
        command.args(aac(probe, SOUND_CHANNEL_BITS)).args(PLAIN_FILE).arg(SOUND);
    }
    let messages = programs.run(command, &|line| {
        if let Some(micros) = line.strip_prefix("out_time_us=").and_then(|text| text.parse::<f64>().ok()) {
            progress(micros / 1e6);
        }
    })?;
    // ffmpeg ends well where a file ends too early.
    match messages.lines().any(|line| CUT_OFF.iter().any(|words| line.contains(words))) {
        true => Err(NOT_WHOLE.to_owned()),
        false => Ok(()),
    }
}

/// The film's picture at its rate. The clock begins with the first of picture and sound. A picture that comes later is shown from the beginning
/// on, and the last one until the end: players with Media Source ignore what an edit list would say.
pub(super) fn picture_filter(probe: &Probe) -> String {
    let Probe { picture, rate, origin, seconds, .. } = probe;
    format!(
        "[0:{picture}]{}setpts=PTS-{origin}/TB,fps={rate}:start_time=0,tpad=stop_mode=clone:stop_duration={LONGEST_REST},trim=end={seconds}",
        prepared(probe),
    )
}

pub(super) fn scale_filter(width: u32, height: u32) -> String {
    format!("scale={width}:{height}:flags=lanczos,setsar=1,format=yuv420p")
}

/// The film's sound, if it has one, with silence where there is none: before it, in it and behind it. The encoder puts a frame of its own in
/// front of the first sample, which takes the place of as much of the film, so that both streams begin at nought.
pub(super) fn sound_filter(probe: &Probe) -> Option<String> {
    let Probe { origin, seconds, .. } = probe;
    let sound = probe.sound?;
    Some(format!(
        "[0:{sound}]asetpts=PTS-{origin}/TB,aresample={SAMPLES}:async=1:first_pts=0,apad=whole_dur={seconds},\
         atrim=start_sample={PRIMING}:end={seconds}"
    ))
}

/// The options of fragmented MP4 in segments.
pub(super) fn hls(command: &mut Command) {
    command.args(["-map_metadata", "-1", "-map_chapters", "-1", "-sn", "-dn", "-max_muxing_queue_size", "4096"]);
    command.args(["-f", "hls", "-hls_time", &SEGMENT.to_string(), "-hls_playlist_type", "vod"]);
    command.args(["-hls_segment_type", "fmp4", "-hls_segment_options", NO_EDITS, "-hls_flags", "independent_segments"]);
    command.args(["-hls_fmp4_init_filename", "init.mp4"]);
}

/// Sound of so many bits a second and channel.
pub(super) fn aac(probe: &Probe, channel_bits: u32) -> [String; 8] {
    let bits = (channel_bits * probe.channels).to_string();
    let (channels, samples) = (probe.channels.to_string(), SAMPLES.to_string());
    ["-c:a", "aac", "-b:a", &bits, "-ac", &channels, "-ar", &samples].map(str::to_owned)
}

/// One picture of each frame, and light for brighter screens brought down to what phones show.
pub(super) fn prepared(probe: &Probe) -> String {
    let whole = probe.fields.map_or("", Fields::filter);
    let light = if probe.hdr {
        "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p,"
    } else {
        ""
    };
    format!("{whole}{light}")
}

/// The source's address for a program that works in another folder.
pub(super) fn absolute(source: &Path) -> Result<OsString, String> {
    std::path::absolute(source).map(|path| file_address(&path)).map_err(|error| error.to_string())
}

fn copy_fallback(variant: &Variant, folder: &Path, programs: &Programs) -> Result<(), String> {
    let mut command = ffmpeg();
    command.current_dir(folder);
    command.args(["-allowed_extensions", "ALL", "-i", &format!("{}/index.m3u8", h264_name(variant)), "-c", "copy"]);
    command.args(PLAIN_FILE).arg("fallback.mp4");
    programs.run(command, &|_| {}).map(drop)
}

/// Writes the film's own text track as captions. One without a line, or which cannot be read, is left out: a film needs none.
fn captions(source: &Path, probe: &Probe, folder: &Path, programs: &Programs) -> Result<(), String> {
    let Some((track, name)) = &probe.captions else { return Ok(()) };
    let mut command = ffmpeg();
    command.current_dir(folder);
    command.args(["-itsoffset", &(-probe.origin).to_string(), "-protocol_whitelist", "file", "-i"]);
    command.arg(absolute(source)?).args(["-map", &format!("0:{track}"), "-map_metadata", "-1"]);
    command.args(["-t", &probe.seconds.to_string(), "-f", "webvtt", name]);
    let has_lines = programs.run(command, &|_| {}).is_ok()
        && std::fs::read_to_string(folder.join(name)).is_ok_and(|text| text.contains("-->"));
    if !has_lines {
        let _ = std::fs::remove_file(folder.join(name));
    }
    Ok(())
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
    picture_at(source, probe, folder, name, (short_side, picture_start(probe)), programs)
}

/// The second of the film that its pictures show and with which its clip begins.
pub(super) fn picture_start(probe: &Probe) -> f64 {
    (probe.seconds / 10.0).min(10.0)
}

/// The picture's width and height with this shorter side at most.
pub(super) fn scaled(probe: &Probe, short_side: u32) -> (u32, u32) {
    let short = probe.width.min(probe.height);
    let scale = f64::from(short_side.min(short)) / f64::from(short);
    let side = |side: u32| ((f64::from(side) * scale / 2.0).round().max(1.0) as u32) * 2;
    (side(probe.width), side(probe.height))
}

fn picture_at(
    source: &Path,
    probe: &Probe,
    folder: &Path,
    name: &str,
    (short_side, at): (u32, f64),
    programs: &Programs,
) -> Result<(), String> {
    let (width, height) = scaled(probe, short_side);
    let mut command = ffmpeg();
    command.current_dir(folder);
    command.args(["-ss", &format!("{:.3}", at + probe.origin), "-protocol_whitelist", "file", "-i"]);
    command.arg(absolute(source)?);
    let filter = format!("{}scale={width}:{height}:flags=lanczos,setsar=1,format=yuv420p", prepared(probe));
    command.args(["-map", &format!("0:{}", probe.picture), "-vf", &filter, "-frames:v", "1", "-map_metadata", "-1"]);
    command.args(["-c:v", "libwebp", "-quality", "78", "-f", "webp", name]);
    programs.run(command, &|_| {})?;
    match std::fs::metadata(folder.join(name)) {
        Ok(known) if known.len() > 0 => Ok(()),
        _ => Err(format!("gives no picture for {name}")),
    }
}
