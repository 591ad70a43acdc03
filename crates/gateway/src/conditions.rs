//! Conditional requests (RFC 9110 section 13).

use std::time::SystemTime;

use http::header::{self, HeaderName};

use crate::request::Head;

/// The result of a request's preconditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Send the response.
    Proceed,
    /// 304: the client's copy is current.
    NotModified,
    /// 412.
    Failed,
}

/// Whether `If-None-Match` contains the current ETag, by weak comparison. `etag` is as in the header: `"x"` or `W/"x"`.
pub(crate) fn is_fresh(head: &Head, etag: &str) -> bool {
    names(head, header::IF_NONE_MATCH, etag, true)
}

/// Evaluates the preconditions of a GET or HEAD in the order of RFC 9110 section 13.2.2; `modified` is in whole seconds. Invalid dates are
/// ignored.
pub(crate) fn evaluate(head: &Head, etag: &str, modified: Option<SystemTime>) -> Outcome {
    let has = |name: HeaderName| head.headers.contains_key(name);
    let is_modified_since = |name| date(head, name).zip(modified).map(|(since, modified)| modified > since);
    let failed = match has(header::IF_MATCH) {
        true => !names(head, header::IF_MATCH, etag, false),
        false => is_modified_since(header::IF_UNMODIFIED_SINCE) == Some(true),
    };
    let is_current = || match has(header::IF_NONE_MATCH) {
        true => is_fresh(head, etag),
        false => is_modified_since(header::IF_MODIFIED_SINCE) == Some(false),
    };
    if failed {
        Outcome::Failed
    } else if is_current() {
        Outcome::NotModified
    } else {
        Outcome::Proceed
    }
}

/// Whether `If-Range` allows a range: it is absent, or it is the current, strong ETag. A date never allows one: it is no strong validator,
/// since a file can change twice within a second (RFC 9110 section 8.8.2.2), and clients with an ETag send no date (section 13.1.5).
pub(crate) fn allows_range(head: &Head, etag: &str) -> bool {
    let mut conditions = head.headers.get_all(header::IF_RANGE).iter();
    conditions.all(|condition| etag.starts_with('"') && condition.as_bytes() == etag.as_bytes())
}

/// Whether a list of ETags contains the current one. The `headers` crate is not used: in debug builds it panics on a tab in an ETag.
fn names(head: &Head, list: HeaderName, etag: &str, takes_weak: bool) -> bool {
    let (is_weak, etag) = etag.strip_prefix("W/").map_or((false, etag), |etag| (true, etag));
    let opaque = etag.trim_matches('"').as_bytes();
    head.headers.get_all(list).iter().map(|value| value.as_bytes().trim_ascii()).any(|value| {
        if value == b"*" {
            return true;
        }
        // Splitting at quotes gives, alternately, text outside and inside of them: `W/"a", "b"`.
        let pieces: Vec<_> = value.split(|byte| *byte == b'"').collect();
        let is_closed = pieces.len() % 2 == 1;
        is_closed
            && pieces.chunks_exact(2).any(|pair| match pair {
                [before, tag] if *tag == opaque => match before.strip_suffix(b"W/") {
                    Some(before) => takes_weak && is_separator(before),
                    None => (takes_weak || !is_weak) && is_separator(before),
                },
                _ => false,
            })
    })
}

/// Whether the text between two list elements is only commas and blanks.
fn is_separator(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b',' | b' ' | b'\t'))
}

