//! A model of years in which everything happens at once: random joins, notifications, charges, stops, crashes and clock jumps,
//! driven through the real code against a database in memory, and what must hold whatever happened.
//!
//! `MODEL_SEED=… cargo test -p subscription model` repeats one world; a failure names its seed.

mod network;
mod simulation;

use std::{thread, time::Instant};

use self::simulation::Simulation;

/// Worlds, each with so many numbers: together the sequences.
const SIMULATIONS: u64 = 200;
const NUMBERS: u64 = 50;
const STEPS: usize = 500;

/// Worlds that turn side by side.
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
    println!("{} sequences from seed {first}: {charges} charges in {:?}", SIMULATIONS * NUMBERS, began.elapsed());
    assert!(charges > SIMULATIONS * 30, "the model hardly charges anybody: {charges}");
}

/// One world from its beginning to its end; how many charges it saw.
fn run(seed: u64) -> u64 {
    // A failing world's own message stands above this line.
    let seed_on_panic = SeedOnPanic(seed);
    let mut simulation = Simulation::new(seed, NUMBERS);
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
