//! The OpenAPI documents: every call is in one, says who may make it, has a test, and is in the committed copy.

use std::{collections::BTreeSet, process::Command};

use serde_json::{Value, json};

use crate::{files, root};

/// Every service's own document, and whose tests try its calls.
fn documents() -> [(&'static str, Value, &'static [&'static str]); 6] {
    [
        ("comedy", comedy::PUBLICATION.openapi(), &["catalogue"]),
        ("diski", diski::PUBLICATION.openapi(), &["catalogue"]),
        ("meme", meme::PUBLICATION.openapi(), &["meme"]),
        ("tt", tt::PUBLICATION.openapi(), &["tt"]),
        ("subscription", subscription::openapi(), &["subscription"]),
        ("gateway", gateway::openapi(), &["gateway"]),
    ]
}

/// The operations of a document: method, path, operation.
fn calls(document: &Value) -> Vec<(String, String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, item)| {
            item.as_object().unwrap().iter().map(|(method, call)| (method.clone(), path.clone(), call))
        })
        .collect()
}

#[test]
fn every_call_has_an_access_rule_and_its_security_scheme() {
    for (service, document, _) in documents() {
        assert!(!calls(&document).is_empty(), "{service} has no calls");
        for (method, path, call) in calls(&document) {
            let name = format!("{service}: {method} {path}");
            let proof = match call["x-access"].as_str().unwrap_or_default() {
                "public" => Value::Null,
                "visitor" => json!([{}, {"session": []}]),
                "session" | "owner" => json!([{"session": []}]),
                "admin" | "support_scope" | "finance_scope" | "editors_scope" | "overview_scope" => {
                    json!([{"admin": []}])
                }
                "network" => json!([{"network": []}]),
                other => panic!("{name} has the access rule {other:?}"),
            };
            assert_eq!(call["security"], proof, "{name}");
            let is_internal = matches!(
                call["x-access"].as_str(),
                Some("admin" | "support_scope" | "finance_scope" | "editors_scope" | "overview_scope")
            );
            assert_eq!(path.starts_with("/internal/"), is_internal, "{name}");
        }
    }
}

#[test]
fn every_call_is_described() {
    let mut ids = BTreeSet::new();
    for (service, document, _) in documents() {
        for (method, path, call) in calls(&document) {
            let name = format!("{service}: {method} {path}");
            assert!(!call["summary"].as_str().unwrap_or_default().is_empty(), "{name} has no summary");
            if !path.starts_with("/internal/") {
                assert!(ids.insert(call["operationId"].to_string()), "{name}: another call has its operationId");
            }
            let documented: BTreeSet<_> = call["parameters"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|parameter| parameter["in"] == "path")
                .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
                .collect();
            let in_path: BTreeSet<_> = path
                .split('/')
                .filter_map(|part| Some(part.strip_prefix('{')?.strip_suffix('}')?.to_owned()))
                .collect();
            assert_eq!(documented, in_path, "{name}");
            let answers =
                ["200", "204", "302", "303"].iter().any(|status| call["responses"][status]["description"].is_string());
            assert!(answers, "{name} does not say what it answers");
        }
    }
}

#[test]
fn references_of_the_merged_document_resolve() {
    let merged: Value = serde_json::from_str(&printed(&["--openapi"])).unwrap();
    fn check(part: &Value, whole: &Value) {
        if let Some(target) = part["$ref"].as_str() {
            assert!(whole.pointer(target.trim_start_matches('#')).is_some(), "{target}");
        }
        let below = part.as_object().into_iter().flat_map(|fields| fields.values());
        below.chain(part.as_array().into_iter().flatten()).for_each(|part| check(part, whole));
    }
    check(&merged, &merged);
    assert_eq!(merged["openapi"], "3.1.0");
    let inner = calls(&merged).into_iter().find(|(_, path, _)| !path.starts_with("/api/"));
    assert!(inner.is_none(), "{inner:?} is not for outsiders");
}

#[test]
fn every_call_has_a_test_that_names_it() {
    for (service, document, crates) in documents() {
        let mut tests = files(&root().join("frontend/e2e"), ".ts");
        tests.extend(files(&root().join("crates/family/tests/process"), ".rs"));
        tests.extend(crates.iter().flat_map(|name| files(&root().join("crates").join(name).join("tests"), ".rs")));
        let text: String = tests.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
        for (method, path, _) in calls(&document) {
            let word = path.rsplit('/').find(|part| !part.starts_with('{')).unwrap();
            let word = if path.starts_with("/api/") { format!("/{word}") } else { word.to_owned() };
            assert!(text.contains(&word), "{service}: no test tries {method} {path}");
        }
    }
}

#[test]
fn services_have_no_routes_outside_their_list() {
    for service in ["catalogue", "comedy", "diski", "meme", "tt", "subscription"] {
        for file in files(&root().join("crates").join(service).join("src"), ".rs") {
            let text = std::fs::read_to_string(&file).unwrap();
            let beside = [".route(", "resource("].into_iter().find(|call| text.contains(call));
            assert!(beside.is_none(), "{} has a route outside of `service::endpoints!`", file.display());
        }
    }
}

/// Of two types with one name the document keeps one, and says it of both.
#[test]
fn schemas_of_the_back_office_have_different_names() {
    let mut names = Vec::new();
    for file in files(&root().join("crates/backoffice/src"), ".rs") {
        let text = std::fs::read_to_string(&file).unwrap();
        for part in text.split("ToSchema)]").skip(1) {
            let declared = part.split_once('{').map_or(part, |(declared, _)| declared);
            let name = match declared.split_once("schema(as = ") {
                Some((_, renamed)) => renamed.split(')').next(),
                None => declared.split_whitespace().last(),
            };
            names.push(name.unwrap().to_owned());
        }
    }
    assert!(names.len() > 100, "{names:?}");
    names.sort();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
    assert!(twice.is_none(), "{twice:?}");
}

#[test]
fn committed_openapi_equals_the_generated_one() {
    for (file, arguments) in [
        ("frontend/openapi.json", &["--openapi"][..]),
        ("frontend/openapi-backoffice.json", &["--openapi", "backoffice"][..]),
        ("crates/operator/wire/rest.openapi.json", &["--wire", "rest"][..]),
        ("crates/operator/wire/notifications.openapi.json", &["--wire", "notifications"][..]),
        ("crates/operator/wire/parlay-x.wsdl", &["--wire", "parlay-x"][..]),
        ("crates/operator/wire/camara.json", &["--wire", "camara"][..]),
    ] {
        let committed = std::fs::read_to_string(root().join(file)).unwrap_or_default();
        assert!(committed == printed(arguments), "{file} is stale: run `make types`");
    }
}

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_family")).args(arguments).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}
