//! The merged OpenAPI document without a running service: the same documents, merged by the same function as at the gateway.

#![expect(clippy::print_stdout, reason = "the document is for a file")]

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
    println!("{:#}", gateway::merge_documents(documents));
    ExitCode::SUCCESS
}
