//! What every Rust source of the workspace keeps to.

use std::collections::BTreeSet;

use crate::{files, root};

#[test]
fn every_file_begins_with_a_doc_sentence() {
    for file in files(&root().join("crates"), ".rs") {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//! "), "{} does not open with a //! sentence", file.display());
    }
}

#[test]
fn crates_have_purposeful_names_and_services_are_independent() {
    let services = ["gateway", "comedy", "diski", "meme", "tt", "subscription", "operator-sandbox", "backoffice"];
    let starters = ["family", "bench"];
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path();
        if !path.join("Cargo.toml").exists() {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let drawers = ["common", "utils", "util", "core", "shared", "helpers", "types"];
        assert!(!drawers.contains(&name.as_str()), "crates/{name} is named for nothing it does");
        let manifest = std::fs::read_to_string(path.join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name} does not keep the workspace's lints");
        if starters.contains(&name.as_str()) {
            continue;
        }
        let dependencies = manifest.split("[dev-dependencies]").next().unwrap();
        for service in services.iter().filter(|service| **service != name) {
            assert!(
                !dependencies.contains(&format!("\n{service}.workspace")),
                "{name} depends on the service {service}"
            );
        }
    }
}

#[test]
fn subscription_state_changes_in_one_module() {
    let places: BTreeSet<_> = files(&root().join("crates/subscription/src"), ".rs")
        .into_iter()
        .filter(|file| {
            let text = std::fs::read_to_string(file).unwrap();
            let mut writes = text.split(".set(").skip(1).filter_map(|after| after.split(';').next());
            writes.any(|set| set.contains("subscriptions::state.eq("))
        })
        .collect();
    assert!(places.len() == 1, "not one file writes subscriptions.state: {places:?}");
}

#[test]
fn gateway_knows_no_back_office() {
    let names: Vec<_> = files(&root().join("crates/gateway/src"), ".rs")
        .into_iter()
        .filter(|file| std::fs::read_to_string(file).unwrap().to_lowercase().contains("backoffice"))
        .map(|file| file.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    // Where its built front end is left out of the files that the gateway serves.
    assert_eq!(names, ["assets.rs"], "the back office is for staff, and is not reached through the gateway");
}
