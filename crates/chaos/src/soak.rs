//! A run without faults for a long time (`make soak`): memory and latency of its second half, compared with those of its first.

use std::{collections::BTreeMap, time::Duration};

use tokio::time::{Instant, sleep};

use crate::{results::print_line, run::Run};

/// The checks that are made here.
const NOT_REFUSED: &str = "without faults, nothing is refused";
const NO_GROWTH: &str = "without faults, no process grows by more than a tenth";

/// The most that a process may grow after its warm-up.
const ALLOWED: f64 = 1.10;

/// The warm-up is this part of the time. The rest is halved: memory that varies with load has the same median in both halves.
const WARM_UP: usize = 5;

const INTERVAL: Duration = Duration::from_secs(2);

/// Samples the memory of all processes until the time is over, and compares.
pub(crate) async fn watch(run: &Run, until: Instant) -> anyhow::Result<()> {
    let mut resident_mb = BTreeMap::<&str, Vec<f64>>::new();
    while Instant::now() < until {
        sleep(INTERVAL.min(until.saturating_duration_since(Instant::now()))).await;
        for process in run.family.processes() {
            let resident = process.resident_kb().map(|kb| f64::from(kb) / 1024.0);
            resident_mb.entry(&process.name).or_default().extend(resident);
        }
    }
    for (name, samples) in resident_mb {
        let [first, second] = halves(&samples);
        print_line(&format!("{name}: {first:.1} MB, then {second:.1} MB"));
        if second > first * ALLOWED {
            run.results.violate(NO_GROWTH, format!("{name} grew from {first:.1} to {second:.1} MB"));
        }
    }
    let seconds = run.results.seconds();
    let [first, second] = halves(&seconds.iter().map(|second| second.slowest).collect::<Vec<_>>());
    print_line(&format!("the slowest reply of a second: {first:.3} s, then {second:.3} s"));
    let refused: u32 = seconds.iter().map(|second| second.unavailable).sum();
    if refused > 0 {
        run.results.violate(NOT_REFUSED, format!("{refused} replies were 503"));
    }
    Ok(())
}

/// The medians of both halves after the warm-up.
fn halves(samples: &[f64]) -> [f64; 2] {
    let warm = samples.get(samples.len() / WARM_UP..).unwrap_or_default();
    let (first, second) = warm.split_at(warm.len() / 2);
    [first, second].map(|half| {
        let mut sorted = half.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_medians_after_the_warm_up() {
        let samples = [vec![10.0; 20], vec![100.0; 40], vec![109.0; 40]].concat();
        assert_eq!(halves(&samples), [100.0, 109.0]);
        assert_eq!(halves(&[]), [0.0, 0.0]);
    }
}
