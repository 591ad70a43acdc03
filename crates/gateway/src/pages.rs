//! The page that every address of a brand's host gets, and what it carries: the brand, and the replies that the front end would ask
//! for first. So a visitor's first screen needs one trip.

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{
        Method, StatusCode,
        header::{self, AcceptEncoding, ContentEncoding, Encoding, Header, HeaderValue},
    },
    web::Data,
};
use brands::{Brand, Brands, Kind, PRICE_CENTS};
use bytes::Bytes;
use futures_util::future::join_all;
use identity::{Msisdn, cookie_name};
use maud::Render;
use moka::future::Cache;
use serde::Serialize;
use tokio::sync::OnceCell;
use url::Url;
use web::{StartError, pack::Packing};

use crate::{
    app::App,
    assets::Assets,
    cache::Shown,
    error::Error,
    paths,
    peer::Client,
    routes, site,
    views::{Asked, Views},
};

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

/// How long a page waits for the replies it is to carry; without them the front end asks by itself.
const REPLY_PATIENCE: Duration = Duration::from_millis(300);

/// Bytes of finished pages one process keeps at most, and for how long.
const MAX_KEPT_BYTES: u64 = 32 * 1024 * 1024;
const KEPT_FOR: Duration = Duration::from_secs(60);

/// Where the template takes what differs between requests.
const BOOT: &str = "<!--boot-->";

/// One brand under one label: its page before and after what differs between requests.
struct Frame {
    before: String,
    after: String,
    boot: serde_json::Map<String, serde_json::Value>,
    kind: Kind,
    service: String,
    home: String,
}

/// A finished page.
struct Page {
    whole: Bytes,
    br: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
}

/// Everything the front end consists of.
pub(crate) struct Frontend {
    assets: Assets,
    frames: BTreeMap<String, Frame>,
    views: Views,
    policy: String,
    finished: Cache<String, Arc<Page>>,
}

/// What the page knows before its first call, beside `session` (whether the request carried a session cookie, so that a page without
/// one need not ask whose it is) and `page` (what the address shows, for counting).
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
}

impl Frontend {
    /// Reads every file below `folder`, and prepares every brand's page.
    pub(crate) fn load(
        folder: &Path,
        brands: &Brands,
        operator: &Url,
        test_msisdn: Option<&Msisdn>,
    ) -> Result<Self, StartError> {
        let fault = |name: &str, cause: &dyn std::fmt::Display| {
            StartError::Setting(format!("FRONTEND_DIR: cannot read {}: {cause}", folder.join(name).display()))
        };
        let template =
            std::fs::read_to_string(folder.join("index.html")).map_err(|error| fault("index.html", &error))?;
        let views = Views::load(&folder.join(Views::FILE)).map_err(|error| fault(Views::FILE, &error))?;
        let assets = Assets::load(folder, &["index.html", Views::FILE]).map_err(|error| fault("its files", &error))?;
        let mut frames = BTreeMap::new();
        for brand in brands.iter() {
            for label in &brand.labels {
                let frame = Frame::new(&template, brand, label, operator, test_msisdn);
                frames.insert(label.clone(), frame.map_err(|error| fault("index.html", &error))?);
            }
        }
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; \
             media-src 'self' blob:; connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; \
             form-action 'self' {}; frame-ancestors 'none'",
            operator.origin().ascii_serialization()
        );
        let finished = Cache::builder()
            .max_capacity(MAX_KEPT_BYTES)
            .weigher(|key: &String, page: &Arc<Page>| {
                u32::try_from(key.len() + page.whole.len().saturating_mul(2)).unwrap_or(u32::MAX)
            })
            .time_to_live(KEPT_FOR)
            .build();
        Ok(Self { assets, frames, views, policy, finished })
    }
}

impl Frame {
    fn new(
        template: &str,
        brand: &Brand,
        label: &str,
        operator: &Url,
        test_msisdn: Option<&Msisdn>,
    ) -> Result<Self, serde_json::Error> {
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
        };
        let colour = brand.theme.get("background").map_or("", String::as_str);
        let (before, after) = template.split_once(BOOT).unwrap_or((template, ""));
        let dressed = |part: &str| {
            part.replace("%BRAND_NAME%", &brand.name.render().into_string())
                .replace("%THEME_COLOR%", &colour.render().into_string())
        };
        Ok(Self {
            before: dressed(before),
            after: dressed(after),
            boot: serde_json::from_value(serde_json::to_value(&boot)?)?,
            kind: brand.kind,
            service: brand.service.clone(),
            home: brand.home.clone(),
        })
    }

    /// The whole page.
    fn write(&self, page: Option<&str>, session: bool, replies: &[(String, Shown)]) -> Result<Bytes, Error> {
        let unwritable = |error: serde_json::Error| Error::Internal(error.to_string());
        let mut boot = self.boot.clone();
        boot.insert("session".to_owned(), session.into());
        if let Some(page) = page {
            boot.insert("page".to_owned(), page.into());
        }
        let mut text = self.before.clone();
        put_json(&mut text, "boot", &serde_json::to_string(&boot).map_err(unwritable)?);
        if !replies.is_empty() {
            let mut carried = String::from("{");
            for (address, shown) in replies {
                // What a service sends is JSON, or not for a page.
                let Ok(reply) = std::str::from_utf8(&shown.body) else { continue };
                if carried.len() > 1 {
                    carried.push(',');
                }
                carried.push_str(&serde_json::to_string(address).map_err(unwritable)?);
                carried.push(':');
                carried.push_str(reply);
            }
            carried.push('}');
            put_json(&mut text, "replies", &carried);
        }
        text.push_str(&self.after);
        Ok(text.into())
    }
}

