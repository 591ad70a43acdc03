//! What a number does, read from its last four digits.

/// The behaviours this network knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    /// All succeeds.
    Plain,
    /// 0002: the opt-in is declined, whatever is tapped.
    Declines,
    /// 0003: no charge finds money.
    Penniless,
    /// 0007: push events come twice, out of order, numbers as strings, times without a zone.
    Untidy,
}

impl Behaviour {
    /// Of this number.
    pub fn of(msisdn: &str) -> Self {
        match msisdn.get(msisdn.len().saturating_sub(4)..) {
            Some("0002") => Self::Declines,
            Some("0003") => Self::Penniless,
            Some("0007") => Self::Untidy,
            _ => Self::Plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_four_digits_tell() {
        for (msisdn, behaviour) in [
            ("27810000002", Behaviour::Declines),
            ("27810000003", Behaviour::Penniless),
            ("27810000007", Behaviour::Untidy),
            ("27810000001", Behaviour::Plain),
            ("27810010002", Behaviour::Declines),
            ("02", Behaviour::Plain),
        ] {
            assert_eq!(Behaviour::of(msisdn), behaviour, "{msisdn}");
        }
    }
}
