//! The page of the brand that a visitor wanted before the network's page: a path of the site. It is stored with the attempt, and the home after
//! the return offers it first.

use crate::error::Error;

/// The longest accepted page, in bytes.
const MAX_PAGE: usize = 300;

/// A run of as many digits could be a phone number, which no stored page has.
const DIGITS_OF_A_NUMBER: usize = 9;

/// First path segments that are no page.
const NOT_PAGES: [&str; 10] =
    ["api", "assets", "doiredirect", "forms", "healthz", "img", "internal", "media", "metrics", "preview"];

/// The page of a request, if it is a path of the site; empty: none. Whether the site has this page, the gateway knows.
pub(crate) fn page(text: Option<&str>) -> Result<&str, Error> {
    let text = text.unwrap_or_default();
    if text.is_empty() || is_page(text) { Ok(text) } else { Err(Error::BadPage) }
}

fn is_page(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('/') else { return false };
    let first = rest.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'"' | b'<' | b'>' | b'`');
    text.len() <= MAX_PAGE
        && !rest.starts_with('/')
        && text.bytes().all(is_plain)
        && !NOT_PAGES.contains(&first.as_str())
        && !text.split(|letter: char| !letter.is_ascii_digit()).any(|digits| digits.len() >= DIGITS_OF_A_NUMBER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_accepts_only_paths_of_the_site() {
        for text in ["/", "/ttsingle/3/ttmbhatv", "/memeCategory/0/1/memeworld?after=6&meme=7", "/video/7/MC%20Funny/3"]
        {
            assert!(page(Some(text)).is_ok_and(|page| page == text), "{text}");
        }
        assert!(page(None).is_ok_and(str::is_empty) && page(Some("")).is_ok_and(str::is_empty));
        let long = format!("/{}", "a".repeat(MAX_PAGE));
        for text in [
            "ttsingle/3",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example/",
            "javascript:alert(1)",
            "/api/subscribe/me",
            "/API/x",
            "/forms/leave",
            "/DoiRedirect?msisdn=1",
            "/a b",
            "/a\nb",
            "/\u{e9}",
            "/<script>",
            "/ttsingle/3/ttmbhatv/27812345678",
            "/redirect?msisdn=0812345678",
            &long,
        ] {
            assert!(matches!(page(Some(text)), Err(Error::BadPage)), "{text}");
        }
    }
}
