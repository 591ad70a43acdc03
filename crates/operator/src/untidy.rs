//! Numbers that come as strings, times with and without a zone: reads what networks write.

use chrono::{DateTime, NaiveDateTime, TimeZone, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Deserializer, Serializer, de::Error};
use serde_json::Value;

/// The zone of a time that names none.
pub const JOHANNESBURG: Tz = chrono_tz::Africa::Johannesburg;

/// Text, or a number in its place; blanks around it do not count.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    maybe_text(deserializer)?.ok_or_else(|| D::Error::custom("text is empty"))
}

/// As `text`; null and nothing but blanks are `None`.
pub(crate) fn maybe_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = match Value::deserialize(deserializer)? {
        Value::Null => return Ok(None),
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return Err(D::Error::custom("expected text")),
    };
    // PostgreSQL keeps no NUL, and nothing a network names has control characters in it.
    if text.chars().any(char::is_control) {
        return Err(D::Error::custom("text with control characters"));
    }
    Ok((!text.is_empty()).then_some(text))
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
    // `300.00` is three hundred; `300.5` is nothing we could charge.
    let whole = match text.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|b| b == b'0') => whole,
        Some(_) => return Err(D::Error::custom("expected a whole number")),
        None => &text,
    };
    let number = whole.parse::<i64>().ok().and_then(|number| N::try_from(number).ok());
    number.map(Some).ok_or_else(|| D::Error::custom("expected a whole number"))
}

/// A time with a zone, or without one: then it is Johannesburg's. Null and empty text are `None`.
pub(crate) fn maybe_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DateTime<Utc>>, D::Error> {
    let Some(text) = maybe_text(deserializer)? else { return Ok(None) };
    time_of(&text).map(Some).ok_or_else(|| D::Error::custom("expected a time"))
}

fn time_of(text: &str) -> Option<DateTime<Utc>> {
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

/// Digits as a number, the way a tidy feed writes ids; anything else as text.
pub(crate) fn as_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    match text.parse::<u64>() {
        Ok(number) => serializer.serialize_u64(number),
        Err(_) => serializer.serialize_str(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_moment_is_that_moment() {
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
        for text in ["", "yesterday", "2026-11-21", "2026-13-01 00:00:00"] {
            assert_eq!(time_of(text), None, "{text}");
        }
    }
}
