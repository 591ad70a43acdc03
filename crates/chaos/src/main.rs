//! `make chaos`: runs the family on PostgreSQL and Redis, with two replicas of each service, under the load of visitors, injects faults
//! meanwhile, and checks afterwards that no acknowledged write and no charge was lost. README.md lists the faults and the checks.

mod browser;
mod checks;
mod disk;
mod family;
mod fault_proxy;
mod injector;
mod joining;
mod managed_process;
mod plan;
mod probe;
mod reconciliation;
mod report;
mod results;
mod run;
mod servers;
mod site;
mod soak;
mod staff;
mod subscriber;
mod visitor;

use std::{
    cell::RefCell,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::ExitCode,
    rc::Rc,
    time::Duration,
};

use anyhow::Context;
use clap::Parser;
use tokio::{
    task::{JoinSet, LocalSet},
    time::Instant,
};

use crate::{
    family::Family, plan::Plan, probe::Probe, report::Report, results::print_line, run::Run, site::Site, staff::Staff,
    subscriber::Subscriber, visitor::Visitor,
};

/// Injects faults into the family while visitors use it, and checks that nothing acknowledged is lost.
#[derive(Parser)]
#[command(name = "chaos", version)]
struct Options {
    /// The duration in minutes.
    #[arg(long, env = "CHAOS_MINUTES", default_value_t = 30.0)]
    minutes: f64,
    /// Determines faults and visitors; random, and printed, if it is not given.
    #[arg(long, env = "CHAOS_SEED")]
    seed: Option<u64>,
    /// The number of concurrent visitors.
    #[arg(long, env = "CHAOS_VISITORS", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..900))]
    visitors: u16,
    /// The seconds within which everything works after a fault's end: more where other programs need the processors.
    #[arg(long, env = "CHAOS_RECOVERY", default_value_t = 5)]
    recovery: u64,
    /// Injects no faults: nothing may be refused, and no process may grow.
    #[arg(long)]
    without_faults: bool,
    /// The folder of the report and the logs of all processes.
    #[arg(long, env = "CHAOS_OUT", default_value = "target/chaos")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let outcome = runtime.map_err(anyhow::Error::from).and_then(|runtime| {
        LocalSet::new().block_on(&runtime, async {
            // All processes stop when this future is dropped.
            tokio::select! {
                outcome = run_chaos(&options) => outcome,
                () = service::stop_signal() => Err(anyhow::Error::msg("stopped")),
            }
        })
    });
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            print_line(&format!("chaos: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Whether every check held.
async fn run_chaos(options: &Options) -> anyhow::Result<bool> {
    let seed = options.seed.unwrap_or_else(|| rand::random_range(0..1_000_000));
    print_line(&format!("chaos: CHAOS_SEED={seed} CHAOS_MINUTES={}, {} visitors", options.minutes, options.visitors));
    let logs = options.out.join("logs");
    if logs.exists() {
        std::fs::remove_dir_all(&logs)?;
    }
    let state = tempfile::tempdir()?;
    // PostgreSQL runs as another user than root and needs access to its files.
    std::fs::set_permissions(state.path(), std::fs::Permissions::from_mode(0o755))?;
    let family = Family::start(&programs()?, state.path(), &logs).await?;
    let run = Rc::new(Run::new(family, seed, Duration::from_secs(options.recovery))?);
    let sites = read_sites(&run).await?;
    let staff = Rc::new(Staff::join(&run).await?);
    let probe = Probe::new(&run, &sites, &staff).await?;
    let skipped = run.family.servers.no_disk.clone();
    if let Some(cause) = skipped.as_ref().filter(|_| !options.without_faults) {
        print_line(&format!("chaos: NO DISK IS FILLED, as no tmpfs can be mounted: {cause}"));
    }
    print_line(&format!("{:7.1} s  all processes run; visitors start", run.results.now().as_secs_f64()));

    let plan = Plan::new(seed, skipped.is_none());
    if !options.without_faults {
        print_line(&format!("chaos: the first round of the plan: {}", plan.describe_first_round()));
    }

    let subscribers = Rc::<RefCell<Vec<Subscriber>>>::default();
    let mut visitors = JoinSet::new();
    for number in 0..usize::from(options.visitors) {
        visitors.spawn_local(Visitor::new(&run, &sites, &subscribers, number).run_until_over());
    }
    visitors.spawn_local(staff.clone().work_until_over(subscribers.clone()));
    let until = Instant::now() + Duration::from_secs_f64(options.minutes * 60.0);
    let injected = match options.without_faults {
        true => tokio::try_join!(injector::run_plan(&run, std::iter::empty(), &probe, until), soak::watch(&run, until))
            .map(drop),
        false => injector::run_plan(&run, plan, &probe, until).await,
    };
    std::fs::write(logs.join("postgres.log"), run.family.servers.postgres_log())?;
    injected?;
    let duration = run.results.now();
    run.end();
    while let Some(ended) = visitors.join_next().await {
        ended?;
    }
    injector::end_all_faults(&run).await?;
    let mut subscribers = subscribers.take();
    subscribers.extend(probe.into_subscribers());
    let charges = checks::check_all(&run, &subscribers).await?;
    staff.check_acts().await?;
    let report = Report {
        seed,
        visitors: options.visitors.into(),
        duration,
        subscribers: subscribers.len(),
        charges,
        skipped,
        seconds: run.results.seconds(),
        faults: run.results.faults(),
        violations: run.results.violations(),
    };
    let path = report.publish(&options.out)?;
    print_line(&format!("chaos: CHAOS_SEED={seed}: {}", report.summary()));
    print_line(&format!("chaos: {}", path.display()));
    Ok(report.violations.is_empty())
}

async fn read_sites(run: &Rc<Run>) -> anyhow::Result<Rc<[Rc<Site>]>> {
    let mut sites = Vec::new();
    for brand in run.family.brands.iter() {
        sites.push(Rc::new(Site::read(run, &brand).await?));
    }
    Ok(sites.into())
}

/// The folder of the services' programs, which is this program's.
fn programs() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe()?;
    own.parent().map(Path::to_owned).context("this program is in no folder")
}
