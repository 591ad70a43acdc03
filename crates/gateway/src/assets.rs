//! The front end's files, in memory.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use bytes::Bytes;
use http::{
    StatusCode,
    header::{self, HeaderValue},
};
use service::compression::Compression;
use sha2::{Digest, Sha256};

use crate::{
    conditions::is_fresh,
    request::Head,
    response::{Body, NO_SNIFF, Response, response, value},
};

/// The `Cache-Control` of a file whose name contains a hash: it never changes.
const CACHE_HASHED: &str = "public, max-age=31536000, immutable";

/// The `Cache-Control` of other files, which may change with the next release.
const CACHE_OTHER: &str = "public, max-age=3600";

/// A file and its compressed variants.
pub(crate) struct Asset {
    kind: HeaderValue,
    identity: Bytes,
    br: Option<Bytes>,
    gzip: Option<Bytes>,
    tag: String,
    cache_control: &'static str,
}

/// The front end's files by path.
pub(crate) struct Assets(HashMap<String, Asset>);

impl Assets {
    /// Reads every file below `folder` except those in `inner`. Blocks.
    pub(crate) fn load(folder: &Path, inner: &[&str]) -> std::io::Result<Self> {
        let mut files = HashMap::new();
        collect(folder, folder, &mut files)?;
        // The back office's own server sends its front end, which is built into the same folder.
        files.retain(|address, _| !address.starts_with("/backoffice/"));
        for name in inner {
            for compressed in ["", ".br", ".gz"] {
                files.remove(&format!("/{name}{compressed}"));
            }
        }
        Ok(Self(assets(&files)))
    }

    /// The file at a path.
    pub(crate) fn get(&self, address: &str) -> Option<&Asset> {
        self.0.get(address)
    }
}

/// Reads every regular file below `folder`, by path.
fn collect(root: &Path, folder: &Path, files: &mut HashMap<String, Bytes>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path: PathBuf = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if let Ok(below) = path.strip_prefix(root) {
            files.insert(format!("/{}", below.display()), std::fs::read(&path)?.into());
        }
    }
    Ok(())
}

fn assets(files: &HashMap<String, Bytes>) -> HashMap<String, Asset> {
    let is_sibling = |address: &str| {
        [".br", ".gz"]
            .iter()
            .any(|ending| address.strip_suffix(ending).is_some_and(|original| files.contains_key(original)))
    };
    files
        .iter()
        .filter(|(address, _)| !is_sibling(address))
        .map(|(address, identity)| {
            let asset = Asset {
                kind: value(&kind_of(address)),
                identity: identity.clone(),
                br: files.get(&format!("{address}.br")).cloned(),
                gzip: files.get(&format!("{address}.gz")).cloned(),
                tag: hex::encode(Sha256::digest(identity)),
                cache_control: if address.starts_with("/assets/") { CACHE_HASHED } else { CACHE_OTHER },
            };
            (address.clone(), asset)
        })
        .collect()
}

/// The speculation rules of pages: which links the browser may prerender.
pub(crate) const SPECULATION_RULES: &str = "/speculation-rules.json";

/// The content type by file extension; text is UTF-8.
fn kind_of(address: &str) -> String {
    if address == SPECULATION_RULES {
        return "application/speculationrules+json".to_owned();
    }
    let ending = address.rsplit_once('.').map_or("", |(_, ending)| ending);
    let kind = mime_guess::from_ext(ending).first_raw().unwrap_or("application/octet-stream");
    let is_text = kind.starts_with("text/") || matches!(kind, "image/svg+xml" | "application/json");
    if is_text { format!("{kind}; charset=utf-8") } else { kind.to_owned() }
}

impl Asset {
    /// Responds with the file in the encoding the client prefers, or with 304.
    pub(crate) fn respond(&self, head: &Head) -> Response {
        let (compression, bytes) = self.chosen(head);
        // Each encoding is a representation of its own and needs its own strong ETag.
        let etag = match compression {
            Some(compression) => format!("\"{}-{}\"", self.tag, compression.name()),
            None => format!("\"{}\"", self.tag),
        };
        let (status, body) = match is_fresh(head, &etag) {
            true => (StatusCode::NOT_MODIFIED, Body::Empty),
            false => (StatusCode::OK, Body::Whole(bytes.clone())),
        };
        let headers = [
            (header::ETAG, value(&etag)),
            (header::CACHE_CONTROL, HeaderValue::from_static(self.cache_control)),
            NO_SNIFF,
        ];
        let mut response = response(status, headers, body);
        let headers = response.headers_mut();
        if !self.offered().is_empty() {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        if status == StatusCode::OK {
            headers.insert(header::CONTENT_TYPE, self.kind.clone());
            if let Some(compression) = compression {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(compression.name()));
            }
        }
        response
    }

