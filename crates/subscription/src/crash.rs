//! Crash points: named places between two durable steps where a test may have the process end itself, as by SIGKILL.

use std::{collections::BTreeMap, sync::OnceLock};

static POINTS: OnceLock<CrashPoints> = OnceLock::new();

/// How likely each point is to end the process; from `0.01` (all of them) or `name=0.5,other=0.1`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrashPoints {
    everywhere: f64,
    named: BTreeMap<String, f64>,
}

impl std::str::FromStr for CrashPoints {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut points = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, chance) = match part.split_once('=') {
                Some((name, chance)) => (Some(name.trim()), chance.trim()),
                None => (None, part),
            };
            let chance = chance.parse::<f64>().ok().filter(|chance| (0.0..=1.0).contains(chance));
            let chance = chance.ok_or_else(|| format!("{part:?} is no chance between 0 and 1"))?;
            match name {
                Some(name) => points.named.insert(name.to_owned(), chance).map_or((), |_| ()),
                None => points.everywhere = chance,
            }
        }
        Ok(points)
    }
}

impl CrashPoints {
    /// Arms them for the rest of the process's life; the first set counts.
    pub(crate) fn arm(self) {
        if POINTS.set(self).is_ok() {
            tracing::warn!("crash points are armed: this process will end itself at random");
        }
    }

    fn chance(&self, name: &str) -> f64 {
        self.named.get(name).copied().unwrap_or(self.everywhere)
    }
}

/// A place where a crash must do no harm.
pub(crate) fn point(name: &'static str) {
    if let Some(points) = POINTS.get()
        && rand::random::<f64>() < points.chance(name)
    {
        tracing::error!(crash.point = name, "this process ends itself here");
        std::process::abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_chance_for_all_or_one_for_each() {
        let all: CrashPoints = "0.25".parse().unwrap();
        assert_eq!(all.chance("anything").to_bits(), 0.25_f64.to_bits());
        let some: CrashPoints = "charge.sent=1, left = 0.5".parse().unwrap();
        assert!(some.chance("charge.sent") > 0.9 && some.chance("left") > 0.4 && some.chance("other") < 0.1);
        for text in ["x", "2", "a=-1", "a=b"] {
            assert!(text.parse::<CrashPoints>().is_err(), "{text}");
        }
    }
}
