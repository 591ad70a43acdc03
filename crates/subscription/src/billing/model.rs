//! A model-based test over simulated years: random joins, notifications, charges, stops, moves, crashes and clock jumps, applied to the real code
//! with a database in memory, and the invariants that must hold at the end.
//!
//! `MODEL_SEED=… cargo test -p subscription model` repeats one simulation; a failure prints its seed.

mod network;
mod simulation;

use std::{thread, time::Instant};

use self::simulation::Simulation;

/// The number of simulations, and of subscribers in each.
const SIMULATIONS: u64 = 50;
const SUBSCRIBERS: u64 = 50;
const STEPS: usize = 500;

/// Concurrent simulations.
const THREADS: u64 = 4;

#[test]
fn random_sequences_charge_no_day_twice() {
    let began = Instant::now();
    if let Ok(seed) = std::env::var("MODEL_SEED") {
        run(seed.parse().unwrap());
        return;
    }
    let first: u64 = rand::random();
    let charges: u64 = thread::scope(|scope| {
        let running: Vec<_> = (0..THREADS)
            .map(|thread| {
                let simulations = (0..SIMULATIONS).filter(move |simulation| simulation % THREADS == thread);
                scope.spawn(move || simulations.map(|simulation| run(first.wrapping_add(simulation))).sum::<u64>())
            })
            .collect();
        running.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    println!("{} sequences from seed {first}: {charges} charges in {:?}", SIMULATIONS * SUBSCRIBERS, began.elapsed());
    assert!(charges > SIMULATIONS * 30, "the model hardly charges anybody: {charges}");
}

/// Runs one simulation; returns how many charges it made.
fn run(seed: u64) -> u64 {
    // The panic's own message is printed before the seed.
    let seed_on_panic = SeedOnPanic(seed);
    let mut simulation = Simulation::new(seed, SUBSCRIBERS);
    for _ in 0..STEPS {
        simulation.step();
    }
    let charges = simulation.end();
    drop(seed_on_panic);
    charges
}

struct SeedOnPanic(u64);

impl Drop for SeedOnPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            println!("MODEL_SEED={}", self.0);
        }
    }
}
