//! CAMARA's Number Verification (v2), SIM Swap (v2) and Number Recycling (v0.3), and what OpenID Connect adds to an access token: the fields of the published
//! definitions that both sides use.
//!
//! A browser on mobile data is sent to the network's authorization endpoint, which recognises the SIM without a question (`prompt=none`) and
//! sends it back with a code. For the code there is an access token for one call, which replies the number.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::NaiveDate;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Malformed, e164, without_plus};

/// The paths of the APIs below the API root, with their versions.
pub const NUMBER_VERIFICATION: &str = "number-verification/v2";
/// As `NUMBER_VERIFICATION`.
pub const SIM_SWAP: &str = "sim-swap/v2";

/// As `NUMBER_VERIFICATION`.
pub const NUMBER_RECYCLING: &str = "number-recycling/v0.3";

/// The scope for the number of a SIM.
pub const SHARE_NUMBER: &str = "number-verification:device-phone-number:read";
/// The scope for whether a number is that of a SIM.
pub const VERIFY_NUMBER: &str = "number-verification:verify";
/// The scope for whether a SIM was swapped.
pub const CHECK_SIM_SWAP: &str = "sim-swap:check";
/// The scope for everything about swaps.
pub const ANY_SIM_SWAP: &str = "sim-swap";

/// The scope for whether a number was given to another person.
pub const CHECK_NUMBER_RECYCLING: &str = "number-recycling:check";

/// The tolerated difference of clocks, in seconds.
const LEEWAY_SECONDS: i64 = 60;

/// The reply of `GET /device-phone-number`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DevicePhoneNumber {
    device_phone_number: String,
}

impl DevicePhoneNumber {
    /// Of a number.
    pub fn new(msisdn: &str) -> Self {
        Self { device_phone_number: e164(msisdn) }
    }

    /// The number, without the plus.
    pub fn msisdn(&self) -> String {
        without_plus(&self.device_phone_number)
    }
}

/// `POST /verify`: a number, or its SHA-256 in hexadecimal, with the plus before it.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct VerifyNumber {
    #[serde(skip_serializing_if = "Option::is_none")]
    phone_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hashed_phone_number: Option<String>,
}

impl VerifyNumber {
    /// Whether it is this number; `None` where the request has not exactly one of both.
    pub fn is(&self, msisdn: &str) -> Option<bool> {
        let own = e164(msisdn);
        match (&self.phone_number, &self.hashed_phone_number) {
            (Some(number), None) => Some(*number == own),
            (None, Some(hash)) => Some(hash.eq_ignore_ascii_case(&hexadecimal(&Sha256::digest(own)))),
            _ => None,
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The reply of `POST /verify`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NumberMatch {
    /// Whether the number is that of the SIM.
    pub device_phone_number_verified: bool,
}

/// `POST /check`: whether the SIM of a number was swapped in the last hours.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckSimSwap {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    phone_number: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_age: Option<u32>,
}

impl CheckSimSwap {
    /// Of a number.
    pub fn new(msisdn: &str, max_age_hours: u32) -> Self {
        Self { phone_number: Some(e164(msisdn)), max_age: Some(max_age_hours) }
    }

    /// The number, without the plus.
    pub fn msisdn(&self) -> Option<String> {
        self.phone_number.as_deref().map(without_plus)
    }

    /// The hours to look back.
    pub fn max_age_hours(&self) -> u32 {
        self.max_age.unwrap_or(240)
    }
}

/// The reply of `POST /check`.
#[derive(Serialize, Deserialize)]
pub struct SimSwapInfo {
    /// Whether the SIM was swapped.
    pub swapped: bool,
}

/// `POST /check` of Number Recycling: whether a number was given to another person after a day.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckRecycling {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    phone_number: Option<String>,
    /// The day on which its person proved it last.
    pub specified_date: NaiveDate,
}

impl CheckRecycling {
    /// Of a number.
    pub fn new(msisdn: &str, specified_date: NaiveDate) -> Self {
        Self { phone_number: Some(e164(msisdn)), specified_date }
    }

    /// The number, without the plus.
    pub fn msisdn(&self) -> Option<String> {
        self.phone_number.as_deref().map(without_plus)
    }
}

/// The reply to it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecyclingInfo {
    /// Whether it is another person's since then.
    pub phone_number_recycled: bool,
}

/// The code challenge of a verifier (RFC 7636, `S256`).
pub fn challenge_of(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

/// For whom an ID token is: one client, or several.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

/// The claims of an ID token (OpenID Connect Core, section 2).
#[derive(Serialize, Deserialize)]
pub struct IdToken {
    iss: String,
    /// A name of the subscriber that says nothing about the number.
    sub: String,
    aud: Audience,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    azp: Option<String>,
    exp: i64,
    iat: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nonce: Option<String>,
}

/// Whom an ID token has to name.
pub struct Expected<'a> {
    /// The network's authorization server.
    pub issuer: &'a str,
    /// Our client id.
    pub client: &'a str,
    /// As the authorization request had it.
    pub nonce: &'a str,
}

