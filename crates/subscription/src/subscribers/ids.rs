//! Random ids, and what may be one.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use service::machine;

/// A new random token of 192 bits.
pub(crate) fn random_token() -> String {
    URL_SAFE_NO_PAD.encode(machine::random::<[u8; 24]>())
}

/// Whether this may be an attempt's id: ours have no other characters, and PostgreSQL rejects some of them in a query.
pub(crate) fn is_id(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}
