//! Lenient deserialisers: numbers as strings, times with and without a zone.

use chrono::{DateTime, Datelike, NaiveDateTime, TimeZone, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Deserializer, Serializer, de::Error};
use serde_json::value::RawValue;

/// The time zone of a time without one.
pub const JOHANNESBURG: Tz = chrono_tz::Africa::Johannesburg;

/// The years of a valid time. Others are mistakes, and not every database stores or sorts them.
const YEARS: std::ops::RangeInclusive<i32> = 1970..=9999;

/// Text, or a number digit for digit however long it is; surrounding blanks are trimmed.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    maybe_text(deserializer)?.ok_or_else(|| D::Error::custom("text is empty"))
}

/// As `text`; null and blank text are `None`.
pub(crate) fn maybe_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    // The raw JSON: a parsed number would be rounded beyond 64 bits, and two charges could become one.
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    let text = match raw.get() {
        "null" => return Ok(None),
        number if number.starts_with(|first: char| first == '-' || first.is_ascii_digit()) => number.to_owned(),
        other => {
            serde_json::from_str::<String>(other).map_err(|_| D::Error::custom("expected text"))?.trim().to_owned()
        }
    };
    // PostgreSQL stores no NUL, and no identifier of a network has control characters.
    if text.chars().any(char::is_control) {
        return Err(D::Error::custom("text with control characters"));
    }
    Ok((!text.is_empty()).then_some(text))
}

/// As `maybe_text`, and `None` for any other JSON: for fields that must not make the rest unreadable.
pub(crate) fn readable_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    Ok(maybe_text(&*raw).unwrap_or_default())
}

/// What a person wrote, with every character; a JSON value that is no text, as it is written.
pub(crate) fn written_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    Ok(match raw.get() {
        "null" => String::new(),
        other => serde_json::from_str(other).unwrap_or_else(|_| other.to_owned()),
    })
}

/// As `maybe_time`, and `None` where the value is no time.
pub(crate) fn readable_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DateTime<Utc>>, D::Error> {
    Ok(readable_text(deserializer)?.as_deref().and_then(time_of))
}

/// A whole number, or the same as text.
pub(crate) fn integer<'de, D: Deserializer<'de>, N: TryFrom<i64>>(deserializer: D) -> Result<N, D::Error> {
    maybe_integer(deserializer)?.ok_or_else(|| D::Error::custom("a number is missing"))
}

/// As `integer`; null and empty text are `None`.
pub(crate) fn maybe_integer<'de, D: Deserializer<'de>, N: TryFrom<i64>>(
    deserializer: D,
) -> Result<Option<N>, D::Error> {
    let Some(text) = maybe_text(deserializer)? else { return Ok(None) };
    // `300.00` is three hundred; `300.5` is no amount of cents.
    let whole = match text.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|b| b == b'0') => whole,
        Some(_) => return Err(D::Error::custom("expected a whole number")),
        None => &text,
    };
    let number = whole.parse::<i64>().ok().and_then(|number| N::try_from(number).ok());
    number.map(Some).ok_or_else(|| D::Error::custom("expected a whole number"))
}

/// A time of the years 1970 to 9999; without a zone it is Johannesburg's. Null and empty text are `None`.
pub(crate) fn maybe_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DateTime<Utc>>, D::Error> {
    let Some(text) = maybe_text(deserializer)? else { return Ok(None) };
    time_of(&text).map(Some).ok_or_else(|| D::Error::custom("expected a time"))
}

pub(crate) fn time_of(text: &str) -> Option<DateTime<Utc>> {
    parse_time(text).filter(is_valid_year)
}

/// Whether every database and date type that we use can store and sort the time.
pub(crate) fn is_valid_year(time: &impl Datelike) -> bool {
    YEARS.contains(&time.year())
}

fn parse_time(text: &str) -> Option<DateTime<Utc>> {
    let text = text.replacen(' ', "T", 1).replace(' ', "");
    if let Ok(time) =
        DateTime::parse_from_rfc3339(&text).or_else(|_| DateTime::parse_from_str(&text, "%Y-%m-%dT%H:%M:%S%.f%z"))
    {
        return Some(time.with_timezone(&Utc));
    }
    let local = NaiveDateTime::parse_from_str(&text, "%Y-%m-%dT%H:%M:%S%.f").ok()?;
    // Johannesburg has had no summer time since 1944, so every local time is exactly one moment.
    Some(JOHANNESBURG.from_local_datetime(&local).earliest()?.with_timezone(&Utc))
}

/// Serialises digits as a JSON number, anything else as text.
pub(crate) fn as_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    // `007` and numbers beyond 64 bits would not survive as JSON numbers.
    match text.parse::<u64>() {
        Ok(number) if number.to_string() == text => serializer.serialize_u64(number),
        _ => serializer.serialize_str(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_of_parses_every_format_and_rejects_years_out_of_range() {
        for text in [
            "2026-11-21T04:00:05Z",
            "2026-11-21T06:00:05+02:00",
            "2026-11-21T06:00:05+0200",
            "2026-11-21 06:00:05 +02:00",
            "2026-11-21 06:00:05",
            "2026-11-21T06:00:05.000",
        ] {
            assert_eq!(time_of(text).map(|time| time.timestamp()), Some(1_795_233_605), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "2026-11-21",
            "2026-13-01 00:00:00",
            "0001-01-01T00:00:00Z",
            "1970-01-01 01:59:59",
            "+10000-01-01T00:00:00Z",
            "-0044-03-15 12:00:00",
            "+262142-12-31 23:59:59",
        ] {
            assert_eq!(time_of(text), None, "{text}");
        }
    }

    #[test]
    fn maybe_text_keeps_every_digit_of_a_number() {
        let read = |json: &str| maybe_text(&mut serde_json::Deserializer::from_str(json)).ok().flatten();
        for (json, expected) in [
            ("18446744073709551617", Some("18446744073709551617")),
            ("\"18446744073709551617\"", Some("18446744073709551617")),
            ("-7", Some("-7")),
            ("1.10", Some("1.10")),
            ("\" \\u0037 \"", Some("7")),
            ("null", None),
            ("\" \"", None),
            ("true", None),
            ("[7]", None),
        ] {
            assert_eq!(read(json).as_deref(), expected, "{json}");
        }
        for text in ["7", "007", "18446744073709551615", "18446744073709551616", "x"] {
            let mut json = Vec::new();
            as_number(text, &mut serde_json::Serializer::new(&mut json)).unwrap();
            assert_eq!(read(std::str::from_utf8(&json).unwrap()).as_deref(), Some(text));
        }
    }
}
