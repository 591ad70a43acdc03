//! The back office as a process of its own; `--new-token-key` prints a fresh pair of keys for the tokens of staff instead.

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args().skip(1).eq(["--new-token-key"]) {
        return new_token_key();
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

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the pair is for a person or a file of settings")]
fn new_token_key() -> ExitCode {
    match backoffice::new_token_key() {
        Ok(lines) => {
            println!("{lines}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("STAFF_TOKEN_SECRET_KEY: {error}");
            ExitCode::FAILURE
        }
    }
}
