//! What every catalogue asks of a manifest's entries before it takes any of them in.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::Problem;

/// Who finds a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ManifestState)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Everybody: it stands in lists and is drawn.
    #[default]
    Listed,
    /// Who has its address: it stands in no list and is never drawn.
    Unlisted,
    /// Nobody.
    Deleted,
}

/// The word of a record that everybody finds.
pub const LISTED: &str = State::Listed.as_str();

/// The word of a record that nobody finds.
pub const DELETED: &str = State::Deleted.as_str();

impl State {
    /// The word a manifest and the database use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Unlisted => "unlisted",
            Self::Deleted => "deleted",
        }
    }
}

/// For `#[serde(deserialize_with = …)]`: a state, as the word the database uses.
pub fn state_word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    State::deserialize(deserializer).map(|state| state.as_str().to_owned())
}

/// For `#[serde(default = …)]`: the state of a record that says nothing of it.
pub fn listed() -> String {
    LISTED.to_owned()
}

/// For `#[serde(default = …)]`: published from the first.
pub fn always() -> NaiveDateTime {
    NaiveDateTime::default()
}

/// For `#[serde(default = …)]`: never to expire.
pub fn never() -> NaiveDateTime {
    let last_day = NaiveDate::from_ymd_opt(9999, 12, 31).unwrap_or_default();
    last_day.and_time(NaiveTime::from_hms_opt(23, 59, 59).unwrap_or_default())
}

/// The longest text of a record, in characters.
pub const MAX_TEXT: usize = 5000;

/// What people read: not empty, of one piece, and nothing that a spreadsheet would run when editors open a copy there.
pub fn text(slug: &str, field: &str, text: &str) -> Result<(), Problem> {
    let fault = if text.trim().is_empty() {
        "is empty".to_owned()
    } else if text.chars().count() > MAX_TEXT {
        format!("is longer than {MAX_TEXT} characters")
    } else if text.chars().any(|c| c.is_control() && c != '\n') {
        "holds a control character".to_owned()
    } else if text.chars().any(|c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')) {
        "holds a character that turns or hides text".to_owned()
    } else if let Some(first) = text.chars().next().filter(|first| "=+-@".contains(*first)) {
        format!("begins with {first:?}, which a spreadsheet takes for a formula")
    } else {
        return Ok(());
    };
    Err(Problem::unprocessable(format!("{slug}: {field} {fault}.")))
}

/// A record's time: published before it expires.
pub fn schedule(slug: &str, publish_at: NaiveDateTime, expires_at: NaiveDateTime) -> Result<(), Problem> {
    if publish_at < expires_at {
        Ok(())
    } else {
        Err(Problem::unprocessable(format!(
            "{slug}: it expires at {expires_at}, not after it is published at {publish_at}."
        )))
    }
}

/// An editors' key: lower case letters, digits and dashes.
pub fn slug(slug: &str) -> Result<(), Problem> {
    let plain = slug.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if plain && !slug.is_empty() && slug.len() <= 100 {
        Ok(())
    } else {
        Err(Problem::unprocessable(format!("{slug:?} is not a slug: use lower case letters, digits and dashes.")))
    }
}

/// An image's address: `https://…`, as nothing else is ever shown.
pub fn image(slug: &str, address: &str) -> Result<(), Problem> {
    if address.starts_with("https://") && !address.contains(char::is_whitespace) {
        Ok(())
    } else {
        Err(Problem::unprocessable(format!("{slug}: the image {address:?} is not an https address.")))
    }
}

/// A stream's path below the media folder: in the brand's own folder, and never out of it.
pub fn media(slug: &str, path: &str, folder: &str) -> Result<(), Problem> {
    let mut parts = path.split('/');
    // Browsers leave out blanks at the ends of an address, and control characters anywhere in it.
    let inside = path.trim() == path
        && !path.contains(char::is_control)
        && parts.next() == Some(folder)
        && parts.clone().count() > 0
        && parts.all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '%', '?', '#']));
    if inside {
        Ok(())
    } else {
        Err(Problem::unprocessable(format!("{slug}: the media path {path:?} is not a file below {folder}/.")))
    }
}

/// The captions of a stream, where it has any: a WebVTT file beside it.
pub fn captions(slug: &str, path: Option<&str>, folder: &str) -> Result<(), Problem> {
    match path {
        None => Ok(()),
        Some(path) if path.ends_with(".vtt") && media(slug, path, folder).is_ok() => Ok(()),
        Some(path) => Err(Problem::unprocessable(format!(
            "{slug}: the captions path {path:?} is not a .vtt file below {folder}/."
        ))),
    }
}

/// A number of things: never negative.
pub fn count(slug: &str, field: &str, count: i64) -> Result<(), Problem> {
    if count >= 0 { Ok(()) } else { Err(Problem::unprocessable(format!("{slug}: {field} is negative."))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_media_path_stays_in_its_brands_folder() {
        assert!(media("x", "mcfunny/a/b.mp4", "mcfunny").is_ok());
        for path in [
            "",
            "mcfunny",
            "mcfunny/",
            "raceday/a.mp4",
            "mcfunny/../a.mp4",
            "/mcfunny/a.mp4",
            "mcfunny/%2e%2e/a",
            "mcfunny/.a",
            "mcfunny/a\n.mp4",
            "mcfunny/a.mp4 ",
        ] {
            assert!(media("x", path, "mcfunny").is_err(), "{path}");
        }
    }

    #[test]
    fn captions_are_webvtt_in_their_brands_folder() {
        assert!(captions("x", None, "mcfunny").is_ok());
        assert!(captions("x", Some("mcfunny/a.zu.vtt"), "mcfunny").is_ok());
        for path in ["", "mcfunny/a.srt", "mcfunny/.vtt", "raceday/a.vtt", "mcfunny/../a.vtt", "/mcfunny/a.vtt"] {
            assert!(captions("x", Some(path), "mcfunny").is_err(), "{path}");
        }
    }

    #[test]
    fn texts_are_for_reading() {
        assert!(text("x", "title", "5 - 3 = 2 @ home").is_ok());
        for bad in
            ["", "  ", "=cmd|' /C calc'!A0", "+1", "-1", "@a", "a\u{0}b", "a\u{202e}b", &"a".repeat(MAX_TEXT + 1)]
        {
            assert!(text("x", "title", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_schedule_has_a_beginning_and_an_end() {
        assert!(schedule("x", always(), never()).is_ok());
        assert_eq!(never().to_string(), "9999-12-31 23:59:59");
        assert!(schedule("x", never(), never()).is_err());
    }

    #[test]
    fn keys_are_plain() {
        assert!(slug("late-taxi-2").is_ok());
        for text in ["", "Late", "a b", "a/b", "ä"] {
            assert!(slug(text).is_err(), "{text}");
        }
        assert!(count("x", "bytes", 0).is_ok() && count("x", "bytes", -1).is_err());
        assert!(image("x", "http://a/b").is_err() && image("x", "https://a/b").is_ok());
    }
}
