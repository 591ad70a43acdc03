//! Components that the documents of all services share: problems, headers, security schemes.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use utoipa::{
    IntoResponses,
    openapi::{Ref, RefOr, response::Response},
};

use super::{put, schema_of};
use crate::{Id, problem, schema};

/// Error responses: component name, status, description, and whether it has `Retry-After`.
const REFUSALS: [(&str, u16, &str, bool); 12] = [
    ("BadRequest", 400, "The path, query or body is malformed.", false),
    ("Unauthorized", 401, "There is no valid session or token.", false),
    ("Forbidden", 403, "The number or service is not the session's, or the call comes from another site.", false),
    ("NotFound", 404, "The resource does not exist.", false),
    ("RequestTimeout", 408, "The body was not received within 30 seconds.", false),
    ("Conflict", 409, "The state of the resource does not allow the call.", false),
    ("ContentTooLarge", 413, "The body is larger than 64 KiB.", false),
    ("UnsupportedMediaType", 415, "The body is not sent as `application/json`.", false),
    ("Refused", 422, "The call breaks a rule, which `error_message` names.", false),
    ("TooMany", 429, "Too many attempts.", true),
    ("HeadTooLarge", 431, "The request line and headers are larger than 16 KiB.", false),
    ("Unavailable", 503, "A service or store that the call needs is unavailable.", true),
];

/// Responses that a handler declares, because they do not follow from its parameters.
macro_rules! named {
    ($($(#[$doc:meta])* $name:ident $status:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                [(stringify!($status).to_owned(), Ref::from_response_name(stringify!($name)).into())].into()
            }
        }
    )*};
}

named! {
    /// The reply has an `ETag`, and is 304 if it matches `If-None-Match`.
    Cached 304;
    /// There is no valid session.
    Unauthorized 401;
    /// The session does not allow this.
    Forbidden 403;
    /// Not found.
    NotFound 404;
    /// The current state does not allow this.
    Conflict 409;
    /// Valid, but against a rule.
    Refused 422;
    /// Too many calls.
    TooMany 429;
}

/// The reference to the error response of this status.
pub(super) fn refusal(status: u16) -> Value {
    let name = REFUSALS.iter().find(|(_, known, ..)| *known == status).map(|(name, ..)| name);
    json!({ "$ref": format!("#/components/responses/{}", name.unwrap_or(&"Refused")) })
}

/// The reference to a shared header.
pub(super) fn header(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

/// Adds to the document's components those that are referenced.
pub(super) fn add_referenced_components(document: &mut Value) {
    // An added component can have references itself.
    for _ in 0..3 {
        let text = document.to_string();
        let Some(Value::Object(components)) = document.get_mut("components") else { return };
        let mut add = |place: &str, name: &str, part| {
            put(components.entry(place).or_insert_with(|| json!({})), name, part);
        };
        for (place, name, part) in shared() {
            if text.contains(&format!("\"#/components/{place}/{name}\"")) {
                add(place, name, part);
            }
        }
        for (name, scheme) in security_schemes() {
            if text.contains(&format!("{{\"{name}\":[]}}")) {
                add("securitySchemes", name, scheme);
            }
        }
    }
}

fn shared() -> Vec<(&'static str, &'static str, Value)> {
    let text = |pattern: &str, about: &str| json!({ "schema": { "type": "string", "pattern": pattern }, "description": about });
    let mut parts = vec![
        ("schemas", "Problem", schema_of::<problem::Body>()),
        ("schemas", "Id", schema_of::<Id>()),
        ("schemas", "Name", schema_of::<schema::Name>()),
        ("schemas", "NameOrId", schema_of::<schema::NameOrId>()),
        ("responses", "Cached", cached()),
        (
            "headers",
            "CacheControl",
            text(
                "^(public, max-age=\\d+|no-store)$",
                "How long the reply may be cached; `no-store` if it is about one visitor or one moment.",
            ),
        ),
        ("headers", "ETag", text("^(W/)?\".+\"$", "The version of the reply, for `If-None-Match`.")),
        ("headers", "Link", text("^<.+>; rel=\"next\"$", "The next page (RFC 8288); absent on the last one.")),
        (
            "headers",
            "RequestId",
            json!({ "schema": { "type": "string", "format": "uuid" }, "description": "The request id, as in the logs." }),
        ),
        (
            "headers",
            "RetryAfter",
            json!({ "schema": { "type": "integer", "minimum": 1 }, "description": "Seconds to wait." }),
        ),
    ];
    parts.extend(REFUSALS.iter().map(|(name, _, about, comes_back)| {
        let mut headers = json!({ "X-Request-Id": header("RequestId") });
        if *comes_back {
            put(&mut headers, "Retry-After", header("RetryAfter"));
        }
        let content = json!({ "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } });
        ("responses", *name, json!({ "description": about, "content": content, "headers": headers }))
    }));
    parts
}

fn cached() -> Value {
    json!({
        "description": "The client has this version.",
        "headers": { "Cache-Control": header("CacheControl"), "ETag": header("ETag"), "X-Request-Id": header("RequestId") },
    })
}

fn security_schemes() -> [(&'static str, Value); 4] {
    [
        (
            "session",
            json!({
                "type": "apiKey", "in": "cookie", "name": "session-LABEL",
                "description": "The signed session of the host's label, such as `session-memeworld`; opened by `check-sub` after the network's confirmation.",
            }),
        ),
        (
            "admin",
            json!({ "type": "http", "scheme": "bearer", "description": "The admin token, or a token of staff where the call has a scope; never through the gateway." }),
        ),
        (
            "network",
            json!({
                "type": "apiKey", "in": "header", "name": "webhook-signature",
                "description": "Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`.",
            }),
        ),
        (
            "staff",
            json!({
                "type": "apiKey", "in": "cookie", "name": "spaza_staff",
                "description": "A session of the back office, opened by email address, password and code.",
            }),
        ),
    ]
}
