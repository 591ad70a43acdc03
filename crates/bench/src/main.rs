//! `make bench`, and test data for operators and testers.

#![expect(clippy::print_stderr, reason = "a command-line tool speaks to a person")]

use std::{path::PathBuf, process::ExitCode};

use anyhow::Context;
use bench::{
    fixture, load,
    process::Processors,
    rounds::Pace,
    rows::{self, Name},
    stage::Stage,
};
use clap::Parser;
use store::StoreConfig;

/// Benchmarks the services, and generates test data.
#[derive(Parser)]
#[command(name = "bench", version)]
enum Command {
    /// Runs comparisons and writes target/bench/NAME.json for each group; exits with 1 if a limit is exceeded.
    Run {
        /// The groups; all but `billing-million`, `ledger` and `sizes` if none is named.
        groups: Vec<Name>,
        #[command(flatten)]
        pace: Pace,
        /// The folder of results and logs.
        #[arg(long, default_value = "target/bench")]
        out: PathBuf,
    },
    /// Adds test data of the given size to a service's database.
    Fill {
        /// The service.
        #[arg(long)]
        service: fixture::Service,
        #[command(flatten)]
        size: fixture::Size,
        #[command(flatten)]
        store: StoreConfig,
    },
}

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let outcome = runtime.map_err(anyhow::Error::from).and_then(|runtime| {
        let local = tokio::task::LocalSet::new();
        local.block_on(&runtime, async {
            // On Ctrl-C the servers are stopped too, since their owners are dropped.
            tokio::select! {
                outcome = run_command(Command::parse()) => outcome,
                () = service::stop_signal() => Err(anyhow::Error::msg("stopped")),
            }
        })
    });
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command; returns whether everything passed.
async fn run_command(command: Command) -> anyhow::Result<bool> {
    match command {
        Command::Run { groups, pace, out } => {
            let stage = stage(pace, out)?;
            let groups = if groups.is_empty() { Name::default_groups() } else { groups };
            let mut passes = true;
            for name in groups {
                let group = rows::run(name, &stage).await?;
                group.publish(&stage.out)?;
                passes &= group.passes();
            }
            Ok(passes)
        }
        Command::Fill { service, size, store } => {
            let started = std::time::Instant::now();
            fixture::fill(&store, service, size).await?;
            eprintln!("{} is filled after {:.1} s", service.program(), started.elapsed().as_secs_f64());
            Ok(true)
        }
    }
}

/// The services' binaries are in this binary's folder.
fn stage(pace: Pace, out: PathBuf) -> anyhow::Result<Stage> {
    let own = std::env::current_exe()?;
    let programs = own.parent().context("the program's path has no folder")?.to_owned();
    Ok(Stage { pace, processors: Processors::count(), out, programs, client: load::client()? })
}
