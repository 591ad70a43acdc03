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
    /// 0004: a charge is never made and never answered.
    Silent,
    /// 0005: a charge is made, and the word of it gets lost once.
    LosesWord,
    /// 0006: a charge is not possible now, as often as `BUSY_TRIES` says.
    Busy,
    /// 0007: push events come twice, out of order, numbers as strings, times without a zone.
    Untidy,
}

/// How often a charge of a busy number fails before it succeeds.
pub(crate) const BUSY_TRIES: i32 = 2;

impl Behaviour {
    /// Of this number.
    pub fn of(msisdn: &str) -> Self {
        match msisdn.get(msisdn.len().saturating_sub(4)..) {
            Some("0002") => Self::Declines,
            Some("0003") => Self::Penniless,
            Some("0004") => Self::Silent,
            Some("0005") => Self::LosesWord,
            Some("0006") => Self::Busy,
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
            ("27810000004", Behaviour::Silent),
            ("27810000005", Behaviour::LosesWord),
            ("27810000006", Behaviour::Busy),
            ("27810000007", Behaviour::Untidy),
            ("27810000001", Behaviour::Plain),
            ("27810000008", Behaviour::Plain),
            ("27810010002", Behaviour::Declines),
            ("02", Behaviour::Plain),
        ] {
            assert_eq!(Behaviour::of(msisdn), behaviour, "{msisdn}");
        }
    }
}
