//! The captions of a film: WebVTT as browsers read it, with lines that belong to the film.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Film, film::TOLERANCE, media_store::MediaStore};

/// What every WebVTT file begins with, behind a byte order mark if it has one (<https://www.w3.org/TR/webvtt1/#file-structure>).
const SIGNATURE: &str = "WEBVTT";

/// What stands between the times of a line.
const ARROW: &str = "-->";

/// Blanks, as the standard has them: a no-break space is none.
const BLANKS: [char; 3] = [' ', '\t', '\u{c}'];

/// A line of captions.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = CaptionLine)]
pub struct Line {
    /// When it appears, in seconds.
    pub start: f64,
    /// When it goes, in seconds.
    pub end: f64,
    /// How it lies on the picture, as WebVTT writes it; mostly empty.
    pub settings: String,
    /// Its text, with the markup of WebVTT.
    pub text: String,
}

/// Fails where a film's captions cannot be shown, or are not this film's. Films without captions pass.
pub(super) async fn examine(media: &MediaStore, film: &Film) -> Result<(), String> {
    let Some(address) = &film.captions else { return Ok(()) };
    let Some(name) = address.strip_prefix("/media/") else { return Err(format!("{address} is not below /media/")) };
    read(media, name, film).await.map_err(|cause| format!("{name}: {cause}"))
}

async fn read(media: &MediaStore, name: &str, film: &Film) -> Result<(), String> {
    let bytes = media.read(name).await?.ok_or("is not there")?;
    let text = str::from_utf8(&bytes).map_err(|_| "is not UTF-8")?;
    let lines = lines(text).ok_or("is no WebVTT")?;
    let Some(last) = lines.into_iter().map(|line| line.start).reduce(f64::max) else {
        return Err("has no line that can be shown".to_owned());
    };
    // Lengths of films are far below where whole numbers stop being exact.
    let end = film.seconds as f64;
    match last > end + TOLERANCE {
        true => Err(format!("has a line at {last:.1} seconds, and the film has {end}")),
        false => Ok(()),
    }
}

/// The lines with a text; `None` for what is no WebVTT. As in browsers' parser (section 6.1 of the standard) a line
/// with an arrow always begins a cue, whichever block it stands in, and one whose times cannot be read is left out.
pub fn lines(text: &str) -> Option<Vec<Line>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let mut lines = text.split('\n').peekable();
    let behind = lines.next()?.strip_prefix(SIGNATURE)?;
    if !behind.is_empty() && !behind.starts_with([' ', '\t']) {
        return None;
    }
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let Some((start, rest)) = line.split_once(ARROW) else { continue };
        // The settings of the cue may follow its end without a blank.
        let rest = rest.trim_start_matches(BLANKS);
        let (end, settings) =
            rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, ':' | '.')).unwrap_or(rest.len()));
        let (start, end) = (seconds(start.trim_matches(BLANKS)), seconds(end));
        let mut text = Vec::new();
        while let Some(more) = lines.next_if(|next| !next.is_empty() && !next.contains(ARROW)) {
            text.push(more);
        }
        if let (Some(start), Some(end)) = (start, end)
            && start < end
            && !text.is_empty()
        {
            found.push(Line { start, end, settings: settings.trim_matches(BLANKS).to_owned(), text: text.join("\n") });
        }
    }
    Some(found)
}

/// The lines of SubRip, which most programs write: times with a comma, and no signature.
pub fn lines_of_subrip(text: &str) -> Option<Vec<Line>> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let with_points = |line: &str| if line.contains(ARROW) { line.replace(',', ".") } else { line.to_owned() };
    let text = text.split('\n').map(with_points).collect::<Vec<_>>().join("\n");
    lines(&format!("{SIGNATURE}\n\n{text}"))
}

/// The lines as WebVTT, in the order of their times.
pub fn write(mut lines: Vec<Line>) -> String {
    lines.sort_by(|one, other| one.start.total_cmp(&other.start));
    let mut text = format!("{SIGNATURE}\n");
    for Line { start, end, settings, text: words } in lines {
        let times = format!("{} {ARROW} {} {settings}", time(start), time(end));
        text.push_str(&format!("\n{}\n{words}\n", times.trim_end()));
    }
    text
}

/// Seconds as WebVTT has them, `00:01:02.500`.
fn time(seconds: f64) -> String {
    // Times of films are far below where whole numbers stop being exact.
    let milliseconds = (seconds * 1000.0).round() as u64;
    let (whole, thousandths) = (milliseconds / 1000, milliseconds % 1000);
    format!("{:02}:{:02}:{:02}.{thousandths:03}", whole / 3600, whole / 60 % 60, whole % 60)
}

/// A time, `01:02.500` or `1:01:02.500`.
fn seconds(text: &str) -> Option<f64> {
    let (whole, thousandths) = text.split_once('.')?;
    let parts: Vec<&str> = whole.split(':').collect();
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (hours, minutes, seconds) = match parts.as_slice() {
        [minutes, seconds] => ("0", *minutes, *seconds),
        [hours, minutes, seconds] => (*hours, *minutes, *seconds),
        _ => return None,
    };
    let is_time = is_number(hours) && [minutes, seconds].into_iter().all(|part| is_number(part) && part.len() == 2);
    let [hours, minutes, seconds] = [hours, minutes, seconds].map(|part| part.parse::<f64>().unwrap_or(f64::NAN));
    let is_time = is_time && minutes < 60.0 && seconds < 60.0 && is_number(thousandths) && thousandths.len() == 3;
    is_time.then(|| hours * 3600.0 + minutes * 60.0 + seconds + thousandths.parse::<f64>().unwrap_or(0.0) / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_of_the_corpus_are_read_as_browsers_read_them() {
        for (input, right) in testkit::corpus("captions") {
            let read = match lines(&input) {
                None => "no WebVTT".to_owned(),
                Some(lines) => lines.iter().map(|line| line.start.to_string()).collect::<Vec<_>>().join(" "),
            };
            assert_eq!(read, right, "{input:?}");
        }
    }

    #[test]
    fn lines_of_subrip_are_written_as_webvtt_and_read_again() {
        let subrip = "\u{feff}1\r\n00:00:01,500 --> 00:00:02,000\r\nHeita!\r\nSecond, row\r\n\r\n2\r\n01:02:03,004 --> 01:02:04,000 align:start\r\nBye\r\n";
        let webvtt = "WEBVTT\n\n00:00:01.500 --> 00:00:02.000\nHeita!\nSecond, row\n\n01:02:03.004 --> 01:02:04.000 align:start\nBye\n";
        let read = lines_of_subrip(subrip).unwrap();
        assert_eq!(write(read.iter().rev().cloned().collect()), webvtt);
        assert_eq!(lines(webvtt), Some(read));
    }
}
