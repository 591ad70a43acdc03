//! Crash points: named places between two durable steps where a test may abort the process, as by SIGKILL.

use std::{collections::BTreeMap, sync::OnceLock};

use service::machine;

static POINTS: OnceLock<CrashPoints> = OnceLock::new();

/// The probability of an abort at each point; from `0.01` (all of them) or `name=0.5,other=0.1`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrashPoints {
    default: f64,
    named: BTreeMap<String, f64>,
}

impl std::str::FromStr for CrashPoints {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut points = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, probability) = match part.split_once('=') {
                Some((name, probability)) => (Some(name.trim()), probability.trim()),
                None => (None, part),
            };
            let probability = probability.parse::<f64>().ok().filter(|probability| (0.0..=1.0).contains(probability));
            let probability = probability.ok_or_else(|| format!("{part:?} is no chance between 0 and 1"))?;
            match name {
                Some(name) => points.named.insert(name.to_owned(), probability).map_or((), |_| ()),
                None => points.default = probability,
            }
        }
        Ok(points)
    }
}

impl CrashPoints {
    /// Enables them for the rest of the process; only the first call has an effect.
    pub(crate) fn enable(self) {
        if POINTS.set(self).is_ok() {
            tracing::warn!("crash points are enabled: this process will abort at random");
        }
    }

    fn probability(&self, name: &str) -> f64 {
        self.named.get(name).copied().unwrap_or(self.default)
    }
}

/// A place where a crash must do no harm.
pub(crate) fn point(name: &'static str) {
    if let Some(points) = POINTS.get()
        && machine::random::<f64>() < points.probability(name)
    {
        tracing::error!(crash.point = name, "this process aborts at a crash point");
        machine::abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_reads_one_probability_for_all_or_one_per_point() {
        let all: CrashPoints = "0.25".parse().unwrap();
        assert_eq!(all.probability("anything").to_bits(), 0.25_f64.to_bits());
        let some: CrashPoints = "charge.sent=1, left = 0.5".parse().unwrap();
        assert!(
            some.probability("charge.sent") > 0.9 && some.probability("left") > 0.4 && some.probability("other") < 0.1
        );
        for text in ["x", "2", "a=-1", "a=b"] {
            assert!(text.parse::<CrashPoints>().is_err(), "{text}");
        }
    }
}
