//! Texts that staff write, and amounts as people read them.

use sha2::{Digest, Sha256};

use crate::error::Error;

/// The longest accepted reason, in characters.
const MAX_REASON: usize = 256;

/// Trims and validates 1 to 256 characters without control characters.
pub(crate) fn plain_text(text: &str) -> Result<String, Error> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > MAX_REASON || text.chars().any(char::is_control) {
        return Err(Error::BadReason);
    }
    Ok(text.to_owned())
}

/// `R3`, or `R3.50` with cents.
pub(crate) fn format_rand(cents: i64) -> String {
    match cents % 100 {
        0 => format!("R{}", cents / 100),
        rest => format!("R{}.{rest:02}", cents / 100),
    }
}

/// The hexadecimal SHA-256 of a consent text; empty for an empty text.
pub(crate) fn hash_of(wording: &str) -> String {
    if wording.is_empty() { String::new() } else { hex::encode(Sha256::digest(wording)) }
}
