//! The direction of imports: no big circle of files in a crate, and rooms that import only the rooms above them.
//!
//! An import is a path that begins with `crate::` or `super::`, outside of tests. A crate's root is no end of one: it composes the crate, and
//! what it re-exports is the crate's face.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use crate::{files, root};

/// The most files of one circle.
const MOST_FILES: usize = 3;

/// The rooms of the subscription service: each imports only those before it.
const ROOMS: [&str; 9] =
    ["subscribers", "ledger", "messages", "publishers", "billing", "joins", "inbound", "support", "upkeep"];

/// Below the rooms: these import none.
const GROUND: [&str; 3] = ["error", "networks", "schema"];

/// Above the rooms: these put them together, and no room imports them.
const COMPOSITION: [&str; 3] = ["app", "config", "routes"];

/// A file's place in its crate: `a::b` is `["a", "b"]`, the root is empty.
type Module = Vec<String>;

/// The files of a crate, each with the files that it imports.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// The words and marks of a source, without comments, texts and characters. `::` is one mark.
fn tokens(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = raw_text(rest) {
            length
        } else if first == '"' {
            text(rest)
        } else if first == '\'' {
            // A character; or a lifetime, of which the mark alone is left out.
            let escaped = rest.strip_prefix("'\\").and_then(|after| after.get(1..)?.find('\''));
            let plain = rest.chars().nth(2) == Some('\'');
            escaped.map_or(if plain { 2 + rest.chars().nth(1).unwrap().len_utf8() } else { 1 }, |end| end + 4)
        } else {
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            let token = rest.get(..length).unwrap();
            if !token.trim().is_empty() {
                found.push(token.to_owned());
            }
            length
        };
        rest = rest.get(length..).unwrap();
    }
    found
}

/// The length of a text in quotation marks.
fn text(source: &str) -> usize {
    let mut is_escaped = false;
    let end = source.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        ends
    });
    end.map_or(source.len(), |(at, _)| at + 1)
}

/// The length of a raw text, if the source begins with one.
fn raw_text(source: &str) -> Option<usize> {
    let after = source.strip_prefix("br").or_else(|| source.strip_prefix('r'))?;
    let marks = after.find(|c| c != '#')?;
    let body = after.get(marks..)?.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(marks));
    Some(source.len() - body.len() + body.find(&end)? + end.len())
}

/// The index after the group of braces that begins at `start`.
fn after_group(tokens: &[String], start: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// Without the items for tests; the names of modules that are only for tests.
fn without_tests(tokens: &[String]) -> (Vec<String>, Vec<String>) {
    const ATTRIBUTE: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut kept, mut names) = (Vec::new(), Vec::new());
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if !tokens.iter().skip(index).take(7).eq(ATTRIBUTE.iter()) {
            kept.push(token.clone());
            index += 1;
            continue;
        }
        let mut end = index + 7;
        if let Some(name) = tokens.get(end..).and_then(|item| item.iter().position(|token| token == "mod")) {
            let is_file = tokens.get(end + name + 2).is_some_and(|token| token == ";");
            names.extend(tokens.get(end + name + 1).filter(|_| is_file && name < 5).cloned());
        }
        while let Some(token) = tokens.get(end) {
            match token.as_str() {
                ";" | "," => break,
                "{" => {
                    end = after_group(tokens, end) - 1;
                    break;
                }
                "(" | "[" => end = after_group(tokens, end),
                _ => end += 1,
            }
        }
        index = end + 1;
    }
    (kept, names)
}

/// The paths that begin at `index`, which may be a tree as in `a::{b, c::d}`.
fn paths(tokens: &[String], index: &mut usize, begin: &[String], found: &mut Vec<Vec<String>>) {
    let mut path = begin.to_vec();
    loop {
        match tokens.get(*index).map(String::as_str) {
            Some("{") => {
                *index += 1;
                while tokens.get(*index).is_some_and(|token| token != "}") {
                    paths(tokens, index, &path, found);
                    if tokens.get(*index).is_some_and(|token| token == ",") {
                        *index += 1;
                    }
                }
                *index += 1;
                return;
            }
            Some(name) => {
                path.push(name.to_owned());
                *index += 1;
            }
            None => break,
        }
        match tokens.get(*index).map(String::as_str) {
            Some("::") => *index += 1,
            Some("as") => {
                *index += 2;
                break;
            }
            _ => break,
        }
        let goes_on = |token: &String| token == "{" || token.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if !tokens.get(*index).is_some_and(goes_on) {
            break;
        }
    }
    found.push(path);
}

/// The paths in a file that begin with `crate::` or `super::`.
fn imported_paths(tokens: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        let begins = matches!(token.as_str(), "crate" | "super") && before.is_none_or(|before| before != "::");
        if begins && tokens.get(index + 1).is_some_and(|next| next == "::") {
            paths(tokens, &mut index, &[], &mut found);
        } else {
            index += 1;
        }
    }
    found
}

/// Whether a module is one of these, or within it.
fn is_within(module: &[String], of: &BTreeSet<Module>) -> bool {
    (1..=module.len()).any(|length| of.contains(module.get(..length).unwrap()))
}

