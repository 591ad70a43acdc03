//! The differences between a day's ledger and a network's list, and their repairs.

use serde::Serialize;
use utoipa::ToSchema;

use super::runs::State;

/// The most differences in a reply; others are only counted.
pub(super) const MAX_LISTED: usize = 1000;

/// The kinds of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// The network made a charge whose row is pending, failed or unknown.
    ChargedNotSettled,
    /// The network charged a day without a row.
    ChargedNotRecorded,
    /// The network charged a number that was not subscribed, or whose subscription has ended.
    ChargedAfterLeaving,
    /// The network charged a day twice.
    ChargedTwice,
    /// Our row is settled, but the network never made the charge.
    NeverCharged,
    /// Our row is settled and not listed; the network did not confirm that it never made the charge.
    NotListed,
    /// The charge is listed with another amount, number or service.
    AmountDiffers,
    /// The network charged for an unknown service.
    UnknownService,
    /// A row of the list that is no valid charge.
    UnreadableRow,
    /// Our row was countered as never charged, and is listed now.
    RepairUndone,
}

/// The repair of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Repair {
    /// The row was settled.
    Settled,
    /// The row was settled, and what exceeds the agreed price was requested back from the network.
    ExcessRefunded,
    /// A refund was requested from the network.
    Refunded,
    /// A refund in our ledger only: the network had not charged.
    Countered,
    /// None: staff have to look at it.
    None,
}

/// One difference.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct Difference {
    #[serde(rename = "type")]
    pub(super) kind: Kind,
    pub(super) repair: Repair,
    #[schema(required = true)]
    pub(super) ledger_id: Option<i64>,
    pub(super) msisdn: String,
    pub(super) svc_id: i32,
    pub(super) key: String,
    pub(super) cents: i64,
    pub(super) network: String,
}

impl NetworkReconciled {
    /// Whether every difference that can be repaired was.
    pub fn is_repaired(&self) -> bool {
        self.state == State::Repaired
    }
}

/// A day's comparison with one network.
#[derive(Serialize, ToSchema)]
pub(crate) struct NetworkReconciled {
    pub(super) network: String,
    pub(super) state: State,
    pub(super) listed: i64,
    pub(super) agreed: i64,
    /// Our settled charges of the day that were not refunded.
    pub(super) settled: i64,
    /// Those of them that the list lacks, or has with other data.
    pub(super) contradictions: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cause: Option<String>,
}