/// The date of a header that occurs once.
fn date(head: &Head, name: HeaderName) -> Option<SystemTime> {
    let mut values = head.headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => httpdate::parse_http_date(value.to_str().ok()?).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use http::Request;

    use super::*;
    use crate::request::tests::head;

    const BEFORE: &str = "Sun, 06 Nov 1994 08:49:36 GMT";
    const SAME: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    const AFTER: &str = "Sun, 06 Nov 1994 08:49:38 GMT";

    fn with(conditions: &[(&str, &str)]) -> Head {
        head(conditions.iter().fold(Request::get("/"), |request, (name, value)| request.header(*name, *value)))
    }

    #[test]
    fn evaluate_follows_the_order_of_the_rfc() {
        use Outcome::{Failed, NotModified, Proceed};
        let modified = UNIX_EPOCH + Duration::from_secs(784_111_777);
        for (conditions, expected) in [
            (&[][..], Proceed),
            (&[("if-match", "\"a\"")], Proceed),
            (&[("if-match", "\"b\", \"a\"")], Proceed),
            (&[("if-match", "*")], Proceed),
            (&[("if-match", "\"b\"")], Failed),
            (&[("if-match", "W/\"a\"")], Failed),
            (&[("if-match", "nonsense")], Failed),
            (&[("if-match", "\"b\", W/\"a\"")], Failed),
            (&[("if-unmodified-since", SAME)], Proceed),
            (&[("if-unmodified-since", BEFORE)], Failed),
            (&[("if-unmodified-since", "nonsense")], Proceed),
            (&[("if-match", "\"a\""), ("if-unmodified-since", BEFORE)], Proceed),
            (&[("if-none-match", "\"a\"")], NotModified),
            (&[("if-none-match", "W/\"a\"")], NotModified),
            (&[("if-none-match", "*")], NotModified),
            (&[("if-none-match", "\"b\""), ("if-none-match", "\"a\"")], NotModified),
            (&[("if-none-match", "\"b\"")], Proceed),
            (&[("if-none-match", "\"b\""), ("if-modified-since", AFTER)], Proceed),
            (&[("if-modified-since", SAME)], NotModified),
            (&[("if-modified-since", AFTER)], NotModified),
            (&[("if-modified-since", BEFORE)], Proceed),
            (&[("if-modified-since", "nonsense")], Proceed),
            (&[("if-match", "\"b\""), ("if-none-match", "\"a\"")], Failed),
            (&[("if-match", "\"a\""), ("if-none-match", "\"a\"")], NotModified),
        ] {
            assert_eq!(evaluate(&with(conditions), "\"a\"", Some(modified)), expected, "{conditions:?}");
        }
        assert_eq!(evaluate(&with(&[("if-modified-since", AFTER)]), "\"a\"", None), Proceed);
        assert_eq!(evaluate(&with(&[("if-unmodified-since", BEFORE)]), "\"a\"", None), Proceed);
    }

    #[test]
    fn is_fresh_compares_weakly() {
        for (condition, etag, expected) in [
            ("\"a\"", "\"a\"", true),
            ("\"a\"", "W/\"a\"", true),
            ("W/\"a\"", "\"a\"", true),
            ("\"b\", \"a\"", "\"a\"", true),
            ("\"b,\", \"a\"", "\"a\"", true),
            ("\"b\",\tW/\"a\"", "\"a\"", true),
            ("\"b\tc\"", "\"a\"", false),
            ("\"b\", \"a", "\"a\"", false),
            ("\"b\" x\"a\"", "\"a\"", false),
            ("*", "\"a\"", true),
            ("\"b\"", "\"a\"", false),
            ("a", "\"a\"", false),
            ("", "\"a\"", false),
        ] {
            assert_eq!(is_fresh(&with(&[("if-none-match", condition)]), etag), expected, "{condition} {etag}");
        }
        assert!(!is_fresh(&with(&[]), "\"a\""));
    }

    #[test]
    fn allows_range_accepts_only_the_same_strong_etag() {
        for (condition, expected) in
            [("\"a\"", true), ("\"b\"", false), ("W/\"a\"", false), (SAME, false), (AFTER, false), ("nonsense", false)]
        {
            assert_eq!(allows_range(&with(&[("if-range", condition)]), "\"a\""), expected, "{condition}");
        }
        assert!(allows_range(&with(&[]), "\"a\""));
        assert!(!allows_range(&with(&[("if-range", "W/\"a\"")]), "W/\"a\""));
    }
}
