//! What a source is, as ffprobe sees it: which of its streams are the film, and where they begin and end.

use std::{cmp::Reverse, collections::HashMap, path::Path};

use serde::Deserialize;

use super::{
    interlace::{self, Fields},
    limited::{LOOK, file_address, limited},
    programs::{Programs, last_line},
    scan::{Span, scan},
    whole::{NOT_WHOLE, is_cut},
};

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
    /// Length of the picture in seconds, from `origin` on: that of the film.
    pub seconds: f64,
    /// When the first of picture and sound begins, in seconds of ffmpeg's clock.
    pub origin: f64,
    /// Channels of the sound in the renditions: none in a silent video, one or two otherwise.
    pub channels: u32,
    /// Whether it is for brighter screens than phones have.
    pub hdr: bool,
    /// The index of its video stream.
    pub picture: u32,
    /// The index of its sound; none in a silent video.
    pub sound: Option<u32>,
    /// The index of its own text track, and the name of the captions that are made of it.
    pub captions: Option<(u32, String)>,
    /// The fields that its pictures consist of; none where each is one picture.
    pub fields: Option<Fields>,
}

/// Formats that name other files, which ffmpeg would read.
const WITH_NAMES: [&str; 5] = ["hls", "concat", "dash", "imf", "sdp"];

/// The codecs of text tracks that ffmpeg can write as WebVTT; others consist of pictures.
const TEXTS: [&str; 6] = ["mov_text", "subrip", "webvtt", "ass", "ssa", "text"];

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
pub(super) struct Stream {
    pub index: u32,
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
    /// None where ffmpeg has no decoder.
    sample_fmt: Option<String>,
    channels: Option<u32>,
    pub field_order: Option<String>,
    #[serde(default)]
    disposition: Disposition,
    #[serde(default)]
    side_data_list: Vec<SideData>,
    #[serde(default)]
    tags: Tags,
}

#[derive(Default, Deserialize)]
struct Tags {
    language: Option<String>,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Disposition {
    #[serde(default)]
    default: u8,
    #[serde(default)]
    comment: u8,
    #[serde(default)]
    visual_impaired: u8,
    #[serde(default)]
    attached_pic: u8,
    #[serde(default)]
    forced: u8,
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
pub fn probe(source: &Path, programs: &Programs) -> Result<Probe, String> {
    must_be_file(source)?;
    if is_cut(source).map_err(|error| error.to_string())? {
        return Err(NOT_WHOLE.to_owned());
    }
    let mut command = limited("ffprobe", LOOK);
    command.args(["-v", "error", "-of", "json", "-show_format", "-show_streams", "-protocol_whitelist", "file"]);
    command.arg(file_address(source));
    let (ended_well, output, messages) = programs.read(command)?;
    let probed: ProbeOutput =
        serde_json::from_str(&output).unwrap_or(ProbeOutput { streams: Vec::new(), format: Format::default() });
    if !ended_well || probed.streams.is_empty() {
        return Err(format!("is broken or no video: {}", last_line(&messages)));
    }
    video_of(source, probed, programs)
}

fn video_of(source: &Path, probed: ProbeOutput, programs: &Programs) -> Result<Probe, String> {
    let ProbeOutput { streams, format } = probed;
    if !streams.iter().any(Stream::is_moving) {
        return Err("holds no moving picture".to_owned());
    }
    let is_one_of = |names: &[&str]| format.format_name.split(',').any(|name| names.contains(&name));
    if is_one_of(&WITH_NAMES) {
        return Err("names other files, and is no film itself".to_owned());
    }
    let readable: Vec<&Stream> = streams.iter().filter(|stream| stream.is_picture() || stream.is_sound()).collect();
    let spans = scan(source, &readable.iter().map(|stream| stream.index).collect::<Vec<_>>(), programs)?;
    let picture = match picture_of(&readable, &spans) {
        Some(picture) => picture,
        None if streams.iter().any(|stream| stream.is_moving() && stream.codec_name.is_none()) => {
            return Err("holds a picture that ffmpeg cannot decode".to_owned());
        }
        None => return Err("holds a picture of no size".to_owned()),
    };
    let (width, height) = (picture.width.unwrap_or(1), picture.height.unwrap_or(1));
    let rate = picture.avg_frame_rate.as_deref().and_then(|text| ratio(text, '/')).unwrap_or(25.0);
    let still = format.format_name.contains("image2") || format.format_name.ends_with("_pipe");
    let span = spans.get(&picture.index).copied();
    let length = match span {
        // A bare stream of pictures has no clock.
        Some(Span { packets, start, end }) if end - start < SHORTEST => packets as f64 / rate,
        Some(Span { start, end, .. }) => end - start.max(0.0),
        None if spans.is_empty() => header_seconds(picture, &format),
        None => return Err("holds no moving picture".to_owned()),
    };
    if still || length < SHORTEST || span.is_some_and(|span| span.packets < 2) {
        return Err(format!("is a still picture, or a video of {length:.1} seconds; {SHORTEST} are the least"));
    }
    let sound = sound_of(&readable, &spans);
    let start = span.map_or(0.0, |span| span.start.max(0.0));
    let sound_start = sound.and_then(|sound| spans.get(&sound.index)).map_or(start, |span| span.start.max(0.0));
    let origin = start.min(sound_start);
    let aspect = picture.sample_aspect_ratio.as_deref().and_then(|text| ratio(text, ':')).unwrap_or(1.0);
    // Within a picture's bounds, so nothing is lost.
    let shown = (f64::from(width) * aspect).round().clamp(1.0, 16384.0) as u32;
    let turned = picture.side_data_list.iter().filter_map(|data| data.rotation).any(|turn| turn.abs() % 180.0 == 90.0);
    let (width, height) = if turned { (height, shown) } else { (shown, height) };
    Ok(Probe {
        width,
        height,
        rate: rate.round().clamp(10.0, 30.0) as u32,
        seconds: start + length - origin,
        origin,
        channels: sound.map_or(0, |sound| sound.channels.unwrap_or(2).clamp(1, 2)),
        hdr: matches!(picture.color_transfer.as_deref(), Some("smpte2084" | "arib-std-b67")),
        picture: picture.index,
        sound: sound.map(|sound| sound.index),
        captions: captions_of(&streams),
        fields: interlace::fields(source, picture, length, programs),
    })
}

/// The film among the pictures: one that moves as often as any other, and not a cover or a thumbnail now and then; of several the default,
/// then the longest and the largest.
fn picture_of<'a>(streams: &[&'a Stream], spans: &HashMap<u32, Span>) -> Option<&'a Stream> {
    let packets = |stream: &Stream| spans.get(&stream.index).map_or(0, |span| span.packets);
    let most = streams.iter().filter(|stream| stream.is_picture()).map(|stream| packets(stream)).max()?;
    let length = |stream: &Stream| spans.get(&stream.index).map_or(0, |span| (span.end - span.start) as u64);
    let area = |stream: &Stream| u64::from(stream.width.unwrap_or(0)) * u64::from(stream.height.unwrap_or(0));
    streams
        .iter()
        .filter(|stream| stream.is_picture())
        .max_by_key(|stream| {
            let moves = packets(stream).saturating_mul(4) >= most;
            (moves, stream.disposition.default, length(stream), area(stream), Reverse(stream.index))
        })
        .copied()
}

