//! The headers of calls to services: the client's, except those of one connection and those that only the gateway sets.

use http::{
    HeaderMap,
    header::{self, HeaderName, HeaderValue},
};
use identity::Enrichment;
use languages::Language;
use service::{PREVIEW_HEADER, current_request_id};

use crate::{
    client_addr::{FORWARDED_FOR, FORWARDED_PROTO},
    request::{Head, REQUEST_ID},
    response::value,
    services::Service,
    upstream::{connection_options, is_hop_by_hop},
};

/// The context of a trace (W3C Trace Context).
const TRACE_PARENT: HeaderName = HeaderName::from_static(telemetry::TRACE_PARENT);

/// Headers that only the gateway sets, or that make other software interpret a request differently; never forwarded from a client.
fn is_ours(name: &str) -> bool {
    matches!(
        name,
        "baggage"
            | "content-length"
            | "expect"
            | "forwarded"
            | "host"
            | "traceparent"
            | "tracestate"
            | "via"
            | "x-client-ip"
            | "x-http-method"
            | "x-http-method-override"
            | "x-method-override"
            | "x-original-url"
            | PREVIEW_HEADER
            | "x-real-ip"
            | "x-request-id"
            | "x-rewrite-url"
    ) || name.starts_with("x-forwarded-")
}

/// The headers sent to `service` for a request in `language` to a host of `label`, without the client's headers named in `without`.
pub(crate) fn headers(
    head: &Head,
    enrichment: &Enrichment,
    service: Service,
    label: &str,
    language: Language,
    without: &[HeaderName],
) -> HeaderMap {
    let named = connection_options(&head.headers);
    let client = head.client;
    let mut headers = HeaderMap::with_capacity(head.headers.len() + 4);
    for (name, value) in &head.headers {
        let stays = is_ours(name.as_str())
            || is_hop_by_hop(name)
            || named.iter().any(|option| option == name.as_str())
            || without.contains(name)
            || enrichment.is_forged(name.as_str().as_bytes(), client.addr, client.https);
        if !stays {
            headers.append(name.clone(), value.clone());
        }
    }
    // Services know neither the visitor's choice nor the brand's language.
    headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(language.code()));
    // Only the subscription service gets address and scheme, for consents and networks' numbers.
    if service == Service::Subscription {
        headers.insert(FORWARDED_FOR, value(&client.addr.to_string()));
        headers.insert(FORWARDED_PROTO, HeaderValue::from_static(if client.https { "https" } else { "http" }));
    }
    add_ours(&mut headers, label);
    headers
}

/// The headers of a call that the gateway makes for itself, for the host of `label`.
pub(crate) fn own_headers(label: &str) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(4);
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    add_ours(&mut headers, label);
    headers
}

/// Adds headers of every call: the brand's host, and the ids of the request and trace.
fn add_ours(headers: &mut HeaderMap, label: &str) {
    headers.insert(header::HOST, value(label));
    headers.insert(REQUEST_ID, value(&current_request_id()));
    if let Some(parent) = telemetry::trace_parent() {
        headers.insert(TRACE_PARENT, value(&parent));
    }
}
