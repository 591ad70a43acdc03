//! One brand's page: the constant parts are prepared once, and filled in for each response.

use std::{collections::BTreeMap, io};

use brands::{Brand, Kind, Offer, Parts, Period};
use bytes::Bytes;
use identity::Msisdn;
use maud::Render;
use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};
use url::Url;

use super::{
    languages::Language,
    shell::Shell,
    ssr::{Renderer, ShownForm},
    template::Template,
};
use crate::{error::Error, previews::Shown, response::inline_source};

/// The placeholder of the request's data.
const BOOT: &str = "<!--boot-->";

/// The beginning of what the policy allows for styles.
const STYLE_SOURCES: &str = "style-src 'self'";

/// Where stylesheets of one page stand.
const STYLES: &str = "<!--styles-->";

/// The placeholder of the first screen.
const SCREEN: &str = "<!--screen-->";

/// Delimit the text of a page without a first screen.
const UNDRAWN: (&str, &str) = ("<!--undrawn-->", "<!--/undrawn-->");

/// Delimit the script elements, which a plain page does not have.
const SCRIPTS: (&str, &str) = ("<!--scripts-->", "<!--/scripts-->");

/// One brand under one label in one language: its page before, between and after the placeholders.
pub(super) struct Frame {
    before: String,
    /// `before` without the script elements.
    scriptless: String,
    between: String,
    after: String,
    undrawn: String,
    end: String,
    boot: Map<String, Value>,
    pub language: Language,
    /// The page without a screen, replies and the data of a request.
    pub shell: Shell,
    /// Its `Content-Security-Policy`.
    pub policy: String,
    pub kind: Kind,
    pub service: String,
    /// The brand's name, for people.
    pub name: String,
    pub svc_id: i32,
    /// Path of the join form.
    pub join: String,
    /// Path of the home page of an active subscriber.
    pub home: String,
}

/// An embedded reply.
pub(super) struct EmbeddedReply {
    /// Its address.
    pub address: String,
    /// Its uncompressed body.
    pub body: Bytes,
    /// Its ETag; without one, the reply may differ each time.
    pub tag: Option<String>,
}

/// Other origins that a page may use.
#[derive(Clone, Copy)]
pub(super) struct OtherOrigins<'a> {
    /// The network's pages, which forms redirect to.
    pub operator: &'a Url,
    /// The origin of media, if it is not ours.
    pub films: Option<&'a str>,
}

/// A network's name, number for a STOP, and USSD code; each may be absent.
pub(super) type StopWays = (Option<String>, Option<String>, Option<String>);

/// An offer on a network that tells a SIM's number, as the subscription service writes offers.
#[derive(Serialize)]
pub(super) struct SimOffer {
    network: String,
    name: String,
    #[serde(flatten)]
    offer: Offer,
}

impl SimOffer {
    /// On the network with this key and name.
    pub fn new(network: &str, name: String, offer: Offer) -> Self {
        Self { network: network.to_owned(), name, offer }
    }
}

/// What a request tells of its visitor.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    /// Whether the request has a session cookie; without one the page need not request the session.
    pub session: bool,
    /// Whether the visitor's network names its subscriber by a token: the join form needs no number.
    pub enriched: bool,
}

/// Where a page goes on by itself, by an ordinary refresh.
#[derive(Clone)]
pub(super) struct Forward {
    pub address: String,
    /// After how many seconds a browser goes on whose scripts are off.
    pub seconds: u8,
    /// The same for other browsers: a script that runs goes on before, and the refresh is for the one that does not.
    pub patience: u8,
}

/// The content of a page.
#[derive(Default)]
pub(super) struct Content<'a> {
    /// The page's name, for metrics.
    pub page: Option<&'a str>,
    pub known: Known,
    /// The embedded replies.
    pub replies: &'a [EmbeddedReply],
    /// Those about the visitor's session.
    pub own: &'a [EmbeddedReply],
    /// The state of a form that is shown again.
    pub form: Option<&'a ShownForm>,
    /// The first screen; empty if it was not rendered.
    pub markup: &'a str,
    /// Whether the screen is replaced, not hydrated, once the application has started.
    pub plain: bool,
    /// Whether the page has no scripts.
    pub scriptless: bool,
    /// Where the page goes on by itself.
    pub forward: Option<Forward>,
    /// What the visitor reads above the page.
    pub news: Option<&'a str>,
    /// The preview that it shows.
    pub preview: Option<&'a Shown>,
    /// The elements of the page's own stylesheets.
    pub styles: &'a str,
}

