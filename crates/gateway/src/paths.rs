//! Unambiguous paths, which all parsers, here and in the services, split into the same segments.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use percent_encoding::percent_decode_str;

/// The decoded segments of a path; `None` if another parser might see other segments: dot segments, doubled slashes, backslashes, encoded
/// separators (also doubly encoded), NULs, invalid encodings. One trailing slash is ignored.
pub fn segments(path: &str) -> Option<Vec<String>> {
    each(path)?.map(|raw| segment(raw).map(Cow::into_owned)).collect()
}

/// Whether a path has [`segments`].
pub fn is_unambiguous(path: &str) -> bool {
    is_plain(path) || each(path).is_some_and(|mut raw| raw.all(|raw| segment(raw).is_some()))
}

/// Whether a path needs no further check: no escape, no empty segment and none that begins with a dot. Scans the whole path, which is faster
/// than stopping early.
fn is_plain(path: &str) -> bool {
    let odd = path.bytes().fold(false, |odd, b| odd | !b.is_ascii_graphic() | (b == b'%') | (b == b'\\'));
    let pairs = path.bytes().zip(path.bytes().skip(1));
    path.starts_with('/') && !pairs.fold(odd, |odd, (a, b)| odd | ((a == b'/') & ((b == b'/') | (b == b'.'))))
}

/// The segments as sent.
fn each(path: &str) -> Option<impl Iterator<Item = &str>> {
    let path = path.strip_prefix('/')?;
    let is_root = path.is_empty();
    Some(path.strip_suffix('/').unwrap_or(path).split('/').filter(move |_| !is_root))
}

fn segment(raw: &str) -> Option<Cow<'_, str>> {
    let literal = raw.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'%' | b'/' | b'\\'));
    let plain = if literal { Cow::Borrowed(raw) } else { decoded(raw)? };
    let steps = plain.is_empty() || plain == "." || plain.starts_with("..");
    (!steps).then_some(plain)
}

/// A segment without escapes; `None` if they hide characters that a segment cannot have.
fn decoded(raw: &str) -> Option<Cow<'_, str>> {
    let whole_escapes = raw.split('%').skip(1).all(|rest| {
        let mut digits = rest.bytes();
        digits.next().is_some_and(|b| b.is_ascii_hexdigit()) && digits.next().is_some_and(|b| b.is_ascii_hexdigit())
    });
    if !whole_escapes {
        return None;
    }
    let plain = percent_decode_str(raw).decode_utf8().ok()?;
    let hidden = plain.contains('%') && {
        let lower = plain.to_ascii_lowercase();
        ["%2e", "%2f", "%5c", "%00"].iter().any(|escape| lower.contains(escape))
    };
    let odd = plain.contains(['/', '\\']) || plain.chars().any(char::is_control);
    (!odd && !hidden).then_some(plain)
}

/// The regular file at `segments` below `root` (a canonical path); `None` for folders, dot files, and symbolic links anywhere in the path.
/// Blocks.
pub fn file_below(root: &Path, segments: &[String]) -> Option<PathBuf> {
    let path = below(root, segments)?;
    // A link in the path changes the canonical path.
    let real = path.canonicalize().ok()?;
    (real == path && real.is_file()).then_some(real)
}

/// The path of the segments, unless one is a dot file.
fn below(root: &Path, segments: &[String]) -> Option<PathBuf> {
    let shown = !segments.is_empty() && !segments.iter().any(|segment| segment.starts_with('.'));
    shown.then(|| segments.iter().fold(root.to_owned(), |path, segment| path.join(segment)))
}

#[cfg(test)]
mod tests {
    use super::{file_below, is_unambiguous, segments};

    #[test]
    fn file_below_accepts_only_regular_files() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("film")).unwrap();
        for file in ["film/a.ts", "film/.hidden", ".hidden"] {
            std::fs::write(root.join(file), "film").unwrap();
        }
        std::os::unix::fs::symlink("a.ts", root.join("film/link.ts")).unwrap();
        std::os::unix::fs::symlink("film", root.join("link")).unwrap();
        let find = |path: &str| file_below(&root, &path.split('/').map(str::to_owned).collect::<Vec<_>>());
        for path in ["film", "film/.hidden", ".hidden", "film/link.ts", "link/a.ts", "none", "film/none.ts"] {
            assert_eq!(find(path), None, "{path}");
        }
        assert_eq!(find("film/a.ts"), Some(root.join("film/a.ts")));
        assert_eq!(file_below(&root, &[]), None);
    }

    #[test]
    fn segments_rejects_ambiguous_paths() {
        for path in [
            "",
            "*",
            "x",
            "//",
            "/a//b",
            "/a/./b",
            "/a/../b",
            "/..",
            "/a/%2e%2e/b",
            "/a/%2E/b",
            "/a/.%2e/b",
            "/a%2fb",
            "/a%5cb",
            "/a\\b",
            "/a%00",
            "/a%0d%0ab",
            "/a/%252e%252e/b",
            "/a%252fb",
            "/a/%",
            "/a/%zz",
            "/a/%4",
            "/a/%ff",
            "/a/..;/b",
        ] {
            assert_eq!(segments(path), None, "{path}");
            assert!(!is_unambiguous(path), "{path}");
        }
    }

    #[test]
    fn segments_splits_plain_paths() {
        for (path, expected) in [
            ("/", vec![]),
            ("/a/b", vec!["a", "b"]),
            ("/a/b/", vec!["a", "b"]),
            ("/catVideos/Top%2010%25", vec!["catVideos", "Top 10%"]),
            ("/.well-known/x", vec![".well-known", "x"]),
            ("/caf%C3%A9", vec!["café"]),
        ] {
            assert_eq!(segments(path).unwrap(), expected, "{path}");
            assert!(is_unambiguous(path), "{path}");
        }
    }
}
