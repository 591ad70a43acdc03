//! How films play for visitors, measured by their browsers in the keys of CMCD version 2 (CTA-5004-B): the first frame, stalls and errors, counted
//! by brand, the browser's engine and the rendition.

use http::header;
use serde::Deserialize;
use telemetry::names::{PLAY_START, PLAYED, PLAYS, STALLED, STALLS};
use utoipa::ToSchema;

use crate::{error::Error, request::Head};

/// The longest time to a first frame, in milliseconds.
const LONGEST_START: u64 = 600_000;

/// The longest playback, in milliseconds, and the most stalls in it.
const LONGEST_PLAYBACK: u64 = 86_400_000;
const MOST_STALLS: u64 = 10_000;

/// The longest name of a rendition, and the longest code of an error.
const MOST_RENDITION_CHARS: usize = 16;
const MOST_CODE_CHARS: usize = 64;

/// The renditions that are told apart.
const RENDITIONS: [&str; 9] = ["144p", "240p", "360p", "480p", "720p", "file", "saved", "sound", "none"];

/// One playback of a film, once it ends.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayReport {
    /// The version of CMCD.
    #[schema(minimum = 2, maximum = 2)]
    v: u8,
    /// Media start delay: milliseconds until the first frame; absent if there was none.
    #[schema(minimum = 0, maximum = 600000)]
    msd: Option<u64>,
    /// Buffer starvation, absolute: the number of stalls.
    #[schema(minimum = 0, maximum = 10000)]
    bsa: u64,
    /// Buffer starvation duration, absolute: the milliseconds of all stalls.
    #[schema(minimum = 0, maximum = 86400000)]
    bsda: u64,
    /// The code of the error that ended it; absent if there was none.
    #[schema(max_length = 64)]
    ec: Option<String>,
    /// Milliseconds that were played.
    #[serde(rename = "spaza-played")]
    #[schema(minimum = 0, maximum = 86400000)]
    played: u64,
    /// The rendition that was shown last; `file` of a film that is no stream, `saved` of one on the phone, `sound` without a picture, `none` before the first frame.
    #[serde(rename = "spaza-rendition")]
    #[schema(max_length = 16, example = "360p")]
    rendition: String,
}

/// Counts one playback of a brand.
pub(crate) fn count(report: &PlayReport, brand: String, head: &Head) -> Result<(), Error> {
    let is_possible = report.v == 2
        && report.msd.is_none_or(|delay| delay <= LONGEST_START)
        && report.bsa <= MOST_STALLS
        && report.bsda.max(report.played) <= LONGEST_PLAYBACK
        && report.rendition.chars().count() <= MOST_RENDITION_CHARS
        && report.ec.as_ref().is_none_or(|code| code.chars().count() <= MOST_CODE_CHARS);
    if !is_possible {
        return Err(Error::Vital);
    }
    let rendition = RENDITIONS.into_iter().find(|name| *name == report.rendition).unwrap_or("other");
    let engine = engine(head.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default());
    let outcome = match (&report.ec, report.msd) {
        (None, Some(_)) => "played",
        (None, None) => "left",
        (Some(_), None) => "failed",
        (Some(_), Some(_)) => "broken",
    };
    let labels = [("brand", brand), ("engine", engine.to_owned()), ("rendition", rendition.to_owned())];
    if let Some(delay) = report.msd {
        // Ten minutes at most.
        metrics::histogram!(PLAY_START, &labels).record(delay as f64);
    }
    metrics::counter!(STALLS, &labels).increment(report.bsa);
    metrics::counter!(STALLED, &labels).increment(report.bsda);
    metrics::counter!(PLAYED, &labels).increment(report.played);
    let [brand, engine, rendition] = labels.map(|(_, value)| value);
    metrics::counter!(PLAYS, "brand" => brand, "engine" => engine, "rendition" => rendition, "outcome" => outcome)
        .increment(1);
    Ok(())
}

/// The engine of a browser. All of them call themselves Mozilla, and all but Firefox name Apple's WebKit.
fn engine(user_agent: &str) -> &'static str {
    let has = |name| user_agent.contains(name);
    match () {
        () if has("Chrome/") || has("Chromium/") => "blink",
        () if has("AppleWebKit/") => "webkit",
        () if has("Gecko/") => "gecko",
        () => "other",
    }
}
