//! `family conformance NETWORK`: tries a network's test bed, and prints a line per case.

#![expect(clippy::print_stdout, reason = "the lines are for a person")]

use std::process::ExitCode;

use clap::Parser;
use subscription::conformance::{Progress, TestBed, run};

/// Tries it; a failure where a case does not hold.
pub fn try_network(words: &[String]) -> ExitCode {
    let bed = match TestBed::try_parse_from(words) {
        Ok(bed) => bed,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error.to_string()),
    };
    match runtime.block_on(run(&bed, &mut show)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => fail(&error.to_string()),
    }
}

fn show(progress: Progress<'_>) {
    match progress {
        Progress::Page(address) => println!("      confirm on {address}"),
        Progress::Case(case) => match &case.problem {
            None => println!("ok    {}", case.name),
            Some(problem) => println!("FAILS {}: {problem}", case.name),
        },
    }
}

fn fail(cause: &str) -> ExitCode {
    eprintln!("{cause}");
    ExitCode::FAILURE
}