/// The sound of the film, of those that have any: one that can be decoded, none that is far shorter than the longest, no commentary and no
/// description, the default, the first.
fn sound_of<'a>(streams: &[&'a Stream], spans: &HashMap<u32, Span>) -> Option<&'a Stream> {
    let seconds = |stream: &Stream| spans.get(&stream.index).map_or(0.0, |span| span.end - span.start);
    let comes = |stream: &&&Stream| stream.is_sound() && (spans.is_empty() || spans.contains_key(&stream.index));
    let longest = streams.iter().filter(comes).map(|stream| seconds(stream)).fold(0.0, f64::max);
    streams
        .iter()
        .filter(comes)
        .max_by_key(|stream| {
            let Disposition { default, comment, visual_impaired, .. } = stream.disposition;
            let is_long = seconds(stream) >= longest / 10.0;
            (stream.sample_fmt.is_some(), is_long, comment + visual_impaired == 0, default, Reverse(stream.index))
        })
        .copied()
}

/// The text track of the film: not one for a few signs alone, the default, the first. Its file's name has its language, if it has one.
fn captions_of(streams: &[Stream]) -> Option<(u32, String)> {
    let is_text = |stream: &&Stream| stream.codec_name.as_deref().is_some_and(|name| TEXTS.contains(&name));
    let track = streams.iter().filter(is_text).max_by_key(|stream| {
        let Disposition { default, forced, .. } = stream.disposition;
        (forced == 0, default, Reverse(stream.index))
    })?;
    let language = track.tags.language.as_deref().filter(|code| {
        *code != "und" && matches!(code.len(), 2 | 3) && code.bytes().all(|letter| letter.is_ascii_lowercase())
    });
    Some((track.index, language.map_or("captions.vtt".to_owned(), |code| format!("captions.{code}.vtt"))))
}

fn header_seconds(picture: &Stream, format: &Format) -> f64 {
    let lengths = [&picture.duration, &format.duration].into_iter().flatten();
    lengths.filter_map(|text| text.parse::<f64>().ok()).next().unwrap_or(0.0)
}

impl Stream {
    /// Whether it is announced as a film, and not as a cover.
    fn is_moving(&self) -> bool {
        self.codec_type == "video" && self.disposition.attached_pic == 0
    }

    /// Whether it can be a film.
    fn is_picture(&self) -> bool {
        let has_size = self.width.is_some_and(|side| side > 0) && self.height.is_some_and(|side| side > 0);
        self.is_moving() && self.codec_name.is_some() && has_size
    }

    /// Whether there is something to hear: a sound may be announced of which nothing comes.
    fn is_sound(&self) -> bool {
        self.codec_type == "audio" && self.codec_name.is_some() && self.sample_rate.as_deref() != Some("0")
    }
}

fn ratio(text: &str, by: char) -> Option<f64> {
    let (over, under) = text.split_once(by)?;
    let ratio = over.parse::<f64>().ok()? / under.parse::<f64>().ok()?;
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}
