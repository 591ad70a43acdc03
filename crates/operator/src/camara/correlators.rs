//! `clientCorrelator`: the name of one attempt of a charge. The first attempt has the charge's key, the next one `KEY~2`, then `KEY~3`.

/// Between the key and the number of the attempt. No key has it, so that no attempt of a charge has the key of another one: that of a smaller
/// amount for the same day is `KEY.200`.
const ATTEMPT_MARK: char = '~';

/// The key of the charge that a correlator names an attempt of.
pub fn key_of_correlator(correlator: &str) -> &str {
    key_and_attempt(correlator).0
}

/// The correlator of the attempt after this one, which its network ended without charging.
pub fn next_correlator(correlator: &str) -> String {
    let (key, attempt) = key_and_attempt(correlator);
    format!("{key}{ATTEMPT_MARK}{}", attempt.saturating_add(1))
}

fn key_and_attempt(correlator: &str) -> (&str, u32) {
    match correlator.rsplit_once(ATTEMPT_MARK).and_then(|(key, attempt)| Some((key, attempt.parse().ok()?))) {
        Some((key, attempt)) => (key, attempt),
        None => (correlator, 1),
    }
}
