//! One range of bytes, as it is asked for and as it is sent (RFC 9110 section 14).

use actix_web::{HttpRequest, http::header};

/// A range that was asked for: `bytes=7-`, `bytes=7-9`, `bytes=-3`.
#[derive(Clone, Debug)]
pub struct Asked {
    /// As it is asked of an origin.
    pub text: String,
    from: Option<u64>,
    to: Option<u64>,
}

/// The only range of a request. Several at once, and what is no range of bytes, is as good as none: the whole file is the right answer.
pub fn asked(req: &HttpRequest) -> Option<Asked> {
    Asked::read(req.headers().get(header::RANGE)?.to_str().ok()?)
}

impl Asked {
    /// `bytes=7-9`, and nothing around it but blanks.
    pub fn read(text: &str) -> Option<Self> {
        let (from, to) = text.strip_prefix("bytes=")?.split_once('-')?;
        let number = |text: &str| match text.trim() {
            "" => Some(None),
            digits if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok().map(Some),
            _ => None,
        };
        let (from, to) = (number(from)?, number(to)?);
        let text = match (from, to) {
            (Some(from), Some(to)) if from <= to => format!("bytes={from}-{to}"),
            (Some(from), None) => format!("bytes={from}-"),
            (None, Some(last)) => format!("bytes=-{last}"),
            _ => return None,
        };
        Some(Self { text, from, to })
    }

    /// The part of a file of `whole` bytes that it is; `None` where it has no byte of it.
    pub fn of(&self, whole: u64) -> Option<Sent> {
        let last = whole.checked_sub(1)?;
        let (from, to) = match (self.from, self.to) {
            (Some(from), to) => (from, to.map_or(last, |to| to.min(last))),
            (None, Some(0)) => return None,
            (None, length) => (whole.saturating_sub(length?), last),
        };
        (from <= to).then_some(Sent { from, to, whole })
    }
}

/// The part that a reply says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    from: u64,
    to: u64,
    whole: u64,
}

impl Sent {
    /// `bytes 7-9/200`.
    pub fn read(text: &str) -> Option<Self> {
        let (part, whole) = text.strip_prefix("bytes ")?.split_once('/')?;
        let (from, to) = part.split_once('-')?;
        let sent = Self { from: from.parse().ok()?, to: to.parse().ok()?, whole: whole.parse().ok()? };
        (sent.from <= sent.to && sent.to < sent.whole).then_some(sent)
    }

    /// Where it begins.
    pub fn from(self) -> u64 {
        self.from
    }

    /// Bytes in it.
    pub fn length(self) -> u64 {
        self.to - self.from + 1
    }

    /// As a header.
    pub fn text(self) -> String {
        format!("bytes {}-{}/{}", self.from, self.to, self.whole)
    }

    /// Whether it is the part that was asked for, or its beginning.
    pub fn answers(self, asked: &Asked) -> bool {
        match (asked.from, asked.to) {
            (Some(from), to) => self.from == from && to.is_none_or(|to| self.to <= to),
            (None, Some(last)) => self.from >= self.whole.saturating_sub(last),
            (None, None) => false,
        }
    }
}

/// The length of the whole file, as a reply to a range beyond it says it: `bytes */200`.
pub fn whole(text: &str) -> Option<u64> {
    text.strip_prefix("bytes */")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_whole_range_is_one() {
        for (text, expected) in [
            ("bytes=0-9", "bytes=0-9"),
            ("bytes=7-", "bytes=7-"),
            ("bytes=-3", "bytes=-3"),
            ("bytes= 1 - 2 ", "bytes=1-2"),
        ] {
            assert_eq!(Asked::read(text).unwrap().text, expected);
        }
        for text in
            ["", "bytes=", "bytes=-", "bytes=9-1", "bytes=0-1,5-6", "lines=1-2", "bytes=+1-2", "bytes=a-b", "bytes=1"]
        {
            assert!(Asked::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_range_is_what_the_file_has_of_it() {
        for (asked, whole, expected) in [
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
            let part = Asked::read(asked).unwrap().of(whole);
            assert_eq!(part.map(Sent::text).as_deref(), expected, "{asked} {whole}");
        }
    }

    #[test]
    fn a_part_must_be_the_one_that_was_asked_for() {
        let sent = |text: &str| Sent::read(text).unwrap();
        for (asked, range, expected) in [
            ("bytes=0-9", "bytes 0-9/100", true),
            ("bytes=90-200", "bytes 90-99/100", true),
            ("bytes=90-", "bytes 90-99/100", true),
            ("bytes=-10", "bytes 90-99/100", true),
            ("bytes=-1000", "bytes 0-99/100", true),
            ("bytes=0-9", "bytes 0-10/100", false),
            ("bytes=5-9", "bytes 0-9/100", false),
            ("bytes=-10", "bytes 80-99/100", false),
        ] {
            assert_eq!(sent(range).answers(&Asked::read(asked).unwrap()), expected, "{asked} {range}");
        }
        assert_eq!((sent("bytes 7-9/200").length(), sent("bytes 7-9/200").text().as_str()), (3, "bytes 7-9/200"));
        for text in ["bytes 9-7/200", "bytes 0-200/200", "bytes 0-1/*", "0-1/2", "bytes */200"] {
            assert_eq!(Sent::read(text), None, "{text}");
        }
        assert_eq!((whole("bytes */200"), whole("bytes 0-1/2")), (Some(200), None));
    }
}
