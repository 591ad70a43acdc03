//! Mobile numbers: every accepted spelling becomes `27` and nine digits.

use std::{fmt, sync::LazyLock};

use icu_normalizer::ComposingNormalizerBorrowed;
use phonenumber::{Type, country::Id, metadata::Database};

/// A South African mobile number, `27812345678`. Prints masked; `as_str` is the whole number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Msisdn(String);

/// The text is not a South African mobile number.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("This is not a South African mobile number.")]
pub struct InvalidMsisdn;

/// South Africa's part of the metadata of Google's libphonenumber. All countries' patterns would take longer to compile than most of a
/// service's start.
static NUMBERS: LazyLock<Option<Database>> = LazyLock::new(|| Database::parse(include_str!("numbers.xml")).ok());

/// The longest text that is read as a number, in bytes: three-byte signs around each digit have room.
const MAX_LENGTH: usize = 128;

impl Msisdn {
    /// Reads a number as people and systems write it: `812345678`, `0812345678`, `27812345678`, `+27 81 234 5678`, `+27 (0)81 234 5678`,
    /// `0027812345678`, `tel:+27812345678`; with the invisible signs of phones' contacts, with full-width digits, and as a number with a
    /// fraction of zeros (`27812345678.0`). The only reader of numbers.
    ///
    /// The mobile ranges are those of libphonenumber.
    pub fn parse(text: &str) -> Result<Self, InvalidMsisdn> {
        let digits = digits_of(text).ok_or(InvalidMsisdn)?;
        let national = match digits.strip_prefix("0027").or_else(|| digits.strip_prefix("27")) {
            Some(national) if national.len() == 9 => national,
            // The zero of `(0)81`.
            Some(national) if national.len() == 10 => national.strip_prefix('0').ok_or(InvalidMsisdn)?,
            _ => match digits.len() {
                10 => digits.strip_prefix('0').ok_or(InvalidMsisdn)?,
                9 => &digits,
                _ => return Err(InvalidMsisdn),
            },
        };
        // A zero there is that of `0812…`, and a digit is missing: libphonenumber drops it and takes what is left.
        if national.starts_with('0') {
            return Err(InvalidMsisdn);
        }
        let numbers = NUMBERS.as_ref().ok_or(InvalidMsisdn)?;
        let number = phonenumber::parse_with(numbers, Some(Id::ZA), format!("+27{national}"));
        match number.map_err(|_| InvalidMsisdn)?.number_type(numbers) {
            Type::Mobile | Type::FixedLineOrMobile => Ok(Self(format!("27{national}"))),
            _ => Err(InvalidMsisdn),
        }
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

/// The digits of a number; `None` where other signs than those that separate them are among them.
fn digits_of(text: &str) -> Option<String> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    // Full-width digits and no-break blanks become the usual ones.
    let text = ComposingNormalizerBorrowed::new_nfkc().normalize(text);
    let visible: String = text.chars().filter(|c| !is_invisible(*c) && !c.is_whitespace()).collect();
    let number = match visible.get(..4) {
        // RFC 3966: parameters follow the number.
        Some(scheme) if scheme.eq_ignore_ascii_case("tel:") => visible.get(4..)?.split(';').next()?,
        _ => &visible,
    };
    let number = number.strip_prefix('+').unwrap_or(number);
    if let Some(written) = whole_number(number) {
        return Some(written);
    }
    let is_separator = |c: &char| matches!(c, '-' | '(' | ')' | '.' | '\u{2010}'..='\u{2015}' | '\u{2212}');
    let digits: String = number.chars().filter(|c| !is_separator(c)).collect();
    digits.bytes().all(|b| b.is_ascii_digit()).then_some(digits)
}

/// The digits of a number that a system has written with a fraction of zeros or an exponent.
fn whole_number(text: &str) -> Option<String> {
    if let Some((whole, fraction)) = text.split_once('.')
        && whole.len() >= 9
        && whole.bytes().all(|b| b.is_ascii_digit())
        && (1..=2).contains(&fraction.len())
        && fraction.bytes().all(|b| b == b'0')
    {
        return Some(whole.to_owned());
    }
    let is_exponential = text.contains(['e', 'E']) && text.starts_with(|c: char| c.is_ascii_digit());
    let value: f64 = text.parse().ok().filter(|value: &f64| is_exponential && value.fract() == 0.0 && *value < 1e15)?;
    Some(format!("{value:.0}"))
}

/// Whether a sign is invisible: it directs, joins or separates others. Phones and web pages copy them along.
const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    )
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
        for text in [
            "\u{202a}+27 81 234 5678\u{202c}",
            "081\u{a0}234\u{a0}5678",
            "081\u{2011}234\u{2011}5678",
            "081\u{2013}234\u{202f}5678",
            "\u{200b}0812345678\u{200b}",
            "\u{2068}081\u{200e} 2345678\u{2069}",
            "+27 (0)81 234 5678",
            "27 081 234 5678",
            "0027 (0) 81 234 5678",
            "\u{ff0b}２７８１２３４５６７８",
            "tel:+27-81-234-5678",
            "TEL:0812345678;phone-context=+27",
            "27812345678.0",
            "27812345678.00",
            "2.7812345678E10",
        ] {
            assert_eq!(Msisdn::parse(text).map(|number| number.0).ok().as_deref(), Some("27812345678"), "{text}");
        }
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
            "81234567a",
            "*812345678#",
            "tel:",
            "812345678.5",
            "8.1234567e4",
            "+27 81",
        ] {
            assert!(Msisdn::parse(text).is_err(), "{text}");
        }
        assert!(Msisdn::parse(&"8".repeat(10_000)).is_err());
    }

    #[test]
    fn ranges_are_those_of_the_library() {
        let kinds = [Type::Unknown, Type::FixedLine, Type::Mobile, Type::TollFree, Type::PremiumRate, Type::SharedCost];
        let others = [Type::PersonalNumber, Type::Voip, Type::Pager, Type::Uan, Type::Voicemail];
        let ranges = |database: &Database| {
            let part = |kind| database.by_id("ZA").unwrap().descriptors().get(kind);
            let range =
                |kind| part(kind).map(|part| part.national_number().as_str().split_whitespace().collect::<String>());
            kinds.into_iter().chain(others).map(range).collect::<Vec<_>>()
        };
        assert_eq!(ranges(NUMBERS.as_ref().unwrap()), ranges(&phonenumber::metadata::DATABASE));
    }

    #[test]
    fn display_and_debug_mask_the_number() {
        let number = Msisdn::parse("0812345678").unwrap();
        assert_eq!(format!("{number} {number:?}"), "27••••••678 27••••••678");
    }
}
