//! Watches the processes' memory.

use serde::Serialize;

use crate::{load::median, process};

/// The most that a process may grow after its warm-up.
const ALLOWED: f64 = 1.10;

/// The warm-up is a fifth of the time. The rest is halved: memory that varies with load has the same median in both halves; leaking memory
/// has not.
const WARM_UP: usize = 5;

/// Samples processes' memory.
pub(super) struct Watch {
    watched: Vec<(String, u32, Vec<f64>)>,
}

/// The memory of one process.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Growth {
    /// The process's name.
    pub process: String,
    /// Megabytes after the warm-up: the median of the first half of the rest.
    pub warm_mb: f64,
    /// Megabytes at the end: the median of the second half.
    pub end_mb: f64,
    /// The maximum.
    pub peak_mb: f64,
    /// The median megabytes of each twentieth of the time.
    pub curve_mb: Vec<f64>,
    /// End divided by start.
    pub growth: f64,
    /// Whether that is within the limit.
    pub pass: bool,
}

impl Watch {
    pub fn over(processes: &[(String, u32)]) -> Self {
        Self { watched: processes.iter().map(|(name, id)| (name.clone(), *id, Vec::new())).collect() }
    }

    pub fn sample(&mut self) {
        for (_, id, seen) in &mut self.watched {
            // A process that exited has no memory; the visitors report that.
            let kb = process::resident_kb(*id).unwrap_or_default();
            seen.push(f64::from(kb) / 1024.0);
        }
    }

    pub fn growths(&self) -> Vec<Growth> {
        self.watched.iter().map(|(name, _, seen)| Growth::of(name, seen)).collect()
    }
}

impl Growth {
    fn of(process: &str, seen: &[f64]) -> Self {
        let warm = seen.get(seen.len() / WARM_UP..).unwrap_or_default();
        let (first, second) = warm.split_at(warm.len() / 2);
        let (warm_mb, end_mb) = (median(first), median(second));
        let growth = if warm_mb > 0.0 { end_mb / warm_mb } else { f64::INFINITY };
        let peak_mb = seen.iter().copied().fold(0.0, f64::max);
        let curve_mb = (0..20).filter_map(|part| seen.get((part * 2 + 1) * seen.len() / 40).copied()).collect();
        Self { process: process.to_owned(), warm_mb, end_mb, peak_mb, curve_mb, growth, pass: growth <= ALLOWED }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_ignores_the_warm_up() {
        let mut seen = vec![10.0; 20];
        seen.extend([100.0; 40]);
        seen.extend([109.0; 40]);
        let flat = Growth::of("a", &seen);
        assert!(flat.pass && (flat.growth - 1.09).abs() < 1e-9 && (flat.peak_mb - 109.0).abs() < 1e-9);
        let leak: Vec<f64> = (1..=100).map(f64::from).collect();
        assert!(!Growth::of("b", &leak).pass);
        assert!(!Growth::of("gone", &[]).pass);
    }
}
