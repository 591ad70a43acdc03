//! The front end's files, in memory, and the page that every other address of a brand's host gets.

use std::{
    collections::{BTreeMap, HashMap},
    io::Write,
    path::{Path, PathBuf},
};

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{
        Method, StatusCode,
        header::{self, AcceptEncoding, ContentEncoding, Encoding, EntityTag, Header, IfNoneMatch},
    },
    web::Data,
};
use brands::{Brand, Brands, Kind, PRICE_CENTS};
use bytes::Bytes;
use identity::{Msisdn, cookie_name};
use maud::Render;
use serde::Serialize;
use sha2::{Digest, Sha256};
use url::Url;
use web::StartError;

use crate::{app::App, error::Error, images::hex, paths, peer::Client, site};

/// First segments that are never a page.
const NOT_PAGES: [&str; 6] = ["api", "assets", "img", "internal", "media", "metrics"];

/// Endings that ask for a file: where there is none, a page would only mislead.
const FILE_ENDINGS: [&str; 28] = [
    "avif",
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

/// What a browser keeps of the address of the page that sent it: the origin alone, since addresses carry numbers. Not
/// `no-referrer`, under which browsers send `Origin: null` with a form.
const REFERRER_POLICY: &str = "strict-origin";

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

/// One brand's page, as a visitor without and with a session cookie gets it.
struct Page {
    without_session: Bytes,
    with_session: Bytes,
}

/// Everything the front end consists of.
pub(crate) struct Frontend {
    assets: HashMap<String, Asset>,
    pages: HashMap<String, Page>,
    policy: String,
}

/// What the page knows before its first call.
#[derive(Serialize)]
struct Boot<'a> {
    label: &'a str,
    kind: Kind,
    service: &'a str,
    svc_id: i32,
    name: &'a str,
    join: &'a str,
    home: &'a str,
    price_cents: i64,
    test_msisdn: Option<&'a str>,
    opt_in_url: String,
    image_prefix: &'a str,
    helpline: &'a str,
    support_email: &'a str,
    theme: &'a BTreeMap<String, String>,
    copy: &'a BTreeMap<String, String>,
    /// Whether the request carried a session cookie, so that a page without one need not ask whose it is.
    session: bool,
}

impl Frontend {
    /// Reads every file below `folder`, and writes every brand's page.
    pub(crate) fn load(
        folder: &Path,
        brands: &Brands,
        operator: &Url,
        test_msisdn: Option<&Msisdn>,
    ) -> Result<Self, StartError> {
        let fault = |cause: &dyn std::fmt::Display| {
            StartError::Setting(format!("FRONTEND_DIR: cannot read {}: {cause}", folder.join("index.html").display()))
        };
        let template = std::fs::read_to_string(folder.join("index.html")).map_err(|error| fault(&error))?;
        let mut files = HashMap::new();
        collect(folder, folder, &mut files).map_err(|error| fault(&error))?;
        files.remove("/index.html");
        let mut pages = HashMap::new();
        for brand in brands.iter() {
            for label in &brand.labels {
                let page = |session| {
                    write_page(&template, brand, label, operator, test_msisdn, session).map_err(|error| fault(&error))
                };
                pages.insert(label.clone(), Page { without_session: page(false)?, with_session: page(true)? });
            }
        }
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; \
             media-src 'self' blob:; connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; \
             form-action 'self' {}; frame-ancestors 'none'",
            operator.origin().ascii_serialization()
        );
        Ok(Self { assets: assets(&files), pages, policy })
    }
}

