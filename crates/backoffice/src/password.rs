//! Passwords, hashed by argon2id.

use std::sync::Arc;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier},
};
use service::StaffText;
use tokio::sync::Semaphore;
use zxcvbn::{Score, zxcvbn};

use crate::error::Error;

/// The most hashes at one time: each takes 19 MB and a processor.
const MAX_CONCURRENT_HASHES: usize = 2;

const MIN_CHARS: usize = 12;
const MAX_CHARS: usize = 256;

/// Hashes and verifies passwords on blocking threads.
#[derive(Clone)]
pub(crate) struct Passwords {
    slots: Arc<Semaphore>,
    /// Verified for an account that does not exist, so that the refusal takes the same time.
    decoy: Arc<str>,
}

impl Passwords {
    pub(crate) fn new() -> Result<Self, Error> {
        Ok(Self {
            slots: Arc::new(Semaphore::new(MAX_CONCURRENT_HASHES)),
            decoy: hash(&crate::token::random())?.into(),
        })
    }

    /// The hash of a password, as a PHC string.
    pub(crate) async fn hash(&self, password: String) -> Result<String, Error> {
        self.blocking(move || hash(&password)).await?
    }

    /// Whether it is the password of `stored`; false without one.
    pub(crate) async fn verify(&self, password: String, stored: Option<String>) -> Result<bool, Error> {
        let (exists, stored) = (stored.is_some(), stored.unwrap_or_else(|| self.decoy.as_ref().to_owned()));
        let matches = self
            .blocking(move || Argon2::default().verify_password(password.as_bytes(), stored.as_str()).is_ok())
            .await?;
        Ok(matches && exists)
    }

    async fn blocking<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let _slot = self.slots.acquire().await.map_err(|error| Error::Internal(error.to_string()))?;
        tokio::task::spawn_blocking(work).await.map_err(|error| Error::Internal(error.to_string()))
    }
}

fn hash(password: &str) -> Result<String, Error> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|error| Error::Internal(error.to_string()))
}

/// Why a password is refused, if it is.
pub(crate) fn refusal(password: &str, email: &str) -> Option<StaffText> {
    match password.chars().count() {
        ..MIN_CHARS => Some(StaffText::new("password-too-short")),
        MIN_CHARS..=MAX_CHARS if password.trim().eq_ignore_ascii_case(email) => {
            Some(StaffText::new("password-is-email"))
        }
        // A program soon guesses common words, names and rows of keys, with digits behind them.
        MIN_CHARS..=MAX_CHARS if zxcvbn(password, &[email, "spaza"]).score() < Score::Three => {
            Some(StaffText::new("password-guessable"))
        }
        MIN_CHARS..=MAX_CHARS => None,
        _ => Some(StaffText::new("password-too-long")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusal_knows_what_programs_guess() {
        let is_refused = |password: &str| refusal(password, "thandi@spaza.example").is_some();
        for guessed in
            ["password1234", "qwertyuiop12", "aaaaaaaaaaaa", "123456789012", "thandi@spaza.example", "Password12345!"]
        {
            assert!(is_refused(guessed), "{guessed}");
        }
        for right in ["correct horse battery", "taxi river umbrella", "k7!mq2#vL9xw"] {
            assert!(!is_refused(right), "{right}");
        }
    }
}
