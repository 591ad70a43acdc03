//! The result of one run of load.

use std::time::Duration;

use serde::Serialize;

/// One run of load against one contender.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sample {
    /// The number of replies, all with the expected status.
    pub replies: u64,
    /// Replies per second.
    pub per_second: f64,
    /// The median latency in milliseconds.
    pub p50_ms: f64,
    /// The 99th percentile latency in milliseconds.
    pub p99_ms: f64,
    /// The server's CPU time per reply in microseconds; 0 if unknown.
    pub cpu_us: f64,
    /// The share of one CPU that the server used; 0 if unknown.
    pub busy: f64,
}

impl Sample {
    /// From the latencies of all replies in microseconds, the elapsed time, and the server's CPU time.
    pub fn of(mut latencies_us: Vec<u32>, elapsed: Duration, cpu: Duration) -> Self {
        latencies_us.sort_unstable();
        let replies = u64::try_from(latencies_us.len()).unwrap_or(u64::MAX);
        let seconds = elapsed.as_secs_f64().max(f64::EPSILON);
        Self {
            replies,
            per_second: count(replies) / seconds,
            p50_ms: f64::from(percentile(&latencies_us, 50)) / 1000.0,
            p99_ms: f64::from(percentile(&latencies_us, 99)) / 1000.0,
            cpu_us: cpu.as_secs_f64() * 1e6 / count(replies.max(1)),
            busy: cpu.as_secs_f64() / seconds,
        }
    }

    /// A batch of `pieces`, without individual latencies.
    pub fn of_batch(pieces: u64, elapsed: Duration, cpu: Duration) -> Self {
        let seconds = elapsed.as_secs_f64().max(f64::EPSILON);
        Self {
            replies: pieces,
            per_second: count(pieces) / seconds,
            cpu_us: cpu.as_secs_f64() * 1e6 / count(pieces.max(1)),
            busy: cpu.as_secs_f64() / seconds,
            ..Self::default()
        }
    }

    /// The elapsed time in seconds.
    pub fn seconds(&self) -> f64 {
        count(self.replies) / self.per_second
    }

    /// The median of each value.
    pub fn median(samples: &[Self]) -> Self {
        let of = |figure: fn(&Self) -> f64| median(&samples.iter().map(figure).collect::<Vec<_>>());
        Self {
            replies: samples.iter().map(|sample| sample.replies).sum(),
            per_second: of(|sample| sample.per_second),
            p50_ms: of(|sample| sample.p50_ms),
            p99_ms: of(|sample| sample.p99_ms),
            cpu_us: of(|sample| sample.cpu_us),
            busy: of(|sample| sample.busy),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of replies stay far below 2^52")]
fn count(replies: u64) -> f64 {
    replies as f64
}

/// The percentile of sorted values; 0 if there are none.
pub fn percentile(sorted: &[u32], percent: usize) -> u32 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

/// The median; 0 if there are no values.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let at = |index: usize| sorted.get(index).copied().unwrap_or_default();
    match sorted.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => at(middle),
        _ => f64::midpoint(at(middle - 1), at(middle)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle_value() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((median(&[4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-9);
        assert!(median(&[]).abs() < 1e-9);
    }

    #[test]
    fn percentile_is_one_of_the_values() {
        let hundred: Vec<u32> = (1..=100).collect();
        assert_eq!((percentile(&hundred, 50), percentile(&hundred, 99)), (50, 99));
        assert_eq!((percentile(&[7], 50), percentile(&[7], 99), percentile(&[], 99)), (7, 7, 0));
    }

    #[test]
    fn of_computes_rates_per_second() {
        let sample = Sample::of(vec![2000, 1000, 3000, 1000], Duration::from_secs(2), Duration::from_millis(1));
        assert_eq!(sample.replies, 4);
        assert!((sample.per_second - 2.0).abs() < 1e-9 && (sample.cpu_us - 250.0).abs() < 1e-9);
        assert!((sample.p50_ms - 1.0).abs() < 1e-9 && (sample.p99_ms - 3.0).abs() < 1e-9);
        assert!((Sample::median(&[sample.clone(), sample]).per_second - 2.0).abs() < 1e-9);
    }
}
