//! The lifecycle of a subscription as a transition table: state and cause to the next state. No clock, no database.

/// The state of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// The row exists, but no join was started. Never shown.
    New,
    /// A join waits for the subscriber's answer at the network.
    Pending,
    /// Paying, with access.
    Active,
    /// Not paid for; tried again daily, without access.
    Suspended,
    /// Ended, until the subscriber joins again.
    Cancelled,
}

/// Why a subscription changes its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A join was requested.
    Joined,
    /// The network reports that the subscriber confirmed.
    Confirmed,
    /// As `Confirmed`, but the last day was not paid: access waits for the payment.
    ConfirmedUnpaid,
    /// The subscriber left on our site.
    Left,
    /// The subscriber left at the network: its confirm page, STOP, a menu, its call centre.
    Stopped,
    /// The network ended it because it could not charge.
    Churned,
    /// The network refused a charge because it has no such subscription.
    UnknownToNetwork,
    /// The join got no answer in five days.
    Expired,
    /// A day ended unpaid after the network's clear no.
    Unpaid,
    /// A charge succeeded.
    Paid,
    /// Thirty days passed without a charge.
    Lapsed,
    /// The number belongs to another network by now, where it may join again.
    Moved,
    /// The number was given to another person.
    Recycled,
    /// The database was restored, and its network does not tell whether it was left since: the subscriber is asked again.
    Restored,
    /// The subscriber agreed to another price or period while it runs. The state stays.
    Repriced,
}

impl State {
    /// Every state, in the order of the lifecycle.
    pub const ALL: [Self; 5] = [Self::New, Self::Pending, Self::Active, Self::Suspended, Self::Cancelled];

    /// The name in the database and the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Pending => "pending",
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Cancelled => "cancelled",
        }
    }

    /// The state of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 15] = [
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
        Self::Moved,
        Self::Recycled,
        Self::Restored,
        Self::Repriced,
    ];

    /// The name in the database and the API.
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
            Self::Moved => "moved",
            Self::Recycled => "recycled",
            Self::Restored => "restored",
            Self::Repriced => "repriced",
        }
    }
}

/// The next state after `cause`; `None` where it changes nothing. `Repriced` alone keeps the state, and is an event nevertheless.
///
/// `Joined` affects only subscriptions without a join: anyone can type a number, and must not change its owner's state.
/// Only a confirmation by the network leads from outside to `Active`; a late payment never reactivates a cancelled subscription.
pub fn next(state: State, cause: Cause) -> Option<State> {
    use Cause::{
        Churned, Confirmed, ConfirmedUnpaid, Expired, Joined, Lapsed, Left, Moved, Paid, Recycled, Repriced, Restored,
        Stopped, UnknownToNetwork, Unpaid,
    };
    use State::{Active, Cancelled, New, Pending, Suspended};
    match (state, cause) {
        (New, Joined) => Some(Pending),
        (New | Pending | Suspended | Cancelled, Confirmed) => Some(Active),
        (New | Pending | Cancelled, ConfirmedUnpaid) => Some(Suspended),
        // A stop may arrive before the start that it ends, hence also from New.
        (New | Pending | Active | Suspended, Left | Stopped | Churned) => Some(Cancelled),
        (Pending, Expired) => Some(Cancelled),
        (Active, Unpaid) => Some(Suspended),
        (Suspended, Paid) => Some(Active),
        (Active | Suspended, Lapsed | Moved | UnknownToNetwork | Recycled | Restored) => Some(Cancelled),
        (Active | Suspended, Repriced) => Some(state),
        (New, Expired | Unpaid | Paid | Lapsed | Moved | UnknownToNetwork | Recycled | Restored | Repriced)
        | (Pending, Joined | Unpaid | Paid | Lapsed | Moved | UnknownToNetwork | Recycled | Restored | Repriced)
        | (Active, Joined | Confirmed | ConfirmedUnpaid | Expired | Paid)
        | (Suspended, Joined | ConfirmedUnpaid | Expired | Unpaid)
        | (
            Cancelled,
            Joined | Left | Stopped | Churned | Expired | Unpaid | Paid | Lapsed | Moved | UnknownToNetwork | Recycled
            | Restored | Repriced,
        ) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_matches_the_transition_table() {
        // One row per cause; columns as in State::ALL; a dash is no change.
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
            lapsed     -          -          cancelled  cancelled  -
            moved      -          -          cancelled  cancelled  -
            recycled   -          -          cancelled  cancelled  -
            restored   -          -          cancelled  cancelled  -
            repriced   -          -          active     suspended  -";
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
    fn next_never_returns_the_same_state_or_new() {
        for state in State::ALL {
            for cause in Cause::ALL {
                assert!(cause == Cause::Repriced || next(state, cause) != Some(state), "{state:?} × {cause:?}");
                assert_ne!(next(state, cause), Some(State::New), "{state:?} × {cause:?}");
            }
        }
    }

    #[test]
    fn parse_reads_what_as_str_writes() {
        for state in State::ALL {
            assert_eq!(State::parse(state.as_str()), Some(state));
        }
        assert_eq!(State::parse("Active"), None);
    }
}
