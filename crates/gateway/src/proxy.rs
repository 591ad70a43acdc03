//! A call passes to its service and the response passes back.

use std::sync::Arc;

use brands::Brands;
use bytes::Bytes;
use http::{
    HeaderMap, Method, StatusCode,
    header::{self, HeaderName, HeaderValue},
};
use identity::{Enrichment, cookie_name};
use languages::Language;
use serde_json::Value;
use service::Problem;

use crate::{
    brand,
    cache::{self, ReplyCache},
    error::Error,
    forward, language,
    previews::{self, Previews, Shown},
    request::Head,
    response::{self, Body, NO_SNIFF, Response, value},
    services::{self, Service},
    session::Sessions,
    upstream::{Call, ServiceResponse, Upstreams},
};

/// The host of calls without a brand of the service: a name that never resolves (RFC 2606).
const NO_BRAND: &str = "invalid";

/// The largest reply to a read and to a write of a page without scripts. The likes of a number are one list.
const MAX_READ_BYTES: usize = 1024 * 1024;
const MAX_WRITE_BYTES: usize = 64 * 1024;

/// A service's response, read completely.
pub(crate) struct BufferedResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl BufferedResponse {
    /// As the client sees it.
    pub(crate) fn into_response(self) -> Response {
        let mut response = response::response(self.status, [], self.body);
        *response.headers_mut() = self.headers;
        response.headers_mut().insert(NO_SNIFF.0, NO_SNIFF.1);
        response
    }
}

/// The parts that handle a proxied call.
pub(crate) struct Proxy {
    pub(crate) brands: Brands,
    /// The header in which a network names its subscriber's number.
    pub(crate) enrichment: Enrichment,
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) previews: Previews,
    pub(crate) replies: Arc<ReplyCache>,
    pub(crate) upstreams: Arc<Upstreams>,
}

impl Proxy {
    /// Handles a call of `service`.
    pub(crate) async fn handle(&self, head: &Head, service: Service, body: Bytes) -> Result<Response, Error> {
        let label = self.label(head, service);
        let is_preview = self.preview(head, service, &label).is_some();
        if !is_preview && !services::is_own(service, &head.method, head.path()) {
            let headers = |without: &[HeaderName]| self.headers(head, service, &label, without);
            let language = language::of(head, self.brands.by_label(&label).as_deref());
            if let Some(shared) = self.replies.find(head, service, (&label, language), headers).await? {
                return Ok(shared);
            }
        }
        let mut response = self.send(head, service, &label, body).await.map(pass)?;
        if is_preview {
            previews::mark(&mut response);
        }
        Ok(response)
    }

    /// The preview that a call of `service` sees on the host of `label`.
    fn preview(&self, head: &Head, service: Service, label: &str) -> Option<Shown> {
        let is_shown = head.method.is_safe() && service.kind().is_some();
        if is_shown { self.previews.of(head, label) } else { None }
    }

