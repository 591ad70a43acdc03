//! The soak test: visitors and editors for a long time, and four checks. No errors; no list older than two seconds; no visitor's change
//! lost; no growth of memory.

mod editor;
mod family;
mod memory;
mod rng;
mod tally;
mod visitor;

use std::{cell::RefCell, path::PathBuf, rc::Rc, time::Duration};

use testkit::Engine;
use tokio::{task::JoinSet, time::Instant};

use self::{editor::Markers, family::Family, memory::Watch, tally::Tally, visitor::Visitor};
use crate::stage::Stage;

/// Duration and setup.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// The duration in minutes.
    #[arg(long, env = "SOAK_MINUTES", default_value_t = 20.0)]
    pub minutes: f64,
    /// The engine; on PostgreSQL there are two replicas of each service, and Redis.
    #[arg(long, env = "SOAK_ENGINE", value_enum, default_value_t = SoakEngine::Postgres)]
    pub engine: SoakEngine,
    /// The number of concurrent visitors; half of them use the gateway.
    #[arg(long, default_value_t = 64)]
    pub visitors: usize,
    /// The folder of results and logs.
    #[arg(long, default_value = "target/bench")]
    pub out: PathBuf,
}

/// The setups of the soak test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum SoakEngine {
    /// SQLite, one process of each service.
    Sqlite,
    /// PostgreSQL and Redis, two processes of each service.
    Postgres,
}

impl From<SoakEngine> for Engine {
    fn from(on: SoakEngine) -> Self {
        match on {
            SoakEngine::Sqlite => Self::Sqlite,
            SoakEngine::Postgres => Self::Postgres,
        }
    }
}

/// Runs the soak test; returns whether all four checks passed.
pub async fn run(options: &Options, stage: &Stage) -> anyhow::Result<bool> {
    let family = Rc::new(Family::start(stage, options.engine.into(), options.visitors).await?);
    let markers = Rc::new(Markers::default());
    editor::work(&family, &markers).await?;

    let started = Instant::now();
    let end = started + Duration::from_secs_f64(options.minutes * 60.0);
    let tally = Rc::new(RefCell::new(Tally::default()));
    let mut at_work = JoinSet::new();
    for number in 0..options.visitors {
        let visitor = Visitor::new(number, family.clone(), markers.clone(), tally.clone());
        at_work.spawn_local(visitor.visit_until(end));
    }
    at_work.spawn_local(editor::work_until(end, family.clone(), markers.clone()));
    let mut watch = Watch::over(&family.processes());
    while Instant::now() < end {
        tokio::time::sleep(Duration::from_secs(2).min(end - Instant::now())).await;
        watch.sample();
        tally.borrow_mut().print_progress(started.elapsed());
    }
    while let Some(ended) = at_work.join_next().await {
        ended??;
    }
    let outcome = tally.take().outcome(started.elapsed(), options, markers.count(), watch.growths());
    outcome.publish(&options.out)?;
    Ok(outcome.pass)
}
