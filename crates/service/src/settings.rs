//! Settings from the environment: a documented struct per process; an error is one line that names the variable.

use clap::{Parser, error::ContextKind, error::ContextValue, error::ErrorKind};

use crate::StartError;

/// A process's settings: a `clap` struct whose every field has an environment variable.
pub trait Settings: Parser {
    /// The format of this process's log.
    fn log_format(&self) -> telemetry::LogFormat;

    /// The collector of its traces, `http://host:port`, if configured.
    fn collector(&self) -> Option<&str> {
        None
    }
}

/// Reads `C` from the environment. `--help` and `--version` print and exit with 0.
pub fn parse_settings<C: Parser>() -> Result<C, StartError> {
    C::try_parse().map_err(|error| {
        if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            error.exit();
        }
        StartError::Setting(one_line::<C>(&error))
    })
}

/// `PORT: invalid value 'x': invalid digit found in string`, from clap's several lines.
fn one_line<C: Parser>(error: &clap::Error) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(", ")),
        _ => None,
    };
    let shown = text(ContextKind::InvalidArg).unwrap_or_default();
    // Whole words: one variable's name can be a prefix of another's.
    let words = || shown.split(|c: char| !c.is_alphanumeric() && c != '-').filter_map(|word| word.strip_prefix("--"));
    let command = C::command();
    let names: Vec<String> = command
        .get_arguments()
        .filter(|arg| arg.get_long().is_some_and(|long| words().any(|word| word == long)))
        .filter_map(|arg| Some(arg.get_env()?.to_string_lossy().into_owned()))
        .collect();
    let name = if names.is_empty() { shown } else { names.join(", ") };
    match error.kind() {
        ErrorKind::MissingRequiredArgument => format!("{name}: not set"),
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => {
            let value = text(ContextKind::InvalidValue).unwrap_or_default();
            let cause = std::error::Error::source(error).map(ToString::to_string);
            format!("{name}: invalid value {value:?}{}", cause.map(|c| format!(": {c}")).unwrap_or_default())
        }
        _ => error.to_string().lines().next().unwrap_or_default().replace("error: ", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Parser, Debug)]
    struct Sample {
        /// A port.
        #[arg(long, env = "SAMPLE_PORT")]
        port: u16,
        /// The last of several.
        #[arg(long, env = "SAMPLE_PORT_LAST", default_value_t = 0)]
        port_last: u16,
    }

    #[test]
    fn parse_error_is_one_line_that_names_the_variable() {
        let line = |args: &[&str]| one_line::<Sample>(&Sample::try_parse_from(args).unwrap_err());
        assert_eq!(line(&["x"]), "SAMPLE_PORT: not set");
        let bad = line(&["x", "--port", "banana"]);
        assert!(bad.starts_with("SAMPLE_PORT: invalid value \"banana\"") && !bad.contains('\n'), "{bad}");
        let large = line(&["x", "--port", "70000"]);
        assert!(large.starts_with("SAMPLE_PORT: invalid value \"70000\""), "{large}");
        let last = line(&["x", "--port", "1", "--port-last", "banana"]);
        assert!(last.starts_with("SAMPLE_PORT_LAST: invalid value \"banana\""), "{last}");
    }
}
