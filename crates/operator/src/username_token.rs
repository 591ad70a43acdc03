//! A user's name and password, and the WS-Security UsernameToken with a password digest that proves them (OASIS, profile 1.0):
//! `base64(SHA-1(nonce + created + password))`.

use std::{fmt, str::FromStr};

use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, SecondsFormat, Utc};
use sha1::{Digest, Sha1};

use crate::{WINDOW_SECONDS, lenient};

const PASSWORD_DIGEST: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordDigest";
pub(crate) const BASE64_BINARY: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary";

/// The name and password, or client id and secret, by which a network knows us; prints masked.
#[derive(Clone)]
pub struct Credentials {
    /// The name.
    pub user: String,
    /// The password.
    pub password: String,
}

/// The text is not a name and a password.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("expected a name and a password with a colon between them")]
pub struct InvalidCredentials;

/// Why a token is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadToken {
    /// Another kind of password, or a nonce or time that cannot be read.
    #[error("the token cannot be read")]
    Malformed,
    /// Created more than five minutes ago, or in the future.
    #[error("the token is more than five minutes off")]
    OutsideWindow,
    /// Another name or password.
    #[error("the name or the digest is wrong")]
    Wrong,
}

/// The header's element.
#[derive(Clone)]
pub struct UsernameToken {
    /// The name.
    pub username: String,
    /// How the password is written.
    pub kind: String,
    /// The digest.
    pub password: String,
    /// Base64.
    pub nonce: String,
    /// When it was made.
    pub created: String,
}

impl Credentials {
    /// A token for one request; the nonce is used once.
    pub fn token(&self, nonce: [u8; 16], now: DateTime<Utc>) -> UsernameToken {
        let created = now.to_rfc3339_opts(SecondsFormat::Secs, true);
        UsernameToken {
            username: self.user.clone(),
            kind: PASSWORD_DIGEST.to_owned(),
            password: self.digest(&nonce, &created),
            nonce: STANDARD.encode(nonce),
            created,
        }
    }

    /// Whether a token proves these credentials; returns its nonce, which must not be accepted again.
    pub fn verify(&self, token: &UsernameToken, now: DateTime<Utc>) -> Result<Vec<u8>, BadToken> {
        let nonce = STANDARD.decode(token.nonce.trim()).map_err(|_| BadToken::Malformed)?;
        let created = token.created.trim();
        let created_at = lenient::time_of(created).ok_or(BadToken::Malformed)?;
        if token.kind.trim() != PASSWORD_DIGEST || nonce.is_empty() {
            return Err(BadToken::Malformed);
        }
        if (now - created_at).num_seconds().abs() > WINDOW_SECONDS {
            return Err(BadToken::OutsideWindow);
        }
        let is_right = token.username.trim() == self.user && token.password.trim() == self.digest(&nonce, created);
        if is_right { Ok(nonce) } else { Err(BadToken::Wrong) }
    }

    fn digest(&self, nonce: &[u8], created: &str) -> String {
        let digest = Sha1::new().chain_update(nonce).chain_update(created).chain_update(&self.password).finalize();
        STANDARD.encode(digest)
    }
}

impl FromStr for Credentials {
    type Err = InvalidCredentials;

    fn from_str(text: &str) -> Result<Self, InvalidCredentials> {
        let (user, password) = text.trim().split_once(':').ok_or(InvalidCredentials)?;
        if user.is_empty() || password.is_empty() {
            return Err(InvalidCredentials);
        }
        Ok(Self { user: user.to_owned(), password: password.to_owned() })
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(set)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(username: &str, digest: &str, nonce: &str, created: &str) -> UsernameToken {
        UsernameToken {
            username: username.to_owned(),
            kind: PASSWORD_DIGEST.to_owned(),
            password: digest.to_owned(),
            nonce: nonce.to_owned(),
            created: created.to_owned(),
        }
    }

    // The example of ONVIF's programmer's guide.
    const DIGEST: &str = "tuOSpGlFlIXsozq4HFNeeGeFLEI=";
    const NONCE: &str = "LKqI6G/AikKCQrN0zqZFlg==";
    const CREATED: &str = "2010-09-16T07:50:45Z";

    #[test]
    fn verify_accepts_a_published_token_within_the_window() {
        let credentials: Credentials = "user:userpassword".parse().unwrap();
        let created: DateTime<Utc> = CREATED.parse().unwrap();
        let verify = |token: &UsernameToken, seconds: i64| {
            credentials.verify(token, created + chrono::TimeDelta::seconds(seconds))
        };
        let published = token("user", DIGEST, NONCE, CREATED);
        assert_eq!(verify(&published, WINDOW_SECONDS).unwrap().len(), 16);
        for seconds in [WINDOW_SECONDS + 1, -WINDOW_SECONDS - 1] {
            assert_eq!(verify(&published, seconds), Err(BadToken::OutsideWindow));
        }
        for (other, error) in [
            (token("user", DIGEST, "LKqI6G/AikKCQrN0zqZFlw==", CREATED), BadToken::Wrong),
            (token("user", DIGEST, NONCE, "2010-09-16T07:50:46Z"), BadToken::Wrong),
            (token("other", DIGEST, NONCE, CREATED), BadToken::Wrong),
            (token("user", "userpassword", NONCE, CREATED), BadToken::Wrong),
            (token("user", DIGEST, "%", CREATED), BadToken::Malformed),
            (token("user", DIGEST, "", CREATED), BadToken::Malformed),
            (token("user", DIGEST, NONCE, "soon"), BadToken::Malformed),
        ] {
            assert_eq!(verify(&other, 0), Err(error));
        }
        let mut plain = published;
        plain.kind = PASSWORD_DIGEST.replace("Digest", "Text");
        assert_eq!(verify(&plain, 0), Err(BadToken::Malformed));
    }

    #[test]
    fn credentials_are_a_name_and_a_password() {
        let credentials: Credentials = "wasp:a:b ".parse().unwrap();
        assert_eq!((credentials.user.as_str(), credentials.password.as_str()), ("wasp", "a:b"));
        assert_eq!(format!("{credentials:?}"), "Credentials(set)");
        for text in ["", "wasp", ":secret", "wasp:", " : "] {
            assert!(text.parse::<Credentials>().is_err(), "{text}");
        }
    }
}
