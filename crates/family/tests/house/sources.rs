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
fn programs_that_are_not_tested_have_no_tests() {
    let mut untested = 0;
    for manifest in files(&root().join("crates"), "Cargo.toml") {
        let text = std::fs::read_to_string(&manifest).unwrap();
        for target in text.split("\n[[").skip(1).filter(|target| target.contains("\ntest = false")) {
            let path = target.split("\npath = \"").nth(1).unwrap().split('"').next().unwrap();
            let source = std::fs::read_to_string(manifest.parent().unwrap().join(path)).unwrap();
            let has_tests = source.contains("#[test]") || source.lines().any(|line| line.starts_with("mod "));
            assert!(!has_tests, "{}: {path} has tests or modules that would never be tested", manifest.display());
            untested += 1;
        }
    }
    assert!(untested > 5);
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

/// Crates that answer neither visitors nor staff: programs for the shell, tests, and an imitated network, whose API is in English.
const WITHOUT_PEOPLE: [&str; 8] =
    ["bench/", "chaos/", "content/", "family/", "fuzz/", "languages/", "operator-sandbox/", "testkit/"];

/// How the text of a problem may begin: a text of a catalogue, a variable of these types, or what another program wrote.
const DETAILS: [&str; 7] =
    ["Message::new(\"", "StaffText::new(\"", "StaffText::clone(", "*message", "detail", "match ", "relayed"];

/// The texts of the problems that a source makes.
fn details(source: &str) -> Vec<&str> {
    let constructors = [
        ("bad_request(", 0),
        ("forbidden(", 0),
        ("not_found(", 0),
        ("conflict(", 0),
        ("unprocessable(", 0),
        ("too_many(", 0),
        ("unavailable(", 0),
        ("new(", 2),
    ];
    // `Self` is a problem where one is made of an error.
    let of_self = source.split("for Problem {").skip(1).chain(source.split("impl Problem {").skip(1));
    let of_self = of_self.filter_map(|rest| rest.split("\n}").next()).flat_map(|body| body.split("Self::").skip(1));
    let calls = source.split("Problem::").skip(1).chain(of_self);
    let arguments = calls.filter_map(|call| {
        let (name, before) = constructors.iter().find(|(name, _)| call.starts_with(name))?;
        call.strip_prefix(name)?.splitn(before + 1, ',').last()
    });
    let of_fields = source.split(".with_field(").skip(1).filter_map(|call| Some(call.split_once(',')?.1));
    arguments.chain(of_fields).map(str::trim_start).collect()
}

#[test]
fn errors_are_texts_of_the_catalogues() {
    let folder = root().join("crates");
    let mut found = Vec::new();
    let mut count = 0;
    for file in files(&folder, ".rs") {
        let path = file.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        if WITHOUT_PEOPLE.iter().any(|begin| path.starts_with(begin)) || path.contains("/tests/") {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let source = text.split("mod tests").next().unwrap_or_default();
        for detail in details(source) {
            count += 1;
            if !DETAILS.iter().any(|begin| detail.starts_with(begin)) {
                found.push(format!("{path}: {}", detail.lines().next().unwrap_or_default()));
            }
        }
        for text in ["detail = \"", "detail = format!", "relayed = \"", "relayed = format!"] {
            found.extend(source.contains(text).then(|| format!("{path}: {text}")));
        }
    }
    assert!(count > 40, "only {count} problems were found");
    assert!(
        found.is_empty(),
        "error_message is in the reader's language: make it a Message of the sites' files, or a StaffText of the back office's file if only \
         staff and machines get it:\n{}",
        found.join("\n")
    );
}

/// Files of services with sentences in Rust, for the shell and for readers of the API's document. A sentence for people belongs into a catalogue.
const WITH_SENTENCES: [&str; 10] = [
    "backoffice/src/config.rs",
    "backoffice/src/routes.rs",
    "comedy/src/lib.rs",
    "diski/src/lib.rs",
    "gateway/src/routes.rs",
    "meme/src/lib.rs",
    "service/src/openapi/parts.rs",
    "subscription/src/config.rs",
    "subscription/src/routes.rs",
    "tt/src/lib.rs",
];

/// Whether a literal is a sentence: it begins with a capital, has several words, and ends like one.
fn is_sentence(text: &str) -> bool {
    let mut letters = text.chars();
    let begins = letters.next().is_some_and(|letter| letter.is_ascii_uppercase())
        && letters.next().is_some_and(|letter| letter.is_ascii_lowercase() || letter == ' ');
    begins && text.contains(' ') && text.ends_with(['.', '!', '?', ':'])
}

#[test]
fn sentences_for_people_are_texts_of_the_catalogues() {
    let crates = [
        "backoffice",
        "catalogue",
        "comedy",
        "diski",
        "gateway",
        "identity",
        "meme",
        "service",
        "store",
        "subscription",
        "tt",
    ];
    let folder = root().join("crates");
    let mut found = BTreeSet::new();
    for file in crates.iter().flat_map(|name| files(&folder.join(name).join("src"), ".rs")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let source = text.split("mod tests").next().unwrap_or_default();
        let lines = source.lines().map(str::trim_start);
        // Comments, attributes and the descriptions of the API are for developers.
        let mut lines = lines
            .filter(|line| !line.starts_with("//") && !line.starts_with("#[") && !line.contains("description = \""));
        if lines.any(|line| line.split('"').skip(1).step_by(2).any(is_sentence)) {
            found.insert(file.strip_prefix(&folder).unwrap().to_string_lossy().into_owned());
        }
    }
    let known: BTreeSet<_> = WITH_SENTENCES.iter().map(|file| (*file).to_owned()).collect();
    assert_eq!(found, known, "make a sentence a StaffText or a Message; a file without any leaves the list");
}

#[test]
fn details_finds_literals_and_variables() {
    let source = "Problem::not_found(\n  \"There is none.\") Problem::new(400, \"kind\", text) \
                  impl From<E> for Problem {\n Self::conflict(Message::new(\"a\"))\n}\n Self::forbidden(\"no problem\") \
                  problem.with_field(name, \"a fault\")";
    let found: Vec<_> = details(source).into_iter().map(|detail| detail.split([')', ' ']).next().unwrap()).collect();
    assert_eq!(found, ["\"There", "text", "Message::new(\"a\"", "\"a"]);
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

/// The parts of the tuple that `text` begins with, up to its closing parenthesis.
fn parts_of_tuple(text: &str) -> usize {
    let (mut depth, mut parts) = (0, 1);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => depth -= 1,
            // A comma before the end separates nothing.
            ',' if depth == 1 && !text[at + 1..].trim_start().starts_with(')') => parts += 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    parts
}

/// Rows and parameters have names: in a tuple of many parts, two that change places go unnoticed.
#[test]
fn rows_and_parameters_are_no_long_tuples() {
    assert_eq!(["(i64, String)", "(A, (B, C, D), Vec<(E, F)>)", "(A, B, C, D,)"].map(parts_of_tuple), [2, 3, 4]);
    for file in files(&root().join("crates"), ".rs")
        .iter()
        .filter(|file| file.components().any(|part| part.as_os_str() == "src"))
    {
        let source = std::fs::read_to_string(file).unwrap();
        for opening in ["Vec<(", "Option<(", "::<(", "): (", "): &(", " = ("] {
            for (at, _) in source.match_indices(opening) {
                // Only after `type` is it a type.
                if opening == " = (" && !source[..at].lines().next_back().is_some_and(|line| line.contains("type ")) {
                    continue;
                }
                let tuple = &source[at + opening.len() - 1..];
                let line = source[..at].lines().count();
                assert!(parts_of_tuple(tuple) <= 3, "{}:{line}: a struct would name these", file.display());
            }
        }
    }
}
