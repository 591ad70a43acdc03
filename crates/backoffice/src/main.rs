//! The back office as a process of its own; `--new-token-key` and `--new-second-factor-key` print fresh keys instead, and `grant` gives roles.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--new-token-key"] => return print_key("STAFF_TOKEN_SECRET_KEY", backoffice::new_token_key()),
        ["--new-second-factor-key"] => return print_key("SECOND_FACTOR_KEYS", backoffice::new_second_factor_key()),
        ["grant", ..] => return service::run_once(backoffice::grant),
        _ => {}
    }
    store::run::<backoffice::Config, _, _>(backoffice::NAME, backoffice::MIGRATIONS, |config| async {
        let (running, link) = backoffice::start(config).await?;
        if let Some(link) = link {
            // Without an administrator this line is the only way in; the link works once, and a restart replaces it.
            tracing::warn!(link, "there is no administrator: the first one opens {link}");
        }
        Ok(running)
    })
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the key is for a person or a file of settings")]
fn print_key(name: &str, lines: Result<String, service::InvalidKey>) -> ExitCode {
    match lines {
        Ok(lines) => {
            println!("{lines}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}
