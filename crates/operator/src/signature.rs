//! Standard Webhooks signatures: HMAC-SHA256 of `id.timestamp.body`, base64, behind `v1,`.
//!
//! Implemented on `hmac` instead of using the `standardwebhooks` crate: that crate reads the system clock itself, so the time
//! window could not be tested, and takes header types of another `http` version than actix-web's.

use std::fmt;

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The id of the notification; a retry keeps it.
pub const HEADER_ID: &str = "webhook-id";
/// When it was sent, seconds since 1970 UTC.
pub const HEADER_TIMESTAMP: &str = "webhook-timestamp";
/// One or more signatures, separated by blanks.
pub const HEADER_SIGNATURE: &str = "webhook-signature";
/// The largest difference between a timestamp and our clock, in either direction.
pub const WINDOW_SECONDS: i64 = 300;

/// With or without padding: keys are copied by hand.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The key that a network signs its notifications with; prints masked.
#[derive(Clone)]
pub struct NotifySecret(Hmac<Sha256>);

/// The text is not `whsec_` and base64.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("expected whsec_ followed by a key in base64")]
pub struct InvalidSecret;

/// Why a notification's signature is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSignature {
    /// A header is missing or cannot be read.
    #[error("a signature header is missing or malformed")]
    Missing,
    /// Sent more than five minutes ago, or from the future.
    #[error("the timestamp is more than five minutes off")]
    OutsideWindow,
    /// Signed with another key, or modified in transit.
    #[error("no signature matches")]
    Wrong,
}

impl NotifySecret {
    /// From `whsec_…`.
    pub fn parse(text: &str) -> Result<Self, InvalidSecret> {
        Hmac::new_from_slice(&Self::key_of(text)?).map(Self).map_err(|_| InvalidSecret)
    }

    /// The bytes of a key `whsec_…`.
    pub fn key_of(text: &str) -> Result<Vec<u8>, InvalidSecret> {
        let key = text.trim().strip_prefix("whsec_").and_then(|key| BASE64.decode(key).ok());
        key.filter(|key| !key.is_empty()).ok_or(InvalidSecret)
    }

    /// The value of the signature header.
    pub fn sign(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        let signature = self.mac(id, &timestamp.to_string(), body).finalize().into_bytes();
        format!("v1,{}", BASE64.encode(signature))
    }

    /// Whether one of `signatures` was made with this key, within the window around `now` (seconds since 1970 UTC).
    pub fn verify(
        &self,
        id: &str,
        timestamp: &str,
        signatures: &str,
        body: &[u8],
        now: i64,
    ) -> Result<(), BadSignature> {
        if id.is_empty() || signatures.is_empty() {
            return Err(BadSignature::Missing);
        }
        let sent: i64 = timestamp.parse().map_err(|_| BadSignature::Missing)?;
        if now.checked_sub(sent).is_none_or(|age| age.abs() > WINDOW_SECONDS) {
            return Err(BadSignature::OutsideWindow);
        }
        let mac = self.mac(id, timestamp, body);
        signatures
            .split_ascii_whitespace()
            .filter_map(|signature| BASE64.decode(signature.strip_prefix("v1,")?).ok())
            // verify_slice compares in constant time.
            .find(|signature| mac.clone().verify_slice(signature).is_ok())
            .map(|_| ())
            .ok_or(BadSignature::Wrong)
    }

    fn mac(&self, id: &str, timestamp: &str, body: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
            mac.update(part);
        }
        mac
    }
}

/// The keys of one network: its signing key and, during a rotation, the next or previous one.
#[derive(Clone, Debug)]
pub struct NotifyKeys {
    /// The first: what the sandbox signs with.
    pub signing: NotifySecret,
    second: Option<NotifySecret>,
}

impl NotifyKeys {
    /// From one key or two, separated by a comma.
    pub fn parse(text: &str) -> Result<Self, InvalidSecret> {
        let (first, second) = text.split_once(',').map_or((text, None), |(first, second)| (first, Some(second)));
        Ok(Self { signing: NotifySecret::parse(first)?, second: second.map(NotifySecret::parse).transpose()? })
    }

