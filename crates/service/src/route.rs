//! Metrics of every request: count, status and duration, by the route's pattern and not by the URL.
//!
//! Recording looks nothing up by text and allocates nothing: each worker caches the metric handles of its routes.

use std::{cell::RefCell, time::Duration};

use actix_web::{HttpRequest, dev::ServiceResponse, http::StatusCode};
use metrics::{Counter, Histogram, counter, histogram};
use telemetry::names::{HTTP_REQUEST_SECONDS, HTTP_REQUESTS};

/// Which service responds, as `app_data` of its application.
#[derive(Clone, Copy)]
pub(crate) struct ServiceName(pub(crate) &'static str);

/// The metrics of a resource, as its `app_data`, or as a scope's for all its resources without their own.
pub struct Route {
    /// Gives the label; `None` for the pattern.
    by: Option<fn(&HttpRequest) -> &'static str>,
    /// By the label given.
    tally: RequestCounters<Option<&'static str>>,
}

/// The metric handles of one route.
struct Series {
    route: String,
    seconds: Histogram,
    replies: Vec<(&'static str, u16, Counter)>,
}

impl Route {
    /// Labelled by the pattern of its path.
    pub fn pattern() -> Self {
        Self { by: None, tally: RequestCounters::default() }
    }

    /// Labelled by `name`, which must return few different values.
    pub fn by(name: fn(&HttpRequest) -> &'static str) -> Self {
        Self { by: Some(name), tally: RequestCounters::default() }
    }

    /// For requests that match no resource.
    pub(crate) fn rest() -> Self {
        Self::by(|req| match req.path() {
            "/healthz" => "/healthz",
            "/readyz" => "/readyz",
            "/metrics" => "/metrics",
            "/openapi.json" => "/openapi.json",
            _ => "(none)",
        })
    }

    /// The label of a request; `None` if it is labelled by its pattern.
    fn label(&self, req: &HttpRequest) -> Option<&'static str> {
        self.by.map(|name| name(req))
    }

    fn count(&self, service: &'static str, req: &HttpRequest, status: StatusCode, duration: Duration) {
        let method = method_word(req.method().as_str());
        self.tally.count(service, self.label(req), || name(req), method, status.as_u16(), duration);
    }
}

/// The metrics of several routes on one thread, by key.
pub struct RequestCounters<K>(RefCell<Vec<(K, Series)>>);

impl<K> Default for RequestCounters<K> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<K: PartialEq> RequestCounters<K> {
    /// Counts a request to the route of `key`, labelled `name`.
    pub fn count(
        &self,
        service: &'static str,
        key: K,
        name: impl FnOnce() -> String,
        method: &'static str,
        status: u16,
        duration: Duration,
    ) {
        let mut all = self.0.borrow_mut();
        let known = all.iter().position(|(known, _)| *known == key);
        let place = known.unwrap_or_else(|| {
            all.push((key, Series::new(service, name())));
            all.len() - 1
        });
        if let Some((_, series)) = all.get_mut(place) {
            series.count(service, method, status, duration);
        }
    }
}

impl Series {
    fn new(service: &'static str, route: String) -> Self {
        let seconds = histogram!(HTTP_REQUEST_SECONDS, "service" => service, "route" => route.clone());
        Self { route, seconds, replies: Vec::new() }
    }

    fn count(&mut self, service: &'static str, method: &'static str, status: u16, duration: Duration) {
        self.seconds.record(duration.as_secs_f64());
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

/// The label of a request's route.
pub(crate) fn name(req: &HttpRequest) -> String {
    let label = req.app_data::<Route>().and_then(|route| route.label(req)).map(str::to_owned);
    label.or_else(|| req.match_pattern()).unwrap_or_else(|| "(none)".to_owned())
}

/// The service that responds to a request.
pub(crate) fn service_name(req: &HttpRequest) -> Option<&'static str> {
    req.app_data::<ServiceName>().map(|service_name| service_name.0)
}

/// Counts a request whose response begins now.
pub(crate) fn count(reply: &ServiceResponse, duration: Duration) {
    let req = reply.request();
    if let (Some(route), Some(service)) = (req.app_data::<Route>(), service_name(req)) {
        route.count(service, req, reply.status(), duration);
    }
}

/// A method as a label: clients may invent methods, which share one label.
pub fn method_word(method: &str) -> &'static str {
    ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]
        .into_iter()
        .find(|known| *known == method)
        .unwrap_or("(other)")
}
