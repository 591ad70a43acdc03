//! The corpora: inputs that lead a target into every corner it has, one a file.

use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/targets/__fuzz__")
}

/// A target's inputs, in the order of their files' names.
pub fn inputs(target: &str) -> Vec<Vec<u8>> {
    let folder = folder().join(target).join("corpus");
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

#[test]
fn every_corpus_belongs_to_a_target() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/targets");
    for entry in folder().read_dir().unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let source = std::fs::read_to_string(sources.join(format!("{name}.rs"))).unwrap_or_default();
        assert!(source.contains(&format!("target!(\"{name}\"")), "{name} has a corpus and is no target");
    }
}