    /// As `NotifySecret::verify`, with any of the keys.
    pub fn verify(
        &self,
        id: &str,
        timestamp: &str,
        signatures: &str,
        body: &[u8],
        now: i64,
    ) -> Result<(), BadSignature> {
        let mut result = Err(BadSignature::Wrong);
        for key in std::iter::once(&self.signing).chain(&self.second) {
            result = key.verify(id, timestamp, signatures, body, now);
            if result.is_ok() {
                break;
            }
        }
        result
    }
}

impl fmt::Debug for NotifySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NotifySecret(set)")
    }
}

impl std::str::FromStr for NotifySecret {
    type Err = InvalidSecret;

    fn from_str(text: &str) -> Result<Self, InvalidSecret> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The example of the Standard Webhooks reference libraries' own tests.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    const SENT: i64 = 1_614_265_330;
    const BODY: &[u8] = br#"{"test": 2432232314}"#;
    const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    #[test]
    fn sign_matches_the_reference_implementation() {
        assert_eq!(NotifySecret::parse(SECRET).unwrap().sign(ID, SENT, BODY), SIGNATURE);
    }

    #[test]
    fn verify_accepts_only_matching_signatures_within_the_window() {
        let secret = NotifySecret::parse(SECRET).unwrap();
        let sent = SENT.to_string();
        let check = |id, sent: &str, signatures: &str, body, now| secret.verify(id, sent, signatures, body, now);
        assert_eq!(check(ID, &sent, SIGNATURE, BODY, SENT), Ok(()));
        assert_eq!(check(ID, &sent, &format!("v1,bm8= v2,xx {SIGNATURE}"), BODY, SENT + WINDOW_SECONDS), Ok(()));
        assert_eq!(check(ID, &sent, SIGNATURE, BODY, SENT + WINDOW_SECONDS + 1), Err(BadSignature::OutsideWindow));
        assert_eq!(check(ID, &sent, SIGNATURE, BODY, SENT - WINDOW_SECONDS - 1), Err(BadSignature::OutsideWindow));
        assert_eq!(check(ID, "-9223372036854775808", SIGNATURE, BODY, SENT), Err(BadSignature::OutsideWindow));
        assert_eq!(check(ID, &sent, SIGNATURE, b"{}", SENT), Err(BadSignature::Wrong));
        assert_eq!(check("other", &sent, SIGNATURE, BODY, SENT), Err(BadSignature::Wrong));
        assert_eq!(check(ID, &sent, "v1,", BODY, SENT), Err(BadSignature::Wrong));
        assert_eq!(check(ID, &sent, "", BODY, SENT), Err(BadSignature::Missing));
        assert_eq!(check(ID, "soon", SIGNATURE, BODY, SENT), Err(BadSignature::Missing));
        let other = NotifySecret::parse("whsec_ZGV2LW5vdGlmeQ").unwrap();
        assert_eq!(other.verify(ID, &sent, SIGNATURE, BODY, SENT), Err(BadSignature::Wrong));
    }

    #[test]
    fn verify_accepts_both_keys_during_a_rotation() {
        let keys = NotifyKeys::parse(&format!("whsec_ZGV2LW5vdGlmeQ, {SECRET}")).unwrap();
        let sent = SENT.to_string();
        assert_eq!(keys.verify(ID, &sent, SIGNATURE, BODY, SENT), Ok(()));
        assert_eq!(keys.verify(ID, &sent, SIGNATURE, b"{}", SENT), Err(BadSignature::Wrong));
        assert!(NotifyKeys::parse(&format!("{SECRET},{SECRET},{SECRET}")).is_err());
        assert!(NotifyKeys::parse("").is_err());
    }

    #[test]
    fn parse_rejects_malformed_secrets() {
        for text in ["", "whsec_", "dev-notify", "whsec_%%%"] {
            assert!(NotifySecret::parse(text).is_err(), "{text}");
        }
    }
}
