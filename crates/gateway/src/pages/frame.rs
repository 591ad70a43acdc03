//! One brand's page: what is the same in every response is written once, and filled with what an address shows.

use std::{collections::BTreeMap, io};

use brands::{Brand, Kind};
use bytes::Bytes;
use identity::Msisdn;
use maud::Render;
use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};
use url::Url;

use super::{ssr::Renderer, template::Template};
use crate::error::Error;

/// Where the template takes what differs between requests.
const BOOT: &str = "<!--boot-->";

/// Where the first screen goes.
const SCREEN: &str = "<!--screen-->";

/// Around what browsers without scripts read on a page that was not drawn.
const UNDRAWN: (&str, &str) = ("<!--undrawn-->", "<!--/undrawn-->");

/// One brand under one label: its page before, between and after what differs between requests.
pub(super) struct Frame {
    before: String,
    between: String,
    after: String,
    undrawn: String,
    end: String,
    boot: Map<String, Value>,
    /// Its `Content-Security-Policy`.
    pub policy: String,
    pub kind: Kind,
    pub service: String,
    pub svc_id: i32,
    /// Path of the join form.
    pub join: String,
    /// Path of the home page of an active subscriber.
    pub home: String,
}

/// A reply that a page carries.
pub(super) struct CarriedReply {
    /// Its address.
    pub address: String,
    /// Its body, unpacked.
    pub body: Bytes,
    /// Its entity tag; without one it may be another each time.
    pub tag: Option<String>,
}

/// Where else a page may reach.
#[derive(Clone, Copy)]
pub(super) struct Elsewhere<'a> {
    /// The network's pages.
    pub operator: &'a Url,
    /// Where media come from, if not from us.
    pub films: Option<&'a str>,
}

/// What an address shows.
#[derive(Default)]
pub(super) struct Content<'a> {
    /// The page's name, for counting.
    pub page: Option<&'a str>,
    /// Whether the request carried a session cookie, so that a page without one need not ask whose it is.
    pub session: bool,
    /// The replies that it carries.
    pub replies: &'a [CarriedReply],
    /// The first screen; empty where it was not drawn.
    pub markup: &'a str,
    /// Whether the screen is for browsers without scripts alone.
    pub plain: bool,
    /// Where a browser without scripts goes on, and after how many seconds.
    pub forward: Option<(String, u8)>,
}

/// What the page knows before its first call, beside `session` and `page`, which the request tells.
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

impl Frame {
    /// Prepares a brand's page; its look is asked for by what the page knows.
    pub fn new(
        (template, renderer): (&Template, &Renderer),
        brand: &Brand,
        label: &str,
        elsewhere: Elsewhere<'_>,
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
            test_msisdn: test_msisdn.map(Msisdn::as_str),
            opt_in_url: format!("{}/opt-in?svc_id={}", elsewhere.operator.as_str().trim_end_matches('/'), brand.svc_id),
            image_prefix: "/img",
            helpline: &brand.helpline,
            support_email: &brand.support_email,
            theme: &brand.theme,
            copy: &brand.copy,
        };
        let boot = serde_json::from_value(serde_json::to_value(&boot)?)?;
        let (page, style_source) = template.dressed(brand, renderer.look(&boot)?.as_ref());
        let (before, after) = page.split_once(BOOT).unwrap_or((&page, ""));
        let (between, after) = after.split_once(SCREEN).unwrap_or((after, ""));
        let (after, rest) = after.split_once(UNDRAWN.0).unwrap_or((after, ""));
        let (undrawn, end) = rest.split_once(UNDRAWN.1).unwrap_or(("", rest));
        Ok(Self {
            before: before.to_owned(),
            between: between.to_owned(),
            after: after.to_owned(),
            undrawn: undrawn.to_owned(),
            end: end.to_owned(),
            boot,
            policy: policy(elsewhere, &style_source.map_or_else(String::new, |source| format!(" {source}"))),
            kind: brand.kind,
            service: brand.service.clone(),
            svc_id: brand.svc_id,
            join: brand.join.clone(),
            home: brand.home.clone(),
        })
    }

    /// What the page knows before its first call.
    pub fn boot(&self, page: Option<&str>, session: bool) -> Map<String, Value> {
        let mut boot = self.boot.clone();
        boot.insert("session".to_owned(), session.into());
        if let Some(page) = page {
            boot.insert("page".to_owned(), page.into());
        }
        boot
    }

    /// The whole page.
    pub fn write(&self, content: &Content<'_>) -> Result<Bytes, Error> {
        let mut text = self.before.clone();
        put_json(&mut text, "boot", &self.boot(content.page, content.session))?;
        if !content.replies.is_empty() {
            put_json(&mut text, "replies", &by_address(content.replies))?;
        }
        if let Some((address, seconds)) = &content.forward {
            let refresh = format!("{seconds};url={address}").render().into_string();
            text.push_str(&format!("<noscript><meta http-equiv=\"refresh\" content=\"{refresh}\"></noscript>"));
        }
        let Content { markup, plain, .. } = *content;
        let screen = if plain { "" } else { markup };
        let inert = match (markup.is_empty(), plain) {
            (true, _) => format!("<noscript>{}</noscript>", self.undrawn),
            (false, false) => String::new(),
            // Within this element others of its kind would end it.
            (false, true) => {
                let markup = markup.replace("<noscript>", "").replace("</noscript>", "");
                format!("<noscript><div class=\"without-scripts\">{markup}</div></noscript>")
            }
        };
        for part in [self.between.as_str(), screen, self.after.as_str(), &inert, self.end.as_str()] {
            text.push_str(part);
        }
        Ok(text.into())
    }
}

fn policy(elsewhere: Elsewhere<'_>, styles: &str) -> String {
    let films = elsewhere.films.map_or_else(String::new, |origin| format!(" {origin}"));
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'{styles}; img-src 'self' data: blob:; font-src 'self' data:; \
         media-src 'self' blob:{films}; connect-src 'self'{films}; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; \
         form-action 'self' {}; frame-ancestors 'none'",
        elsewhere.operator.origin().ascii_serialization()
    )
}

/// Replies as one value, by their addresses; one that is not JSON is left out.
pub(super) fn by_address(replies: &[CarriedReply]) -> BTreeMap<&str, &RawValue> {
    replies
        .iter()
        .filter_map(|reply| Some((reply.address.as_str(), serde_json::from_slice(&reply.body).ok()?)))
        .collect()
}

/// A script element that is data. Inside of it only `<` can end it or begin a comment, and in JSON it stands in strings alone.
fn put_json(text: &mut String, id: &str, data: &impl Serialize) -> Result<(), Error> {
    let json = serde_json::to_string(data).map_err(|error| Error::Internal(error.to_string()))?;
    text.push_str("<script type=\"application/json\" id=\"");
    text.push_str(id);
    text.push_str("\">");
    text.push_str(&json.replace('<', "\\u003c"));
    text.push_str("</script>");
    Ok(())
}
