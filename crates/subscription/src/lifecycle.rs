//! The life of a subscription as one table: state and cause to the next state. No clock, no database.

/// Where a subscription stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Somebody named the number; nothing was joined. Shown to nobody.
    New,
    /// A join waits for the person's answer at the network.
    Pending,
    /// Paying, with access.
    Active,
    /// Not paid for; tried again daily, without access.
    Suspended,
    /// Over, until the person joins again.
    Cancelled,
}

/// Why a subscription moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Somebody asked to join.
    Joined,
    /// The network says the person agreed.
    Confirmed,
    /// The network says the person agreed again, and the last day was not paid: access waits for the money.
    ConfirmedUnpaid,
    /// The person ended it with us.
    Left,
    /// The person ended it at the network: its confirm page, STOP, a menu, its call centre.
    Stopped,
    /// The network ended it because it could not charge.
    Churned,
    /// The network was asked to charge and knows no such subscription.
    UnknownToNetwork,
    /// The join found no answer in five days.
    Expired,
    /// A day ended without the money, by the network's clear no.
    Unpaid,
    /// A charge succeeded.
    Paid,
    /// Thirty days passed without a charge.
    Lapsed,
}

impl State {
    /// Every state, in the order of life.
    pub const ALL: [Self; 5] = [Self::New, Self::Pending, Self::Active, Self::Suspended, Self::Cancelled];

    /// The word the database and the API use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Pending => "pending",
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Cancelled => "cancelled",
        }
    }

    /// The state of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 11] = [
        Self::Joined,
        Self::Confirmed,
        Self::ConfirmedUnpaid,
        Self::Left,
        Self::Stopped,
        Self::Churned,
        Self::UnknownToNetwork,
        Self::Expired,
        Self::Unpaid,
        Self::Paid,
        Self::Lapsed,
    ];

    /// The word the database and the API use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Joined => "joined",
            Self::Confirmed => "confirmed",
            Self::ConfirmedUnpaid => "confirmed_unpaid",
            Self::Left => "left",
            Self::Stopped => "stopped",
            Self::Churned => "churned",
            Self::UnknownToNetwork => "unknown_to_network",
            Self::Expired => "expired",
            Self::Unpaid => "unpaid",
            Self::Paid => "paid",
            Self::Lapsed => "lapsed",
        }
    }
}

/// Where `cause` moves a subscription that is in `state`; `None` where it moves nothing.
///
/// Asking to join moves only what nobody has joined yet: a stranger who types a number must not touch its owner's state.
/// Only the network's word leads to `Active` from outside it; a late payment never brings back who has left.
pub fn next(state: State, cause: Cause) -> Option<State> {
    use Cause::{
        Churned, Confirmed, ConfirmedUnpaid, Expired, Joined, Lapsed, Left, Paid, Stopped, UnknownToNetwork, Unpaid,
    };
    use State::{Active, Cancelled, New, Pending, Suspended};
    match (state, cause) {
        (New, Joined) => Some(Pending),
        (New | Pending | Suspended | Cancelled, Confirmed) => Some(Active),
        (New | Pending | Cancelled, ConfirmedUnpaid) => Some(Suspended),
        // A stop can overtake the word that there was anything to stop, hence also from New.
        (New | Pending | Active | Suspended, Left | Stopped | Churned) => Some(Cancelled),
        (Pending, Expired) => Some(Cancelled),
        (Active, Unpaid) => Some(Suspended),
        (Suspended, Paid) => Some(Active),
        (Active | Suspended, Lapsed | UnknownToNetwork) => Some(Cancelled),
        (New, Expired | Unpaid | Paid | Lapsed | UnknownToNetwork)
        | (Pending, Joined | Unpaid | Paid | Lapsed | UnknownToNetwork)
        | (Active, Joined | Confirmed | ConfirmedUnpaid | Expired | Paid)
        | (Suspended, Joined | ConfirmedUnpaid | Expired | Unpaid)
        | (Cancelled, Joined | Left | Stopped | Churned | Expired | Unpaid | Paid | Lapsed | UnknownToNetwork) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_table() {
        // One row per cause; columns as in State::ALL; a dash moves nothing.
        let table = "
            joined     pending    -          -          -          -
            confirmed  active     active     -          active     active
            confirmed_unpaid suspended suspended - -          suspended
            left       cancelled  cancelled  cancelled  cancelled  -
            stopped    cancelled  cancelled  cancelled  cancelled  -
            churned    cancelled  cancelled  cancelled  cancelled  -
            unknown_to_network -  -          cancelled  cancelled  -
            expired    -          cancelled  -          -          -
            unpaid     -          -          suspended  -          -
            paid       -          -          -          active     -
            lapsed     -          -          cancelled  cancelled  -";
        let rows: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.split_whitespace().collect())
            .filter(|row: &Vec<_>| !row.is_empty())
            .collect();
        assert_eq!(rows.len(), Cause::ALL.len());
        for (row, cause) in rows.iter().zip(Cause::ALL) {
            assert_eq!(row[0], cause.as_str());
            for (cell, state) in row[1..].iter().zip(State::ALL) {
                let expected = (*cell != "-").then(|| State::parse(cell).unwrap());
                assert_eq!(next(state, cause), expected, "{state:?} × {cause:?}");
            }
        }
    }

    #[test]
    fn a_move_always_changes_the_state() {
        for state in State::ALL {
            for cause in Cause::ALL {
                assert_ne!(next(state, cause), Some(state), "{state:?} × {cause:?}");
                assert_ne!(next(state, cause), Some(State::New), "{state:?} × {cause:?}");
            }
        }
    }

    #[test]
    fn a_state_is_its_word() {
        for state in State::ALL {
            assert_eq!(State::parse(state.as_str()), Some(state));
        }
        assert_eq!(State::parse("Active"), None);
    }
}
