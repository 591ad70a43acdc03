//! The watch over the processes' memory.

use serde::Serialize;

use crate::{load::median, process};

/// What a process may grow by after its warm-up.
const ALLOWED: f64 = 1.10;

/// The part of the time in which a process warms up: a fifth. What is left is halved: memory that goes up and down with the load has
/// the same median in both halves, and memory that leaks has not.
const WARM_UP: usize = 5;

/// Looks at processes now and then.
pub(super) struct Watch {
    watched: Vec<(String, u32, Vec<f64>)>,
}

/// How one process grew.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Growth {
    /// Which process.
    pub process: String,
    /// Megabytes after the warm-up: the median over the first half of what is left of the time.
    pub warm_mb: f64,
    /// Megabytes at the end: the median over the second half.
    pub end_mb: f64,
    /// The most that was seen.
    pub peak_mb: f64,
    /// Megabytes in the middle of each twentieth of the time.
    pub curve_mb: Vec<f64>,
    /// End to warm.
    pub growth: f64,
    /// Whether that may be.
    pub pass: bool,
}

impl Watch {
    pub fn over(processes: &[(String, u32)]) -> Self {
        Self { watched: processes.iter().map(|(name, id)| (name.clone(), *id, Vec::new())).collect() }
    }

    pub fn look(&mut self) {
        for (_, id, seen) in &mut self.watched {
            // A process that is gone holds nothing; the visitors will say that it is gone.
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
    fn growth_counts_from_after_the_warm_up() {
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
