//! The captions of a film: WebVTT as browsers read it, with lines that belong to the film.

use super::{Film, film::TOLERANCE, media_store::MediaStore};

/// What every WebVTT file begins with, behind a byte order mark if it has one (<https://www.w3.org/TR/webvtt1/#file-structure>).
const SIGNATURE: &str = "WEBVTT";

/// What stands between the times of a line.
const ARROW: &str = "-->";

/// Blanks, as the standard has them: a no-break space is none.
const BLANKS: [char; 3] = [' ', '\t', '\u{c}'];

/// Fails where a film's captions cannot be shown, or are not this film's. Films without captions pass.
pub async fn examine(media: &MediaStore, film: &Film) -> Result<(), String> {
    let Some(address) = &film.captions else { return Ok(()) };
    let Some(name) = address.strip_prefix("/media/") else { return Err(format!("{address} is not below /media/")) };
    read(media, name, film).await.map_err(|cause| format!("{name}: {cause}"))
}

async fn read(media: &MediaStore, name: &str, film: &Film) -> Result<(), String> {
    let bytes = media.read(name).await?.ok_or("is not there")?;
    let text = str::from_utf8(&bytes).map_err(|_| "is not UTF-8")?;
    let starts = starts(text).ok_or("is no WebVTT")?;
    let Some(last) = starts.into_iter().reduce(f64::max) else {
        return Err("has no line that can be shown".to_owned());
    };
    // Lengths of films are far below where whole numbers stop being exact.
    let end = film.seconds as f64;
    match last > end + TOLERANCE {
        true => Err(format!("has a line at {last:.1} seconds, and the film has {end}")),
        false => Ok(()),
    }
}

/// The seconds at which the lines with a text appear; `None` for what is no WebVTT. As in browsers' parser (section 6.1 of the standard) a line
/// with an arrow always begins a cue, whichever block it stands in, and one whose times cannot be read is left out.
fn starts(text: &str) -> Option<Vec<f64>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let mut lines = text.split('\n').peekable();
    let behind = lines.next()?.strip_prefix(SIGNATURE)?;
    if !behind.is_empty() && !behind.starts_with([' ', '\t']) {
        return None;
    }
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let has_text = lines.peek().is_some_and(|next| !next.is_empty() && !next.contains(ARROW));
        found.extend(line.split_once(ARROW).filter(|_| has_text).and_then(|(start, rest)| {
            // The settings of the cue may follow its end without a blank.
            let is_time = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.');
            let end = seconds(rest.trim_start_matches(BLANKS).split(|c| !is_time(c)).next()?)?;
            seconds(start.trim_matches(BLANKS)).filter(|start| *start < end)
        }));
    }
    Some(found)
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
    use super::starts;

    #[test]
    fn captions_of_the_corpus_are_read_as_browsers_read_them() {
        for (input, right) in testkit::corpus("captions") {
            let read = match starts(&input) {
                None => "no WebVTT".to_owned(),
                Some(starts) => starts.iter().map(f64::to_string).collect::<Vec<_>>().join(" "),
            };
            assert_eq!(read, right, "{input:?}");
        }
    }
}
