//! What a number does, read from its last four digits.

/// The behaviours this network knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    /// All succeeds.
    Normal,
    /// 0002: the opt-in is declined, whatever is tapped.
    DeclinesOptIn,
    /// 0003: every charge fails for lack of funds.
    InsufficientFunds,
    /// 0004: a charge is never made and never answered.
    NoAnswer,
    /// 0005: a charge is made, and its first reply is lost.
    ReplyLost,
    /// 0006: a charge fails with 503 as often as `BUSY_TRIES` says.
    Busy,
    /// 0007: push events come twice, out of order, numbers as strings, times without a zone.
    UntidyEvents,
    /// 0008: a push network charges each day twice.
    ChargedTwice,
    /// 0009: from the second day on, a pull network knows no subscription of it.
    UnknownFromSecondDay,
    /// 0010: each confirmed opt-in gives its subscription a new id.
    NewIdOnRejoin,
    /// 0011: refunds are refused.
    RefundRefused,
    /// 0012: an SMS to it is refused.
    SmsRefused,
    /// 0013: its airtime is R2 a day: a charge of more fails for lack of funds.
    LowAirtime,
    /// 0014: an SMS to it is accepted and never reaches the phone.
    SmsLost,
    /// 0015: its SIM was swapped a day ago.
    SimSwapped,
    /// 0016: it was given to another person yesterday.
    Recycled,
}

/// How often a charge of a busy number fails before it succeeds.
pub(crate) const BUSY_TRIES: i32 = 2;

/// The most cents that a number with low airtime pays at once.
pub(crate) const LOW_AIRTIME_CENTS: i64 = 200;

impl Behaviour {
    /// Of this number.
    pub fn of(msisdn: &str) -> Self {
        match msisdn.get(msisdn.len().saturating_sub(4)..) {
            Some("0002") => Self::DeclinesOptIn,
            Some("0003") => Self::InsufficientFunds,
            Some("0004") => Self::NoAnswer,
            Some("0005") => Self::ReplyLost,
            Some("0006") => Self::Busy,
            Some("0007") => Self::UntidyEvents,
            Some("0008") => Self::ChargedTwice,
            Some("0009") => Self::UnknownFromSecondDay,
            Some("0010") => Self::NewIdOnRejoin,
            Some("0011") => Self::RefundRefused,
            Some("0012") => Self::SmsRefused,
            Some("0013") => Self::LowAirtime,
            Some("0014") => Self::SmsLost,
            Some("0015") => Self::SimSwapped,
            Some("0016") => Self::Recycled,
            _ => Self::Normal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_four_digits_tell() {
        for (msisdn, behaviour) in [
            ("27810000002", Behaviour::DeclinesOptIn),
            ("27810000003", Behaviour::InsufficientFunds),
            ("27810000004", Behaviour::NoAnswer),
            ("27810000005", Behaviour::ReplyLost),
            ("27810000006", Behaviour::Busy),
            ("27810000007", Behaviour::UntidyEvents),
            ("27810000008", Behaviour::ChargedTwice),
            ("27810000009", Behaviour::UnknownFromSecondDay),
            ("27810000010", Behaviour::NewIdOnRejoin),
            ("27810000011", Behaviour::RefundRefused),
            ("27810000012", Behaviour::SmsRefused),
            ("27810000014", Behaviour::SmsLost),
            ("27810000015", Behaviour::SimSwapped),
            ("27810000001", Behaviour::Normal),
            ("27810000013", Behaviour::LowAirtime),
            ("27810010002", Behaviour::DeclinesOptIn),
            ("02", Behaviour::Normal),
        ] {
            assert_eq!(Behaviour::of(msisdn), behaviour, "{msisdn}");
        }
    }
}
