//! Documents that tell the truth: what they name exists.

use std::{collections::BTreeSet, path::Path, process::Command};

use crate::{files, root};

/// Where the programs' settings are documented, and the line that the tables stand below.
const SETTINGS: &str = "crates/family/SETTINGS.md";
const TABLES: &str = "<!-- Below: ";

#[test]
fn local_links_of_documents_resolve() {
    for file in files(&root(), ".md") {
        let text = std::fs::read_to_string(&file).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") || target.starts_with('#') || target.starts_with("mailto:") {
                continue;
            }
            let path = file.parent().unwrap().join(target.split('#').next().unwrap());
            assert!(path.exists(), "{} links to {target}, which there is not", file.display());
        }
    }
}

#[test]
fn make_targets_named_by_documents_exist() {
    let makefile = std::fs::read_to_string(root().join("Makefile")).unwrap();
    for file in files(&root(), ".md") {
        let text = std::fs::read_to_string(&file).unwrap();
        for target in text.split("`make ").skip(1).filter_map(|rest| rest.split(['`', ' ']).next()) {
            let known = makefile.lines().any(|line| line.starts_with(&format!("{target}:")));
            assert!(known, "{} names `make {target}`, which there is not", file.display());
        }
    }
}

/// Every process's variables: its name, and the variable's.
fn variables() -> Vec<(String, String)> {
    use clap::CommandFactory;
    let commands = [
        comedy::Config::command(),
        diski::Config::command(),
        meme::Config::command(),
        tt::Config::command(),
        subscription::Config::command(),
        backoffice::Config::command(),
        operator_sandbox::Config::command(),
        gateway::Config::command(),
    ];
    let mut found = Vec::new();
    for command in commands {
        let variables = command.get_arguments().filter_map(|arg| arg.get_env());
        found.extend(variables.map(|name| (command.get_name().to_owned(), name.to_string_lossy().into_owned())));
    }
    found
}

#[test]
fn settings_are_documented_as_the_programs_read_them() {
    let printed = Command::new(env!("CARGO_BIN_EXE_family")).arg("--settings").output().unwrap();
    assert!(printed.status.success());
    let tables = String::from_utf8(printed.stdout).unwrap();
    for (process, variable) in variables() {
        assert!(tables.contains(&format!("| `{variable}` |")), "{process} takes {variable}, which is not printed");
    }
    let file = root().join(SETTINGS);
    let text = std::fs::read_to_string(&file).unwrap();
    let start = text.find(TABLES).unwrap();
    let below = start + text.get(start..).unwrap().find("\n\n").unwrap() + 2;
    let expected = format!("{}{tables}", text.get(..below).unwrap());
    if std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        std::fs::write(file, expected).unwrap();
        return;
    }
    assert!(text == expected, "{SETTINGS} is stale: INSTA_UPDATE=always cargo test -p family --test house settings");
}

#[test]
fn settings_named_by_the_readme_exist() {
    let settings = std::fs::read_to_string(root().join(SETTINGS)).unwrap();
    let (_, of_make_run) = settings.split_once("\n## `make run`\n").unwrap();
    let (of_make_run, _) = of_make_run.split_once("\n## ").unwrap();
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let variables = rows.filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
    let mut found = 0;
    for variable in variables {
        found += 1;
        assert!(of_make_run.contains(&format!("| `{variable}` |")), "`make run` does not read {variable}");
    }
    assert!(found >= 5, "only {found} were found");
}

/// The words of `text` that follow each `start`, up to a blank, a quote or the end of a line.
fn words_after<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
    let ends = |c: char| c.is_whitespace() || "`'\"),;".contains(c);
    text.split(start).skip(1).filter_map(|rest| rest.split(ends).next()).collect()
}

#[test]
fn programs_and_scripts_named_by_documents_exist() {
    let package = std::fs::read_to_string(root().join("frontend/package.json")).unwrap();
    let has_program = |name: &str| {
        let main = root().join("crates").join(name).join("src/main.rs");
        main.exists() || files(&root().join("crates"), &format!("{name}.rs")).iter().any(|file| is_bin(file))
    };
    for file in files(&root(), ".md") {
        let text = std::fs::read_to_string(&file).unwrap();
        let of_cargo = text.lines().filter(|line| line.contains("cargo "));
        for name in of_cargo.flat_map(|line| words_after(line, " -p ")) {
            let crate_of_it = root().join("crates").join(name).join("Cargo.toml");
            assert!(crate_of_it.exists(), "{} names the crate {name}, which there is not", file.display());
        }
        for name in
            words_after(&text, "target/debug/").into_iter().chain(words_after(&text, "cargo run -p testkit --bin "))
        {
            assert!(has_program(name), "{} names the program {name}, which there is not", file.display());
        }
        for name in words_after(&text, "npm run ") {
            assert!(
                package.contains(&format!("\"{name}\": ")),
                "{} names the script {name}, which there is not",
                file.display()
            );
        }
    }
}

fn is_bin(file: &Path) -> bool {
    file.parent().is_some_and(|folder| folder.ends_with("src/bin"))
}

#[test]
fn local_settings_do_not_reach_the_tests() {
    let script = std::fs::read_to_string(root().join(".ci/steps")).unwrap().replace("\\\n", " ");
    let lists = script.lines().filter_map(|line| line.strip_prefix("unset "));
    let unset: BTreeSet<&str> = lists.flat_map(str::split_whitespace).collect();
    for (process, variable) in variables() {
        assert!(unset.contains(variable.as_str()), "{process} takes {variable}, which .ci/steps does not unset");
    }
}
