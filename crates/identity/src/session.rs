//! The session: a PASETO v4.public token that the subscription service alone can sign and every service can verify.

use std::{collections::BTreeMap, fmt};

use pasetors::{
    Public,
    keys::{AsymmetricKeyPair, AsymmetricPublicKey, AsymmetricSecretKey, Generate},
    paserk::{FormatAsPaserk, Id},
    token::UntrustedToken,
    version4::{PublicToken, V4},
};
use serde::{Deserialize, Serialize};

use crate::Msisdn;

/// What a session proves: this browser belongs to the owner of this number, on this brand's host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The number the network confirmed.
    pub msisdn: Msisdn,
    /// The service it was confirmed for.
    pub svc_id: i32,
    /// The host label it was opened on; it is valid on no other.
    pub label: String,
    /// When it was opened, seconds since 1970 UTC.
    pub issued_at: i64,
    /// How often the subscription had ended when the session was opened; the session ends with that generation.
    pub generation: i32,
    /// Opened by the test number: never billed, and invalid where the test number is off.
    pub test: bool,
}

/// How long a session lasts, in seconds: shorter than the time after which networks reassign an unused number.
pub const SESSION_LIFETIME_SECONDS: i64 = 60 * 24 * 3600;

impl Session {
    /// Whether it has expired at `now`, seconds since 1970 UTC.
    pub fn is_expired(&self, now: i64) -> bool {
        self.issued_at.saturating_add(SESSION_LIFETIME_SECONDS) < now
    }
}

#[derive(Serialize, Deserialize)]
struct Claims {
    sub: String,
    svc: i32,
    lbl: String,
    iat: i64,
    #[serde(default)]
    r#gen: i32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    test: bool,
}

/// A key that is not a PASERK `k4.secret.…` or `k4.public.…`.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("not a key of the form {0}.…")]
pub struct InvalidKey(&'static str);

/// Signs sessions; only the subscription service has one.
#[derive(Clone)]
pub struct SessionMinter {
    secret: AsymmetricSecretKey<V4>,
    public: AsymmetricPublicKey<V4>,
    key_id: String,
}

impl SessionMinter {
    /// From a PASERK secret key, `k4.secret.…`.
    pub fn parse(secret: &str) -> Result<Self, InvalidKey> {
        let invalid = InvalidKey("k4.secret");
        let secret = AsymmetricSecretKey::<V4>::try_from(secret.trim()).map_err(|_| invalid)?;
        let public = AsymmetricPublicKey::<V4>::try_from(&secret).map_err(|_| invalid)?;
        let key_id = key_id(&public);
        Ok(Self { secret, public, key_id })
    }

    /// A new secret key, as PASERK text.
    pub fn generate() -> Result<String, InvalidKey> {
        let invalid = InvalidKey("k4.secret");
        let pair = AsymmetricKeyPair::<V4>::generate().map_err(|_| invalid)?;
        let mut text = String::new();
        pair.secret.fmt(&mut text).map_err(|_| invalid)?;
        Ok(text)
    }

    /// The key others verify with, as PASERK text, `k4.public.…`.
    pub fn public_key(&self) -> String {
        let mut text = String::new();
        // Writing to a String does not fail.
        let _ = self.public.fmt(&mut text);
        text
    }

    /// The signed token of a session, for its cookie; `None` only if signing itself fails.
    pub fn mint(&self, session: &Session) -> Option<String> {
        let claims = Claims {
            sub: session.msisdn.as_str().to_owned(),
            svc: session.svc_id,
            lbl: session.label.clone(),
            iat: session.issued_at,
            r#gen: session.generation,
            test: session.test,
        };
        let message = serde_json::to_vec(&claims).ok()?;
        PublicToken::sign(&self.secret, &message, Some(self.key_id.as_bytes()), None).ok()
    }
}

impl fmt::Debug for SessionMinter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionMinter({})", self.key_id)
    }
}

/// Verifies sessions by public keys: the current signing key and the previous ones.
#[derive(Clone)]
pub struct SessionVerifier {
    keys: BTreeMap<String, AsymmetricPublicKey<V4>>,
}

