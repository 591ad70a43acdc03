//! Signed texts as PASETO v4.public: one key signs, public keys verify, and a footer names the key, so that keys can be rotated.

use std::{collections::BTreeMap, fmt};

use pasetors::{
    Public,
    keys::{AsymmetricKeyPair, AsymmetricPublicKey, AsymmetricSecretKey, Generate},
    paserk::{FormatAsPaserk, Id},
    token::UntrustedToken,
    version4::{PublicToken, V4},
};

/// A key that is not a PASERK `k4.secret.…`, `k4.public.…` or `k4.local.…`.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("not a key of the form {0}.…")]
pub struct InvalidKey(&'static str);

impl InvalidKey {
    pub(crate) const fn new(form: &'static str) -> Self {
        Self(form)
    }
}

/// A secret key.
#[derive(Clone)]
pub struct SigningKey {
    secret: AsymmetricSecretKey<V4>,
    public: AsymmetricPublicKey<V4>,
    key_id: String,
}

impl SigningKey {
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

    /// The token of a message; `None` only if signing itself fails.
    pub fn sign(&self, message: &[u8]) -> Option<String> {
        PublicToken::sign(&self.secret, message, Some(self.key_id.as_bytes()), None).ok()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.key_id)
    }
}

/// Public keys: the current one and those of earlier secret keys.
#[derive(Clone)]
pub struct VerifyingKeys(BTreeMap<String, AsymmetricPublicKey<V4>>);

impl VerifyingKeys {
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
        if keys.is_empty() { Err(invalid) } else { Ok(Self(keys)) }
    }

    /// The message in a token; `None` where the token is malformed or no known key signed it.
    pub fn verify(&self, token: &str) -> Option<String> {
        let untrusted = UntrustedToken::<Public, V4>::try_from(token).ok()?;
        let key = self.0.get(std::str::from_utf8(untrusted.untrusted_footer()).ok()?)?;
        let trusted = PublicToken::verify(key, &untrusted, None, None).ok()?;
        Some(trusted.payload().to_owned())
    }
}

impl fmt::Debug for VerifyingKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

/// The key's PASERK id, `k4.pid.…`.
fn key_id(key: &AsymmetricPublicKey<V4>) -> String {
    let mut text = String::new();
    let _ = Id::from(key).fmt(&mut text);
    text
}