/// The boot data of a page, except `session`, `enriched` and `page`, which depend on the request.
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
    period: Period,
    /// Absent where the first day is not free.
    #[serde(skip_serializing_if = "Option::is_none")]
    free_days: Option<i32>,
    /// Absent where only the price is charged.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Parts>,
    test_msisdn: Option<&'a str>,
    opt_in_url: String,
    image_prefix: &'a str,
    stops: &'a [StopWays],
    /// Absent where no network of the brand tells a SIM's number.
    #[serde(skip_serializing_if = "<[SimOffer]>::is_empty")]
    by_sim: &'a [SimOffer],
    helpline: &'a str,
    support_email: &'a str,
    theme: &'a BTreeMap<String, String>,
    copy: BTreeMap<&'a str, &'a str>,
}

impl Frame {
    /// Prepares a brand's page, with styles computed from its boot data.
    pub fn new(
        (template, renderer): (&Template, &Renderer),
        (brand, label, language): (&Brand, &str, &Language),
        (stops, by_sim): (&[StopWays], &[SimOffer]),
        other_origins: OtherOrigins<'_>,
        test_msisdn: Option<&Msisdn>,
    ) -> io::Result<Self> {
        let boot = Boot {
            label,
            kind: brand.kind,
            service: &brand.service,
            svc_id: brand.svc_id,
            name: &brand.name,
            join: &brand.join,
            home: &brand.home,
            price_cents: brand.offer.price_cents,
            period: brand.offer.period,
            free_days: Some(brand.offer.free_days).filter(|days| *days > 0),
            parts: Some(brand.offer.parts).filter(|parts| !parts.is_empty()),
            test_msisdn: test_msisdn.map(Msisdn::as_str),
            opt_in_url: format!("/api/subscribe/opt-in?svc_id={}", brand.svc_id),
            image_prefix: "/img",
            stops,
            by_sim,
            helpline: &brand.helpline,
            support_email: &brand.support_email,
            theme: &brand.theme,
            copy: brand.copy_in(&language.code),
        };
        let boot = serde_json::from_value(serde_json::to_value(&boot)?)?;
        let (page, style_source) = template.with_styles(brand, language, renderer.look(&boot)?.as_ref());
        let (before, after) = page.split_once(BOOT).unwrap_or((&page, ""));
        let (between, after) = after.split_once(SCREEN).unwrap_or((after, ""));
        let (after, rest) = after.split_once(UNDRAWN.0).unwrap_or((after, ""));
        let (undrawn, end) = rest.split_once(UNDRAWN.1).unwrap_or(("", rest));
        let script_source = template.inline_script().map(|script| format!(" {}", inline_source(script)));
        let (head, rest) = before.split_once(SCRIPTS.0).unwrap_or((before, ""));
        let (scripts, rest) = rest.split_once(SCRIPTS.1).unwrap_or((rest, ""));
        let whole = format!("{head}{scripts}{rest}");
        let mut shell = whole.clone();
        put_json(&mut shell, "boot", &boot).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self {
            shell: Shell::new([shell.as_str(), between, after, end].concat()),
            before: whole,
            scriptless: format!("{head}{rest}"),
            between: between.to_owned(),
            after: after.to_owned(),
            undrawn: undrawn.to_owned(),
            end: end.to_owned(),
            boot,
            language: language.clone(),
            policy: policy(
                other_origins,
                &style_source.map_or_else(String::new, |source| format!(" {source}")),
                &script_source.unwrap_or_default(),
            ),
            kind: brand.kind,
            service: brand.service.clone(),
            name: brand.name.clone(),
            svc_id: brand.svc_id,
            join: brand.join.clone(),
            home: brand.home.clone(),
        })
    }

    /// The kind, the service and the home path of its brand.
    pub fn identity(&self) -> (Kind, &str, &str) {
        (self.kind, &self.service, &self.home)
    }

    /// The content security policy, with more sources of styles.
    pub fn policy_with(&self, styles: &str) -> String {
        self.policy.replacen(STYLE_SOURCES, &format!("{STYLE_SOURCES}{styles}"), 1)
    }

    /// The boot data.
    pub fn boot(&self, page: Option<&str>, known: Known) -> Map<String, Value> {
        let mut boot = self.boot.clone();
        boot.insert("session".to_owned(), known.session.into());
        if known.enriched {
            boot.insert("enriched".to_owned(), true.into());
        }
        if let Some(page) = page {
            boot.insert("page".to_owned(), page.into());
        }
        boot
    }

    /// Renders the page.
    pub fn write(&self, content: &Content<'_>) -> Result<Bytes, Error> {
        let mut text = with_styles(if content.scriptless { &self.scriptless } else { &self.before }, content.styles);
        if !content.scriptless {
            put_json(&mut text, "boot", &self.boot(content.page, content.known))?;
            if !content.replies.is_empty() {
                put_json(&mut text, "replies", &by_address(content.replies))?;
            }
        }
        if let Some(Forward { address, seconds, patience }) = &content.forward {
            let refresh = |seconds: &u8| {
                let content = format!("{seconds};url={address}").render().into_string();
                format!("<meta http-equiv=\"refresh\" content=\"{content}\">")
            };
            // The first one is the earlier one, and the one that counts where scripts are off.
            text.push_str(&format!("<noscript>{}</noscript>{}", refresh(seconds), refresh(patience)));
        }
        let Content { markup, plain, .. } = *content;
        let screen = if plain { "" } else { markup };
        let beside = match (markup.is_empty(), plain) {
            (true, _) => self.undrawn.as_str(),
            (false, false) => "",
            (false, true) => markup,
        };
        // Hidden as long as scripts may replace it.
        let beside = if beside.is_empty() { String::new() } else { format!("<div class=\"plain\">{beside}</div>") };
        let between = match content.preview {
            Some(preview) => with_banner(&self.between, &preview.banner(self.language.of_services()).into_string()),
            None => self.between.clone(),
        };
        // The news follow the screen, whose first link skips to its content; a stylesheet shows them above it.
        let news = content.news.unwrap_or_default();
        for part in [between.as_str(), screen, self.after.as_str(), &beside, news] {
            text.push_str(part);
        }
        if !content.scriptless && !plain {
            if !content.own.is_empty() {
                put_json(&mut text, "own", &by_address(content.own))?;
            }
            if let Some(form) = content.form {
                put_json(&mut text, "form", form)?;
            }
        }
        text.push_str(&self.end);
        Ok(text.into())
    }
}

