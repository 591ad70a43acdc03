//! The routes of the public listener: all paths and their handlers.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use http::{Method, StatusCode};
use hyper::body::Incoming;
use languages::Language;
use serde_json::Value;
use service::openapi::{Access, Endpoints, described};

use crate::{
    NAME,
    error::Error,
    guard,
    images::Images,
    media::Media,
    pages::{Form, Forms, Pages, api_docs},
    previews,
    proxy::Proxy,
    rates::Rates,
    request::Head,
    response::{Body, Response, response},
    server::{Handler, RoutedResponse},
    services::{self, Service},
    upstream::Upstreams,
    vitals::{self, Vitals},
};

/// The handler of the public listener.
pub(crate) struct Routes {
    pub(crate) rates: Arc<Rates>,
    /// The time limit of a request's body.
    pub(crate) body_patience: Duration,
    pub(crate) upstreams: Arc<Upstreams>,
    pub(crate) proxy: Arc<Proxy>,
    pub(crate) media: Media,
    pub(crate) images: Images,
    pub(crate) pages: Arc<Pages>,
    pub(crate) forms: Forms,
    pub(crate) vitals: Vitals,
}

/// The route of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Route {
    Health,
    Readiness,
    OpenApi,
    Docs,
    Vitals,
    Preview,
    Service(&'static str, Service),
    NoSuchCall,
    Media,
    Image,
    Form(Form),
    Asset,
    Page,
}

impl Route {
    fn of(path: &str) -> Self {
        let is_below =
            |prefix: &str| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if let Some(form) = Form::at(path) {
            return Self::Form(form);
        }
        match path {
            "/healthz" => Self::Health,
            "/readyz" => Self::Readiness,
            "/api/openapi.json" => Self::OpenApi,
            "/api/docs" => Self::Docs,
            "/api/vitals" => Self::Vitals,
            previews::BEGIN | previews::END => Self::Preview,
            _ if is_below("/api") => match services::prefix_of(path) {
                Some((prefix, service)) => Self::Service(prefix, service),
                None => Self::NoSuchCall,
            },
            _ if is_below("/media") => Self::Media,
            _ if is_below("/img") => Self::Image,
            _ if path.starts_with("/assets/") => Self::Asset,
            _ => Self::Page,
        }
    }

    /// The label in metrics.
    fn name(self) -> &'static str {
        match self {
            Self::Health => "/healthz",
            Self::Readiness => "/readyz",
            Self::OpenApi => "/api/openapi.json",
            Self::Docs => "/api/docs",
            Self::Vitals => "/api/vitals",
            Self::Preview => previews::BEGIN,
            Self::Service(prefix, _) => prefix,
            Self::NoSuchCall => "/api",
            Self::Media => "/media/{file}",
            Self::Image => "/img/{picture}",
            Self::Form(form) => form.path(),
            Self::Asset => "/assets/{file}",
            Self::Page => "(page)",
        }
    }
}

impl Handler for Routes {
    async fn handle(&self, head: &Head, body: Incoming) -> RoutedResponse {
        let route = Route::of(head.path());
        RoutedResponse { route: route.name(), response: self.respond(route, head, body).await }
    }

    fn language(&self, head: &Head) -> Language {
        self.proxy.language(head)
    }
}

