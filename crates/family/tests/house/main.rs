//! The house rules that a machine can check: migrations, sources, documents, and what the documents of the API say.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must say so and fail")]

mod documents;
mod imports;
mod migrations;
mod openapi;
mod personal_data;
mod published;
mod released;
mod sources;
mod words;

use std::path::{Path, PathBuf};

/// The repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every file below `folder` whose name ends in `ending`, without what is built or installed.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !matches!(name.as_str(), "target" | "node_modules" | "dist" | "data" | ".git" | "test-results") {
                found.extend(files(&path, ending));
            }
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}
