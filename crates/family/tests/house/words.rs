//! The words of the code: names are the field's own terms, and comments are plain sentences about processes, requests and rows.

use std::path::Path;

use crate::{files, root};

/// No part of a name, in any case: `fault_dice` and `FaultDice` both have `dice`. Behind each stands what is said instead.
const IN_NAMES: [(&str, &str); 24] = [
    ("asked", "request, query"),
    ("befall", "inject"),
    ("courier", "dispatcher"),
    ("desk", "scheduler"),
    ("dice", "rng"),
    ("door", "proxy, endpoint, access"),
    ("fence", "fencing token"),
    ("lane", "connection, queue"),
    ("mishap", "error"),
    ("nobody", "no visitor, no subscriber"),
    ("postman", "notification sender"),
    ("rage", "run"),
    ("rung", "rendition"),
    ("said", "outcome, response"),
    ("shelf", "disk cache"),
    ("smuggled", "injected"),
    ("somebody", "subscriber, visitor"),
    ("taken", "claimed, accepted"),
    ("till", "charge batcher"),
    ("told", "reported, notified"),
    ("wanted", "requested"),
    ("weather", "link fault"),
    ("whoever", "subscriber, visitor, client"),
    ("whose", "owner, target"),
];

/// A test's name says the call and its result, and does not begin like this.
const TEST_NAME_BEGINNINGS: [&str; 7] = ["what_", "whatever_", "who_", "whoever_", "nobody_", "somebody_", "such_"];

/// Files that are named for a picture or for nothing in particular.
const FILES: [(&str, &str); 7] = [
    ("holds", "network_subscriptions"),
    ("figures", "metrics"),
    ("screens", "ssr"),
    ("views", "page_routes"),
    ("tries", "opt_in_attempts"),
    ("storm", "run"),
    ("weather", "link_fault"),
];

/// In no comment, test name or README.
const PHRASES: [&str; 12] = [
    "whoever",
    "somebody",
    "nobody",
    "those who",
    "in good health",
    "well again",
    "weather",
    "dice",
    "nobody in particular",
    "'s clothes",
    "it rings",
    "lets nobody",
];

/// The parts of all names in a line of code: `sendFirst_HTTPReply` has `send`, `first` and `httpreply`.
fn parts(code: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut before = ' ';
    for letter in code.chars() {
        let begins = letter.is_ascii_uppercase() && before.is_ascii_lowercase();
        if begins || !letter.is_ascii_alphanumeric() {
            parts.push(std::mem::take(&mut part));
        }
        if letter.is_ascii_alphanumeric() {
            part.push(letter.to_ascii_lowercase());
        }
        before = letter;
    }
    parts.push(part);
    parts.retain(|part| !part.is_empty());
    parts
}

/// The line without its string literals and its comment, and the comment.
fn code_and_comment(line: &str) -> (String, &str) {
    let mut code = String::new();
    let mut in_text = false;
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' if in_text => drop(letters.next()),
            '\'' if !in_text && line[at..].starts_with("'\"'") => drop((letters.next(), letters.next())),
            '"' => in_text = !in_text,
            '/' if !in_text && line[at..].starts_with("//") => return (code, &line[at..]),
            _ if !in_text => code.push(letter),
            _ => {}
        }
    }
    (code, "")
}

/// Everything in a Rust source that is against the glossary, a line each.
fn findings(path: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let stem = path.file_stem().unwrap().to_string_lossy();
    if let Some((name, better)) = FILES.iter().find(|(name, _)| *name == stem) {
        found.push(format!("{}: a file is named {name}: {better}", path.display()));
    }
    for (number, line) in text.lines().enumerate() {
        let at = format!("{}:{}", path.display(), number + 1);
        let (code, comment) = code_and_comment(line);
        let parts = parts(&code);
        for (name, better) in IN_NAMES {
            if parts.iter().any(|part| part == name) {
                found.push(format!("{at}: {name} is in a name: {better}"));
            }
        }
        let comment = comment.to_lowercase();
        found.extend(
            PHRASES
                .iter()
                .filter(|phrase| comment.contains(*phrase))
                .map(|phrase| format!("{at}: a comment says {phrase:?}")),
        );
        let function = code.split("fn ").nth(1).unwrap_or_default();
        if let Some(beginning) = TEST_NAME_BEGINNINGS.iter().find(|beginning| function.starts_with(**beginning)) {
            found.push(format!("{at}: a function's name begins with {beginning}"));
        }
    }
    found
}

#[test]
fn rust_sources_use_the_words_of_the_glossary() {
    let this_file = Path::new("house/words.rs");
    let found: Vec<_> = files(&root().join("crates"), ".rs")
        .into_iter()
        .filter(|file| !file.ends_with(this_file))
        .flat_map(|file| findings(file.strip_prefix(root()).unwrap(), &std::fs::read_to_string(&file).unwrap()))
        .collect();
    assert!(found.is_empty(), "{} findings:\n{}", found.len(), found.join("\n"));
}

#[test]
fn documents_use_plain_words() {
    let found: Vec<_> = files(&root(), ".md")
        .into_iter()
        .flat_map(|file| {
            let text = std::fs::read_to_string(&file).unwrap().to_lowercase();
            let lines: Vec<_> = text.lines().map(str::to_owned).enumerate().collect();
            lines.into_iter().flat_map(move |(number, line)| {
                let hits: Vec<_> = PHRASES.iter().filter(|phrase| line.contains(*phrase)).collect();
                let at = format!("{}:{}", file.strip_prefix(root()).unwrap().display(), number + 1);
                hits.into_iter().map(move |phrase| format!("{at}: {phrase:?}")).collect::<Vec<_>>()
            })
        })
        .collect();
    assert!(found.is_empty(), "{} findings:\n{}", found.len(), found.join("\n"));
}

#[test]
fn findings_names_what_is_against_the_glossary() {
    let text = "fn fault_dice() {}\n// Whoever asks is asked back.\nstruct FaultDice;\nlet a = \"somebody\"; // fine\nfn who_is_it() {}\n";
    let found = findings(Path::new("crates/x/src/holds.rs"), text);
    assert_eq!(found.len(), 5, "{found:#?}");
    assert!(
        findings(Path::new("crates/x/src/requests.rs"), "fn request_is_refused() {}\n// A request is refused.\n")
            .is_empty()
    );
}