impl SessionVerifier {
    /// From PASERK public keys, `k4.public.…`, separated by commas.
    pub fn parse(keys: &str) -> Result<Self, InvalidKey> {
        let invalid = InvalidKey("k4.public");
        let keys = keys
            .split(',')
            .map(str::trim)
            .filter(|key| !key.is_empty())
            .map(|key| AsymmetricPublicKey::<V4>::try_from(key).map(|key| (key_id(&key), key)))
            .collect::<Result<BTreeMap<_, _>, _>>()
            .map_err(|_| invalid)?;
        if keys.is_empty() { Err(invalid) } else { Ok(Self { keys }) }
    }

    /// The session in a token; `None` where the token is malformed or no known key signed it.
    pub fn verify(&self, token: &str) -> Option<Session> {
        let untrusted = UntrustedToken::<Public, V4>::try_from(token).ok()?;
        let key = self.keys.get(std::str::from_utf8(untrusted.untrusted_footer()).ok()?)?;
        let trusted = PublicToken::verify(key, &untrusted, None, None).ok()?;
        let claims: Claims = serde_json::from_str(trusted.payload()).ok()?;
        Some(Session {
            msisdn: Msisdn::parse(&claims.sub).ok()?,
            svc_id: claims.svc,
            label: claims.lbl,
            issued_at: claims.iat,
            generation: claims.r#gen,
            test: claims.test,
        })
    }
}

impl fmt::Debug for SessionVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.keys.keys()).finish()
    }
}

/// The key's PASERK id, `k4.pid.…`: names the key in a token's footer, so that keys can be rotated.
fn key_id(key: &AsymmetricPublicKey<V4>) -> String {
    let mut text = String::new();
    let _ = Id::from(key).fmt(&mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        Session {
            msisdn: Msisdn::parse("0812345678").unwrap(),
            svc_id: 150,
            label: "memeworld".to_owned(),
            issued_at: 1_700_000_000,
            generation: 2,
            test: false,
        }
    }

    #[test]
    fn verify_accepts_only_tokens_signed_by_a_known_key() {
        let minter = SessionMinter::parse(&SessionMinter::generate().unwrap()).unwrap();
        let unknown = SessionMinter::parse(&SessionMinter::generate().unwrap()).unwrap();
        let verifier = SessionVerifier::parse(&minter.public_key()).unwrap();
        let token = minter.mint(&session()).unwrap();
        assert_eq!(verifier.verify(&token), Some(session()));
        assert_eq!(verifier.verify(&unknown.mint(&session()).unwrap()), None);
        for at in [12, token.len() / 2, token.len() - 60] {
            let mut forged = token.clone().into_bytes();
            forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(verifier.verify(&String::from_utf8(forged).unwrap()), None, "byte {at}");
        }
        for garbage in ["", "v4.public.", "v4.public.AAAA", "{}", "v4.local.AAAA"] {
            assert_eq!(verifier.verify(garbage), None, "{garbage}");
        }
    }

    #[test]
    fn verify_accepts_tokens_of_current_and_previous_key() {
        let old = SessionMinter::parse(&SessionMinter::generate().unwrap()).unwrap();
        let new = SessionMinter::parse(&SessionMinter::generate().unwrap()).unwrap();
        let both = SessionVerifier::parse(&format!("{},{}", new.public_key(), old.public_key())).unwrap();
        assert!(both.verify(&old.mint(&session()).unwrap()).is_some());
        assert!(both.verify(&new.mint(&session()).unwrap()).is_some());
    }

    #[test]
    fn session_expires_after_sixty_days() {
        let last = 1_700_000_000 + 60 * 24 * 3600;
        assert!(!session().is_expired(last));
        assert!(session().is_expired(last + 1));
    }

    #[test]
    fn parse_rejects_malformed_keys() {
        assert!(SessionMinter::parse("k4.secret.x").is_err());
        for keys in ["", ",", "k4.public.x", "k4.secret.x"] {
            assert!(SessionVerifier::parse(keys).is_err(), "{keys}");
        }
    }
}
