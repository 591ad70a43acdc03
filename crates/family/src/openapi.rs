//! The services' OpenAPI documents as one. `make types` writes it to `frontend/openapi.json`, and the gateway serves that file.

mod merge;

/// The document.
pub fn document() -> String {
    let documents = vec![
        ("comedy", comedy::PUBLICATION.openapi()),
        ("diski", diski::PUBLICATION.openapi()),
        ("meme", meme::PUBLICATION.openapi()),
        ("tt", tt::PUBLICATION.openapi()),
        ("subscription", subscription::openapi()),
        ("gateway", gateway::openapi()),
    ];
    format!("{:#}", merge::merge(documents))
}

/// The document of the back office, which is apart from the others: the gateway does not serve it.
pub fn backoffice_document() -> String {
    format!("{:#}", backoffice::openapi())
}
