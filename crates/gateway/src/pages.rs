//! The page that every address of a brand's host gets, and what it carries: the brand, the replies that the front end would ask
//! for first, and the first screen itself. So a visitor sees it after one trip.

mod frame;
mod join_form;
mod screens;
mod template;

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{Method, StatusCode, Uri, header},
    web::Data,
};
use arc_swap::ArcSwap;
use brands::Brands;
use futures_util::future::join_all;
use identity::{Msisdn, cookie_name};
use moka::future::Cache;
use url::{Url, form_urlencoded};
use web::{StartError, pack::Body};

pub use join_form::JoinForm;
pub(crate) use join_form::join;

use frame::{Content, Elsewhere, Frame};
use screens::{Scene, Screens};
use template::Template;

use crate::{
    app::App,
    asked::Asked as _,
    assets::Assets,
    cache::Shown,
    error::Error,
    paths, routes, site,
    views::{Asked, Views},
};

/// First segments that are never a page.
const NOT_PAGES: [&str; 6] = ["api", "assets", "img", "internal", "media", "metrics"];

/// Endings that ask for a file: where there is none, a page would only mislead.
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

/// What a browser keeps of the address of the page that sent it: the origin alone, since addresses carry numbers. Not
/// `no-referrer`, under which browsers send `Origin: null` with a form.
const REFERRER_POLICY: &str = "strict-origin";

/// How long a page waits for the replies it is to carry; without them the front end asks by itself.
const REPLY_PATIENCE: Duration = Duration::from_millis(300);

/// Bytes of finished pages one process keeps at most, and for how long.
const MAX_KEPT_BYTES: u64 = 32 * 1024 * 1024;
const KEPT_FOR: Duration = Duration::from_secs(60);

/// The names in a query that a first screen looks at.
const QUERY: [&str; 5] = ["service", "msisdn", "result", "q", "ext_ref"];

/// Everything the front end consists of.
pub(crate) struct Frontend {
    assets: Assets,
    template: Template,
    views: Views,
    screens: Screens,
    operator: Url,
    /// Another place that media come from.
    films_from: Option<String>,
    /// The number that joins nothing and is let in at once.
    test_msisdn: Option<Msisdn>,
    faces: ArcSwap<Faces>,
}

/// What the front end is for the brands there are: made anew with them, whole.
struct Faces {
    /// Each brand's page, by label.
    frames: BTreeMap<String, Frame>,
    /// Finished pages.
    finished: Cache<String, Arc<Body>>,
}

impl Default for Faces {
    fn default() -> Self {
        let finished = Cache::builder()
            .max_capacity(MAX_KEPT_BYTES)
            .weigher(|key: &String, page: &Arc<Body>| u32::try_from(key.len() + page.weight()).unwrap_or(u32::MAX))
            .time_to_live(KEPT_FOR)
            .build();
        Self { frames: BTreeMap::new(), finished }
    }
}

/// Why a finished page is not kept.
#[derive(Clone)]
enum Unkept {
    /// It lacks its first screen, which the browser will draw.
    Bare(Arc<Body>),
    Failed(Error),
}

impl Frontend {
    /// Reads every file below `folder`, and prepares every brand's page.
    pub(crate) fn load(
        folder: &Path,
        brands: &Brands,
        operator: &Url,
        films_from: Option<String>,
        test_msisdn: Option<Msisdn>,
    ) -> Result<Self, StartError> {
        let fault = |name: &str, cause: &dyn std::fmt::Display| {
            StartError::Setting(format!("FRONTEND_DIR: cannot read {}: {cause}", folder.join(name).display()))
        };
        let template = Template::load(folder).map_err(|error| fault(Template::FILE, &error))?;
        let views = Views::load(&folder.join(Views::FILE)).map_err(|error| fault(Views::FILE, &error))?;
        let screens = Screens::load(&folder.join(Screens::FILE)).map_err(|error| fault(Screens::FILE, &error))?;
        let inner = [Template::FILE, Views::FILE, Screens::FILE];
        let assets = Assets::load(folder, &inner).map_err(|error| fault("its files", &error))?;
        let (operator, faces) = (operator.clone(), ArcSwap::default());
        let frontend = Self { assets, template, views, screens, operator, films_from, test_msisdn, faces };
        frontend.renew(brands).map_err(|error| fault(Screens::FILE, &error))?;
        Ok(frontend)
    }

