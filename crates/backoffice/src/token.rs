//! Random tokens of 256 bits, of which only the SHA-256 is stored.

use sha2::{Digest, Sha256};

/// A new token, in hexadecimal.
pub(crate) fn random() -> String {
    hex::encode(rand::random::<[u8; 32]>())
}

/// What is stored of a token.
pub(crate) fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}
