//! Times in the API's format: `YYYY-MM-DD HH:MM:SS`, UTC.

use chrono::{NaiveDateTime, Timelike};
use serde::{Deserialize, Deserializer, Serializer, de::Error};

use crate::machine;

/// The format of every time in a reply.
pub const FORMAT: &str = "%Y-%m-%d %H:%M:%S";

/// The current second, UTC.
pub fn now() -> NaiveDateTime {
    let now = machine::now().naive_utc();
    now.with_nanosecond(0).unwrap_or(now)
}

/// For `#[serde(with = "service::timestamp")]`.
pub fn serialize<S: Serializer>(time: &NaiveDateTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&time.format(FORMAT))
}

/// For `#[serde(with = "service::timestamp")]`.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveDateTime, D::Error> {
    let text = String::deserialize(deserializer)?;
    NaiveDateTime::parse_from_str(&text, FORMAT)
        .map_err(|_| D::Error::custom(format!("{text:?} is not a time of the form YYYY-MM-DD HH:MM:SS")))
}
