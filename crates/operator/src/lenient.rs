//! Lenient deserialisers: numbers as strings, times in every form, optional fields that cannot be read.

use std::cell::Cell;

use chrono::{DateTime, Datelike, NaiveDateTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use serde::{
    Deserialize, Deserializer, Serializer,
    de::{Error, IntoDeserializer},
};
use serde_json::value::RawValue;

/// The time zone of a time without one, where its network's entry names no other.
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
        other => serde_json::from_str::<String>(other).map_err(|_| D::Error::custom("expected text"))?,
    };
    let text = one_line(&text).ok_or_else(|| D::Error::custom("text with control characters"))?;
    Ok((!text.is_empty()).then_some(text))
}

/// A text without surrounding blanks, tabs and line ends in it as blanks, as a number is copied out of a table. `None` where it has other control
/// characters: no identifier of a network has them, and PostgreSQL stores no NUL.
pub(crate) fn one_line(text: &str) -> Option<String> {
    let text = text.trim().replace(['\t', '\n', '\r'], " ");
    (!text.chars().any(char::is_control)).then_some(text)
}

/// As `maybe_text`, and `None` for any other JSON: for fields that must not make the rest unreadable.
pub(crate) fn readable_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    Ok(maybe_text(&*raw).unwrap_or_default())
}

/// A short code, or the same as the URI of a number (RFC 3966); `None` where it cannot be read.
pub(crate) fn short_code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(readable_text(deserializer)?.as_deref().and_then(short_code_of))
}

/// As `short_code`.
pub(crate) fn short_code_of(text: &str) -> Option<String> {
    let without_scheme = text.split(';').next()?.rsplit(':').next()?;
    let code = one_line(without_scheme.trim_matches(|c: char| c == '+' || c.is_whitespace()))?;
    (!code.is_empty()).then_some(code)
}

/// What a person wrote, with every character; a JSON value that is no text, as it is written.
pub(crate) fn written_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    Ok(match raw.get() {
        "null" => String::new(),
        other => serde_json::from_str(other).unwrap_or_else(|_| other.to_owned()),
    })
}

/// As `readable_text`; the empty text where there is none.
pub(crate) fn text_or_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(readable_text(deserializer)?.unwrap_or_default())
}

/// A time; `None` where the value is none that can be read. No time decides whether a message counts, so there is no strict reader.
pub(crate) fn readable_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DateTime<Utc>>, D::Error> {
    Ok(readable_text(deserializer)?.as_deref().and_then(time_of))
}

/// Yes or no, also as text or as 1 and 0.
pub(crate) fn boolean<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    match word(raw.get()).as_str() {
        "true" | "1" | "yes" => Ok(true),
        "false" | "0" | "no" => Ok(false),
        _ => Err(D::Error::custom("expected true or false")),
    }
}

/// A name of the contract without blanks, hyphens and capitals, for comparison.
pub(crate) fn word(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A name of the contract, in any spelling.
pub(crate) fn named<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::deserialize(word(&String::deserialize(deserializer)?).into_deserializer())
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
    integer_of(&text).map(Some).ok_or_else(|| D::Error::custom("expected a whole number"))
}

/// As `integer`, and `None` where the value is no whole number.
pub(crate) fn readable_integer<'de, D: Deserializer<'de>, N: TryFrom<i64>>(
    deserializer: D,
) -> Result<Option<N>, D::Error> {
    Ok(readable_text(deserializer)?.as_deref().and_then(integer_of))
}

/// A whole number: `300` and `300.00`; `300.5` is no amount of cents.
pub(crate) fn integer_of<N: TryFrom<i64>>(text: &str) -> Option<N> {
    let whole = match text.trim().split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|b| b == b'0') => whole,
        Some(_) => return None,
        None => text.trim(),
    };
    N::try_from(whole.parse::<i64>().ok()?).ok()
}

thread_local! {
    /// See `in_zone`.
    static ZONE: Cell<Tz> = const { Cell::new(JOHANNESBURG) };
}

/// Reads with times without a zone as those of `zone`. Serde passes nothing to a field's reader, hence a value of the thread.
pub fn in_zone<T>(zone: Tz, read: impl FnOnce() -> T) -> T {
    let before = ZONE.replace(zone);
    let result = read();
    ZONE.set(before);
    result
}

/// A time of the years 1970 to 9999, in any of the forms in which systems write one.
pub(crate) fn time_of(text: &str) -> Option<DateTime<Utc>> {
    parse_time(text.trim()).filter(is_valid_year)
}

/// Whether every database and date type that we use can store and sort the time.
pub(crate) fn is_valid_year(time: &impl Datelike) -> bool {
    YEARS.contains(&time.year())
}

fn parse_time(text: &str) -> Option<DateTime<Utc>> {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return match text.len() {
            // Seconds and milliseconds since 1970, from 2001 on.
            10 => DateTime::from_timestamp(text.parse().ok()?, 0),
            13 => DateTime::from_timestamp_millis(text.parse().ok()?),
            14 => local_time(NaiveDateTime::parse_from_str(text, "%Y%m%d%H%M%S").ok()?),
            _ => None,
        };
    }
    if let Ok(time) = DateTime::parse_from_rfc2822(text) {
        return Some(time.with_timezone(&Utc));
    }
    let text = text.replacen(' ', "T", 1).replace(' ', "").replace('/', "-");
    let (local, offset) = split_offset(&text);
    // PostgreSQL prints `+02`.
    let time = DATES.iter().find_map(|date| {
        CLOCKS.iter().find_map(|clock| NaiveDateTime::parse_from_str(local, &format!("{date}T{clock}")).ok())
    })?;
    match offset {
        None => local_time(time),
        Some(offset) => Some(time.checked_sub_signed(offset_of(offset)?)?.and_utc()),
    }
}

