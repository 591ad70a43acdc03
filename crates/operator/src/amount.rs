//! Amounts, as networks write them: in cents, or in rand.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::lenient;

/// The amount of a billing event, in its original spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount(String);

/// A number with at most two decimals, zeros after them apart, as hundredths.
struct Written {
    hundredths: i64,
    has_decimals: bool,
    /// Whether the text names rand.
    is_rand: bool,
}

impl Written {
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix('+').unwrap_or(text);
        let named = ["ZAR", "zar", "R", "r"].iter().find_map(|unit| text.strip_prefix(unit));
        let (number, is_rand) = (named.unwrap_or(text).trim(), named.is_some());
        // A comma before the last one or two digits begins the cents, as South Africans write them.
        let number = match number.rsplit_once(',') {
            Some((rand, cents)) if cents.len() <= 2 && !rand.contains(['.', ',']) => format!("{rand}.{cents}"),
            _ => number.to_owned(),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
        let has_decimals = number.len() > whole.len();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let cents = fraction.trim_end_matches('0');
        if !is_number(whole) || (has_decimals && !is_number(fraction)) || cents.len() > 2 {
            return None;
        }
        let whole: i64 = whole.parse().ok()?;
        let cents: i64 = format!("{cents:0<2}").parse().ok()?;
        Some(Self { hundredths: whole.checked_mul(100)?.checked_add(cents)?, has_decimals, is_rand })
    }

    /// As an amount of cents; `None` where it has a part of a cent.
    fn as_cents(&self) -> Option<i64> {
        (!self.is_rand && self.hundredths % 100 == 0).then_some(self.hundredths / 100)
    }
}

impl Amount {
    /// An amount of cents.
    pub fn of_cents(cents: i64) -> Self {
        Self(cents.to_string())
    }

    /// Whether it equals this many cents: `300`, `300.0` and `300.00` are cents, `3.0`, `3.00` and `R3` can only be rand.
    pub fn is_cents(&self, cents: i64) -> bool {
        let Some(written) = Written::read(&self.0) else { return false };
        let is_in_rand = written.has_decimals || written.is_rand;
        written.as_cents() == Some(cents) || (is_in_rand && written.hundredths == cents)
    }

    /// The cents, where the spelling has one meaning: decimals may be those of cents or of rand.
    pub fn cents(&self) -> Option<i64> {
        let written = Written::read(&self.0)?;
        match (written.is_rand, written.has_decimals) {
            (true, _) => Some(written.hundredths),
            (false, false) => written.as_cents(),
            (false, true) => None,
        }
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse::<i64>() {
            Ok(cents) if cents.to_string() == self.0 => serializer.serialize_i64(cents),
            _ => serializer.serialize_str(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        lenient::text(deserializer).map(Self)
    }
}

/// Cents of an amount in rand; `None` where it has a part of a cent, a minus, or is no number.
pub(crate) fn cents_of_rand(text: &str) -> Option<i64> {
    Written::read(text).map(|written| written.hundredths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cents_of_rand_reads_up_to_two_decimals() {
        for (text, expected) in [
            ("3.00", 300),
            ("3", 300),
            ("3.5", 350),
            ("0.05", 5),
            ("1234.56", 123_456),
            ("3.000", 300),
            ("+3", 300),
            ("R3", 300),
            ("3,00", 300),
            (" 3.0 ", 300),
        ] {
            assert_eq!(cents_of_rand(text), Some(expected), "{text}");
        }
        for text in [
            "",
            ".",
            "3.",
            ".5",
            "-3.00",
            "3.001",
            "3,000",
            "1,234.56",
            "3e2",
            "three",
            "99999999999999999999",
            "92233720368547758.08",
        ] {
            assert_eq!(cents_of_rand(text), None, "{text}");
        }
    }

    #[test]
    fn is_cents_gives_one_answer_for_one_value() {
        for text in ["300", "300.0", "300.00", "+300", " 300 ", "3.0", "3.00", "3,00", "R3", "R3.00", "ZAR 3.00"] {
            assert!(Amount(text.to_owned()).is_cents(300), "{text}");
        }
        for text in ["3", "-300", "-3.00", "0", "300000", "3000.00", "300.5", "R300", "three", ""] {
            assert!(!Amount(text.to_owned()).is_cents(300), "{text}");
        }
        assert!(Amount("3.00".to_owned()).is_cents(3));
    }

    #[test]
    fn cents_are_known_where_the_spelling_has_one_meaning() {
        for (text, expected) in
            [("300000", Some(300_000)), ("R3000", Some(300_000)), ("3000.00", None), ("-300", None), ("0", Some(0))]
        {
            assert_eq!(Amount(text.to_owned()).cents(), expected, "{text}");
        }
    }
}
