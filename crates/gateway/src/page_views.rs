//! What each path of the front end shows first: its page's name, files and replies, as listed by the front end's build.

use std::{io, path::Path};

use brands::Kind;
use http::header::{HeaderValue, InvalidHeaderValue};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use crate::response::inline_source;

/// What browsers leave as it is in a part of an address (`encodeURIComponent`, ECMA-262 section 19.2.6.4).
pub(crate) const PART: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// One entry of the list.
#[derive(Deserialize)]
struct Line {
    /// The kind of brand it applies to; all kinds if absent.
    kind: Option<Kind>,
    /// Path segments, with `*` for any; or `{home}`, the brand's home path; or `*` alone, any other path.
    path: String,
    page: String,
    #[serde(default)]
    files: Vec<String>,
    /// Addresses, in which `{1}` is the segment of the first `*`, `{service}` the brand's service, and `{q}` the query of a search: without
    /// one, the address is left out.
    #[serde(default)]
    replies: Vec<String>,
    /// Whether its first screen is embedded for hydration. If not, it is beside the root until the application has started.
    #[serde(default)]
    screen: bool,
    /// Addresses of replies about the visitor's own session. A page without other replies embeds them.
    #[serde(default)]
    own: Vec<String>,
    /// Whether the first reply is a paged list, or the first of the visitor's own ones where it has no other: a browser without scripts
    /// requests the items after one by `?after=`.
    #[serde(default)]
    list: bool,
    /// Where the page redirects by itself, with `{query}` for the page's own query; a browser without scripts is redirected there.
    forward: Option<String>,
}

struct ListedView {
    line: Line,
    /// `Link` headers, with which the browser preloads the scripts.
    links: Vec<HeaderValue>,
    styles: Styles,
}

/// The stylesheets of a page beside the one of all pages: they stand in the page, so that the browser renders without another request.
#[derive(Default)]
pub(crate) struct Styles {
    /// The elements, each with the address of its file: the front end does not load it again.
    pub(crate) elements: String,
    /// What `style-src` must allow for them, each after a blank.
    pub(crate) sources: String,
}

/// The list.
pub(crate) struct PageViews(Vec<ListedView>);

/// What a path needs first.
pub(crate) struct PageView<'a> {
    /// The page's name.
    pub(crate) page: &'a str,
    /// `Link` headers of its scripts.
    pub(crate) scripts: &'a [HeaderValue],
    /// Its stylesheets.
    pub(crate) styles: &'a Styles,
    /// Addresses of the replies that it embeds.
    pub(crate) replies: Vec<String>,
    /// Whether its first screen is embedded for hydration.
    pub(crate) screen: bool,
    /// Addresses of replies about the visitor's own session.
    pub(crate) own: Vec<String>,
    /// Whether the first reply is a paged list.
    pub(crate) list: bool,
    /// Where it redirects by itself.
    pub(crate) forward: Option<&'a str>,
    /// Whether the path names an item, which the first reply is about.
    pub(crate) names_item: bool,
}

/// The page's name at every path without another entry.
const NOT_FOUND: &str = "not-found";

impl PageView<'_> {
    /// Whether the path is not one of the front end's.
    pub(crate) fn is_not_found(&self) -> bool {
        self.page == NOT_FOUND
    }
}

impl PageViews {
    /// The list's name in the front end's folder.
    pub(crate) const FILE: &str = "first-views.json";

    /// Reads the list, and the stylesheets that it names, from the front end's folder.
    pub(crate) fn load(folder: &Path) -> io::Result<Self> {
        let lines: Vec<Line> = serde_json::from_slice(&std::fs::read(folder.join(Self::FILE))?)?;
        let views = lines.into_iter().map(|line| {
            let (sheets, scripts): (Vec<_>, Vec<_>) = line.files.iter().partition(|file| file.ends_with(".css"));
            let links =
                scripts.into_iter().map(|file| link(file)).collect::<Result<_, _>>().map_err(io::Error::other)?;
            let mut styles = Styles::default();
            for sheet in sheets {
                styles.add(sheet, &std::fs::read_to_string(folder.join(sheet.trim_start_matches('/')))?);
            }
            Ok(ListedView { line, links, styles })
        });
        Ok(Self(views.collect::<io::Result<_>>()?))
    }

