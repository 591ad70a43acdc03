//! The services' OpenAPI documents as one. `make types` writes it to `frontend/openapi.json`, and the gateway serves that file.

#![expect(clippy::print_stdout, reason = "the document is for a file")]

mod merge;

use std::process::ExitCode;

/// Prints the document.
pub fn print() -> ExitCode {
    let documents = vec![
        ("comedy", comedy::PUBLICATION.openapi()),
        ("diski", diski::PUBLICATION.openapi()),
        ("meme", meme::PUBLICATION.openapi()),
        ("tt", tt::PUBLICATION.openapi()),
        ("subscription", subscription::openapi()),
        ("gateway", gateway::openapi()),
    ];
    println!("{:#}", merge::merge(documents));
    ExitCode::SUCCESS
}

/// Prints the document of the back office, which is apart from the others: the gateway does not serve it.
pub fn print_backoffice() -> ExitCode {
    println!("{:#}", backoffice::openapi());
    ExitCode::SUCCESS
}
