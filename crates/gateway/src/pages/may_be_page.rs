//! Which paths may be pages: the others are answered at once, without a page's reply.

/// First path segments that are never a page.
const NOT_PAGES: [&str; 7] = ["api", "assets", "img", "internal", "media", "metrics", "preview"];

/// File extensions: if there is no such file, the response is not a page.
const FILE_ENDINGS: [&str; 32] = [
    "asp",
    "aspx",
    "avif",
    "axd",
    "bak",
    "br",
    "cgi",
    "css",
    "env",
    "gif",
    "gz",
    "htm",
    "html",
    "ico",
    "jpeg",
    "jpg",
    "js",
    "json",
    "jsp",
    "map",
    "mjs",
    "mp4",
    "php",
    "png",
    "sql",
    "svg",
    "ts",
    "txt",
    "wasm",
    "webmanifest",
    "webp",
    "xml",
];

/// Whether a path may be a page.
pub(super) fn may_be_page(segments: &[String]) -> bool {
    let reserved = segments.first().is_some_and(|first| NOT_PAGES.contains(&first.as_str()));
    let hidden = segments.iter().any(|segment| segment.starts_with('.'));
    let file = segments
        .last()
        .and_then(|last| last.rsplit_once('.'))
        .is_some_and(|(_, ending)| FILE_ENDINGS.contains(&ending.to_ascii_lowercase().as_str()));
    !reserved && !hidden && !file
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::segments;

    #[test]
    fn may_be_page_rejects_missing_files() {
        for path in [
            "/",
            "/login",
            "/DoiRedirect",
            "/video/7/MC%20Funny/3",
            "/ttcategory/Vol.%202/ttmbhatv",
            "/ttcategory/S.A/raceday",
        ] {
            assert!(may_be_page(&segments(path).unwrap()), "{path}");
        }
        for path in [
            "/api",
            "/api/x",
            "/assets/x.js",
            "/old.js",
            "/app.js.map",
            "/.git/config",
            "/.env",
            "/internal/imports",
            "/wp.PHP",
        ] {
            assert!(!may_be_page(&segments(path).unwrap()), "{path}");
        }
    }
}