    /// Prepares the pages of these brands, and no others; where that fails, there are those from before. It may block.
    pub(crate) fn renew(&self, brands: &Brands) -> std::io::Result<()> {
        let mut faces = Faces::default();
        let build = (&self.template, &self.screens);
        let elsewhere = Elsewhere { operator: &self.operator, films: self.films_from.as_deref() };
        for brand in brands.iter() {
            for label in &brand.labels {
                let frame = Frame::new(build, &brand, label, elsewhere, self.test_msisdn.as_ref())?;
                faces.frames.insert(label.clone(), frame);
            }
        }
        self.faces.store(Arc::new(faces));
        Ok(())
    }
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
        None if segments.is_empty() => Ok(app.directory.load().page(StatusCode::OK)),
        None => Ok(app.directory.load().page(StatusCode::NOT_FOUND)),
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
        let faces = self.faces.load_full();
        let frame = faces.frames.get(label).ok_or(Error::NotFound)?;
        let session = req.cookie_value(&cookie_name(label)).is_some();
        let asked = self.views.of(req.uri().path(), frame.kind, &frame.service, &frame.home);
        let replies = match &asked {
            Some(asked) => carried(app, label, asked).await,
            None => Vec::new(),
        };
        let page = asked.as_ref().map(|asked| asked.page);
        // The host that shows every brand adds its brand to every address, which is the browser's own affair.
        let drawn = asked.as_ref().is_some_and(|asked| {
            asked.screen && asked.replies.len() == replies.len() && !site::shows_every_brand(&app.brands, req)
        });
        let address = if drawn { address(req.uri()) } else { String::new() };
        let finish = async {
            let markup = match drawn {
                true => self.screens.draw(&Scene::of(frame.boot(page, session), &address, &replies)).await,
                false => Some(String::new()),
            };
            let whole = frame.write(&Content {
                page,
                session,
                replies: &replies,
                markup: markup.as_deref().unwrap_or_default(),
            });
            let body = Arc::new(Body::new(whole.map_err(Unkept::Failed)?));
            // A page without the screen it should have is not what the next one is to get.
            if markup.is_some() { Ok(body) } else { Err(Unkept::Bare(body)) }
        };
        // A reply without a tag is never the same twice.
        let tags: Option<Vec<String>> =
            replies.iter().map(|(address, shown)| Some(format!("{address} {}", shown.tag.as_ref()?))).collect();
        let finished = match tags {
            Some(tags) => {
                let key = format!("{label} {session} {} {address} {}", page.unwrap_or_default(), tags.join(" "));
                faces.finished.try_get_with(key, finish).await.map_err(|unkept| Unkept::clone(&unkept))
            }
            None => finish.await,
        };
        let body = match finished {
            Ok(body) | Err(Unkept::Bare(body)) => body,
            Err(Unkept::Failed(error)) => return Err(error),
        };
        let mut reply = self.headers(frame, asked.as_ref(), StatusCode::OK);
        Ok(body.send(&mut reply, req).await)
    }

    /// What every page is sent with, beside its files.
    fn headers(&self, frame: &Frame, asked: Option<&Asked<'_>>, status: StatusCode) -> HttpResponseBuilder {
        let mut reply = HttpResponse::build(status);
        reply
            .content_type("text/html; charset=utf-8")
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .insert_header((header::VARY, "accept-encoding"))
            .insert_header((header::CONTENT_SECURITY_POLICY, frame.policy.as_str()))
            .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .insert_header((header::REFERRER_POLICY, REFERRER_POLICY))
            .insert_header((header::X_FRAME_OPTIONS, "DENY"))
            .insert_header(("cross-origin-opener-policy", "same-origin"));
        for file in asked.iter().flat_map(|asked| asked.files) {
            reply.append_header((header::LINK, file.clone()));
        }
        reply
    }
}

/// An address as far as a first screen depends on it.
fn address(uri: &Uri) -> String {
    let query = uri.query().unwrap_or_default();
    let mut known = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| QUERY.contains(&&**name)) {
        known.append_pair(&name, &value);
    }
    format!("{}?{}", uri.path(), known.finish())
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
            "/internal/imports",
            "/wp.PHP",
        ] {
            assert!(!may_be_page(&segments(path).unwrap()), "{path}");
        }
    }
}
