//! `make chaos`: the whole family on PostgreSQL and Redis, two processes of each service, under visitors, while everything that can go
//! wrong does; and whether all that was promised is so afterwards. README.md beside the source lists the faults and the checks.

mod books;
mod browser;
mod checks;
mod disk;
mod door;
mod family;
mod joining;
mod person;
mod place;
mod plan;
mod probe;
mod report;
mod servers;
mod site;
mod storm;
mod tally;
mod visitor;
mod world;

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
    family::Family, person::Person, plan::Plan, probe::Probe, report::Outcome, site::Site, tally::tell,
    visitor::Visitor, world::World,
};

/// Breaks everything while visitors come, and checks that nothing that was promised is lost.
#[derive(Parser)]
#[command(name = "chaos", version)]
struct Options {
    /// For how many minutes visitors come.
    #[arg(long, env = "CHAOS_MINUTES", default_value_t = 30.0)]
    minutes: f64,
    /// Which dice are thrown; drawn and printed where it is not given.
    #[arg(long, env = "CHAOS_SEED")]
    seed: Option<u64>,
    /// How many visitors there are at once.
    #[arg(long, env = "CHAOS_VISITORS", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..900))]
    visitors: u16,
    /// Where the report and the logs of all processes go.
    #[arg(long, env = "CHAOS_OUT", default_value = "target/chaos")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let outcome = runtime.map_err(anyhow::Error::from).and_then(|runtime| {
        LocalSet::new().block_on(&runtime, async {
            // Whoever stops it stops what it has started: all of it ends as it is dropped.
            tokio::select! {
                outcome = run(&options) => outcome,
                () = service::stop_signal() => Err(anyhow::Error::msg("stopped")),
            }
        })
    });
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            tell(&format!("chaos could not be made: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Whether every check held.
async fn run(options: &Options) -> anyhow::Result<bool> {
    let seed = options.seed.unwrap_or_else(|| rand::random_range(0..1_000_000));
    tell(&format!("chaos: CHAOS_SEED={seed} CHAOS_MINUTES={}, {} visitors", options.minutes, options.visitors));
    let logs = options.out.join("logs");
    if logs.exists() {
        std::fs::remove_dir_all(&logs)?;
    }
    let state = tempfile::tempdir()?;
    // PostgreSQL runs as somebody else than root, and has to come to its files.
    std::fs::set_permissions(state.path(), std::fs::Permissions::from_mode(0o755))?;
    let family = Family::start(&programs()?, state.path(), &logs).await?;
    let world = Rc::new(World::new(family, seed)?);
    let sites = sites(&world).await?;
    let probe = Probe::new(&world, &sites).await?;
    let skipped = world.family.servers.no_disk.clone();
    if let Some(why) = &skipped {
        tell(&format!("chaos: NO DISK IS FILLED, for none can be mounted: {why}"));
    }
    tell(&format!("{:7.1} s  everything runs; people come", world.tally.now().as_secs_f64()));

    let plan = Plan::of(seed, skipped.is_none());
    tell(&format!("chaos: the plan begins: {}", plan.beginning()));

    let people = Rc::<RefCell<Vec<Person>>>::default();
    let mut visitors = JoinSet::new();
    for number in 0..usize::from(options.visitors) {
        visitors.spawn_local(Visitor::new(&world, &sites, &people, number).visit());
    }
    let until = Instant::now() + Duration::from_secs_f64(options.minutes * 60.0);
    let raged = storm::rage(&world, plan, &probe, until).await;
    std::fs::write(logs.join("postgres.log"), world.family.servers.postgres_log())?;
    raged?;
    let lasted = world.tally.now();
    world.end();
    while let Some(ended) = visitors.join_next().await {
        ended?;
    }
    storm::settle(&world).await?;
    let mut people = people.take();
    people.extend(probe.into_people());
    let charges = checks::make(&world, &people).await?;
    let outcome = Outcome {
        seed,
        visitors: options.visitors.into(),
        lasted,
        people: people.len(),
        charges,
        skipped,
        seconds: world.tally.seconds(),
        records: world.tally.records(),
        violations: world.tally.violations(),
    };
    let report = outcome.publish(&options.out)?;
    tell(&format!("chaos: CHAOS_SEED={seed}: {}", outcome.summary()));
    tell(&format!("chaos: {}", report.display()));
    Ok(outcome.violations.is_empty())
}

async fn sites(world: &Rc<World>) -> anyhow::Result<Rc<[Rc<Site>]>> {
    let mut sites = Vec::new();
    for brand in world.family.brands.iter() {
        sites.push(Rc::new(Site::read(world, &brand).await?));
    }
    Ok(sites.into())
}

/// The services' programs lie beside this one.
fn programs() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe()?;
    own.parent().map(Path::to_owned).context("this program lies nowhere")
}
