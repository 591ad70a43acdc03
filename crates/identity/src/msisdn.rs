//! Mobile numbers: every accepted spelling becomes `27` and nine digits.

use std::fmt;

use phonenumber::{Type, country::Id, metadata::DATABASE};

/// A South African mobile number, `27812345678`. Prints masked; `as_str` is the whole number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Msisdn(String);

/// The text is not a South African mobile number.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("This is not a South African mobile number.")]
pub struct InvalidMsisdn;

impl Msisdn {
    /// Reads `812345678`, `0812345678`, `27812345678`, `+27 81 234 5678` or `0027812345678`.
    ///
    /// The mobile ranges come from the metadata of Google's libphonenumber.
    pub fn parse(text: &str) -> Result<Self, InvalidMsisdn> {
        if text.len() > 32 {
            return Err(InvalidMsisdn);
        }
        let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '-' | '(' | ')' | '.')).collect();
        let digits = digits.strip_prefix('+').unwrap_or(&digits);
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(InvalidMsisdn);
        }
        let national = match digits.len() {
            13 => digits.strip_prefix("0027"),
            11 => digits.strip_prefix("27"),
            10 => digits.strip_prefix('0'),
            9 => Some(digits),
            _ => None,
        }
        // A zero there is that of `0812…`, and a digit is missing: libphonenumber drops it and takes what is left.
        .filter(|national| !national.starts_with('0'))
        .ok_or(InvalidMsisdn)?;
        let number = phonenumber::parse(Some(Id::ZA), format!("+27{national}")).map_err(|_| InvalidMsisdn)?;
        let mobile = matches!(number.number_type(&DATABASE), Type::Mobile | Type::FixedLineOrMobile);
        if !mobile || !number.is_valid() {
            return Err(InvalidMsisdn);
        }
        Ok(Self(format!("27{national}")))
    }

    /// The whole number: only for the network and the database.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// `27••••••678`: its owner recognises it, other readers cannot complete it.
    pub fn masked(&self) -> String {
        let last: String = self.0.chars().skip(8).collect();
        format!("27••••••{last}")
    }
}

impl fmt::Debug for Msisdn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

impl fmt::Display for Msisdn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

impl std::str::FromStr for Msisdn {
    type Err = InvalidMsisdn;

    fn from_str(text: &str) -> Result<Self, InvalidMsisdn> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_normalises_every_accepted_spelling() {
        for text in ["812345678", "0812345678", "27812345678", "+27 81 234 5678", "0027812345678", " 081-234-5678 "] {
            assert_eq!(Msisdn::parse(text).unwrap().as_str(), "27812345678", "{text}");
        }
        assert_eq!(Msisdn::parse("27600000000").unwrap().as_str(), "27600000000");
    }

    #[test]
    fn parse_rejects_other_than_south_african_mobile_numbers() {
        for text in [
            "",
            "abc",
            "123",
            "0112345678",
            "081234567",
            "082345678",
            "27081234567",
            "0027081234567",
            "+44 7911 123456",
            "08123456789",
            "278123456789",
            "８１２３４５６７８",
            "81234567a",
            "+27 81",
        ] {
            assert!(Msisdn::parse(text).is_err(), "{text}");
        }
        assert!(Msisdn::parse(&"8".repeat(10_000)).is_err());
    }

    #[test]
    fn display_and_debug_mask_the_number() {
        let number = Msisdn::parse("0812345678").unwrap();
        assert_eq!(format!("{number} {number:?}"), "27••••••678 27••••••678");
    }
}
