//! The look of every page: a network's own, for a phone first, and whole without scripts.

use actix_web::{HttpMessage, HttpRequest, HttpResponse, Responder, body::BoxBody, http::StatusCode, http::header};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use service::Forwarded;

/// The imitated network's name.
pub(crate) const NETWORK_NAME: &str = "Karoo Mobile";

const STYLE: &str = include_str!("style.css");

/// What a person gets: a page, or the way to another one.
pub(crate) enum PageResponse {
    /// A page of the network's.
    Page {
        /// The status; error pages are pages, too.
        status: StatusCode,
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
            Self::Page { status, title, body } => {
                // A fault shown to a person is a page and passes as it is, not a problem for a program.
                req.extensions_mut().insert(Forwarded);
                render(status, &title, &body)
            }
            Self::Redirect(address) => HttpResponse::SeeOther()
                .insert_header((header::LOCATION, address))
                .insert_header((header::CACHE_CONTROL, "no-store"))
                .finish(),
        }
    }
}

/// A page that everything is well with.
pub(crate) fn page(title: &str, body: Markup) -> PageResponse {
    PageResponse::Page { status: StatusCode::OK, title: title.to_owned(), body }
}

/// A page that says one thing.
pub(crate) fn message(status: StatusCode, title: &str, text: &str) -> PageResponse {
    let body = html! { section class="card" { h1 { (title) } p class="lead" { (text) } } };
    PageResponse::Page { status, title: title.to_owned(), body }
}

/// `R3.00`.
pub(crate) fn rand(cents: i64) -> String {
    format!("R{}.{:02}", cents / 100, cents % 100)
}

fn render(status: StatusCode, title: &str, body: &Markup) -> HttpResponse {
    let html = html! {
        (DOCTYPE)
        html lang="en-ZA" {
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
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::X_FRAME_OPTIONS, "DENY"))
        // No form-action: browsers would hold it against the redirect to the brand's own host.
        .insert_header((
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
        ))
        .body(html.into_string())
}
