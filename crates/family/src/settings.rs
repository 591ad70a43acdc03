//! The tables of `SETTINGS.md`: every environment variable of every process, from the same list as its `--help`.

use std::collections::BTreeMap;

use clap::{Arg, Command, CommandFactory};

use crate::config::Config;

/// A meaning, and which processes give the variable that meaning, each with its default.
type Meanings = Vec<(String, Vec<(String, String)>)>;

/// The tables.
pub fn document() -> String {
    let head = "| variable | default | meaning |\n|---|---|---|";
    let mut lines = vec!["## `make run`\n".to_owned(), head.to_owned()];
    for (variable, meanings) in variables(&[Config::command()]) {
        for (meaning, readers) in meanings {
            lines.push(format!("| `{variable}` | {} | {meaning} |", defaults(&readers)));
        }
    }
    let head = "| variable | read by | default | meaning |\n|---|---|---|---|";
    lines.extend(["\n## Each service\n".to_owned(), head.to_owned()]);
    for (variable, meanings) in variables(&services()) {
        for (meaning, readers) in meanings {
            let names: Vec<&str> = readers.iter().map(|(process, _)| process.as_str()).collect();
            lines.push(format!("| `{variable}` | {} | {} | {meaning} |", names.join(", "), defaults(&readers)));
        }
    }
    lines.join("\n")
}

fn services() -> Vec<Command> {
    vec![
        gateway::Config::command(),
        comedy::Config::command(),
        diski::Config::command(),
        meme::Config::command(),
        tt::Config::command(),
        subscription::Config::command(),
        backoffice::Config::command(),
        operator_sandbox::Config::command(),
    ]
}

/// Every variable of these processes, by name.
fn variables(commands: &[Command]) -> BTreeMap<String, Meanings> {
    let mut found: BTreeMap<String, Meanings> = BTreeMap::new();
    for command in commands {
        for arg in command.get_arguments() {
            let Some(variable) = arg.get_env() else { continue };
            let meanings = found.entry(variable.to_string_lossy().into_owned()).or_default();
            let (reader, meaning) = ((command.get_name().to_owned(), default(arg)), meaning(arg));
            match meanings.iter_mut().find(|(known, _)| *known == meaning) {
                Some((_, readers)) => readers.push(reader),
                None => meanings.push((meaning, vec![reader])),
            }
        }
    }
    found
}

/// One default where all readers have the same, else each reader's.
fn defaults(readers: &[(String, String)]) -> String {
    let first = readers.first().map(|(_, default)| default.clone()).unwrap_or_default();
    if readers.iter().all(|(_, default)| *default == first) {
        return first;
    }
    let each: Vec<String> = readers.iter().map(|(process, default)| format!("{process} {default}")).collect();
    each.join(", ")
}

fn default(arg: &Arg) -> String {
    let values: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    match values.as_slice() {
        [] if arg.is_required_set() => "required".to_owned(),
        [] => "unset".to_owned(),
        [one] if one.is_empty() => "empty".to_owned(),
        _ => format!("`{}`", values.join(",")),
    }
}

/// The field's documentation in one line, with the words it takes where they are few.
fn meaning(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut text = help.split_whitespace().collect::<Vec<_>>().join(" ");
    if !text.ends_with('.') {
        text.push('.');
    }
    let words: Vec<String> = arg.get_possible_values().iter().map(|word| format!("`{}`", word.get_name())).collect();
    // A switch's words (1, 0, true, no and more) are in its documentation.
    if arg.get_possible_values().len() == 2 {
        text.push_str(&format!(" One of {}.", words.join(" and ")));
    }
    text.replace('|', "\\|")
}