/// The start of a page with more stylesheets.
fn with_styles(before: &str, styles: &str) -> String {
    before.replacen(STYLES, styles, 1)
}

/// The start of a page with a banner at the beginning of its body, beside the application.
fn with_banner(between: &str, banner: &str) -> String {
    let body = between.find("<body").and_then(|tag| Some(tag + between.get(tag..)?.find('>')? + 1));
    let (before, after) = body.and_then(|end| between.split_at_checked(end)).unwrap_or((between, ""));
    format!("{before}{banner}{after}")
}

fn policy(other_origins: OtherOrigins<'_>, styles: &str, scripts: &str) -> String {
    let films = other_origins.films.map_or_else(String::new, |origin| format!(" {origin}"));
    format!(
        "default-src 'none'; script-src 'self'{scripts}; {STYLE_SOURCES}{styles}; img-src 'self' data: blob:; font-src 'self' data:; \
         media-src 'self' blob:{films}; connect-src 'self'{films}; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; \
         form-action 'self' {}; frame-ancestors 'none'",
        other_origins.operator.origin().ascii_serialization()
    )
}

/// Replies by address; replies that are not JSON are omitted.
pub(super) fn by_address(replies: &[EmbeddedReply]) -> BTreeMap<&str, &RawValue> {
    replies
        .iter()
        .filter_map(|reply| Some((reply.address.as_str(), serde_json::from_slice(&reply.body).ok()?)))
        .collect()
}

/// A script element with JSON data. `<` is escaped: it could end the element or begin a comment, and in JSON it occurs only in strings.
fn put_json(text: &mut String, id: &str, data: &impl Serialize) -> Result<(), Error> {
    let json = serde_json::to_string(data).map_err(|error| Error::Internal(error.to_string()))?;
    text.push_str("<script type=\"application/json\" id=\"");
    text.push_str(id);
    text.push_str("\">");
    text.push_str(&json.replace('<', "\\u003c"));
    text.push_str("</script>");
    Ok(())
}
