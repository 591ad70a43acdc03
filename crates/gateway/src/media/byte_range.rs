//! One range of bytes, in a request and in a response (RFC 9110 section 14).
//!
//! A request for several ranges gets the whole file with 200, from the folder and from an origin alike: a server may ignore `Range` (section
//! 14.2), players request one range at a time, and many small ranges of a file are a way to overload a server. Invalid ranges are ignored
//! too.

use http::header;

use crate::request::Head;

/// A requested range: `bytes=7-`, `bytes=7-9`, `bytes=-3`.
#[derive(Clone, Debug)]
pub struct ByteRange {
    /// The text for a request to an origin.
    pub text: String,
    first: Option<u64>,
    last: Option<u64>,
}

impl ByteRange {
    /// Parses the range of a request that has exactly one.
    pub fn of(head: &Head) -> Option<Self> {
        let mut values = head.headers.get_all(header::RANGE).iter();
        match (values.next(), values.next()) {
            (Some(value), None) => Self::read(value.to_str().ok()?),
            _ => None,
        }
    }

    /// Parses `bytes=7-9`.
    pub fn read(text: &str) -> Option<Self> {
        let (unit, range) = text.split_once('=')?;
        let (first, last) = range.split_once('-').filter(|_| unit.eq_ignore_ascii_case("bytes"))?;
        let number = |text: &str| match text.trim() {
            "" => Some(None),
            digits if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok().map(Some),
            _ => None,
        };
        let (first, last) = (number(first)?, number(last)?);
        let text = match (first, last) {
            (Some(first), Some(last)) if first <= last => format!("bytes={first}-{last}"),
            (Some(first), None) => format!("bytes={first}-"),
            (None, Some(length)) => format!("bytes=-{length}"),
            _ => return None,
        };
        Some(Self { text, first, last })
    }

    /// The part of a file of `complete` bytes; `None` if the range is unsatisfiable.
    pub fn within(&self, complete: u64) -> Option<ContentRange> {
        let end = complete.checked_sub(1)?;
        let (first, last) = match (self.first, self.last) {
            (Some(first), last) => (first, last.map_or(end, |last| last.min(end))),
            (None, Some(0)) => return None,
            (None, length) => (complete.saturating_sub(length?), end),
        };
        (first <= last).then_some(ContentRange { first, last, complete })
    }
}

/// The range of a response: `Content-Range`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentRange {
    first: u64,
    last: u64,
    complete: u64,
}

impl ContentRange {
    /// Parses `bytes 7-9/200`.
    pub fn read(text: &str) -> Option<Self> {
        let (part, complete) = text.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = part.split_once('-')?;
        let range = Self { first: first.parse().ok()?, last: last.parse().ok()?, complete: complete.parse().ok()? };
        (range.first <= range.last && range.last < range.complete).then_some(range)
    }

    /// The offset of its first byte.
    pub fn first(self) -> u64 {
        self.first
    }

    /// Its length in bytes.
    pub fn length(self) -> u64 {
        self.last - self.first + 1
    }

    /// The header's value.
    pub fn text(self) -> String {
        format!("bytes {}-{}/{}", self.first, self.last, self.complete)
    }

    /// Whether it is the requested range, or its beginning.
    pub fn answers(self, range: &ByteRange) -> bool {
        match (range.first, range.last) {
            (Some(first), last) => self.first == first && last.is_none_or(|last| self.last <= last),
            (None, Some(length)) => self.first >= self.complete.saturating_sub(length),
            (None, None) => false,
        }
    }
}

/// Parses the complete length in a 416: `bytes */200`.
pub fn complete_length(text: &str) -> Option<u64> {
    text.strip_prefix("bytes */")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_parses_one_range() {
        for (text, expected) in [
            ("bytes=0-9", "bytes=0-9"),
            ("bytes=7-", "bytes=7-"),
            ("bytes=-3", "bytes=-3"),
            ("bytes= 1 - 2 ", "bytes=1-2"),
            ("Bytes=1-2", "bytes=1-2"),
        ] {
            assert_eq!(ByteRange::read(text).unwrap().text, expected);
        }
        for text in
            ["", "bytes=", "bytes=-", "bytes=9-1", "bytes=0-1,5-6", "lines=1-2", "bytes=+1-2", "bytes=a-b", "bytes=1"]
        {
            assert!(ByteRange::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn within_limits_the_range_to_the_file() {
        for (requested, whole, expected) in [
            ("bytes=0-9", 100, Some("bytes 0-9/100")),
            ("bytes=0-", 100, Some("bytes 0-99/100")),
            ("bytes=90-200", 100, Some("bytes 90-99/100")),
            ("bytes=99-99", 100, Some("bytes 99-99/100")),
            ("bytes=100-", 100, None),
            ("bytes=-10", 100, Some("bytes 90-99/100")),
            ("bytes=-1000", 100, Some("bytes 0-99/100")),
            ("bytes=-0", 100, None),
            ("bytes=0-", 0, None),
            ("bytes=-1", 0, None),
        ] {
            let part = ByteRange::read(requested).unwrap().within(whole);
            assert_eq!(part.map(ContentRange::text).as_deref(), expected, "{requested} {whole}");
        }
    }

    #[test]
    fn answers_accepts_the_requested_range() {
        let sent = |text: &str| ContentRange::read(text).unwrap();
        for (requested, range, expected) in [
            ("bytes=0-9", "bytes 0-9/100", true),
            ("bytes=90-200", "bytes 90-99/100", true),
            ("bytes=90-", "bytes 90-99/100", true),
            ("bytes=-10", "bytes 90-99/100", true),
            ("bytes=-1000", "bytes 0-99/100", true),
            ("bytes=0-9", "bytes 0-10/100", false),
            ("bytes=5-9", "bytes 0-9/100", false),
            ("bytes=-10", "bytes 80-99/100", false),
        ] {
            assert_eq!(sent(range).answers(&ByteRange::read(requested).unwrap()), expected, "{requested} {range}");
        }
        assert_eq!((sent("bytes 7-9/200").length(), sent("bytes 7-9/200").text().as_str()), (3, "bytes 7-9/200"));
        for text in ["bytes 9-7/200", "bytes 0-200/200", "bytes 0-1/*", "0-1/2", "bytes */200"] {
            assert_eq!(ContentRange::read(text), None, "{text}");
        }
        assert_eq!((complete_length("bytes */200"), complete_length("bytes 0-1/2")), (Some(200), None));
    }

    #[test]
    fn of_ignores_several_ranges() {
        let of = |values: &[&str]| {
            let request = values.iter().fold(http::Request::get("/"), |request, value| request.header("range", *value));
            ByteRange::of(&crate::request::tests::head(request)).map(|range| range.text)
        };
        assert_eq!(of(&["bytes=1-2"]).as_deref(), Some("bytes=1-2"));
        assert_eq!((of(&[]), of(&["bytes=1-2", "bytes=1-2"])), (None, None));
    }
}
