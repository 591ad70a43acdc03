//! Digests as text.

use std::fmt::Write;

/// Writes the first 128 bits of a digest: enough to tell two versions of one file apart.
pub(crate) fn hex(digest: &[u8]) -> String {
    full_hex(digest.get(..16).unwrap_or(digest))
}

/// Writes all of a digest, two digits a byte.
pub(crate) fn full_hex(digest: &[u8]) -> String {
    digest.iter().fold(String::with_capacity(2 * digest.len()), |mut text, byte| {
        // Writing to a String never fails.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_is_two_digits_a_byte() {
        assert_eq!((full_hex(&[0, 10, 255]).as_str(), hex(&[0, 10, 255]).as_str()), ("000aff", "000aff"));
        assert_eq!((full_hex(&[1; 32]).len(), hex(&[1; 32]).len()), (64, 32));
    }
}
