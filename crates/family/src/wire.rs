//! What a network has to offer and what it tells us, as documents for its engineers: `crates/operator/wire`.

mod openapi;
mod wsdl;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use operator::camara::APIS;
use serde_json::json;

/// Prints a document: `rest`, `notifications`, `parlay-x` or `camara`.
pub fn print(document: &str) -> ExitCode {
    let text = match document {
        "rest" => Ok(format!("{:#}", openapi::rest())),
        "notifications" => Ok(format!("{:#}", openapi::notifications())),
        "parlay-x" => wsdl::document().map_err(|error| error.to_string()),
        "camara" => Ok(format!("{:#}", json!({ "repositories": "https://github.com/camaraproject/", "apis": APIS }))),
        other => Err(format!("there is no document {other}: rest, notifications, parlay-x, camara")),
    };
    // Its reader may stop before the end.
    match text.and_then(|text| writeln!(io::stdout(), "{text}").map_err(|error| error.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            eprintln!("{cause}");
            ExitCode::FAILURE
        }
    }
}