/// The imports between the files of a crate.
fn imports_of(sources: &Path) -> Imports {
    let mut texts = BTreeMap::new();
    let mut tests = BTreeSet::new();
    for file in files(sources, ".rs") {
        let path = file.strip_prefix(sources).unwrap().with_extension("");
        let mut module: Module = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let is_root = module == ["lib"] || module == ["main"];
        // Programs of a crate beside its own are crates themselves.
        if module.first().is_some_and(|first| first == "bin") {
            continue;
        }
        if is_root || module.last().is_some_and(|last| last == "mod") {
            module.pop();
        }
        let (tokens, names) = without_tests(&tokens(&std::fs::read_to_string(&file).unwrap()));
        tests.extend(names.into_iter().map(|name| module.iter().cloned().chain([name]).collect::<Module>()));
        if !is_root {
            texts.insert(module, tokens);
        }
    }
    texts.retain(|module, _| !is_within(module, &tests));
    let target = |from: &Module, path: &[String]| {
        let above = path.iter().take_while(|part| *part == "super").count();
        let base = match path.first().map(String::as_str) {
            Some("crate") => &[],
            _ => from.get(..from.len().saturating_sub(above)).unwrap_or_default(),
        };
        let rest = path.get(above.max(1)..).unwrap_or_default();
        let full: Module = base.iter().chain(rest).cloned().collect();
        (1..=full.len())
            .rev()
            .filter_map(|length| full.get(..length))
            .find(|begin| texts.contains_key(*begin))
            .map(<[String]>::to_vec)
    };
    let imported = texts.iter().map(|(module, tokens)| {
        let targets = imported_paths(tokens).iter().filter_map(|path| target(module, path)).collect::<BTreeSet<_>>();
        (module.clone(), targets.into_iter().filter(|target| target != module).collect())
    });
    imported.collect()
}

/// The groups of files that import each other, over others or not.
fn circles(imports: &Imports) -> BTreeSet<BTreeSet<Module>> {
    let reached_from = |start: &Module| {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(module) = open.pop() {
            open.extend(imports.get(module).into_iter().flatten().filter(|next| reached.insert((*next).clone())));
        }
        reached
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        imports.keys().map(|module| (module, reached_from(module))).collect();
    let circle_of = |module: &Module| {
        let others = reached.get(module).into_iter().flatten();
        others
            .filter(|other| reached.get(other).is_some_and(|back| back.contains(module)))
            .cloned()
            .collect::<BTreeSet<_>>()
    };
    imports.keys().map(circle_of).filter(|circle| circle.len() > 1).collect()
}

#[test]
fn no_import_circle_has_more_than_three_files() {
    let mut found = BTreeSet::new();
    let mut crates = 0;
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path();
        if !path.join("src").exists() {
            continue;
        }
        crates += 1;
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for circle in circles(&imports_of(&path.join("src"))) {
            if circle.len() > MOST_FILES {
                found.insert((name.clone(), circle.iter().map(|module| module.join("/")).collect::<Vec<_>>()));
            }
        }
    }
    assert!(crates > 15, "only {crates} crates were read");
    assert_eq!(found, BTreeSet::new(), "move what two files share to a third one");
}

#[test]
fn rooms_of_subscription_import_only_rooms_above_them() {
    let imports = imports_of(&root().join("crates/subscription/src"));
    let level = |module: &Module| {
        let first = module.first().unwrap();
        let room = ROOMS.iter().position(|room| room == first).map(|room| room + 1);
        let level = room.or_else(|| GROUND.contains(&first.as_str()).then_some(0));
        let level = level.or_else(|| COMPOSITION.contains(&first.as_str()).then_some(ROOMS.len() + 1));
        level.unwrap_or_else(|| panic!("{} is in no room", module.join("/")))
    };
    let found: BTreeSet<_> = imports
        .iter()
        .flat_map(|(module, targets)| targets.iter().map(move |target| (module, target)))
        .filter(|(module, target)| level(target) > level(module))
        .map(|(module, target)| (module.join("/"), target.join("/")))
        .collect();
    assert_eq!(found, BTreeSet::new(), "move what a room above needs into it");
    let rooms: BTreeSet<_> = imports.keys().filter_map(|module| module.first()).map(String::as_str).collect();
    let expected: BTreeSet<_> = ROOMS.into_iter().chain(GROUND).chain(COMPOSITION).collect();
    assert_eq!(rooms, expected, "an entry at the root of subscription's sources");
}

#[test]
fn imported_paths_reads_trees_and_leaves_out_tests() {
    let source = "//! crate::comment\nuse crate::{a::{self, B as C}, d};\nuse super::e;\n#[cfg(test)]\nmod model;\n\
                  #[cfg(test)]\nfn f(a: [u8; 2]) { crate::hidden::x() }\n\
                  fn g<'a>() { let c = '\"'; let t = \"crate::text \\\" \"; r#\"crate::raw\"#; crate::h::i(super::j::K); 'x' }\n\
                  #[cfg(test)]\nmod tests { use crate::tests::only; }";
    let (kept, tests) = without_tests(&tokens(source));
    let found: Vec<_> = imported_paths(&kept).iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["crate::a::self", "crate::a::B", "crate::d", "super::e", "crate::h::i", "super::j::K"]);
    assert_eq!(tests, ["model"]);
}

#[test]
fn circles_finds_files_that_import_each_other() {
    let module = |name: &str| vec![name.to_owned()];
    let of = |arrows: &[(&str, &[&str])]| -> Imports {
        arrows.iter().map(|(from, to)| (module(from), to.iter().map(|name| module(name)).collect())).collect()
    };
    let found = circles(&of(&[("a", &["b"]), ("b", &["c"]), ("c", &["a"]), ("d", &["a", "e"]), ("e", &[])]));
    assert_eq!(found, BTreeSet::from([["a", "b", "c"].map(module).into()]));
    assert_eq!(circles(&of(&[("a", &["b"]), ("b", &[])])), BTreeSet::new());
}
