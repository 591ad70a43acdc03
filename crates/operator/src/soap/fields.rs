//! The texts of a message's fields: identifiers, amounts in rand, times.

use std::str::FromStr;

use chrono::{DateTime, SecondsFormat, Utc};

use super::Malformed;
use crate::{amount::cents_of_rand, lenient};

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

pub(super) fn required(text: String) -> Result<String, Malformed> {
    filled(Some(text))?.ok_or(Malformed)
}

pub(super) fn integer<N: FromStr>(text: Option<String>) -> Result<Option<N>, Malformed> {
    filled(text)?.map(|text| text.parse().map_err(|_| Malformed)).transpose()
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

/// A time, where it can be read: the rest of a message counts without it.
pub(super) fn readable_time(text: Option<String>) -> Option<DateTime<Utc>> {
    lenient::time_of(text?.trim())
}
