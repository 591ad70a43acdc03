//! Short texts encrypted for the database as PASETO v4.local: the first key encrypts, all keys decrypt, and a footer names the key, so that
//! keys can be rotated.

use std::fmt;

use pasetors::{
    Local,
    keys::{Generate, SymmetricKey},
    paserk::{FormatAsPaserk, Id},
    token::UntrustedToken,
    version4::{LocalToken, V4},
};

use crate::InvalidKey;

const INVALID: InvalidKey = InvalidKey::new("k4.local");

/// Secret keys: the current one and earlier ones.
#[derive(Clone)]
pub struct EncryptionKeys {
    current: (String, SymmetricKey<V4>),
    earlier: Vec<(String, SymmetricKey<V4>)>,
}

impl EncryptionKeys {
    /// From PASERK keys, `k4.local.…`, separated by commas.
    pub fn parse(keys: &str) -> Result<Self, InvalidKey> {
        let mut keys = keys.split(',').map(str::trim).filter(|key| !key.is_empty()).map(|key| {
            let key = SymmetricKey::<V4>::try_from(key).map_err(|_| INVALID)?;
            let mut id = String::new();
            Id::from(&key).fmt(&mut id).map_err(|_| INVALID)?;
            Ok((id, key))
        });
        let current = keys.next().ok_or(INVALID)??;
        Ok(Self { current, earlier: keys.collect::<Result<_, _>>()? })
    }

    /// A new key, as PASERK text.
    pub fn generate() -> Result<String, InvalidKey> {
        let mut text = String::new();
        SymmetricKey::<V4>::generate().map_err(|_| INVALID)?.fmt(&mut text).map_err(|_| INVALID)?;
        Ok(text)
    }

    /// The encrypted text, for one `purpose` alone: with another it cannot be decrypted. `None` only if encrypting itself fails.
    pub fn encrypt(&self, text: &str, purpose: &str) -> Option<String> {
        let (id, key) = &self.current;
        LocalToken::encrypt(key, text.as_bytes(), Some(id.as_bytes()), Some(purpose.as_bytes())).ok()
    }

    /// The text of an encrypted one; `None` where no known key encrypted it, for another purpose, or it was changed.
    pub fn decrypt(&self, encrypted: &str, purpose: &str) -> Option<String> {
        let untrusted = UntrustedToken::<Local, V4>::try_from(encrypted).ok()?;
        let named = |(id, _): &&(String, SymmetricKey<V4>)| id.as_bytes() == untrusted.untrusted_footer();
        let (_, key) = std::iter::once(&self.current).chain(&self.earlier).find(named)?;
        let trusted = LocalToken::decrypt(key, &untrusted, None, Some(purpose.as_bytes())).ok()?;
        Some(trusted.payload().to_owned())
    }

    /// Whether the current key encrypted it.
    pub fn is_current(&self, encrypted: &str) -> bool {
        UntrustedToken::<Local, V4>::try_from(encrypted)
            .is_ok_and(|untrusted| untrusted.untrusted_footer() == self.current.0.as_bytes())
    }
}

impl fmt::Debug for EncryptionKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EncryptionKeys({})", self.current.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_decrypted_by_its_key_for_its_purpose_alone() {
        let [old, new] = [(); 2].map(|()| EncryptionKeys::generate().unwrap());
        let before = EncryptionKeys::parse(&old).unwrap();
        let encrypted = before.encrypt("secret", "member 1").unwrap();
        assert!(!encrypted.contains("secret") && before.is_current(&encrypted));
        assert_ne!(before.encrypt("secret", "member 1").unwrap(), encrypted, "the same text twice shows");

        let rotated = EncryptionKeys::parse(&format!("{new}, {old}")).unwrap();
        assert_eq!(rotated.decrypt(&encrypted, "member 1").as_deref(), Some("secret"));
        assert!(!rotated.is_current(&encrypted));
        assert_eq!(rotated.decrypt(&encrypted, "member 2"), None);
        let mut changed = encrypted.clone();
        changed.replace_range(20..21, if &encrypted[20..21] == "A" { "B" } else { "A" });
        assert_eq!(rotated.decrypt(&changed, "member 1"), None);
        assert_eq!(EncryptionKeys::parse(&new).unwrap().decrypt(&encrypted, "member 1"), None);
        assert_eq!(rotated.decrypt("secret", "member 1"), None);
        for keys in ["", ",", "weak", &format!("{new},weak")] {
            assert!(EncryptionKeys::parse(keys).is_err(), "{keys}");
        }
    }
}
