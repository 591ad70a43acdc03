//! The subscription service as a process of its own; `--new-session-key` prints a fresh pair of session keys instead, `--migrate`
//! brings its tables up to date, `--restored` marks them as restored from a backup.

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args().skip(1).eq(["--new-session-key"]) {
        return new_session_key();
    }
    if let Some(marked) = subscription::mark_restored_if_requested() {
        return marked;
    }
    store::run::<subscription::Config, _, _>(subscription::NAME, subscription::MIGRATIONS, subscription::start)
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the pair is for a person or a file of settings")]
fn new_session_key() -> ExitCode {
    match subscription::new_session_key() {
        Ok(lines) => {
            println!("{lines}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("SESSION_SECRET_KEY: {error}");
            ExitCode::FAILURE
        }
    }
}
