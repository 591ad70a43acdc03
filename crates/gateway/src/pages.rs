//! The page that every address of a brand's host gets, and what it carries: the brand, the replies that the front end would ask
//! for first, and the first screen itself. So a visitor sees it after one round trip. Where no scripts run, the screen is all there is:
//! it then holds what belongs to the visitor's session, too.

mod forms;
mod frame;
mod join_form;
mod marks;
mod ssr;
mod template;

use std::{collections::BTreeMap, fmt::Display, io, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use brands::Brands;
use bytes::Bytes;
use futures_util::future::join_all;
use http::{Method, StatusCode, header, response::Builder};
use identity::{Msisdn, cookie_name};
use moka::future::Cache;
use service::{StartError, compression::Body};
use url::{Url, form_urlencoded};

pub(crate) use forms::{Form, Forms};
pub use join_form::JoinForm;

use frame::{CarriedReply, Content, Elsewhere, Frame, by_address};
use ssr::{PATIENCE, Renderer, SHORT_PATIENCE, Screen};
use template::Template;

use crate::{
    Config,
    assets::Assets,
    brand,
    cache::Shown,
    directory::Directory,
    error::Error,
    page_views::{PageView, PageViews},
    paths,
    proxy::Proxy,
    request::Head,
    response::{self, NO_SNIFF, Response},
    services,
};

/// First segments that are never a page.
const NOT_PAGES: [&str; 6] = ["api", "assets", "img", "internal", "media", "metrics"];

/// Endings of files: where there is no such file, the answer is no page.
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

/// How long a page waits for the replies it is to carry. Without them the front end asks by itself, which takes scripts.
const REPLY_PATIENCE: Duration = Duration::from_secs(2);

/// Bytes of finished pages one process keeps at most, and for how long.
const MAX_KEPT_BYTES: u64 = 32 * 1024 * 1024;
const KEPT_FOR: Duration = Duration::from_secs(60);

/// How long a page may take the place of a newer one that is not drawn in time.
const SPARE_FOR: Duration = Duration::from_secs(600);

/// The address under which what is missing is drawn: none of the front end's.
const NOWHERE: &str = "/nowhere";

/// How long a page waits for what belongs to its visitor's session.
const OWN_PATIENCE: Duration = Duration::from_secs(3);

/// Cards of a list on a page that browsers without scripts ask for by `?after=`, and one that tells whether more follow.
const LISTED: usize = 25;

/// Seconds before a browser without scripts asks again whether its network has confirmed.
const ASK_AGAIN: u8 = 2;

/// The names in a query that a first screen depends on.
const QUERY: [&str; 8] = ["service", "msisdn", "result", "q", "ext_ref", "after", "unconfirmed", "failed"];

/// Everything the front end consists of.
pub(crate) struct Pages {
    brands: Brands,
    proxy: Arc<Proxy>,
    assets: Assets,
    template: Template,
    page_views: PageViews,
    renderer: Renderer,
    operator: Url,
    /// Another origin that media come from.
    films_from: Option<String>,
    /// The number that joins nothing and is let in at once.
    test_msisdn: Option<Msisdn>,
    /// The port of brands' public addresses that carry one.
    public_port: u16,
    directory: ArcSwap<Directory>,
    brand_pages: ArcSwap<BrandPages>,
}

/// What the front end is for the brands there are: made anew with them, whole.
struct BrandPages {
    /// Each brand's page, by label.
    frames: BTreeMap<String, Frame>,
    /// Finished pages. The status is no part of them: it follows from the address and its replies at each request.
    finished: Cache<String, Arc<Body>>,
    /// The last finished page of each address, whatever its replies were.
    spare: Cache<String, Arc<Body>>,
}

impl Default for BrandPages {
    fn default() -> Self {
        Self { frames: BTreeMap::new(), finished: pages_for(KEPT_FOR), spare: pages_for(SPARE_FOR) }
    }
}

/// Pages that live so long.
fn pages_for(life: Duration) -> Cache<String, Arc<Body>> {
    Cache::builder()
        .max_capacity(MAX_KEPT_BYTES)
        .weigher(|key: &String, page: &Arc<Body>| u32::try_from(key.len() + page.weight()).unwrap_or(u32::MAX))
        .time_to_live(life)
        .build()
}

/// Why a finished page is not kept.
#[derive(Clone)]
enum Unkept {
    /// It lacks its first screen, which the browser will render.
    Bare(Arc<Body>),
    Failed(Error),
}

/// What became of a form that was sent without scripts, for the page that follows.
pub(super) struct FormOutcome {
    status: StatusCode,
    /// What went wrong.
    problem: Option<String>,
    /// What was typed as the number.
    typed: Option<String>,
    /// Whether the visitor has left.
    left: bool,
}

/// The replies that a page carries, and the status that follows from them.
struct Carried {
    replies: Vec<CarriedReply>,
    status: StatusCode,
}

impl Pages {
    /// Reads every file of the front end, and prepares every brand's page.
    pub(crate) fn load(
        config: &Config,
        brands: &Brands,
        operator: &Url,
        films_from: Option<String>,
        test_msisdn: Option<Msisdn>,
        proxy: Arc<Proxy>,
    ) -> Result<Self, StartError> {
        let folder = config.frontend_dir.as_path();
        let fault = |name: &str, cause: &dyn Display| {
            StartError::Setting(format!("FRONTEND_DIR: cannot read {}: {cause}", folder.join(name).display()))
        };
        let template = Template::load(folder).map_err(|error| fault(Template::FILE, &error))?;
        let page_views =
            PageViews::load(&folder.join(PageViews::FILE)).map_err(|error| fault(PageViews::FILE, &error))?;
        let renderer = Renderer::load(&folder.join(Renderer::FILE)).map_err(|error| fault(Renderer::FILE, &error))?;
        let inner = [Template::FILE, PageViews::FILE, Renderer::FILE];
        let assets = Assets::load(folder, &inner).map_err(|error| fault("its files", &error))?;
        let pages = Self {
            brands: brands.clone(),
            proxy,
            assets,
            template,
            page_views,
            renderer,
            operator: operator.clone(),
            films_from,
            test_msisdn,
            public_port: config.public_port,
            directory: ArcSwap::from_pointee(Directory::new(brands, config.public_port)),
            brand_pages: ArcSwap::default(),
        };
        pages.renew(brands).map_err(|error| fault(Renderer::FILE, &error))?;
        Ok(pages)
    }

    /// Prepares the pages of these brands, and no others, and their directory; where that fails, those from before stay. It may block.
    pub(crate) fn renew(&self, brands: &Brands) -> io::Result<()> {
        let mut pages = BrandPages::default();
        let build = (&self.template, &self.renderer);
        let elsewhere = Elsewhere { operator: &self.operator, films: self.films_from.as_deref() };
        for brand in brands.iter() {
            for label in &brand.labels {
                let frame = Frame::new(build, &brand, label, elsewhere, self.test_msisdn.as_ref())?;
                pages.frames.insert(label.clone(), frame);
            }
        }
        self.brand_pages.store(Arc::new(pages));
        self.directory.store(Arc::new(Directory::new(brands, self.public_port)));
        Ok(())
    }

    /// Whether there is a page of this name.
    pub(crate) fn has_page(&self, name: &str) -> bool {
        self.page_views.has_page(name)
    }

    /// Answers a GET that no other route answers: with a file of the front end on any host, a page on a brand's host, the directory
    /// elsewhere.
    pub(crate) async fn serve(&self, head: &Head) -> Result<Response, Error> {
        let path = head.path();
        if let Some(asset) = self.assets.get(path) {
            return Ok(asset.respond(head));
        }
        let segments = paths::segments(path).ok_or(Error::AmbiguousPath)?;
        if !may_be_page(&segments) {
            return Err(Error::NotFound);
        }
        match brand::label(&self.brands, head) {
            Some(label) => self.page(head, &label).await,
            None if segments.is_empty() => Ok(self.directory.load().page(StatusCode::OK)),
            None => Ok(self.directory.load().page(StatusCode::NOT_FOUND)),
        }
    }

    async fn page(&self, head: &Head, label: &str) -> Result<Response, Error> {
        let pages = self.brand_pages.load_full();
        let frame = pages.frames.get(label).ok_or(Error::NotFound)?;
        let session = head.cookie(&cookie_name(label)).is_some();
        let view = self.page_views.of(head.path(), frame.kind, &frame.service, &frame.home);
        let after = view.as_ref().filter(|view| view.list).and_then(|_| after(head));
        let Carried { replies, status } = self.carried(label, view.as_ref(), after).await;
        let page = view.as_ref().map(|view| view.page);
        // On the host that shows every brand, the browser adds the brand to every address: it renders by itself.
        let is_of_every_brand = brand::shows_every_brand(&self.brands, head);
        let is_missing = status == StatusCode::NOT_FOUND;
        let is_complete = view.as_ref().is_some_and(|view| view.replies.len() == replies.len());
        let is_drawn = (is_complete || is_missing) && !is_of_every_brand;
        let plain = is_missing || after.is_some() || view.as_ref().is_none_or(|view| !view.screen);
        let address = match (is_drawn, is_missing) {
            (false, _) => String::new(),
            (true, false) => address(head),
            // All that are missing look alike.
            (true, true) => NOWHERE.to_owned(),
        };
        let is_personal = is_drawn && !is_missing && session && (plain || head.cookie(forms::LAST_FORM).is_some());
        let own = if is_personal { self.own(head, label, view.as_ref()).await } else { Vec::new() };
        let forward = view.as_ref().filter(|_| !is_of_every_brand).and_then(|view| forward(head, view.forward?));
        let is_shared = own.is_empty() && forward.is_none();
        let place = format!("{label} {session} {} {address}", page.unwrap_or_default());
        let spare = if is_drawn && is_shared { pages.spare.get(&place).await } else { None };
        let patience = if spare.is_some() { SHORT_PATIENCE } else { PATIENCE };
        let finish = async {
            let mut screen = Screen::of(frame.boot(page, session), &address, &replies);
            (screen.own, screen.plain) = (by_address(&own), plain);
            let markup = if is_drawn { self.renderer.render(&screen, patience).await } else { Some(String::new()) };
            let whole = frame.write(&Content {
                page,
                session,
                // The list that follows an id is not what a script asks for under this address.
                replies: if after.is_none() { &replies } else { &[] },
                markup: markup.as_deref().unwrap_or_default(),
                plain,
                forward: forward.clone(),
            });
            let body = Arc::new(Body::new(whole.map_err(Unkept::Failed)?));
            // A page without the screen it should have is not what the next request is to get.
            if markup.is_none() {
                return Err(Unkept::Bare(body));
            }
            if is_drawn && is_shared {
                pages.spare.insert(place.clone(), body.clone()).await;
            }
            Ok(body)
        };
        // Not cached: a page whose replies have no ETag, as they may differ each time, and a page with one visitor's own data.
        let tags: Option<Vec<String>> =
            replies.iter().map(|reply| Some(format!("{} {}", reply.address, reply.tag.as_ref()?))).collect();
        let finished = match tags.filter(|_| is_shared) {
            Some(tags) => {
                let key = format!("{place} {}", tags.join(" "));
                pages.finished.try_get_with(key, finish).await.map_err(|unkept| Unkept::clone(&unkept))
            }
            None => finish.await,
        };
        let body = match finished {
            Ok(body) => body,
            Err(Unkept::Bare(body)) => spare.unwrap_or(body),
            Err(Unkept::Failed(error)) => return Err(error),
        };
        response::compressed(builder(frame, view.as_ref(), status), &body, head).await.map_err(invalid)
    }

    /// The page at `path` as it follows a form that was sent without scripts.
    async fn after_form(
        &self,
        head: &Head,
        (label, frame): (&str, &Frame),
        path: &str,
        outcome: FormOutcome,
    ) -> Result<Response, Error> {
        let view = self.page_views.of(path, frame.kind, &frame.service, &frame.home);
        let page = view.as_ref().map(|view| view.page);
        let session = head.cookie(&cookie_name(label)).is_some();
        let plain = view.as_ref().is_none_or(|view| !view.screen);
        let own = if session { self.own(head, label, view.as_ref()).await } else { Vec::new() };
        let mut screen = Screen::of(frame.boot(page, session), path, &[]);
        (screen.own, screen.plain) = (by_address(&own), plain);
        (screen.problem, screen.msisdn, screen.left) = (outcome.problem, outcome.typed, outcome.left);
        let markup = self.renderer.render(&screen, PATIENCE).await.unwrap_or_default();
        let content = Content { page, session, markup: &markup, plain, ..Content::default() };
        let whole = frame.write(&content)?;
        builder(frame, view.as_ref(), outcome.status).body(whole.into()).map_err(invalid)
    }

    /// What services say of the request's own session; null where they know none.
    async fn own(&self, head: &Head, label: &str, view: Option<&PageView<'_>>) -> Vec<CarriedReply> {
        let own = view.iter().flat_map(|view| &view.own).map(async |address| {
            let asked = self.proxy.ask(head, label, Method::GET, address, None);
            let answered = tokio::time::timeout(OWN_PATIENCE, asked).await.ok()?.ok()?;
            let body = match answered.status {
                StatusCode::OK => answered.body,
                StatusCode::UNAUTHORIZED => Bytes::from_static(b"null"),
                _ => return None,
            };
            Some(CarriedReply { address: address.clone(), body, tag: None })
        });
        join_all(own).await.into_iter().flatten().collect()
    }

    /// The replies that an address shows first, as far as they can be had at once. An address that is none of the front end's, or that
    /// names an item of which its service says that there is none, is 404.
    ///
    /// With `after`, its list is the part that follows that id.
    async fn carried(&self, label: &str, view: Option<&PageView<'_>>, after: Option<i64>) -> Carried {
        let Some(view) = view else { return Carried { replies: Vec::new(), status: StatusCode::NOT_FOUND } };
        let shown = view.replies.iter().enumerate().map(async |(place, address)| {
            let address = match after.filter(|_| place == 0) {
                Some(id) => {
                    let joint = if address.contains('?') { '&' } else { '?' };
                    format!("{address}{joint}limit={LISTED}&after={id}")
                }
                None => address.clone(),
            };
            self.shown(label, &address).await
        });
        let shown = join_all(shown).await;
        let is_missing = view.is_not_found() || view.names_item && matches!(shown.first(), Some(Shown::Missing));
        let replies = view.replies.iter().zip(shown).filter_map(|(address, shown)| match shown {
            Shown::Reply { body, tag } => Some(CarriedReply { address: address.clone(), body, tag }),
            Shown::Missing | Shown::Unknown => None,
        });
        Carried { replies: replies.collect(), status: if is_missing { StatusCode::NOT_FOUND } else { StatusCode::OK } }
    }

    async fn shown(&self, label: &str, address: &str) -> Shown {
        let path = address.split('?').next().unwrap_or_default();
        let Some(service) = services::service_of(path) else { return Shown::Unknown };
        let shown = self.proxy.replies.shown(service, label, address);
        tokio::time::timeout(REPLY_PATIENCE, shown).await.unwrap_or(Shown::Unknown)
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

/// A page's response with every header, for its body.
fn builder(frame: &Frame, view: Option<&PageView<'_>>, status: StatusCode) -> Builder {
    let (no_sniff, value) = NO_SNIFF;
    let mut builder = http::Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
        .header(header::CACHE_CONTROL, "no-store")
        .header(header::VARY, "accept-encoding")
        .header(header::CONTENT_SECURITY_POLICY, frame.policy.as_str())
        .header(no_sniff, value)
        .header(header::REFERRER_POLICY, REFERRER_POLICY)
        .header(header::X_FRAME_OPTIONS, "DENY")
        .header("cross-origin-opener-policy", "same-origin");
    for file in view.iter().flat_map(|view| view.files) {
        builder = builder.header(header::LINK, file);
    }
    builder
}

/// The failure of a response of which a header is none.
fn invalid(error: http::Error) -> Error {
    Error::Internal(format!("a page's header: {error}"))
}

/// The id after which a list is asked for.
fn after(head: &Head) -> Option<i64> {
    let query = head.query()?;
    let (_, id) = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "after")?;
    id.parse().ok().filter(|id| *id >= 0)
}

/// Where a page leads by itself, and after how many seconds.
fn forward(head: &Head, to: &str) -> Option<(String, u8)> {
    // On the front end's own build alone it is a place of this site.
    let address = to.replace("{query}", head.query().unwrap_or_default());
    let is_asked_again = forms::tries(head) > 0;
    address.starts_with('/').then_some((address, if is_asked_again { ASK_AGAIN } else { 0 }))
}

/// An address as far as a first screen depends on it.
fn address(head: &Head) -> String {
    let query = head.query().unwrap_or_default();
    let mut known = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| QUERY.contains(&&**name)) {
        known.append_pair(&name, &value);
    }
    format!("{}?{}", head.path(), known.finish())
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;
    use crate::{paths::segments, request::tests::head};

    #[test]
    fn address_keeps_of_a_query_what_a_first_screen_depends_on() {
        let of = |sent: &str| address(&head(Request::get(sent)));
        assert_eq!(of("/search?q=a%20b&utm_source=x&service=y"), "/search?q=a+b&service=y");
        assert_eq!(of("/terms"), "/terms?");
    }

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
