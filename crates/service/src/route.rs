//! What is counted of every request: how many, how they ended and how long they took, by the route's pattern and never by an
//! address.
//!
//! On the way of a request nothing is looked up by text and nothing is allocated: each worker keeps its handles beside its routes.

use std::{cell::RefCell, time::Duration};

use actix_web::{HttpRequest, dev::ServiceResponse, http::StatusCode};
use metrics::{Counter, Histogram, counter, histogram};
use telemetry::names::{HTTP_REQUEST_SECONDS, HTTP_REQUESTS};

/// Which service answers, as data of its application.
#[derive(Clone, Copy)]
pub(crate) struct Answering(pub(crate) &'static str);

/// How the requests of a resource are counted; as its `app_data`, or a scope's for all in it that have none of their own.
pub struct Route {
    /// Gives the name; without it, it is the pattern.
    by: Option<fn(&HttpRequest) -> &'static str>,
    /// By the name that was given.
    tally: Tally<Option<&'static str>>,
}

/// The handles of one route.
struct Series {
    route: String,
    seconds: Histogram,
    replies: Vec<(&'static str, u16, Counter)>,
}

impl Route {
    /// Under the pattern of its address.
    pub fn pattern() -> Self {
        Self { by: None, tally: Tally::default() }
    }

    /// Under the names that `name` gives, of which there must be few.
    pub fn by(name: fn(&HttpRequest) -> &'static str) -> Self {
        Self { by: Some(name), tally: Tally::default() }
    }

    /// For what no resource answers, and for what every process has.
    pub(crate) fn rest() -> Self {
        Self::by(|req| match req.path() {
            "/healthz" => "/healthz",
            "/readyz" => "/readyz",
            "/metrics" => "/metrics",
            "/openapi.json" => "/openapi.json",
            _ => "(none)",
        })
    }

    /// The name that is given to a request; nothing where it goes by its pattern.
    fn given(&self, req: &HttpRequest) -> Option<&'static str> {
        self.by.map(|name| name(req))
    }

    fn count(&self, service: &'static str, req: &HttpRequest, status: StatusCode, took: Duration) {
        let method = method_word(req.method().as_str());
        self.tally.count(service, self.given(req), || name(req), method, status.as_u16(), took);
    }
}

/// The metrics of several routes on one thread, each by what it is known by.
pub struct Tally<K>(RefCell<Vec<(K, Series)>>);

impl<K> Default for Tally<K> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<K: PartialEq> Tally<K> {
    /// Counts a request to the route that is known by `key`, under `name`.
    pub fn count(
        &self,
        service: &'static str,
        key: K,
        name: impl FnOnce() -> String,
        method: &'static str,
        status: u16,
        took: Duration,
    ) {
        let mut all = self.0.borrow_mut();
        let known = all.iter().position(|(known, _)| *known == key);
        let place = known.unwrap_or_else(|| {
            all.push((key, Series::new(service, name())));
            all.len() - 1
        });
        if let Some((_, series)) = all.get_mut(place) {
            series.count(service, method, status, took);
        }
    }
}

impl Series {
    fn new(service: &'static str, route: String) -> Self {
        let seconds = histogram!(HTTP_REQUEST_SECONDS, "service" => service, "route" => route.clone());
        Self { route, seconds, replies: Vec::new() }
    }

    fn count(&mut self, service: &'static str, method: &'static str, status: u16, took: Duration) {
        self.seconds.record(took.as_secs_f64());
        if let Some((.., replies)) = self.replies.iter().find(|(m, s, _)| (*m, *s) == (method, status)) {
            replies.increment(1);
            return;
        }
        let replies = counter!(
            HTTP_REQUESTS,
            "service" => service, "method" => method, "route" => self.route.clone(), "status" => status.to_string(),
        );
        replies.increment(1);
        self.replies.push((method, status, replies));
    }
}

/// What a request is counted under.
pub(crate) fn name(req: &HttpRequest) -> String {
    let given = req.app_data::<Route>().and_then(|route| route.given(req)).map(str::to_owned);
    given.or_else(|| req.match_pattern()).unwrap_or_else(|| "(none)".to_owned())
}

/// The service that answers a request.
pub(crate) fn answering(req: &HttpRequest) -> Option<&'static str> {
    req.app_data::<Answering>().map(|answering| answering.0)
}

/// Counts a request whose reply begins now.
pub(crate) fn count(reply: &ServiceResponse, took: Duration) {
    let req = reply.request();
    if let (Some(route), Some(service)) = (req.app_data::<Route>(), answering(req)) {
        route.count(service, req, reply.status(), took);
    }
}

/// A method as a label: a client may invent methods, and those share one.
pub fn method_word(method: &str) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]
        .into_iter()
        .find(|known| *known == method)
        .unwrap_or("(other)")
}