fn write_page(
    template: &str,
    brand: &Brand,
    label: &str,
    operator: &Url,
    test_msisdn: Option<&Msisdn>,
    session: bool,
) -> Result<Bytes, serde_json::Error> {
    let boot = Boot {
        label,
        kind: brand.kind,
        service: &brand.service,
        svc_id: brand.svc_id,
        name: &brand.name,
        join: &brand.join,
        home: &brand.home,
        price_cents: PRICE_CENTS,
        test_msisdn: test_msisdn.map(Msisdn::as_str),
        opt_in_url: format!("{}/opt-in?svc_id={}", operator.as_str().trim_end_matches('/'), brand.svc_id),
        image_prefix: "/img",
        helpline: &brand.helpline,
        support_email: &brand.support_email,
        theme: &brand.theme,
        copy: &brand.copy,
        session,
    };
    // Inside a script element only `<` can end it or begin a comment.
    let boot = serde_json::to_string(&boot)?.replace('<', "\\u003c");
    let colour = brand.theme.get("background").map_or("", String::as_str);
    // The boot data goes in last, so that a value of it is never taken for a place to fill.
    let page = template
        .replace("%BRAND_NAME%", &brand.name.render().into_string())
        .replace("%THEME_COLOR%", &colour.render().into_string())
        .replace("<!--boot-->", &format!("<script type=\"application/json\" id=\"boot\">{boot}</script>"));
    Ok(page.into())
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

/// Whatever no other route answers: a file of the front end on any host, a page on a brand's host, the directory elsewhere.
pub(crate) async fn serve(req: HttpRequest, app: Data<App>) -> Result<HttpResponse, Error> {
    let path = req.uri().path();
    if !matches!(*req.method(), Method::GET | Method::HEAD) {
        return Err(Error::Method("GET, HEAD"));
    }
    if let Some(asset) = app.frontend.assets.get(path) {
        return Ok(asset.reply(&req));
    }
    let segments = paths::segments(path).ok_or(Error::AmbiguousPath)?;
    if !may_be_page(&segments) {
        return Err(Error::NotFound);
    }
    match site::label(&app.brands, &req) {
        Some(label) => {
            let page = app.frontend.pages.get(&label).ok_or(Error::NotFound)?;
            let has_session = req.cookie(&cookie_name(&label)).is_some();
            let page = if has_session { &page.with_session } else { &page.without_session };
            let https = Client::of(&req, &app.proxies).https;
            Ok(app.frontend.page_headers(https).body(page.clone()))
        }
        None if segments.is_empty() => Ok(app.directory.page(StatusCode::OK)),
        None => Ok(app.directory.page(StatusCode::NOT_FOUND)),
    }
}

/// Whether a path may be one of the front end's own addresses.
fn may_be_page(segments: &[String]) -> bool {
    let reserved = segments.first().is_some_and(|first| NOT_PAGES.contains(&first.as_str()));
    let hidden = segments.iter().any(|segment| segment.starts_with('.'));
    let file = segments
        .last()
        .and_then(|last| last.rsplit_once('.'))
        .is_some_and(|(_, ending)| FILE_ENDINGS.contains(&ending.to_ascii_lowercase().as_str()));
    !reserved && !hidden && !file
}

impl Frontend {
    fn page_headers(&self, https: bool) -> HttpResponseBuilder {
        let mut reply = HttpResponse::Ok();
        reply
            .content_type("text/html; charset=utf-8")
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .insert_header((header::CONTENT_SECURITY_POLICY, self.policy.as_str()))
            .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .insert_header((header::REFERRER_POLICY, REFERRER_POLICY))
            .insert_header(("cross-origin-opener-policy", "same-origin"));
        if https {
            reply.insert_header((header::STRICT_TRANSPORT_SECURITY, "max-age=31536000"));
        }
        reply
    }
}

impl Asset {
    /// Text made here: identity and gzip.
    pub(crate) fn packed(kind: &str, identity: Bytes, keep: &'static str) -> Self {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        let packed = encoder.write_all(&identity).and_then(|()| encoder.finish());
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

#[cfg(test)]
mod tests {
    use super::may_be_page;
    use crate::paths::segments;

    #[test]
    fn the_front_ends_addresses_are_pages_and_lost_files_are_not() {
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
            "/internal/import",
            "/wp.PHP",
        ] {
            assert!(!may_be_page(&segments(path).unwrap()), "{path}");
        }
    }
}
