//! The texts of a message's fields: identifiers, amounts in rand, times.

use chrono::{DateTime, SecondsFormat, Utc};

use super::Malformed;
use crate::{NamedService, amount::cents_of_rand, lenient};

/// What every amount is in.
pub(super) const ZAR: &str = "ZAR";

/// Text without surrounding blanks; none where it is empty. No identifier has control characters, and PostgreSQL stores no NUL.
pub(super) fn filled(text: Option<String>) -> Result<Option<String>, Malformed> {
    let text = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    match text {
        Some(text) if text.chars().any(char::is_control) => Err(Malformed),
        text => Ok(text),
    }
}

/// As `filled`, and `None` where the text cannot be read: the rest of a message counts without it.
pub(super) fn readable(text: Option<String>) -> Option<String> {
    filled(text).ok().flatten()
}

pub(super) fn required(text: String) -> Result<String, Malformed> {
    filled(Some(text))?.ok_or(Malformed)
}

pub(super) fn integer<N: TryFrom<i64>>(text: Option<String>) -> Result<Option<N>, Malformed> {
    filled(text)?.map(|text| lenient::integer_of(&text).ok_or(Malformed)).transpose()
}

pub(super) fn rand(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

pub(super) fn cents(text: &str) -> Result<i64, Malformed> {
    cents_of_rand(text).ok_or(Malformed)
}

pub(super) fn maybe_cents(text: Option<String>) -> Result<Option<i64>, Malformed> {
    filled(text)?.as_deref().map(cents).transpose()
}

pub(super) fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// As `readable`, for a time.
pub(super) fn readable_time(text: Option<String>) -> Option<DateTime<Utc>> {
    lenient::time_of(&text?)
}

/// As `readable`, for a service.
pub(super) fn service(text: Option<String>) -> NamedService {
    readable(text).map_or(NamedService::Unnamed, NamedService::of)
}
