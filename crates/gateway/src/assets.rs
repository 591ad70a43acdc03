//! The front end's files, in memory.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, AcceptEncoding, ContentEncoding, Encoding, EntityTag, Header, IfNoneMatch},
};
use bytes::Bytes;
use sha2::{Digest, Sha256};
use web::pack::gzip;

use crate::images::hex;

/// A name with a hash in it never means another file.
const KEEP_HASHED: &str = "public, max-age=31536000, immutable";

/// Everything else may change with the next release.
const KEEP_PLAIN: &str = "public, max-age=3600";

/// A file and its compressed siblings.
pub(crate) struct Asset {
    kind: String,
    identity: Bytes,
    br: Option<Bytes>,
    gzip: Option<Bytes>,
    tag: String,
    keep: &'static str,
}

/// The front end's files, by their addresses.
pub(crate) struct Assets(HashMap<String, Asset>);

impl Assets {
    /// Reads every file below `folder` but those in `inner`, which are for us alone.
    pub(crate) fn load(folder: &Path, inner: &[&str]) -> std::io::Result<Self> {
        let mut files = HashMap::new();
        collect(folder, folder, &mut files)?;
        for name in inner {
            for packed in ["", ".br", ".gz"] {
                files.remove(&format!("/{name}{packed}"));
            }
        }
        Ok(Self(assets(&files)))
    }

    pub(crate) fn get(&self, address: &str) -> Option<&Asset> {
        self.0.get(address)
    }
}

/// Every regular file below `folder`, by its address.
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
                kind: kind_of(address),
                identity: identity.clone(),
                br: files.get(&format!("{address}.br")).cloned(),
                gzip: files.get(&format!("{address}.gz")).cloned(),
                tag: hex(&Sha256::digest(identity)),
                keep: if address.starts_with("/assets/") { KEEP_HASHED } else { KEEP_PLAIN },
            };
            (address.clone(), asset)
        })
        .collect()
}

fn kind_of(address: &str) -> String {
    let ending = address.rsplit_once('.').map_or("", |(_, ending)| ending);
    let kind = actix_files::file_extension_to_mime(ending).to_string();
    let is_text = kind.starts_with("text/") || kind == "image/svg+xml" || kind == "application/json";
    if is_text { format!("{kind}; charset=utf-8") } else { kind }
}

impl Asset {
    /// Text made here: identity and gzip.
    pub(crate) fn packed(kind: &str, identity: Bytes, keep: &'static str) -> Self {
        let packed = gzip(&identity);
        let tag = hex(&Sha256::digest(&identity));
        Self { kind: kind.to_owned(), identity, br: None, gzip: packed.ok().map(Bytes::from), tag, keep }
    }

    pub(crate) fn reply(&self, req: &HttpRequest) -> HttpResponse {
        let (encoding, bytes) = self.chosen(req);
        // Each encoding is a representation of its own, so it has its own strong tag.
        let etag =
            EntityTag::new_strong(encoding.map_or_else(|| self.tag.clone(), |name| format!("{}-{name}", self.tag)));
        let fresh = is_fresh(IfNoneMatch::parse(req).ok(), req, &etag);
        let mut reply = if fresh { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        reply
            .insert_header(header::ETag(etag))
            .insert_header((header::CACHE_CONTROL, self.keep))
            .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"));
        if self.br.is_some() || self.gzip.is_some() {
            reply.insert_header((header::VARY, "accept-encoding"));
        }
        if fresh {
            return reply.finish();
        }
        if let Some(name) = encoding {
            reply.insert_header((header::CONTENT_ENCODING, name));
        }
        reply.content_type(self.kind.as_str()).body(bytes.clone())
    }

    /// The smallest form that the client takes.
    fn chosen(&self, req: &HttpRequest) -> (Option<&'static str>, &Bytes) {
        let mut offered = Vec::with_capacity(3);
        if self.br.is_some() {
            offered.push(Encoding::brotli());
        }
        if self.gzip.is_some() {
            offered.push(Encoding::gzip());
        }
        offered.push(Encoding::identity());
        let chosen = AcceptEncoding::parse(req).ok().and_then(|accepted| accepted.negotiate(offered.iter()));
        match (chosen, &self.br, &self.gzip) {
            (Some(Encoding::Known(ContentEncoding::Brotli)), Some(br), _) => (Some("br"), br),
            (Some(Encoding::Known(ContentEncoding::Gzip)), _, Some(gzip)) => (Some("gzip"), gzip),
            _ => (None, &self.identity),
        }
    }
}

/// Whether the client's copy, by its tag, is still the right one.
pub(crate) fn is_fresh(condition: Option<IfNoneMatch>, req: &HttpRequest, etag: &EntityTag) -> bool {
    match condition {
        Some(IfNoneMatch::Any) => req.headers().contains_key(header::IF_NONE_MATCH),
        Some(IfNoneMatch::Items(tags)) => tags.iter().any(|tag| tag.weak_eq(etag)),
        None => false,
    }
}
