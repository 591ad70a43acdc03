//! The page at every path of a brand's host, with embedded data: the brand, the replies that the front end requests first, and the rendered
//! first screen, so that it is visible after one round trip, and whole without scripts. Where that is needed it also has the data of the visitor's session.

pub(crate) mod api_docs;
mod directory;
mod embedded;
mod forms;
mod frame;
mod join_form;
mod languages;
mod marks;
mod may_be_page;
mod news;
mod query;
mod shell;
mod ssr;
mod template;

use std::{collections::BTreeMap, fmt::Display, io, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use brands::{Brand, Brands};
use http::{StatusCode, header, response::Builder};
use identity::{Msisdn, SubscriberId, cookie_name};
use moka::future::Cache;
use serde::Serialize;
use serde_json::value::RawValue;
use service::{StartError, compression::Body};
use url::Url;

pub(crate) use forms::{Form, Forms};
pub use join_form::JoinForm;

use directory::Directory;
use embedded::{EmbeddedReplies, OwnReplies};
use frame::{Content, Frame, Known, OtherOrigins, SimOffer, StopWays, by_address};
use languages::Languages;
use may_be_page::may_be_page;
use query::{address, after, after_form, filled, forward, parameter, search_query, whole_address};
use ssr::{Renderer, SHORT_TIMEOUT, Screen, ShownForm, TIMEOUT};
use template::Template;

use crate::{
    Config,
    assets::{Assets, SPECULATION_RULES},
    brand,
    error::Error,
    page_views::{PageView, PageViews},
    paths, previews,
    proxy::Proxy,
    request::Head,
    response::{self, NO_SNIFF, Response},
};

/// Browsers send only the origin as `Referer`, since URLs contain phone numbers. Not `no-referrer`, with which browsers send `Origin: null`
/// with a form.
const REFERRER_POLICY: &str = "strict-origin";

/// The most bytes of rendered pages cached in one process, and for how long.
const MAX_CACHE_BYTES: u64 = 32 * 1024 * 1024;
const CACHE_TTL: Duration = Duration::from_secs(60);

/// How long an older page may be served when rendering a new one takes too long.
const STALE_TTL: Duration = Duration::from_secs(600);

/// A path that does not exist, used to render the not-found page.
const MISSING_PATH: &str = "/nowhere";

/// The cookie that a page sets, for some minutes, when its scripts have failed: the visitor then gets pages without scripts. Where cookies
/// are blocked, the address has a query parameter of this name.
const PLAIN: &str = "plain";

/// The handler of pages and files.
pub(crate) struct Pages {
    brands: Brands,
    proxy: Arc<Proxy>,
    assets: Assets,
    template: Template,
    languages: Languages,
    page_views: PageViews,
    renderer: Renderer,
    operator: Url,
    /// Another origin of media.
    media_origin: Option<String>,
    /// The test number, which needs no subscription.
    test_msisdn: Option<Msisdn>,
    /// The port in brands' public addresses.
    public_port: u16,
    directory: ArcSwap<Directory>,
    brand_pages: ArcSwap<BrandPages>,
}

/// The pages of the current brands; replaced when the brands change.
struct BrandPages {
    /// Each brand's pages, by label.
    frames: BTreeMap<String, BrandFrames>,
    /// Rendered pages, without the status, which depends on each request's replies.
    finished: Cache<String, Arc<Body>>,
    /// The last rendered page of each address, with any replies.
    stale: Cache<String, Arc<Body>>,
}

/// A brand's page in each language.
struct BrandFrames {
    /// The brand's own language.
    language: Option<String>,
    by_language: BTreeMap<String, Frame>,
}

impl BrandPages {
    /// The page of a label in a request's language.
    fn frame(&self, languages: &Languages, label: &str, head: &Head) -> Option<&Frame> {
        let frames = self.frames.get(label)?;
        frames.by_language.get(languages.of(head, frames.language.as_deref()))
    }
}

impl Default for BrandPages {
    fn default() -> Self {
        Self { frames: BTreeMap::new(), finished: pages_for(CACHE_TTL), stale: pages_for(STALE_TTL) }
    }
}

/// A cache of pages with this TTL.
fn pages_for(ttl: Duration) -> Cache<String, Arc<Body>> {
    Cache::builder()
        .max_capacity(MAX_CACHE_BYTES)
        .weigher(|key: &String, page: &Arc<Body>| u32::try_from(key.len() + page.weight()).unwrap_or(u32::MAX))
        .time_to_live(ttl)
        .build()
}

/// Why a rendered page is not cached.
#[derive(Clone)]
enum NotCached {
    /// It lacks the first screen, which the browser will render.
    WithoutScreen(Arc<Body>),
    Failed(Error),
}

/// The result of a form without scripts, for the page that is sent next.
pub(super) struct FormOutcome {
    status: StatusCode,
    /// What went wrong.
    problem: Option<String>,
    /// The number that was entered.
    typed: Option<String>,
    /// Whether the visitor has unsubscribed.
    left: bool,
    /// The networks that the visitor has to choose from.
    networks: Option<Box<RawValue>>,
    /// What the next press of JOIN needs.
    held: Option<HeldJoin>,
}

/// What the next press of JOIN sends.
#[derive(Serialize)]
pub(super) struct HeldJoin {
    challenge: String,
    /// The code that the visitor types; empty: none.
    code: String,
}

impl FormOutcome {
    /// A page with this status, and nothing else.
    pub(super) fn new(status: StatusCode) -> Self {
        Self { status, problem: None, typed: None, left: false, networks: None, held: None }
    }
}

impl Pages {
    /// Reads the front end's files, and prepares every brand's page.
    pub(crate) fn load(
        config: &Config,
        brands: &Brands,
        operator: &Url,
        media_origin: Option<String>,
        test_msisdn: Option<Msisdn>,
        proxy: Arc<Proxy>,
    ) -> Result<Self, StartError> {
        let folder = config.frontend_dir.as_path();
        let fault = |name: &str, cause: &dyn Display| {
            StartError::Setting(format!("FRONTEND_DIR: cannot read {}: {cause}", folder.join(name).display()))
        };
        let template = Template::load(folder).map_err(|error| fault(Template::FILE, &error))?;
        let languages =
            Languages::load(&folder.join(Languages::FILE)).map_err(|error| fault(Languages::FILE, &error))?;
        let page_views = PageViews::load(folder).map_err(|error| fault(PageViews::FILE, &error))?;
        let renderer = Renderer::load(&folder.join(Renderer::FILE)).map_err(|error| fault(Renderer::FILE, &error))?;
        let inner = [Template::FILE, Languages::FILE, PageViews::FILE, Renderer::FILE];
        let assets = Assets::load(folder, &inner).map_err(|error| fault("its files", &error))?;
        let directory = Directory::new(brands, &languages, config.public_port);
        let pages = Self {
            brands: brands.clone(),
            proxy,
            assets,
            template,
            languages,
            page_views,
            renderer,
            operator: operator.clone(),
            media_origin,
            test_msisdn,
            public_port: config.public_port,
            directory: ArcSwap::from_pointee(directory),
            brand_pages: ArcSwap::default(),
        };
        pages.renew(brands).map_err(|error| fault(Renderer::FILE, &error))?;
        Ok(pages)
    }

    /// Replaces the pages and the directory by those of these brands; an error changes nothing. May block.
    pub(crate) fn renew(&self, brands: &Brands) -> io::Result<()> {
        let mut pages = BrandPages::default();
        let build = (&self.template, &self.renderer);
        let elsewhere = OtherOrigins { operator: &self.operator, films: self.media_origin.as_deref() };
        for brand in brands.iter() {
            let ways = stops(brands, &brand);
            let by_sim = sim_offers(brands, &brand);
            for label in &brand.labels {
                let frames = self.languages.iter().map(|language| {
                    let shown = (&*brand, label.as_str(), language);
                    let frame = Frame::new(build, shown, (&ways, &by_sim), elsewhere, self.test_msisdn.as_ref())?;
                    Ok((language.code.clone(), frame))
                });
                let by_language = frames.collect::<io::Result<_>>()?;
                pages.frames.insert(label.clone(), BrandFrames { language: brand.language.clone(), by_language });
            }
        }
        self.brand_pages.store(Arc::new(pages));
        self.directory.store(Arc::new(Directory::new(brands, &self.languages, self.public_port)));
        Ok(())
    }

    /// Whether there is a page with this name.
    pub(crate) fn has_page(&self, name: &str) -> bool {
        self.page_views.has_page(name)
    }

    /// Responds to GET requests without another route: with a file of the front end on any host, a page on a brand's host, or the directory
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
            None => {
                let status = if segments.is_empty() { StatusCode::OK } else { StatusCode::NOT_FOUND };
                Ok(self.directory.load().page(status, &self.languages, head))
            }
        }
    }

    async fn page(&self, head: &Head, label: &str) -> Result<Response, Error> {
        let pages = self.brand_pages.load_full();
        let frame = pages.frame(&self.languages, label, head).ok_or(Error::NotFound)?;
        if head.path() == shell::PATH {
            return frame.shell.respond(head, |status| builder(frame, None, status, true)).await;
        }
        let known = self.known(head, label);
        let Known { session, enriched } = known;
        let query = search_query(head);
        let view = self.page_views.of(head.path(), frame.identity(), query.as_deref());
        let after = view.as_ref().filter(|view| view.list).and_then(|_| after(head));
        let preview = self.proxy.previews.of(head, label);
        let EmbeddedReplies { replies, status } =
            self.embedded_replies((label, frame.language.of_services()), view.as_ref(), after, preview.as_ref()).await;
        let page = view.as_ref().map(|view| view.page);
        // On the host that shows every brand, the browser adds the brand to every URL and renders by itself.
        let is_of_every_brand = brand::shows_every_brand(&self.brands, head);
        let is_missing = status == StatusCode::NOT_FOUND;
        let is_complete = view.as_ref().is_some_and(|view| view.replies.len() == replies.len());
        let is_drawn = (is_complete || is_missing) && !is_of_every_brand;
        let plain = is_missing || after.is_some() || view.as_ref().is_none_or(|view| !view.screen);
        let forward = view.as_ref().filter(|_| !is_of_every_brand).and_then(|view| forward(head, view.forward?));
        let address = match (is_drawn, is_missing) {
            (false, _) => String::new(),
            (true, false) if forward.is_some() => whole_address(head),
            (true, false) => address(head),
            // All not-found pages are equal.
            (true, true) => MISSING_PATH.to_owned(),
        };
        let scriptless = is_drawn && is_scriptless(head);
        // Pages without other replies are about the session.
        let is_own = view.as_ref().is_some_and(|view| view.replies.is_empty());
        let is_personal = is_drawn
            && !is_missing
            && session
            && (is_own || plain || scriptless || head.cookie(forms::LAST_FORM).is_some());
        let own = if is_personal { self.own(head, label, view.as_ref()).await } else { OwnReplies::default() };
        let news = self.news(head, (label, frame), page).await;
        let is_shared = own.replies.is_empty() && forward.is_none() && preview.is_none() && news.is_none();
        let language = frame.language.code.as_str();
        let place =
            format!("{label} {language} {session} {enriched} {scriptless} {} {address}", page.unwrap_or_default());
        let stale = if is_drawn && is_shared { pages.stale.get(&place).await } else { None };
        let patience = if stale.is_some() { SHORT_TIMEOUT } else { TIMEOUT };
        let finish = async {
            let mut screen = Screen::of(frame.boot(page, known), language, &address, &replies);
            (screen.own, screen.next, screen.plain) =
                (by_address(&own.replies), own.next.as_deref(), plain || scriptless);
            let markup = match is_drawn {
                true => self.renderer.render(&screen, head.client.addr, patience).await,
                false => Some(String::new()),
            };
            let whole = frame.write(&Content {
                page,
                known,
                // With `?after=` the embedded list differs from what the script requests at this path.
                replies: if after.is_none() { &replies } else { &[] },
                own: &own.replies,
                form: None,
                markup: markup.as_deref().unwrap_or_default(),
                plain,
                scriptless,
                forward: forward.clone(),
                preview: preview.as_ref(),
                news: news.as_ref().map(|news| news.markup.0.as_str()),
                styles: view.as_ref().map_or("", |view| &view.styles.elements),
            });
            let body = Arc::new(Body::new(whole.map_err(NotCached::Failed)?));
            // A page whose first screen is missing is not cached.
            if markup.is_none() {
                return Err(NotCached::WithoutScreen(body));
            }
            if is_drawn && is_shared {
                pages.stale.insert(place.clone(), body.clone()).await;
            }
            Ok(body)
        };
        // Not cached: pages with a reply without an ETag, and pages with a visitor's own data.
        let tags: Option<Vec<String>> =
            replies.iter().map(|reply| Some(format!("{} {}", reply.address, reply.tag.as_ref()?))).collect();
        let finished = match tags.filter(|_| is_shared) {
            Some(tags) => {
                let key = format!("{place} {}", tags.join(" "));
                pages.finished.try_get_with(key, finish).await.map_err(|unkept| NotCached::clone(&unkept))
            }
            None => finish.await,
        };
        let body = match finished {
            Ok(body) => body,
            Err(NotCached::WithoutScreen(body)) => stale.unwrap_or(body),
            Err(NotCached::Failed(error)) => return Err(error),
        };
        let campaign = parameter(head.query(), "ext_ref").filter(|campaign| is_drawn && !campaign.is_empty());
        let body = match campaign {
            Some(campaign) => Arc::new(Body::new(filled(&String::from_utf8_lossy(body.whole()), &campaign).into())),
            None => body,
        };
        let mut builder = builder(frame, view.as_ref(), status, scriptless);
        // The rules cost data for pages that are perhaps not opened.
        if self.assets.get(SPECULATION_RULES).is_some()
            && head.headers.get("save-data").is_none_or(|value| !value.as_bytes().eq_ignore_ascii_case(b"on"))
        {
            builder = builder.header("speculation-rules", format!("\"{SPECULATION_RULES}\""));
        }
        let mut response = response::compressed(builder, &body, head).await.map_err(invalid)?;
        if preview.is_some() {
            previews::mark(&mut response);
        }
        if news.is_some_and(|news| news.ends_cookie) {
            response.headers_mut().append(header::SET_COOKIE, news::no_cookie(head));
        }
        if page == Some(news::JOIN) {
            forms::probe_cookies(head, &mut response);
        }
        Ok(response)
    }

    /// What a request tells of its visitor.
    fn known(&self, head: &Head, label: &str) -> Known {
        let enrichment = &self.proxy.enrichment;
        let enriched = enrichment.header().is_some_and(|name| {
            let values = head.headers.get_all(name).iter().map(|value| value.as_bytes());
            let client = head.client;
            let subscriber = enrichment.subscriber_of(client.addr, client.https, values, &self.brands);
            let brand = self.brands.by_label(label);
            // At another network the brand is not sold to this subscriber, who may type another phone's number.
            subscriber
                .as_ref()
                .and_then(SubscriberId::token_network)
                .is_some_and(|network| brand.is_some_and(|brand| brand.offer_on(network).is_some()))
        });
        Known { session: head.cookie(&cookie_name(label)).is_some(), enriched }
    }

    /// The page at `path` after a form without scripts.
    async fn after_form(
        &self,
        head: &Head,
        (label, frame): (&str, &Frame),
        path: &str,
        outcome: FormOutcome,
    ) -> Result<Response, Error> {
        let view = self.page_views.of(path, frame.identity(), None);
        let page = view.as_ref().map(|view| view.page);
        let known = self.known(head, label);
        let session = known.session;
        let plain = view.as_ref().is_none_or(|view| !view.screen);
        let own = if session { self.own(head, label, view.as_ref()).await } else { OwnReplies::default() };
        let address = after_form(path, head);
        let mut screen = Screen::of(frame.boot(page, known), &frame.language.code, &address, &[]);
        (screen.own, screen.plain) = (by_address(&own.replies), plain);
        (screen.msisdn, screen.left) = (outcome.typed, outcome.left);
        screen.form = ShownForm { problem: outcome.problem, networks: outcome.networks, held: outcome.held };
        let markup = self.renderer.render(&screen, head.client.addr, TIMEOUT).await.unwrap_or_default();
        // The address of most forms is no page that the application could take over.
        let scriptless = is_scriptless(head) || head.path() != Form::Join.path();
        let (own, form) = (own.replies.as_slice(), Some(&screen.form));
        let content = Content { page, known, markup: &markup, plain, scriptless, own, form, ..Content::default() };
        let whole = frame.write(&content)?;
        builder(frame, view.as_ref(), outcome.status, scriptless).body(whole.into()).map_err(invalid)
    }
}

