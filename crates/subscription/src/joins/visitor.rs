//! The visitor of a request: the browser's cookie, and the evidence that is stored with a consent.

use std::{
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{
    FromRequest, HttpRequest,
    cookie::{Cookie, SameSite, time::Duration},
    dev::Payload,
    http::header,
};
use identity::{Session, SessionMinter, cookie_name};
use languages::Language;
use sha2::{Digest, Sha256};

use crate::{error::Error, subscribers::ids::random_token};

/// Identifies the browser, so that only the one that started an attempt opens its session.
const BROWSER_COOKIE: &str = "browser";

/// Identifies the browser for which the key of saved films is derived.
const DEVICE_COOKIE: &str = "device";

/// As long as a join may wait for its answer.
const BROWSER_COOKIE_LIFE: Duration = Duration::days(5);

/// As long as the session is valid.
const SESSION_COOKIE_LIFE: Duration = Duration::seconds(identity::SESSION_LIFETIME_SECONDS);

/// The longest stored header value, in characters.
const MAX_EVIDENCE: usize = 300;

/// What a visitor taps to join, with the words around it, which are the consent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tapped {
    /// JOIN on the join form.
    Join,
    /// The button that has the network tell the SIM's number.
    SimNumber,
    /// A like or another action of a page, which leads to the network's page.
    OptInLink,
}

/// The visitor of a request, by the gateway's headers.
pub(crate) struct Visitor {
    /// The value of the browser's cookie, if it is one of ours.
    browser: Option<String>,
    /// The value of the cookie that the key of saved films is bound to, if it is one of ours.
    device: Option<String>,
    /// The client's address.
    pub address: String,
    /// The User-Agent header.
    pub agent: String,
    /// The page of the request, without its query, which may contain a number.
    pub page: String,
    /// The language of the page, which the gateway names.
    pub language: Language,
    /// What the visitor has tapped to join.
    pub tapped: Tapped,
    https: bool,
}

impl Visitor {
    /// A person who writes SMSes, and has no browser yet; `page` names the short code.
    pub fn by_sms(page: &str, language: Language) -> Self {
        let page = page.to_owned();
        Self {
            browser: None,
            device: None,
            address: String::new(),
            agent: "SMS".to_owned(),
            page,
            language,
            tapped: Tapped::Join,
            https: false,
        }
    }

    /// The same visitor, back from the network that has told the SIM's number; `page` had the button.
    pub fn by_sim(self, page: &str) -> Self {
        Self { page: page.to_owned(), tapped: Tapped::SimNumber, ..self }
    }

    /// The same visitor, who has tapped an action of a page.
    pub fn by_link(self) -> Self {
        Self { tapped: Tapped::OptInLink, ..self }
    }

    /// SHA-256 of the browser's cookie, as stored with attempts; `None` without a cookie.
    pub fn browser_hash(&self) -> Option<String> {
        self.browser.as_deref().map(hash)
    }

    /// The browser's cookie, renewed or new, and its hash.
    pub fn browser_cookie(&self) -> (Cookie<'static>, String) {
        let value = self.browser.clone().unwrap_or_else(random_token);
        let hash = hash(&value);
        (self.cookie(BROWSER_COOKIE.to_owned(), value, BROWSER_COOKIE_LIFE), hash)
    }

    /// The cookie that the key of saved films is bound to, renewed or new, and its value.
    pub fn device_cookie(&self) -> (Cookie<'static>, String) {
        let value = self.device.clone().unwrap_or_else(random_token);
        (self.cookie(DEVICE_COOKIE.to_owned(), value.clone(), SESSION_COOKIE_LIFE), value)
    }

    /// The cookie with a session, for its label's host only.
    pub fn session_cookie(&self, minter: &SessionMinter, session: &Session) -> Result<Cookie<'static>, Error> {
        let token = minter.mint(session).ok_or(Error::Signing)?;
        Ok(self.cookie(cookie_name(&session.label), token, SESSION_COOKIE_LIFE))
    }

    /// Deletes the session cookie of a label.
    pub fn expired_session_cookie(&self, label: &str) -> Cookie<'static> {
        self.cookie(cookie_name(label), String::new(), Duration::ZERO)
    }

    /// Without a Domain, so for this host only.
    fn cookie(&self, name: String, value: String, life: Duration) -> Cookie<'static> {
        Cookie::build(name, value)
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.https)
            .max_age(life)
            .finish()
    }
}

fn hash(value: &str) -> String {
    hex::encode(Sha256::digest(value))
}

impl FromRequest for Visitor {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let text = |name: &str| req.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let short = |text: &str| text.chars().take(MAX_EVIDENCE).collect::<String>();
        let page = match text(header::REFERER.as_str()) {
            "" => text(header::ORIGIN.as_str()),
            referer => referer.split(['?', '#']).next().unwrap_or_default(),
        };
        let peer = || req.peer_addr().map(|addr| addr.ip().to_string()).unwrap_or_default();
        let address = service::address(text("x-forwarded-for")).map(|address| address.to_string());
        // Only values of our format: with others, browsers could share a cookie.
        let token = |name: &str| {
            let value = req.cookie(name).map(|cookie| cookie.value().to_owned());
            value.filter(|value| value.len() == random_token_len() && value.is_ascii())
        };
        ready(Ok(Self {
            browser: token(BROWSER_COOKIE),
            device: token(DEVICE_COOKIE),
            address: address.unwrap_or_else(peer),
            agent: short(text(header::USER_AGENT.as_str())),
            page: short(page),
            language: Language::preferred(text(header::ACCEPT_LANGUAGE.as_str())).unwrap_or(Language::ENGLISH),
            tapped: Tapped::Join,
            https: text("x-forwarded-proto").eq_ignore_ascii_case("https"),
        }))
    }
}

/// 24 bytes in base64 without padding.
const fn random_token_len() -> usize {
    32
}
