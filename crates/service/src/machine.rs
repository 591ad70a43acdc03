//! The machine of a process: the time, chance, threads for blocking work, and the process's end. A simulation replaces them on its thread, so
//! that one number decides all of them.

use std::{cell::RefCell, future::pending, panic::resume_unwind, time::Duration};

use chrono::{DateTime, Utc};
use rand::{
    RngExt, SeedableRng,
    distr::{Distribution, StandardUniform},
    rngs::StdRng,
};
use tokio::{task::JoinError, time::Instant};

thread_local! {
    static SIMULATION: RefCell<Option<Simulation>> = const { RefCell::new(None) };
}

struct Simulation {
    rng: StdRng,
    /// The time at an instant of tokio's clock, which a simulation pauses.
    began: (Instant, DateTime<Utc>),
    aborted: bool,
}

/// Simulates the machine of this thread from now on, by a seed and from a time on. Needs a tokio runtime with paused time.
pub fn simulate(seed: u64, now: DateTime<Utc>) {
    let simulation = Simulation { rng: StdRng::seed_from_u64(seed), began: (Instant::now(), now), aborted: false };
    SIMULATION.replace(Some(simulation));
}

fn simulated<T>(read: impl FnOnce(&mut Simulation) -> T) -> Option<T> {
    SIMULATION.with_borrow_mut(|simulation| simulation.as_mut().map(read))
}

/// The time, UTC.
pub fn now() -> DateTime<Utc> {
    simulated(|simulation| simulation.began.1 + simulation.began.0.elapsed()).unwrap_or_else(Utc::now)
}

/// A random value.
pub fn random<T>() -> T
where
    StandardUniform: Distribution<T>,
{
    simulated(|simulation| simulation.rng.random()).unwrap_or_else(rand::random)
}

/// Runs blocking work on a thread of its own; in a simulation on this one, some milliseconds earlier or later than other work.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    if simulated(|_| ()).is_none() {
        return tokio::task::spawn_blocking(work).await;
    }
    wait_for_thread().await;
    let done = work();
    wait_for_thread().await;
    Ok(done)
}

async fn wait_for_thread() {
    let millis = simulated(|simulation| simulation.rng.random_range(0..6_u64).saturating_sub(3)).unwrap_or_default();
    if millis > 0 {
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }
    // An aborted process does nothing more.
    if simulated(|simulation| simulation.aborted).unwrap_or_default() {
        pending::<()>().await;
    }
}

/// Ends the process without any clean-up, as SIGKILL does. In a simulation it ends the task, and all further blocking work waits until
/// the simulation has dropped the other tasks of the process.
pub fn abort() -> ! {
    if simulated(|simulation| simulation.aborted = true).is_some() {
        resume_unwind(Box::new("the process aborts"));
    }
    std::process::abort()
}

/// Whether the simulated process has aborted since the last call.
pub fn take_abort() -> bool {
    simulated(|simulation| std::mem::take(&mut simulation.aborted)).unwrap_or_default()
}
