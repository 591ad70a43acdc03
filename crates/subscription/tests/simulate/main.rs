//! The whole subscription world from one number: networks, people, staff, crashes, time. `README.md` says how to add a behaviour and an invariant.
//!
//! `SEED` repeats one simulation, of `DAYS` days; `SIMULATIONS` runs so many new ones. Without them the same few run each time, so that a test
//! fails for a change alone. `SIMULATION_LOG=1` prints each event at once.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on must say so and fail"
)]

mod invariants;
mod network;
mod people;
mod process;
mod staff;
mod wire;
mod world;

use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Instant,
};

use service::machine;

use crate::world::World;

/// The events and charges of a simulation.
#[derive(PartialEq)]
struct Run {
    log: Vec<String>,
    charges: usize,
}

/// Runs a simulation; fails where an invariant does not hold.
fn simulate(seed: u64, days: u32) -> Run {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        machine::simulate(seed, world::first_moment(seed));
        let mut world = World::new(seed).await;
        for _ in 0..days {
            world.day().await;
        }
        world.end().await;
        let charges = world.networks.iter().map(|network| network.charges.len()).sum();
        Run { log: world.log, charges }
    })
}

fn setting<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name)
        .ok()
        .filter(|text| !text.is_empty())
        .map(|text| text.parse().ok().unwrap_or_else(|| panic!("{name}={text}")))
}

#[test]
fn invariants_hold_for_every_seed() {
    let (began, days) = (Instant::now(), setting("DAYS").unwrap_or(8_u32));
    let (first, count) = match (setting::<u64>("SEED"), setting::<u64>("SIMULATIONS")) {
        (Some(seed), _) => (seed, 1),
        (None, Some(count)) => (rand::random::<u32>().into(), count),
        (None, None) => (1, 5),
    };
    let (next, charges) = (AtomicU64::new(0), AtomicU64::new(0));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    println!("SEED={first} and the {} after it, of {days} days each", count - 1);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        return;
                    }
                    let run = simulate(first + at, days);
                    charges.fetch_add(run.charges.try_into().unwrap(), Ordering::Relaxed);
                }
            });
        }
    });
    // With those at the end.
    let (all, seconds) = (count * u64::from(days + 4), began.elapsed().as_secs_f64());
    println!("{all} days with {charges:?} charges in {seconds:.1} s");
    assert!(charges.into_inner() > count * u64::from(days), "hardly anyone is charged");
}

#[test]
fn a_seed_twice_is_the_same() {
    let (seed, days) = (setting("SEED").unwrap_or(7), setting("DAYS").unwrap_or(4));
    let (one, other) = (simulate(seed, days), simulate(seed, days));
    for (one, other) in one.log.iter().zip(&other.log) {
        assert_eq!(one, other);
    }
    assert!(one == other, "one has more events than the other");
}
