//! Time, as tests may rely on it: by waiting for what must come, and never by hoping that something is quick.

use std::time::{Duration, Instant};

/// How long a test waits for what must come: longer than any pause of the services between two attempts, on a slow machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// Asks until it is so.
pub async fn eventually(what: &str, mut so: impl AsyncFnMut() -> bool) {
    let started = Instant::now();
    while !so().await {
        assert!(started.elapsed() < PATIENCE, "{what}: not within {} seconds", PATIENCE.as_secs());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
