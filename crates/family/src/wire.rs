//! What a network has to offer and what it tells us, as documents for its engineers: `crates/operator/wire`.

mod openapi;
mod wsdl;

use operator::camara::APIS;
use serde_json::json;

/// A document: `rest`, `notifications`, `parlay-x` or `camara`.
pub fn document(name: &str) -> Result<String, String> {
    match name {
        "rest" => Ok(format!("{:#}", openapi::rest())),
        "notifications" => Ok(format!("{:#}", openapi::notifications())),
        "parlay-x" => wsdl::document().map_err(|error| error.to_string()),
        "camara" => Ok(format!("{:#}", json!({ "repositories": "https://github.com/camaraproject/", "apis": APIS }))),
        other => Err(format!("there is no document {other}: rest, notifications, parlay-x, camara")),
    }
}