impl Routes {
    async fn respond(&self, route: Route, head: &Head, body: Incoming) -> Result<Response, Error> {
        // Probes read only the status, and may send no Host.
        match route {
            Route::Health => return Ok(response(StatusCode::OK, [], Body::Empty)),
            Route::Readiness => return Ok(readiness(self.upstreams.ready())),
            _ => {}
        }
        // Media are not rate limited: players make many range requests.
        if route != Route::Media {
            self.rates.count(head.client.addr)?;
        }
        guard::check(head)?;
        let reads = |allowed: &'static str| if head.is_read() { Ok(()) } else { Err(Error::Method(allowed)) };
        // Boxed, except service calls, since the future is as large as its largest variant.
        match route {
            Route::OpenApi => {
                reads("GET, HEAD")?;
                api_docs::get_document(&self.pages, head)
            }
            Route::Docs => {
                reads("GET, HEAD")?;
                api_docs::get_page(&self.pages, head)
            }
            Route::Vitals if head.method != Method::POST => Err(Error::Method("POST")),
            Route::Vitals => Box::pin(self.vitals.count(head, self.body(head, body).await?)).await,
            Route::Preview => {
                reads("GET, HEAD")?;
                Ok(self.proxy.previews.respond(head))
            }
            Route::Service(_, service) => self.proxy.handle(head, service, self.body(head, body).await?).await,
            Route::NoSuchCall => Err(Error::NotFound),
            Route::Media => {
                reads("GET, HEAD")?;
                Box::pin(self.media.serve(head)).await
            }
            Route::Image => {
                reads("GET, HEAD")?;
                Box::pin(self.images.serve(head)).await
            }
            Route::Form(form) if form.is_link() || head.method == Method::POST => {
                if form.is_link() {
                    reads("GET, HEAD")?;
                }
                Box::pin(self.forms.handle(form, head, self.body(head, body).await?)).await
            }
            Route::Form(form) if form != Form::Join => Err(Error::Method("POST")),
            // The join form's path also has a page.
            Route::Form(_) => {
                reads("GET, HEAD, POST")?;
                Box::pin(self.pages.serve(head)).await
            }
            Route::Health | Route::Readiness | Route::Asset | Route::Page => {
                reads("GET, HEAD")?;
                Box::pin(self.pages.serve(head)).await
            }
        }
    }

    /// Reads the body of a request that may have one. A GET's body is ignored.
    async fn body(&self, head: &Head, body: Incoming) -> Result<Bytes, Error> {
        match head.method {
            Method::GET | Method::HEAD | Method::OPTIONS => Ok(Bytes::new()),
            _ => Box::pin(guard::body(body, self.body_patience)).await,
        }
    }
}

/// A status without a body.
pub(crate) fn readiness(is_ready: bool) -> Response {
    response(if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }, [], Body::Empty)
}

/// The gateway's own OpenAPI document.
pub fn document() -> Value {
    let own = Endpoints {
        routes: |_| {},
        described: || {
            vec![
                described::<api_docs::__path_get_document>(
                    Access::public,
                    service::openapi::Method::GET,
                    "/openapi.json",
                    &[],
                ),
                described::<api_docs::__path_get_page>(Access::public, service::openapi::Method::GET, "/docs", &[]),
                described::<vitals::__path_count>(Access::public, service::openapi::Method::POST, "/vitals", &[]),
            ]
        },
    };
    service::openapi::document(NAME, "The gateway's own calls: the API documents, and web vitals.", &[("/api", own)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_returns_the_route_of_a_path() {
        for (path, expected) in [
            ("/", Route::Page),
            ("/healthz", Route::Health),
            ("/api", Route::NoSuchCall),
            ("/api/", Route::NoSuchCall),
            ("/apis", Route::Page),
            ("/api/meme/random", Route::Service("/api/meme", Service::Meme)),
            ("/api/docs", Route::Docs),
            ("/preview", Route::Preview),
            ("/preview/end", Route::Preview),
            ("/preview/x", Route::Page),
            ("/previews", Route::Page),
            ("/media", Route::Media),
            ("/media/x/y.mp4", Route::Media),
            ("/mediate", Route::Page),
            ("/img/rs:fit:1/plain/x", Route::Image),
            ("/join", Route::Form(Form::Join)),
            ("/forms/leave", Route::Form(Form::Leave)),
            ("/forms", Route::Page),
            ("/joined", Route::Page),
            ("/assets/a.js", Route::Asset),
            ("/favicon.svg", Route::Page),
        ] {
            assert_eq!(Route::of(path), expected, "{path}");
        }
    }
}
