//! Amounts in rand, as APIs write them that do not count in cents.

/// Cents of an amount in rand; `None` where it has more than two decimals, a sign, or is no number.
pub(crate) fn cents_of_rand(text: &str) -> Option<i64> {
    let (rand, part) = text.split_once('.').unwrap_or((text, "00"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(rand) || !is_number(part) || part.len() > 2 {
        return None;
    }
    let whole: i64 = rand.parse().ok()?;
    let part: i64 = format!("{part:0<2}").parse().ok()?;
    whole.checked_mul(100)?.checked_add(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cents_of_rand_reads_up_to_two_decimals() {
        for (text, expected) in [("3.00", 300), ("3", 300), ("3.5", 350), ("0.05", 5), ("1234.56", 123_456)] {
            assert_eq!(cents_of_rand(text), Some(expected), "{text}");
        }
        for text in [
            "",
            ".",
            "3.",
            ".5",
            "-3.00",
            "+3",
            "3,00",
            "3.000",
            "R3",
            "3e2",
            "99999999999999999999",
            "92233720368547758.08",
        ] {
            assert_eq!(cents_of_rand(text), None, "{text}");
        }
    }
}