/// A script element that is data. Inside of it only `<` can end it or begin a comment, and in JSON it stands in strings alone.
fn put_json(text: &mut String, id: &str, json: &str) {
    text.push_str("<script type=\"application/json\" id=\"");
    text.push_str(id);
    text.push_str("\">");
    text.push_str(&json.replace('<', "\\u003c"));
    text.push_str("</script>");
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
        Some(label) => app.frontend.page(&req, &app, &label).await,
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
    /// Whether there is a page of this name.
    pub(crate) fn has_page(&self, name: &str) -> bool {
        self.views.names(name)
    }

    async fn page(&self, req: &HttpRequest, app: &App, label: &str) -> Result<HttpResponse, Error> {
        let frame = self.frames.get(label).ok_or(Error::NotFound)?;
        let session = req.cookie(&cookie_name(label)).is_some();
        let asked = self.views.of(req.uri().path(), frame.kind, &frame.service, &frame.home);
        let replies = match &asked {
            Some(asked) => carried(app, label, asked).await,
            None => Vec::new(),
        };
        let name = asked.as_ref().map(|asked| asked.page);
        // A reply without a tag is never the same twice.
        let tags: Option<Vec<String>> =
            replies.iter().map(|(address, shown)| Some(format!("{address} {}", shown.tag.as_ref()?))).collect();
        let finish = async { Ok(Arc::new(Page::new(frame.write(name, session, &replies)?))) };
        let page = match tags {
            Some(tags) => {
                let key = format!("{label} {session} {} {}", name.unwrap_or_default(), tags.join(" "));
                self.finished.try_get_with(key, finish).await.map_err(|error: Arc<Error>| Error::clone(&error))?
            }
            None => finish.await?,
        };
        let mut reply = self.headers(Client::of(req, &app.proxies).https);
        for file in asked.iter().flat_map(|asked| asked.files) {
            reply.append_header((header::LINK, file.clone()));
        }
        Ok(match page.packed_for(req).await {
            Some((encoding, body)) => reply.insert_header((header::CONTENT_ENCODING, encoding)).body(body),
            None => reply.body(page.whole.clone()),
        })
    }

    fn headers(&self, https: bool) -> HttpResponseBuilder {
        let mut reply = HttpResponse::Ok();
        reply
            .content_type("text/html; charset=utf-8")
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .insert_header((header::VARY, "accept-encoding"))
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

/// The replies that an address asks for first, as far as they can be had at once.
async fn carried(app: &App, label: &str, asked: &Asked<'_>) -> Vec<(String, Shown)> {
    let shown = asked.replies.iter().map(|address| async move {
        let service = routes::service_of(address.split('?').next().unwrap_or_default())?;
        let shown = app.replies.shown(app, service, label, address);
        let shown = tokio::time::timeout(REPLY_PATIENCE, shown).await.ok()??;
        Some((address.clone(), shown))
    });
    join_all(shown).await.into_iter().flatten().collect()
}

impl Page {
    fn new(whole: Bytes) -> Self {
        Self { whole, br: OnceCell::new(), gzip: OnceCell::new() }
    }

    /// The page as the client would rather have it; nothing where that is the whole one.
    async fn packed_for(&self, req: &HttpRequest) -> Option<(HeaderValue, Bytes)> {
        if !req.headers().contains_key(header::ACCEPT_ENCODING) {
            return None;
        }
        let offered = [Encoding::brotli(), Encoding::gzip(), Encoding::identity()];
        let (packing, cell) = match AcceptEncoding::parse(req).ok()?.negotiate(offered.iter())? {
            Encoding::Known(ContentEncoding::Brotli) => (Packing::Br, &self.br),
            Encoding::Known(ContentEncoding::Gzip) => (Packing::Gzip, &self.gzip),
            _ => return None,
        };
        let packed = cell.get_or_try_init(|| packing.pack(self.whole.clone())).await.ok()?;
        Some((HeaderValue::from_static(packing.name()), packed.clone()))
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
