//! `private_key_jwt`: a client proves itself at a token endpoint by a signed JSON Web Token in place of its secret (OpenID Connect Core, section 9).
//!
//! CAMARA's profile requires it. The algorithm is ES256. In the place of the secret stands the private key: PKCS #8, in base64.

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, UnparsedPublicKey},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use serde::{Deserialize, Serialize};

use super::Malformed;
use crate::Credentials;

/// The value of `client_assertion_type`.
pub const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// How long an assertion is valid; the profile allows 300 s.
const LIFETIME_SECONDS: i64 = 120;
const LONGEST_SECONDS: i64 = 300;

/// The text is no private key for ES256. Does not quote it.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("expected a client id and, after a colon, a P-256 private key (PKCS #8 in base64)")]
pub struct InvalidClientKey;

/// A client's id and private key; does not print.
pub struct ClientKey {
    client: String,
    pair: EcdsaKeyPair,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: String,
    jti: String,
    iat: i64,
    exp: i64,
}

impl ClientKey {
    /// From the client id, and the key in the place of the secret.
    pub fn parse(credentials: &Credentials) -> Result<Self, InvalidClientKey> {
        let key = STANDARD.decode(&credentials.password).map_err(|_| InvalidClientKey)?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &key).map_err(|_| InvalidClientKey)?;
        Ok(Self { client: credentials.user.clone(), pair })
    }

    /// An assertion for a token endpoint at `now` (seconds since 1970 UTC); `id` is another one each time.
    pub fn assertion(&self, token_url: &str, id: &str, now: i64) -> Result<String, Malformed> {
        let claims = Claims {
            iss: self.client.clone(),
            sub: self.client.clone(),
            aud: token_url.to_owned(),
            jti: id.to_owned(),
            iat: now,
            exp: now + LIFETIME_SECONDS,
        };
        let claims = serde_json::to_vec(&claims).map_err(|_| Malformed)?;
        let head = URL_SAFE_NO_PAD.encode(r#"{"alg":"ES256","typ":"JWT"}"#);
        let text = format!("{head}.{}", URL_SAFE_NO_PAD.encode(claims));
        let signature = self.pair.sign(&SystemRandom::new(), text.as_bytes()).map_err(|_| Malformed)?;
        Ok(format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }

    /// The id of an assertion that this client has signed for a token endpoint, and that is valid at `now`: the network's side. An id counts once.
    pub fn verified(&self, assertion: &str, token_url: &str, now: i64) -> Option<String> {
        let (text, signature) = assertion.rsplit_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, self.pair.public_key().as_ref());
        public.verify(text.as_bytes(), &signature).ok()?;
        let claims = URL_SAFE_NO_PAD.decode(text.rsplit_once('.')?.1).ok()?;
        let claims: Claims = serde_json::from_slice(&claims).ok()?;
        let is_of_client = claims.iss == self.client && claims.sub == self.client && claims.aud == token_url;
        let is_short = claims.exp - claims.iat <= LONGEST_SECONDS && claims.exp <= now + LONGEST_SECONDS;
        (is_of_client && is_short && now <= claims.exp && !claims.jti.is_empty()).then_some(claims.jti)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7Jl4EPtkkTDG1GN/tR6704hlyPW1EjKp5xL8vRSr9DWhRANCAAQbf83WlwR9uGq3ial7VKc9J8QueytpgoEm2kVZr3Vl7yubykGnaAF7SM30Ou/LD9CU9H9bk70of3YGlLQzdFww";
    const OTHER: &str = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgMkBjtQ5hvOIg630IFOxKG0EehlQ0PqAgKy6Kf+nTt82hRANCAAQmJBv1cj3bOrBZqS0vp0iXghP5UVRmJFYULQarKiHC2wQlqv2Og8Zteea2uLQ+FLG0r9vhAdD9j6qNXvb1+99o";
    const URL: &str = "https://n.example/token";

    fn client(user: &str, password: &str) -> ClientKey {
        ClientKey::parse(&Credentials { user: user.to_owned(), password: password.to_owned() }).unwrap()
    }

    #[test]
    fn assertion_is_of_one_client_endpoint_and_time() {
        let (spaza, now) = (client("spaza", KEY), 1_780_000_000);
        let assertion = spaza.assertion(URL, "id-1", now).unwrap();
        assert_eq!(spaza.verified(&assertion, URL, now), Some("id-1".to_owned()));
        assert_eq!(spaza.verified(&assertion, URL, now + 120), Some("id-1".to_owned()));
        for late in [121, 100_000, -181] {
            assert_eq!(spaza.verified(&assertion, URL, now + late), None, "{late}");
        }
        assert_eq!(spaza.verified(&assertion, "https://other.example/token", now), None);
        assert_eq!(client("another", KEY).verified(&assertion, URL, now), None);
        assert_eq!(client("spaza", OTHER).verified(&assertion, URL, now), None);
        let (head, rest) = assertion.split_once('.').unwrap();
        let (claims, signature) = rest.split_once('.').unwrap();
        let forged = String::from_utf8(URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap().replace("id-1", "id-2");
        let forged = format!("{head}.{}.{signature}", URL_SAFE_NO_PAD.encode(forged));
        for broken in [forged.as_str(), "", "a.b.c", head] {
            assert_eq!(spaza.verified(broken, URL, now), None, "{broken}");
        }
    }

    #[test]
    fn parse_refuses_what_is_no_key() {
        for password in ["secret", "", &KEY[..40], "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="] {
            let credentials = Credentials { user: "spaza".to_owned(), password: password.to_owned() };
            assert!(ClientKey::parse(&credentials).is_err(), "{password}");
        }
    }
}
