//! What a network has to offer and what it tells us, as documents for its engineers: `crates/operator/wire`.

#![expect(clippy::print_stdout, reason = "a document is for a file")]

mod openapi;
mod wsdl;

use std::process::ExitCode;

use operator::camara::APIS;
use serde_json::json;

/// Prints a document: `rest`, `notifications`, `parlay-x` or `camara`.
pub fn print(document: &str) -> ExitCode {
    match document {
        "rest" => println!("{:#}", openapi::rest()),
        "notifications" => println!("{:#}", openapi::notifications()),
        "parlay-x" => match wsdl::document() {
            Ok(wsdl) => println!("{wsdl}"),
            Err(error) => return fail(&error.to_string()),
        },
        "camara" => println!("{:#}", json!({ "repositories": "https://github.com/camaraproject/", "apis": APIS })),
        other => return fail(&format!("there is no document {other}: rest, notifications, parlay-x, camara")),
    }
    ExitCode::SUCCESS
}

fn fail(cause: &str) -> ExitCode {
    eprintln!("{cause}");
    ExitCode::FAILURE
}