    /// The compressed variants, smallest first.
    fn offered(&self) -> &'static [Compression] {
        match (&self.br, &self.gzip) {
            (Some(_), Some(_)) => &[Compression::Br, Compression::Gzip],
            (Some(_), None) => &[Compression::Br],
            (None, Some(_)) => &[Compression::Gzip],
            (None, None) => &[],
        }
    }

    /// The variant that the client prefers.
    fn chosen(&self, head: &Head) -> (Option<Compression>, &Bytes) {
        let values = head.headers.get_all(header::ACCEPT_ENCODING).iter().map(HeaderValue::as_bytes);
        match (Compression::negotiate_among(values, self.offered()), &self.br, &self.gzip) {
            (Some(Compression::Br), Some(br), _) => (Some(Compression::Br), br),
            (Some(Compression::Gzip), _, Some(gzip)) => (Some(Compression::Gzip), gzip),
            _ => (None, &self.identity),
        }
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;
    use crate::request::tests::head;

    #[test]
    fn kind_of_uses_the_file_extension() {
        for (address, expected) in [
            ("/assets/app.1a2b.js", "text/javascript; charset=utf-8"),
            ("/a.css", "text/css; charset=utf-8"),
            ("/a.html", "text/html; charset=utf-8"),
            ("/a.svg", "image/svg+xml; charset=utf-8"),
            ("/a.json", "application/json; charset=utf-8"),
            ("/a.txt", "text/plain; charset=utf-8"),
            ("/a.webmanifest", "application/manifest+json"),
            ("/a.woff2", "font/woff2"),
            ("/a.webp", "image/webp"),
            ("/a.ico", "image/x-icon"),
            ("/LICENSE", "application/octet-stream"),
            ("/a.b/c", "application/octet-stream"),
        ] {
            assert_eq!(kind_of(address), expected, "{address}");
        }
    }

    #[test]
    fn respond_sends_the_negotiated_encoding_with_its_own_etag() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("assets")).unwrap();
        std::fs::create_dir_all(folder.path().join("backoffice/assets")).unwrap();
        for (name, bytes) in [
            ("backoffice/index.html", "the back office"),
            ("backoffice/assets/x.js", "the back office"),
            ("assets/a.js", "whole"),
            ("assets/a.js.br", "br"),
            ("assets/a.js.gz", "gz"),
            ("plain.bin", "plain"),
            ("index.html", "inner"),
            ("index.html.br", "inner"),
            (".hidden", "hidden"),
        ] {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        let assets = Assets::load(folder.path(), &["index.html"]).unwrap();
        for missing in [
            "/backoffice/index.html",
            "/backoffice/assets/x.js",
            "/assets/a.js.br",
            "/index.html",
            "/index.html.br",
            "/.hidden",
            "/assets",
        ] {
            assert!(assets.get(missing).is_none(), "{missing}");
        }
        let respond = |address: &str, headers: &[(&str, &str)]| {
            let request =
                headers.iter().fold(Request::get("/"), |request, (name, value)| request.header(*name, *value));
            let response = assets.get(address).unwrap().respond(&head(request));
            let text = |name: &str| response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
            let body = match response.body() {
                Body::Whole(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
                _ => String::new(),
            };
            (response.status().as_u16(), body, text("etag"), text("content-encoding"), text("vary"))
        };
        let tag = hex::encode(Sha256::digest("whole"));
        for (accepted, form, encoding) in [("br, gzip", "br", "br"), ("gzip", "gz", "gzip"), ("identity", "whole", "")]
        {
            let etag = if encoding.is_empty() { format!("\"{tag}\"") } else { format!("\"{tag}-{encoding}\"") };
            let (status, body, sent, named, vary) = respond("/assets/a.js", &[("accept-encoding", accepted)]);
            assert_eq!((status, body.as_str(), &sent, named.as_str()), (200, form, &etag, encoding));
            assert_eq!(vary, "accept-encoding");
            let fresh = respond("/assets/a.js", &[("accept-encoding", accepted), ("if-none-match", &etag)]);
            assert_eq!(fresh, (304, String::new(), etag, String::new(), vary));
        }
        let (status, body, _, encoding, vary) = respond("/plain.bin", &[("accept-encoding", "br, gzip")]);
        assert_eq!((status, body.as_str(), encoding.as_str(), vary.as_str()), (200, "plain", "", ""));
    }
}
