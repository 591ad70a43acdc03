//! Waiting in tests: until a condition holds, never for a fixed time.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long a test waits for what must come: longer than any pause of the services between two attempts, on a slow machine.
const TIMEOUT: Duration = Duration::from_secs(180);

/// How far from midnight a test begins whose two ends must lie in one day.
const MARGIN: Duration = Duration::from_secs(120);

const DAY: u64 = 24 * 60 * 60;

/// South Africa is two hours ahead of UTC all year.
const AHEAD: u64 = 2 * 60 * 60;

/// Polls until the condition holds.
pub async fn eventually(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let started = Instant::now();
    while !condition().await {
        assert!(started.elapsed() < TIMEOUT, "{what}: not within {} seconds", TIMEOUT.as_secs());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Returns at a moment from which Johannesburg's midnight, and with it the end of a month, is some minutes away: for tests
/// that expect something to happen on the day on which they look for it.
pub async fn away_from_midnight() {
    let left = until_midnight(SystemTime::now());
    if left < MARGIN {
        tokio::time::sleep(left + Duration::from_secs(1)).await;
    }
}

fn until_midnight(now: SystemTime) -> Duration {
    let since = now.duration_since(UNIX_EPOCH).expect("a clock after 1970").as_secs();
    Duration::from_secs(DAY - (since + AHEAD) % DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn until_midnight_counts_in_johannesburg() {
        let left = |since| until_midnight(UNIX_EPOCH + Duration::from_secs(since)).as_secs();
        // 2026-11-21 21:59:59 UTC, and the second after it.
        assert_eq!(left(1_795_298_399), 1);
        assert_eq!(left(1_795_298_400), DAY);
    }
}
