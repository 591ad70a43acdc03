//! The look of every page: a network's own, for a phone first, and whole without scripts.

use std::{
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest, HttpResponse, Responder, body::BoxBody, dev::Payload, http::StatusCode,
    http::header,
};
use languages::{FluentArgs, Language};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use service::Forwarded;
use url::form_urlencoded;

/// The imitated network's name.
pub(crate) const NETWORK_NAME: &str = "Karoo Mobile";

const STYLE: &str = include_str!("style.css");

/// The parameter of a page's address with its language, which the other side adds.
const LANGUAGE_PARAMETER: &str = "lang";

/// The language of a page: that of its address, else the first that the browser accepts, else English.
#[derive(Clone, Copy)]
pub(crate) struct PageLanguage(pub Language);

impl PageLanguage {
    /// A text without placeholders.
    pub fn text(self, id: &str) -> String {
        self.0.text(id, &FluentArgs::new())
    }

    /// A text with the name of a service.
    pub fn text_about(self, id: &str, name: &str) -> String {
        self.0.text(id, &FluentArgs::from_iter([("name", name)]))
    }

    /// An address of a page in this language.
    pub fn address(self, of: &str) -> String {
        let code = self.0.code();
        if self.0 == Language::ENGLISH { of.to_owned() } else { format!("{of}?{LANGUAGE_PARAMETER}={code}") }
    }
}

impl FromRequest for PageLanguage {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let named = form_urlencoded::parse(req.query_string().as_bytes())
            .find(|(name, _)| name == LANGUAGE_PARAMETER)
            .and_then(|(_, code)| Language::parse(&code));
        let accepted = || req.headers().get(header::ACCEPT_LANGUAGE)?.to_str().ok().and_then(Language::preferred);
        ready(Ok(Self(named.or_else(accepted).unwrap_or(Language::ENGLISH))))
    }
}

/// What a person gets: a page, or the way to another one.
pub(crate) enum PageResponse {
    /// A page of the network's.
    Page {
        /// The status; error pages are pages, too.
        status: StatusCode,
        /// The language of its texts.
        language: Language,
        /// Short, for the browser's tab.
        title: String,
        /// What stands below the network's head.
        body: Markup,
    },
    /// The browser goes on to this address.
    Redirect(String),
}

impl Responder for PageResponse {
    type Body = BoxBody;

    fn respond_to(self, req: &HttpRequest) -> HttpResponse {
        match self {
            Self::Page { status, language, title, body } => {
                // A fault shown to a person is a page and passes as it is, not a problem for a program.
                req.extensions_mut().insert(Forwarded);
                render(status, language, &title, &body)
            }
            Self::Redirect(address) => HttpResponse::SeeOther()
                .insert_header((header::LOCATION, address))
                .insert_header((header::CACHE_CONTROL, "no-store"))
                .finish(),
        }
    }
}

/// A page with status 200.
pub(crate) fn page(language: Language, title: &str, body: Markup) -> PageResponse {
    PageResponse::Page { status: StatusCode::OK, language, title: title.to_owned(), body }
}

/// A page that says one thing: a message as its title, and one below it.
pub(crate) fn message(status: StatusCode, language: PageLanguage, [id, lead]: [&str; 2]) -> PageResponse {
    let title = language.text(id);
    let body = html! { section class="card" { h1 { (title) } p class="lead" { (language.text(lead)) } } };
    PageResponse::Page { status, language: language.0, title, body }
}

/// `R3.00`.
pub(crate) fn rand(cents: i64) -> String {
    format!("R{}.{:02}", cents / 100, cents % 100)
}

fn render(status: StatusCode, language: Language, title: &str, body: &Markup) -> HttpResponse {
    let html = html! {
        (DOCTYPE)
        html lang={ (language.code()) "-ZA" } {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                meta name="theme-color" content="#073b8f";
                title { (title) " · " (NETWORK_NAME) }
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body {
                header class="top" {
                    a href="/" {
                        span class="bars" aria-hidden="true" { i {} i {} i {} i {} }
                        (NETWORK_NAME)
                    }
                }
                main { (body) }
            }
        }
    };
    HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CONTENT_LANGUAGE, language.code()))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::X_FRAME_OPTIONS, "DENY"))
        // No form-action: browsers would apply it to the redirect to the brand's own host, and block that.
        .insert_header((
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
        ))
        .body(html.into_string())
}
