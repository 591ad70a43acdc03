//! Paths: of requests, to files below a folder and to services; of media in manifests; and of what playlists name.

use std::{path::PathBuf, sync::LazyLock};

use catalogue::manifest::{FieldType as _, Media};
use gateway::{paths, service_of};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use tempfile::TempDir;
use url::Url;

target!("paths", 20000, holds);

/// A folder with a file in it and one beside it, which a link leads to.
static FOLDER: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap().join("media");
    std::fs::create_dir_all(root.join("film")).unwrap();
    std::fs::write(root.join("film/a.ts"), "film").unwrap();
    std::fs::write(root.join("film/.hidden"), "hidden").unwrap();
    std::fs::write(root.parent().unwrap().join("secret"), "secret").unwrap();
    std::os::unix::fs::symlink("../secret", root.join("link")).unwrap();
    (folder, root)
});

fn encoded<'a>(segments: impl IntoIterator<Item = &'a str>) -> String {
    segments
        .into_iter()
        .fold(String::new(), |path, segment| format!("{path}/{}", utf8_percent_encode(segment, NON_ALPHANUMERIC)))
}

fn holds(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    request(text);
    media(text);
    playlist(text);
}

fn request(path: &str) {
    let Some(segments) = paths::segments(path) else { return };
    for segment in &segments {
        assert!(
            !segment.is_empty() && segment != "." && !segment.starts_with("..") && !segment.contains(['/', '\\']),
            "{path:?}"
        );
        // Decoding once more yields no other segments.
        let again = percent_decode_str(segment).decode_utf8_lossy().into_owned();
        assert!(again != "." && !again.starts_with("..") && !again.contains(['/', '\\', '\0']), "{path:?}");
    }
    let again = encoded(segments.iter().map(String::as_str));
    assert_eq!(paths::segments(&format!("{again}/")).as_ref(), Some(&segments), "{path:?} as {again}");
    let root = &FOLDER.1;
    if let Some(file) = paths::file_below(root, &segments) {
        assert_eq!(file, root.join("film/a.ts"), "{path:?} leads there");
    }
    if let Some(service) = service_of(path) {
        let raw: Vec<_> = path.split('/').skip(1).take(2).collect();
        assert_eq!(raw, segments[..2], "{path:?} is {}'s by another spelling", service.name());
    }
}

/// A manifest's path is the address at which a browser finds the file.
fn media(path: &str) {
    if Media(path.to_owned()).check("film").is_ok() {
        beside("http://tv.example/media/", path, &["media"]);
        assert!(path.starts_with("film/"), "{path:?}");
    }
}

/// What a playlist names is found beside it.
fn playlist(address: &str) {
    if content::doctor::is_below(address) {
        beside("http://tv.example/media/film/", address, &["media", "film"]);
    }
}

fn beside(base: &str, address: &str, folders: &[&str]) {
    let url = Url::parse(base).unwrap().join(address).unwrap();
    assert!(
        url.as_str().starts_with(base) && url.query().is_none() && url.fragment().is_none(),
        "{address:?} is {url}"
    );
    let expected: Vec<_> = folders.iter().copied().chain(address.split('/')).collect();
    assert_eq!(paths::segments(url.path()).unwrap_or_default(), expected, "{address:?} is {url}");
}