impl IdToken {
    /// For a client and its request, from `now` (seconds since 1970 UTC) on for so many seconds.
    pub fn new(expected: &Expected<'_>, sub: &str, now: i64, seconds: i64) -> Self {
        Self {
            iss: expected.issuer.to_owned(),
            sub: sub.to_owned(),
            aud: Audience::One(expected.client.to_owned()),
            azp: None,
            exp: now + seconds,
            iat: now,
            nonce: Some(expected.nonce.to_owned()),
        }
    }

    /// As a JSON Web Token, signed with a secret of both sides (HS256).
    pub fn signed(&self, secret: &str) -> Result<String, Malformed> {
        let claims = serde_json::to_vec(self).map_err(|_| Malformed)?;
        let head = URL_SAFE_NO_PAD.encode(r#"{"alg":"HS256","typ":"JWT"}"#);
        let text = format!("{head}.{}", URL_SAFE_NO_PAD.encode(claims));
        let mut mac: Hmac<Sha256> = Hmac::new_from_slice(secret.as_bytes()).map_err(|_| Malformed)?;
        mac.update(text.as_bytes());
        Ok(format!("{text}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())))
    }

    /// The claims of a token that the token endpoint itself has sent: the connection proves its sender in place of the signature (OpenID
    /// Connect Core, section 3.1.3.7, point 6).
    pub fn of_endpoint(text: &str) -> Result<Self, Malformed> {
        let mut parts = text.split('.');
        let (Some(_), Some(claims), Some(_), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
            return Err(Malformed);
        };
        let claims = URL_SAFE_NO_PAD.decode(claims).map_err(|_| Malformed)?;
        serde_json::from_slice(&claims).map_err(|_| Malformed)
    }

    /// Whether it answers this request, and is valid at `now` (seconds since 1970 UTC).
    pub fn is_for(&self, expected: &Expected<'_>, now: i64) -> bool {
        let names_client = match &self.aud {
            Audience::One(client) => client == expected.client,
            // Of several, the one that it was issued to is named.
            Audience::Several(clients) => {
                clients.iter().any(|client| client == expected.client)
                    && (clients.len() == 1 || self.azp.as_deref() == Some(expected.client))
            }
        };
        names_client
            && self.azp.as_deref().is_none_or(|client| client == expected.client)
            && self.iss == expected.issuer
            && self.nonce.as_deref() == Some(expected.nonce)
            && now <= self.exp.saturating_add(LEEWAY_SECONDS)
            && self.iat <= now.saturating_add(LEEWAY_SECONDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPECTED: Expected<'static> = Expected { issuer: "https://n.example", client: "spaza", nonce: "n-1" };

    #[test]
    fn messages_have_the_fields_of_the_definitions() {
        let day = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
        let check = serde_json::to_string(&CheckRecycling::new("27812345678", day)).unwrap();
        assert_eq!(check, r#"{"phoneNumber":"+27812345678","specifiedDate":"2026-11-01"}"#);
        let info: RecyclingInfo = serde_json::from_str(r#"{"phoneNumberRecycled":true}"#).unwrap();
        assert!(info.phone_number_recycled);
        // The example of RFC 7636, appendix B.
        let challenge = challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        assert_eq!(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn an_id_token_is_for_one_client_request_and_time() {
        let signed = IdToken::new(&EXPECTED, "s", 1000, 300).signed("secret").unwrap();
        let token = IdToken::of_endpoint(&signed).unwrap();
        assert!(token.is_for(&EXPECTED, 1000) && token.is_for(&EXPECTED, 1360));
        assert!(!token.is_for(&EXPECTED, 1361) && !token.is_for(&EXPECTED, 939));
        for other in [
            Expected { issuer: "https://other.example", ..EXPECTED },
            Expected { client: "other", ..EXPECTED },
            Expected { nonce: "n-2", ..EXPECTED },
        ] {
            assert!(!token.is_for(&other, 1000));
        }
        let of_several = |azp: Option<&str>| IdToken {
            aud: Audience::Several(vec!["other".to_owned(), "spaza".to_owned()]),
            azp: azp.map(str::to_owned),
            ..IdToken::new(&EXPECTED, "s", 1000, 300)
        };
        assert!(of_several(Some("spaza")).is_for(&EXPECTED, 1000));
        assert!(!of_several(None).is_for(&EXPECTED, 1000) && !of_several(Some("other")).is_for(&EXPECTED, 1000));
        for text in ["", "a.b", "a.b.c.d", "a.b.c"] {
            assert!(IdToken::of_endpoint(text).is_err(), "{text}");
        }
    }
}
