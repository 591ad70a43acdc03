//! Documents that tell the truth: what they name exists.

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

#[test]
fn every_variable_of_every_process_stands_in_the_readme() {
    use clap::CommandFactory;
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for command in [
        comedy::Config::command(),
        diski::Config::command(),
        meme::Config::command(),
        tt::Config::command(),
        subscription::Config::command(),
        operator_sandbox::Config::command(),
        gateway::Config::command(),
    ] {
        for variable in command.get_arguments().filter_map(|arg| arg.get_env()) {
            let variable = variable.to_string_lossy();
            assert!(
                readme.contains(&format!("`{variable}`")),
                "{} takes {variable}, which the README does not name",
                command.get_name()
            );
        }
    }
}
