//! A model of years in which everything happens at once: random joins, notifications, charges, stops, crashes and clock jumps,
//! driven through the real code against a database in memory, and what must hold whatever happened.
//!
//! `MODEL_SEED=… cargo test -p subscription model` repeats one world; a failure names its seed.

mod network;
mod world;

use std::{thread, time::Instant};

use self::world::World;

/// Worlds, each with so many numbers: together the sequences.
const WORLDS: u64 = 200;
const NUMBERS: u64 = 50;
const STEPS: usize = 500;

/// Worlds that turn side by side.
const THREADS: u64 = 4;

#[test]
fn whatever_happens_nobody_is_charged_twice() {
    let began = Instant::now();
    if let Ok(seed) = std::env::var("MODEL_SEED") {
        turn(seed.parse().unwrap());
        return;
    }
    let first: u64 = rand::random();
    let charges: u64 = thread::scope(|scope| {
        let turning: Vec<_> = (0..THREADS)
            .map(|thread| {
                let worlds = (0..WORLDS).filter(move |world| world % THREADS == thread);
                scope.spawn(move || worlds.map(|world| turn(first.wrapping_add(world))).sum::<u64>())
            })
            .collect();
        turning.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    println!("{} sequences from seed {first}: {charges} charges in {:?}", WORLDS * NUMBERS, began.elapsed());
    assert!(charges > WORLDS * 30, "the model hardly charges anybody: {charges}");
}

/// One world from its beginning to its end; how many charges it saw.
fn turn(seed: u64) -> u64 {
    // A failing world's own message stands above this line.
    let told = SeedOnPanic(seed);
    let mut world = World::new(seed, NUMBERS);
    for _ in 0..STEPS {
        world.step();
    }
    let charges = world.end();
    drop(told);
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
