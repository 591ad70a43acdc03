//! The session: a PASETO v4.public token that the subscription service alone can sign and every service can verify.

use serde::{Deserialize, Serialize};
use service::{InvalidKey, SigningKey, VerifyingKeys};

use crate::SubscriberId;

/// What a session proves: this browser belongs to this subscriber, on this brand's host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The number or token that the network confirmed.
    pub msisdn: SubscriberId,
    /// The service it was confirmed for.
    pub svc_id: i32,
    /// The host label it was opened on; it is valid on no other.
    pub label: String,
    /// When it was opened, seconds since 1970 UTC.
    pub issued_at: i64,
    /// How often the subscription had ended when the session was opened; the session ends with that generation.
    pub generation: i32,
    /// The number's person, greater than its former owners: what those marked is not this one's.
    pub person: i32,
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
    #[serde(default)]
    psn: i32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    test: bool,
}

/// Signs sessions; only the subscription service has one.
#[derive(Clone, Debug)]
pub struct SessionMinter(SigningKey);

impl SessionMinter {
    /// From a PASERK secret key, `k4.secret.…`.
    pub fn parse(secret: &str) -> Result<Self, InvalidKey> {
        SigningKey::parse(secret).map(Self)
    }

    /// A new secret key, as PASERK text.
    pub fn generate() -> Result<String, InvalidKey> {
        SigningKey::generate()
    }

    /// The key others verify with, as PASERK text, `k4.public.…`.
    pub fn public_key(&self) -> String {
        self.0.public_key()
    }

    /// The signed token of a session, for its cookie; `None` only if signing itself fails.
    pub fn mint(&self, session: &Session) -> Option<String> {
        let claims = Claims {
            sub: session.msisdn.as_str().to_owned(),
            svc: session.svc_id,
            lbl: session.label.clone(),
            iat: session.issued_at,
            r#gen: session.generation,
            psn: session.person,
            test: session.test,
        };
        self.0.sign(&serde_json::to_vec(&claims).ok()?)
    }
}

/// Verifies sessions by public keys: the current signing key and the previous ones.
#[derive(Clone, Debug)]
pub struct SessionVerifier(VerifyingKeys);

impl SessionVerifier {
    /// From PASERK public keys, `k4.public.…`, separated by commas.
    pub fn parse(keys: &str) -> Result<Self, InvalidKey> {
        VerifyingKeys::parse(keys).map(Self)
    }

    /// The session in a token; `None` where the token is malformed or no known key signed it.
    pub fn verify(&self, token: &str) -> Option<Session> {
        let claims: Claims = serde_json::from_str(&self.0.verify(token)?).ok()?;
        Some(Session {
            msisdn: SubscriberId::parse(&claims.sub).ok()?,
            svc_id: claims.svc,
            label: claims.lbl,
            issued_at: claims.iat,
            generation: claims.r#gen,
            person: claims.psn,
            test: claims.test,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        Session {
            msisdn: SubscriberId::parse("0812345678").unwrap(),
            svc_id: 150,
            label: "memeworld".to_owned(),
            issued_at: 1_700_000_000,
            generation: 2,
            person: 1,
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
    fn session_of_a_token_keeps_the_token() {
        let minter = SessionMinter::parse(&SessionMinter::generate().unwrap()).unwrap();
        let verifier = SessionVerifier::parse(&minter.public_key()).unwrap();
        let session = Session { msisdn: SubscriberId::token("vodacom", "9f2C/41d07ab3==").unwrap(), ..session() };
        assert_eq!(verifier.verify(&minter.mint(&session).unwrap()), Some(session));
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