    /// Calls a service for a page without scripts, by the rules of calls from its script.
    pub(crate) async fn ask(
        &self,
        head: &Head,
        label: &str,
        method: Method,
        address: &str,
        body: Option<Value>,
    ) -> Result<BufferedResponse, Error> {
        let mut request = head.clone();
        request.method = method;
        request.address = address.parse().map_err(|_| Error::NotFound)?;
        let service = services::service_of(request.path()).ok_or(Error::NotFound)?;
        for name in [header::CONTENT_TYPE, header::ACCEPT_ENCODING, header::IF_NONE_MATCH, header::RANGE] {
            request.headers.remove(name);
        }
        request.headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if body.is_some() {
            request.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let body = body.map_or_else(Bytes::new, |body| body.to_string().into());
        let most = if request.is_read() { MAX_READ_BYTES } else { MAX_WRITE_BYTES };
        let response = self.send(&request, service, label, body).await?;
        let headers = response.headers.clone();
        let (status, body) = read_small(response, service, most).await?;
        Ok(BufferedResponse { status, headers, body })
    }

    /// Sends a request to `service`, for the host of `label`.
    async fn send(&self, head: &Head, service: Service, label: &str, body: Bytes) -> Result<ServiceResponse, Error> {
        let request_headers = |without: &[HeaderName]| self.headers(head, service, label, without);
        // Services know no HEAD: they are asked as by a GET, and the server leaves the body out.
        let method = if head.method == Method::HEAD { Method::GET } else { head.method.clone() };
        let headers = if services::is_own(service, &method, head.path()) {
            // Boxed: most calls do not need this future, and it is large.
            let session = Box::pin(self.checked_session(head, label)).await?;
            let mut headers = request_headers(&[header::COOKIE]);
            if let Some(cookie) = session {
                headers.insert(header::COOKIE, value(&cookie));
            }
            headers
        } else {
            request_headers(&[])
        };
        let call = Call::new(method, head.address.clone(), headers, body);
        let response = self.upstreams.of(service).send(&call).await;
        // Whatever was answered: a leave may have been recorded although its response was lost.
        if head.method == Method::POST
            && head.path() == services::LEAVE
            && let Some(token) = head.cookie(&cookie_name(label))
        {
            Box::pin(self.sessions.forget(token)).await;
        }
        response
    }

    /// The session cookie that a service gets with a call for the session's own number. It is the only cookie that passes there: services
    /// decode names and values of cookies, so another spelling of one could be a session that was not checked.
    ///
    /// Without a genuine session there is none, and the service answers by its own rules. The session of a subscription that has ended
    /// writes nothing, and reads as if it were not there.
    async fn checked_session(&self, head: &Head, label: &str) -> Result<Option<String>, Error> {
        let Some(proof) = self.sessions.proof_on(head, label) else { return Ok(None) };
        if self.sessions.has_subscription(&proof).await? {
            Ok(Some(proof.cookie()))
        } else if head.method.is_safe() {
            Ok(None)
        } else {
            Err(Error::NoSession)
        }
    }

    /// The headers of a call for a request, without those named in `without`.
    fn headers(&self, head: &Head, service: Service, label: &str, without: &[HeaderName]) -> HeaderMap {
        let language = language::of(head, self.brands.by_label(label).as_deref());
        let mut headers = forward::headers(head, &self.enrichment, service, label, language, without);
        if let Some(preview) = self.preview(head, service, label) {
            headers.insert(previews::HEADER, preview.token);
        }
        headers
    }

    /// The language of a request's errors.
    pub(crate) fn language(&self, head: &Head) -> Language {
        let brand = brand::label(&self.brands, head).and_then(|label| self.brands.by_label(&label));
        language::of(head, brand.as_deref())
    }

    /// The label that a service gets as its host: that of the brand of the request; on a host without one, that of its own first brand.
    fn label(&self, head: &Head, service: Service) -> String {
        let own = || {
            let brand = self.brands.iter().find(|brand| Some(brand.kind) == service.kind());
            brand.map(|brand| brand.label().to_owned())
        };
        brand::label(&self.brands, head).or_else(own).unwrap_or_else(|| NO_BRAND.to_owned())
    }
}

/// A service's response as the client sees it. A failure that is no problem document becomes one of ours.
pub(crate) fn pass(mut from: ServiceResponse) -> Response {
    let status = from.status;
    if (status.is_client_error() || status.is_server_error()) && !from.is_problem() {
        return response::problem(&Problem::of_status(status.as_u16()));
    }
    let mut headers = std::mem::take(&mut from.headers);
    headers.insert(NO_SNIFF.0, NO_SNIFF.1);
    if headers.contains_key(header::CONTENT_LANGUAGE) {
        headers.insert(header::VARY, response::BY_LANGUAGE);
    }
    cache::vary_by_language(&mut headers);
    let body = match status {
        StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED => Body::Empty,
        _ => from.into_body(),
    };
    let mut response = response::response(status, [], body);
    *response.headers_mut() = headers;
    response
}

/// A small response read whole, for calls of our own.
pub(crate) async fn read_small(
    response: ServiceResponse,
    service: Service,
    most: usize,
) -> Result<(StatusCode, Bytes), Error> {
    let status = response.status;
    let body = response.read(most).await;
    let body = body.map_err(|cause| Error::Unavailable { service: service.name(), cause: cause.to_string() })?;
    Ok((status, body))
}