/// Whether a page's scripts have failed in this browser.
fn is_scriptless(head: &Head) -> bool {
    head.cookie(PLAIN).is_some() || parameter(head.query(), PLAIN).is_some()
}

/// A page's response with all headers, without the body.
fn builder(frame: &Frame, view: Option<&PageView<'_>>, status: StatusCode, scriptless: bool) -> Builder {
    let (no_sniff, value) = NO_SNIFF;
    let mut builder = http::Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
        .header(header::CACHE_CONTROL, "no-store")
        .header(header::CONTENT_LANGUAGE, frame.language.code.as_str())
        // The language depends on the last two. Caches on the way do not keep pages; the browser's own may when it goes back.
        .header(header::VARY, "accept-encoding, accept-language, cookie")
        .header(header::CONTENT_SECURITY_POLICY, frame.policy_with(view.map_or("", |view| &view.styles.sources)))
        .header(no_sniff, value)
        .header(header::REFERRER_POLICY, REFERRER_POLICY)
        .header(header::X_FRAME_OPTIONS, "DENY")
        .header("cross-origin-opener-policy", "same-origin");
    for script in view.iter().filter(|_| !scriptless).flat_map(|view| view.scripts) {
        builder = builder.header(header::LINK, script);
    }
    builder
}

/// The error of a response with an invalid header.
fn invalid(error: http::Error) -> Error {
    Error::Internal(format!("a page's header: {error}"))
}

/// How a brand's subscribers stop at each of its networks.
fn stops(brands: &Brands, brand: &Brand) -> Vec<StopWays> {
    let mut ways: Vec<StopWays> = Vec::new();
    for network in brand.offers.iter().filter_map(|offer| brands.network(&offer.network)) {
        let of_network = (network.name.clone(), network.stop_number.clone(), network.ussd.clone());
        if !ways.contains(&of_network) {
            ways.push(of_network);
        }
    }
    ways
}

/// A brand's offers on the networks that tell a SIM's number.
fn sim_offers(brands: &Brands, brand: &Brand) -> Vec<SimOffer> {
    let offers = brands.offers_by_sim(brand);
    offers.map(|offer| SimOffer::new(&offer.network, brands.network_name(&offer.network), offer.offer())).collect()
}
