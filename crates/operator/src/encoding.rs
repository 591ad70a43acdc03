//! The text of a body, whatever its encoding: a byte order mark decides, then what the text says of itself.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Where an XML declaration ends at the latest.
const DECLARATION_LENGTH: usize = 200;

/// The text of a JSON body.
pub fn json_text(body: &[u8]) -> Cow<'_, str> {
    decode(body, None)
}

/// The text of an XML body.
pub(crate) fn xml_text(body: &[u8]) -> Cow<'_, str> {
    decode(body, declared(body))
}

/// Bytes without a declared encoding that are no UTF-8 are those of Western Europe: no letter of theirs is a mark of JSON or XML.
fn decode<'a>(body: &'a [u8], declared: Option<&'static Encoding>) -> Cow<'a, str> {
    if let Some((encoding, length)) = Encoding::for_bom(body) {
        return encoding.decode_without_bom_handling(body.get(length..).unwrap_or_default()).0;
    }
    // Of the first sign in two bytes, one is zero.
    let encoding = match body {
        [0, _, ..] => UTF_16BE,
        [_, 0, ..] => UTF_16LE,
        _ => declared.unwrap_or(UTF_8),
    };
    let (text, is_damaged) = encoding.decode_without_bom_handling(body);
    if is_damaged && encoding == UTF_8 { WINDOWS_1252.decode_without_bom_handling(body).0 } else { text }
}

/// The encoding that an XML declaration names.
fn declared(body: &[u8]) -> Option<&'static Encoding> {
    let head = body.get(..DECLARATION_LENGTH.min(body.len()))?;
    let head = str::from_utf8(head.split(|b| *b == b'>').next()?).ok()?;
    let value = head.strip_prefix("<?xml")?.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let name = value.get(1..)?.split(['"', '\'']).next()?;
    Encoding::for_label(name.as_bytes())
}
