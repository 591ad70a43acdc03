//! Previews of drafts: the signed link of the back office sets a cookie, with which one browser sees a draft on the pages of its brand for an
//! hour. Its calls go to the services with the link's token, and past every cache.

use brands::Brands;
use http::{
    StatusCode,
    header::{self, HeaderName, HeaderValue},
};
use languages::{Language, StaffText};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use service::{PREVIEW_HEADER, Preview, StartError, VerifyingKeys, timestamp};
use url::form_urlencoded;

use crate::{
    brand, language,
    request::Head,
    response::{Body, NO_SNIFF, Response, response, style_policy, value},
};

/// The path of links.
pub(crate) const BEGIN: &str = "/preview";

/// The path that ends a preview.
pub(crate) const END: &str = "/preview/end";

/// The header of calls to services with the token.
pub(crate) const HEADER: HeaderName = HeaderName::from_static(PREVIEW_HEADER);

/// Search engines keep no page and no reply with it, and neither does the service worker (`frontend/src/sites/sw.ts`).
const NOT_INDEXED: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));

/// The cookie with the token.
const COOKIE: &str = "preview";

/// How far Johannesburg is ahead of UTC, in seconds.
const JOHANNESBURG: i64 = 2 * 60 * 60;

const STYLES: &str = "\
body{margin:0;padding:12vh 1.25rem;background:#14121c;color:#f6f3ff;font:1.0625rem/1.5 system-ui,sans-serif}\
main{max-width:34rem;margin:auto}h1{line-height:1.15}a{color:inherit}";

/// Verifies links.
pub(crate) struct Previews {
    keys: Option<VerifyingKeys>,
    brands: Brands,
}

/// The preview of a request.
pub(crate) struct Shown {
    /// The token, for services.
    pub(crate) token: HeaderValue,
    until: i64,
}

impl Shown {
    /// What a page in a language says of itself.
    pub(crate) fn banner(&self, language: Language) -> Markup {
        let language = language.of_staff();
        let minutes = (self.until + JOHANNESBURG).div_euclid(60).rem_euclid(24 * 60);
        let until = format!("{:02}:{:02}", minutes / 60, minutes % 60);
        html! {
            link rel="stylesheet" href="/preview.css";
            div.preview-banner lang=(language.code()) role="status" {
                span { (StaffText::new("preview-banner").with("until", until).text(language)) }
                " "
                a href=(END) { (StaffText::new("preview-end").text(language)) }
            }
        }
    }
}

impl Previews {
    /// Links are verified by these keys; without any, there are no previews.
    pub(crate) fn new(keys: Option<&str>, brands: &Brands, production: bool) -> Result<Self, StartError> {
        const NAME: &str = "STAFF_TOKEN_PUBLIC_KEYS";
        let keys = match keys.filter(|keys| !keys.is_empty()) {
            Some(keys) => {
                if production {
                    service::refuse_published(NAME, keys.as_bytes())?;
                }
                let parsed = VerifyingKeys::parse(keys);
                Some(parsed.map_err(|error| StartError::Setting(format!("{NAME}: {error}")))?)
            }
            None => None,
        };
        Ok(Self { keys, brands: brands.clone() })
    }

    /// The preview that a request sees on the host of `label`.
    pub(crate) fn of(&self, head: &Head, label: &str) -> Option<Shown> {
        let token = head.cookie(COOKIE)?;
        let preview = self.verified(token, label)?;
        Some(Shown { token: HeaderValue::from_str(token).ok()?, until: preview.until })
    }

    /// What a token shows on the host of `label`.
    fn verified(&self, token: &str, label: &str) -> Option<Preview> {
        let preview = Preview::verify(self.keys.as_ref()?, token, timestamp::now())?;
        let brand = self.brands.by_label(label)?;
        (brand.service == preview.service).then_some(preview)
    }

    /// Begins a preview with a link's token, or ends it.
    pub(crate) fn respond(&self, head: &Head) -> Response {
        let secure = if head.client.https { "; Secure" } else { "" };
        if head.path() == END {
            return redirect("/", &format!("{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax{secure}"));
        }
        let query = head.query().unwrap_or_default().as_bytes();
        let token =
            form_urlencoded::parse(query).find(|(name, _)| name == "token").map(|(_, token)| token.into_owned());
        let label = brand::label(&self.brands, head);
        let preview = token.as_deref().zip(label.as_deref()).and_then(|(token, label)| self.verified(token, label));
        match (preview, token) {
            (Some(Preview { page, until, .. }), Some(token)) if page.starts_with('/') && !page.starts_with("//") => {
                let seconds = until.saturating_sub(timestamp::now().and_utc().timestamp());
                let cookie = format!("{COOKIE}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
                redirect(&page, &cookie)
            }
            _ => {
                let brand = label.as_deref().and_then(|label| self.brands.by_label(label));
                refusal(language::of(head, brand.as_deref()).of_staff())
            }
        }
    }
}

fn redirect(to: &str, cookie: &str) -> Response {
    let mut response = private(StatusCode::SEE_OTHER, Body::Empty);
    response.headers_mut().insert(header::LOCATION, value(to));
    response.headers_mut().append(header::SET_COOKIE, value(cookie));
    response
}

/// The page of a link that is not valid. It is the same for every reason.
fn refusal(language: Language) -> Response {
    let text = |text: StaffText| text.text(language);
    let page = html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                title { (text(StaffText::new("preview-none"))) }
                meta name="viewport" content="width=device-width, initial-scale=1";
                style { (PreEscaped(STYLES)) }
            }
            body {
                main {
                    h1 { (text(StaffText::new("preview-none-heading"))) }
                    p { (text(StaffText::new("preview-none-lead"))) }
                    p { a href="/" { (text(StaffText::new("preview-to-site"))) } }
                }
            }
        }
    };
    let mut response = private(StatusCode::FORBIDDEN, page.into_string());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, value(&style_policy(STYLES)));
    response
}

/// A response to a link, whose address no cache and no other site gets.
fn private(status: StatusCode, body: impl Into<Body>) -> Response {
    let headers = [
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        NO_SNIFF,
    ];
    let mut response = response(status, headers, body);
    mark(&mut response);
    response
}

/// Marks a response that shows a draft: no cache keeps it.
pub(crate) fn mark(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(NOT_INDEXED.0, NOT_INDEXED.1);
    headers.remove(header::ETAG);
}
