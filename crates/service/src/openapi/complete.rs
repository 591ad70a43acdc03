//! Completes an operation by its parameters, body and access: error responses, and headers of the reply.

use actix_web::http::Method;
use serde_json::{Map, Value, json};

use super::{
    Access,
    parts::{self, header},
    put,
};

/// The operation with what its handler does not have to declare.
pub(super) fn operation(service: &str, access: Access, method: &Method, address: &str, mut operation: Value) -> Value {
    put(&mut operation, "operationId", id(address));
    name_path_parameters(&mut operation, address);
    put(&mut operation, "tags", json!([service]));
    put(&mut operation, "x-access", format!("{access:?}"));
    if let Some(security) = security(access) {
        put(&mut operation, "security", security);
    }
    let refusals = refusals(access, method, &operation);
    let cached = operation.pointer("/responses/304").is_some();
    let paged = parameters(&operation).any(|parameter| parameter.get("name").is_some_and(|name| name == "after"));
    if let Some(Value::Object(responses)) = operation.get_mut("responses") {
        for status in refusals {
            responses.entry(status.to_string()).or_insert_with(|| parts::refusal(status));
        }
        if let Some(Value::Object(reply)) = responses.get_mut("200") {
            headers(reply, cached, paged, *method == Method::GET);
        }
    }
    operation
}

/// The operation's id, unique, from its path.
fn id(address: &str) -> String {
    let fixed = address.split('/').filter(|part| !matches!(*part, "" | "api") && !part.starts_with('{'));
    fixed.collect::<Vec<_>>().join("_").replace(['-', '.'], "_")
}

/// Renames path parameters as in the path: a handler can be mounted at several paths.
fn name_path_parameters(operation: &mut Value, address: &str) {
    let names = address.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let Some(Value::Array(parameters)) = operation.get_mut("parameters") else { return };
    let in_path = parameters.iter_mut().filter(|parameter| parameter.get("in").is_some_and(|place| place == "path"));
    for (parameter, name) in in_path.zip(names) {
        put(parameter, "name", name);
    }
}

/// Whether members of staff make the call in the back office.
fn is_of_staff(access: Access) -> bool {
    matches!(
        access,
        Access::staff
            | Access::administrator
            | Access::support
            | Access::finance
            | Access::money
            | Access::business
            | Access::content
            | Access::publisher
    )
}

fn security(access: Access) -> Option<Value> {
    match access {
        Access::visitor => Some(json!([{}, { "session": [] }])),
        Access::session | Access::owner => Some(json!([{ "session": [] }])),
        Access::admin
        | Access::support_scope
        | Access::finance_scope
        | Access::editors_scope
        | Access::overview_scope => Some(json!([{ "admin": [] }])),
        Access::network => Some(json!([{ "network": [] }])),
        access if is_of_staff(access) => Some(json!([{ "staff": [] }])),
        _ => None,
    }
}

fn parameters(operation: &Value) -> impl Iterator<Item = &Value> {
    operation.get("parameters").and_then(Value::as_array).into_iter().flatten()
}

fn refusals(access: Access, method: &Method, operation: &Value) -> Vec<u16> {
    let mut statuses = vec![503];
    let has_body = operation.get("requestBody").is_some();
    if has_body || parameters(operation).next().is_some() {
        statuses.push(400);
    }
    if !matches!(access, Access::public | Access::visitor) {
        statuses.push(401);
    }
    // From the gateway: too many calls, a foreign origin, a slow client, a large head.
    let is_staff = is_of_staff(access);
    let is_internal = matches!(
        access,
        Access::admin | Access::support_scope | Access::finance_scope | Access::editors_scope | Access::overview_scope
    );
    if is_internal {
        statuses.push(403);
    }
    if is_staff && (access != Access::staff || !matches!(*method, Method::GET | Method::HEAD)) {
        statuses.push(403);
    }
    if !is_internal && !is_staff {
        statuses.extend([429, 431]);
        if !matches!(*method, Method::GET | Method::HEAD) {
            statuses.push(403);
        }
        if has_body {
            statuses.push(408);
        }
    }
    if has_body {
        statuses.push(413);
    }
    // A network's notification is stored with any content type; other clients must send JSON.
    if has_body && access != Access::network {
        statuses.push(415);
    }
    statuses
}

fn headers(reply: &mut Map<String, Value>, cached: bool, paged: bool, read: bool) {
    let headers = reply.entry("headers").or_insert_with(|| json!({}));
    for (name, part, applies) in [
        ("Cache-Control", "CacheControl", read),
        ("ETag", "ETag", cached),
        ("Link", "Link", paged),
        ("X-Request-Id", "RequestId", true),
    ] {
        if applies {
            put(headers, name, header(part));
        }
    }
}
