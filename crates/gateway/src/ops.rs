//! The operators' listener: readiness of the services, and this process's metrics. Never on the public port.

use std::sync::Arc;

use http::{
    StatusCode,
    header::{self, HeaderValue},
};
use hyper::body::Incoming;
use serde::Serialize;

use crate::{
    error::Error,
    request::Head,
    response::{Body, Response, response},
    server::{Handler, RoutedResponse},
    upstream::{PartState, Upstreams},
};

/// The handler for operators and their monitoring.
pub(crate) struct Ops {
    pub(crate) upstreams: Arc<Upstreams>,
}

#[derive(Serialize)]
struct Readiness {
    ready: bool,
    version: &'static str,
    revision: &'static str,
    parts: Vec<PartState>,
}

impl Handler for Ops {
    async fn handle(&self, head: &Head, _: Incoming) -> RoutedResponse {
        let (route, response) = match head.path() {
            _ if !head.is_read() => ("(none)", Err(Error::Method("GET, HEAD"))),
            "/healthz" => ("/healthz", Ok(response(StatusCode::OK, [], Body::Empty))),
            "/readyz" => ("/readyz", self.readyz()),
            "/metrics" => ("/metrics", Ok(metrics())),
            _ => ("(none)", Err(Error::NotFound)),
        };
        RoutedResponse { route, response }
    }
}

impl Ops {
    fn readyz(&self) -> Result<Response, Error> {
        let parts = self.upstreams.states();
        let ready = parts.iter().all(|part| part.ready);
        let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        let readiness = Readiness { ready, version: service::VERSION, revision: service::REVISION, parts };
        let body = serde_json::to_vec(&readiness).map_err(|error| Error::Internal(error.to_string()))?;
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        Ok(response(status, headers, body))
    }
}

/// This process's metrics in Prometheus' text format.
fn metrics() -> Response {
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response(StatusCode::OK, [(header::CONTENT_TYPE, kind)], telemetry::metrics())
}
