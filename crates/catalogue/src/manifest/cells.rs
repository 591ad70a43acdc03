//! What spreadsheets make of a number and of a time.

use chrono::{DateTime, NaiveDateTime, TimeDelta};

/// The largest whole number that spreadsheets keep exactly: 2^53.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// The hours by which Johannesburg, which has no daylight saving time, is ahead of UTC.
const JOHANNESBURG: i64 = 2;

/// The forms of a time without an offset. Days, months and hours may have one digit.
const FORMS: [&str; 8] = [
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%dT%H:%M",
    "%Y/%m/%d %H:%M:%S%.f",
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d %I:%M:%S %p",
    "%Y/%m/%d %I:%M %p",
];

/// A whole number: `62961`, `62961.0`, `6.30E+04`, `62 961`, and with the decimal comma that is usual in South Africa `62961,0`. One comma before
/// three digits may be either, and is not read.
pub(super) fn whole_number(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let groups: Vec<&str> = text.split([' ', '\u{a0}', '\u{202f}']).collect();
    let (first, rest) = groups.split_first()?;
    let are_groups = rest.iter().enumerate().all(|(number, group)| {
        let digits = if number + 1 == rest.len() { group.split(['.', ',']).next().unwrap_or_default() } else { group };
        digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    let is_ambiguous = text
        .split_once(',')
        .is_some_and(|(_, behind)| behind.len() == 3 && behind.bytes().all(|byte| byte.is_ascii_digit()));
    let plain = groups.concat().replacen(',', ".", 1);
    let is_number = plain.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E'));
    if first.is_empty() || !are_groups || is_ambiguous || !is_number {
        return None;
    }
    let number: f64 = plain.parse().ok()?;
    // Within the bounds, so nothing is lost.
    (number.fract() == 0.0 && number.abs() <= LARGEST).then_some(number as i64)
}

/// A time as UTC: with an offset, or Johannesburg's without.
pub(super) fn time(text: &str) -> Option<NaiveDateTime> {
    let text = text.trim();
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.naive_utc());
    }
    let with_offset = ["%Y-%m-%d %H:%M%:z", "%Y-%m-%dT%H:%M%:z", "%Y/%m/%d %H:%M%:z", "%Y/%m/%d %H:%M:%S%:z"];
    // Only `Z` itself is an offset by name.
    let named = text.strip_suffix('Z').map(|text| format!("{text}+00:00"));
    let offset =
        with_offset.iter().find_map(|form| DateTime::parse_from_str(named.as_deref().unwrap_or(text), form).ok());
    if let Some(time) = offset {
        return Some(time.naive_utc());
    }
    let local = FORMS.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())?;
    local.checked_sub_signed(TimeDelta::hours(JOHANNESBURG))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_the_corpus_are_read() {
        for (input, right) in testkit::corpus("numbers") {
            assert_eq!(
                whole_number(&input).map_or("refused".to_owned(), |number| number.to_string()),
                right,
                "{input:?}"
            );
        }
        for (input, right) in testkit::corpus("times") {
            assert_eq!(time(&input).map_or("refused".to_owned(), |time| time.to_string()), right, "{input:?}");
        }
    }
}
