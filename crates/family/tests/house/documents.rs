//! Documents that tell the truth: what they name exists.

use std::collections::BTreeSet;

use crate::{files, root};

#[test]
fn every_local_link_of_a_document_leads_somewhere() {
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
fn every_make_target_a_document_names_exists() {
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
fn every_variable_of_every_process_stands_in_the_readme() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for (process, variable) in variables() {
        assert!(
            readme.contains(&format!("`{variable}`")),
            "{process} takes {variable}, which the README does not name"
        );
    }
}

#[test]
fn no_variable_of_a_family_of_ones_own_reaches_the_tests() {
    let script = std::fs::read_to_string(root().join(".ci/test")).unwrap().replace("\\\n", " ");
    let lists = script.lines().filter_map(|line| line.strip_prefix("unset "));
    let unset: BTreeSet<&str> = lists.flat_map(str::split_whitespace).collect();
    for (process, variable) in variables() {
        assert!(unset.contains(variable.as_str()), "{process} takes {variable}, which .ci/test does not unset");
    }
}
