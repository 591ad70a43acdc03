//! Signed links to previews: the back office signs what one browser may see before it is published, the gateway and the catalogue services verify
//! it. The key is that of the tokens of staff; neither kind of token is valid as the other, whose fields it lacks.

use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};

use crate::{SigningKey, VerifyingKeys};

/// The header of a call with a preview's token; only the gateway sets it.
pub const PREVIEW_HEADER: &str = "x-preview";

/// What a link shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preview {
    /// The open import whose records are shown as if it were applied.
    pub preview: i64,
    /// The catalogue service that has the import.
    pub catalogue: String,
    /// The brand's service.
    pub service: String,
    /// The path and query of the page that the link opens.
    pub page: String,
    /// Until when, in seconds since 1970 UTC.
    pub until: i64,
}

impl Preview {
    /// The token of the link; `None` only if signing itself fails.
    pub fn sign(&self, key: &SigningKey) -> Option<String> {
        key.sign(&serde_json::to_vec(self).ok()?)
    }

    /// What a token shows at this time; `None` where no known key signed it, or its time is over.
    pub fn verify(keys: &VerifyingKeys, token: &str, now: NaiveDateTime) -> Option<Self> {
        let preview: Self = serde_json::from_str(&keys.verify(token)?).ok()?;
        (now.and_utc().timestamp() < preview.until).then_some(preview)
    }
}

#[cfg(test)]
mod tests {
    use chrono::Duration;

    use super::*;
    use crate::{Scope, staff_token, timestamp};

    #[test]
    fn token_is_valid_until_its_time_and_under_its_key_alone() {
        let key = || SigningKey::parse(&SigningKey::generate().unwrap()).unwrap();
        let (own, other) = (key(), key());
        let keys = VerifyingKeys::parse(&own.public_key()).unwrap();
        let now = timestamp::now();
        let preview = Preview {
            preview: 7,
            catalogue: "tt".to_owned(),
            service: "raceday".to_owned(),
            page: "/".to_owned(),
            until: (now + Duration::hours(1)).and_utc().timestamp(),
        };
        let token = preview.sign(&own).unwrap();
        assert_eq!(Preview::verify(&keys, &token, now), Some(preview.clone()));
        assert_eq!(Preview::verify(&keys, &token, now + Duration::minutes(59)), Some(preview.clone()));
        assert_eq!(Preview::verify(&keys, &token, now + Duration::minutes(61)), None, "its time is over");
        assert_eq!(Preview::verify(&keys, &preview.sign(&other).unwrap(), now), None, "another key");
        for text in ["", "v4.public.", token.trim_end_matches(char::is_alphanumeric)] {
            assert_eq!(Preview::verify(&keys, text, now), None, "{text}");
        }
        let of_staff = staff_token(&own, "tt", "thandi@spaza.example", Scope::Editors).unwrap();
        assert_eq!(Preview::verify(&keys, &of_staff, now), None, "a token of staff");
    }
}