    /// The entry of a path on a brand's host; `None` if there is none. `query`: what the visitor searches for.
    pub(crate) fn of(
        &self,
        path: &str,
        (kind, service, home): (Kind, &str, &str),
        query: Option<&str>,
    ) -> Option<PageView<'_>> {
        let of_kind = self.0.iter().filter(|view| view.line.kind.is_none_or(|of| of == kind));
        let (view, parts) = of_kind
            .filter_map(|view| {
                let pattern = if view.line.path == "{home}" { home } else { &view.line.path };
                Some((view, matched(pattern, path)?))
            })
            .next()?;
        let service = utf8_percent_encode(service, PART).to_string();
        let query = query.map(|query| utf8_percent_encode(query, PART).to_string());
        let fill = |address: &String| {
            let filled = address.replace("{service}", &service).replace("{q}", query.as_deref().unwrap_or_default());
            parts.iter().enumerate().fold(filled, |text, (at, part)| text.replace(&format!("{{{}}}", at + 1), part))
        };
        let Line { page, screen, list, .. } = &view.line;
        Some(PageView {
            page,
            scripts: &view.links,
            styles: &view.styles,
            replies: view
                .line
                .replies
                .iter()
                .filter(|address| query.is_some() || !address.contains("{q}"))
                .map(fill)
                .collect(),
            screen: *screen,
            own: view.line.own.iter().map(fill).collect(),
            list: *list,
            forward: view.line.forward.as_deref(),
            names_item: !parts.is_empty() && !view.line.replies.is_empty(),
        })
    }

    /// Whether it lists a page of this name.
    pub(crate) fn has_page(&self, page: &str) -> bool {
        self.0.iter().any(|view| view.line.page == page)
    }
}

impl Styles {
    /// Adds a stylesheet. One that would end its element stays in its file, which the front end then loads.
    fn add(&mut self, address: &str, rules: &str) {
        if !rules.contains("</") {
            self.elements.push_str(&format!("<style data-href=\"{address}\">{rules}</style>"));
            self.sources.push_str(&format!(" {}", inline_source(rules)));
        }
    }
}

fn link(script: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    HeaderValue::from_str(&format!("<{script}>; rel=preload; as=script"))
}

/// The segments that match each `*` of a pattern; `None` if the path does not match. A lone `*` matches any path.
fn matched<'a>(pattern: &str, path: &'a str) -> Option<Vec<&'a str>> {
    if pattern == "*" {
        return Some(Vec::new());
    }
    let mut parts = Vec::new();
    let (mut expected, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (expected.next(), given.next()) {
            (None, None) => return Some(parts),
            (Some("*"), Some(part)) if !part.is_empty() => parts.push(part),
            (Some(expected), Some(part)) if expected == part => {}
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_matches_segments_and_fills_in_reply_addresses() {
        let lines = r#"[
            {"kind":"comedy","path":"/","page":"home","files":["/assets/a.js","/assets/a.css"],"replies":["/api/x?service={service}"]},
            {"kind":null,"path":"{home}","page":"home","replies":[]},
            {"kind":null,"path":"/video/*/*","page":"video","replies":["/api/v/{2}/{1}"]},
            {"kind":"meme","path":"/search","page":"search","replies":["/api/s/{service}?q={q}","/api/c"]},
            {"kind":"diski","path":"*","page":"not-found"}
        ]"#;
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("assets")).unwrap();
        std::fs::write(folder.path().join("assets/a.css"), "a{b:c}").unwrap();
        std::fs::write(folder.path().join(PageViews::FILE), lines).unwrap();
        let views = PageViews::load(folder.path()).unwrap();
        let of = |path: &str, kind| views.of(path, (kind, "MC Funny", "/redirect"), None);
        let home = of("/", Kind::Comedy).unwrap();
        assert!(!home.is_not_found() && !home.names_item);
        assert_eq!((home.page, home.replies), ("home", vec!["/api/x?service=MC%20Funny".to_owned()]));
        let links: Vec<_> = home.scripts.iter().map(|link| link.to_str().unwrap()).collect();
        assert_eq!(links, ["</assets/a.js>; rel=preload; as=script"]);
        assert_eq!(home.styles.elements, "<style data-href=\"/assets/a.css\">a{b:c}</style>");
        assert_eq!(home.styles.sources, format!(" {}", inline_source("a{b:c}")));
        assert!(of("/", Kind::Meme).is_none());
        assert!(of("/redirect", Kind::Meme).is_some());
        let video = of("/video/7/S.A%20x", Kind::Tt).unwrap();
        assert!(video.names_item);
        assert_eq!(video.replies, ["/api/v/S.A%20x/7"]);
        for path in ["/video/7", "/video/7/", "/video/7/8/9", "/Video/7/8"] {
            assert!(of(path, Kind::Tt).is_none(), "{path}");
        }
        assert!(of("/video/7", Kind::Diski).unwrap().is_not_found());
        assert_eq!(of("/search", Kind::Meme).unwrap().replies, ["/api/c"]);
        let found = views.of("/search", (Kind::Meme, "memeworld", "/"), Some("a b&c")).unwrap();
        assert_eq!(found.replies, ["/api/s/memeworld?q=a%20b%26c", "/api/c"]);
        assert!(views.has_page("video") && !views.has_page("nothing"));
        std::fs::write(folder.path().join(PageViews::FILE), "{}").unwrap();
        assert!(PageViews::load(folder.path()).is_err());
    }
}