/// The year first, or the day, as in South Africa.
const DATES: [&str; 2] = ["%Y-%m-%d", "%d-%m-%Y"];
const CLOCKS: [&str; 2] = ["%H:%M:%S%.f", "%H:%M"];

/// The offset from UTC at the end of a time.
fn split_offset(text: &str) -> (&str, Option<&str>) {
    let clock = text.find('T').unwrap_or(text.len());
    let sign = text.get(clock + 1..).and_then(|rest| rest.find(['+', '-', 'Z', 'z']));
    match sign.and_then(|at| text.split_at_checked(clock + 1 + at)) {
        Some((local, offset)) => (local, Some(offset)),
        None => (text, None),
    }
}

/// `Z`, `+02`, `+0200` or `+02:00`.
fn offset_of(text: &str) -> Option<TimeDelta> {
    if text.eq_ignore_ascii_case("z") {
        return Some(TimeDelta::zero());
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits = text.get(1..)?.replace(':', "");
    let (hours, minutes) = match digits.len() {
        2 => (digits.as_str(), "0"),
        4 => digits.split_at_checked(2)?,
        _ => return None,
    };
    let (hours, minutes): (u8, u8) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours < 24 && minutes < 60).then(|| TimeDelta::minutes(sign * (i64::from(hours) * 60 + i64::from(minutes))))
}

/// A time without a zone. Where clocks were put back, the earlier of two.
fn local_time(local: NaiveDateTime) -> Option<DateTime<Utc>> {
    // Zones have no times at the ends of chrono's years.
    if !is_valid_year(&local) {
        return None;
    }
    Some(ZONE.get().from_local_datetime(&local).earliest()?.with_timezone(&Utc))
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
    use crate::{Charge, Notification, camara, soap};

    type Reader = fn(&[u8]) -> Option<Notification>;

    /// The bodies of all notifications with a time, which `@` stands for, and who reads them.
    const NOTIFICATIONS: [(&str, Reader); 9] = [
        (r#"{"event":"opt_in","kind":"opt_in","user_msisdn":"1","status":"confirmed","decided_at":@}"#, of_contract),
        (r#"{"status_id":8,"user_msisdn":"1","updated_at":@}"#, of_contract),
        (r#"{"status_id":2,"user_msisdn":"1","created_at":@,"updated_at":null}"#, of_contract),
        (
            r#"{"billing_ref":"1","amount":300,"result_name":"SUCCESS","billed_at":@,"subscription":{"status_id":2}}"#,
            of_contract,
        ),
        (r#"{"event":"stop","user_msisdn":"1","at":@}"#, of_contract),
        (r#"{"event":"charge","key":"1","at":@}"#, of_contract),
        (r#"{"event":"sms","user_msisdn":"1","text":"STOP","at":@}"#, of_contract),
        (r#"{"event":"sms_receipt","key":"1","status":"DELIVRD","at":@}"#, of_contract),
        (
            r#"{"type":"org.camaraproject.carrier-billing.v0.payment-completed","time":@,"data":{"paymentId":"1"}}"#,
            |body| camara::parse_notification(body).ok(),
        ),
    ];

    fn of_contract(body: &[u8]) -> Option<Notification> {
        Notification::parse(body).ok()
    }

    #[test]
    fn short_code_is_read_alike_in_json_and_in_xml() {
        let rows = [
            ("31222", Some("31222")),
            (" 31222\t", Some("31222")),
            ("tel:31222", Some("31222")),
            ("tel:  31222", Some("31222")),
            ("TEL:+31222;phone-context=+27", Some("31222")),
            ("tel:", None),
            ("", None),
        ];
        for (text, code) in rows {
            let json = serde_json::json!({"event": "sms", "user_msisdn": "1", "text": "STOP", "to": text}).to_string();
            let sms = crate::SmsEvent { to: Some(text.to_owned()), ..sms_of(json.as_bytes(), of_contract) };
            let xml = soap::sms_received(&sms);
            let in_xml = sms_of(xml.as_bytes(), |body| soap::parse_notification(body).ok());
            assert_eq!(
                (sms_of(json.as_bytes(), of_contract).to.as_deref(), in_xml.to.as_deref()),
                (code, code),
                "{text}"
            );
        }
    }

    fn sms_of(body: &[u8], read: Reader) -> crate::SmsEvent {
        match read(body) {
            Some(Notification::Sms(sms)) => sms,
            _ => panic!("{}", String::from_utf8_lossy(body)),
        }
    }

    #[test]
    fn times_of_the_corpus_have_their_value_in_every_message() {
        let written = |at: Option<DateTime<Utc>>| {
            at.map_or("refused".to_owned(), |at| at.format("%Y-%m-%d %H:%M:%S").to_string())
        };
        for (text, right) in testkit::corpus("network-times") {
            let quoted = serde_json::to_string(&text).unwrap();
            for (body, read) in NOTIFICATIONS {
                let body = body.replace('@', &quoted);
                // No time that cannot be read loses an event.
                let event = read(body.as_bytes()).unwrap_or_else(|| panic!("{body}"));
                assert_eq!(written(event.happened_at()), right, "{body}");
            }
            let sms = format!(
                "<Envelope><Body><notifySmsReception><message><message>STOP</message><senderAddress>1</senderAddress>\
                 <dateTime>{text}</dateTime></message></notifySmsReception></Body></Envelope>"
            );
            assert_eq!(written(soap::parse_notification(sms.as_bytes()).unwrap().happened_at()), right, "{text:?}");
            let charge = format!(r#"{{"key":"1","outcome":"charged","at":{quoted}}}"#);
            assert_eq!(written(serde_json::from_str::<Charge>(&charge).unwrap().at), right, "{text:?}");
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
