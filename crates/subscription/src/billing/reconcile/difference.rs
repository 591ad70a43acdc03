//! How a day's ledger and a network's list differ, and what was done about it.

use serde::Serialize;
use utoipa::ToSchema;

use super::runs::State;

/// Differences that a reply names; more are only counted.
pub(super) const MAX_LISTED: usize = 1000;

/// How ledger and list differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// The network charged what our row calls pending, failed or unknown.
    ChargedNotSettled,
    /// The network charged a day that has no row of ours.
    ChargedNotRecorded,
    /// The network charged a number that was not subscribed, or whose subscription has ended.
    ChargedAfterLeaving,
    /// The network charged a day a second time.
    ChargedTwice,
    /// Our row is settled, and the network says that it never charged it.
    NeverCharged,
    /// Our row is settled, and the list leaves it out; the network did not say that it never charged it.
    NotListed,
    /// Both charged, but not the same.
    AmountDiffers,
    /// The network charged for a service we do not have.
    UnknownService,
    /// A row of the list that names no charge.
    UnreadableRow,
    /// Our row was countered as never charged, and the list names it now.
    RepairUndone,
}

/// What was done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Repair {
    /// The row counts as settled now.
    Settled,
    /// The network is told to give it back.
    Refunded,
    /// A refund in our books alone: no money had moved.
    Countered,
    /// Nothing: a person has to look at it.
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

/// A day's comparison with one network.
#[derive(Serialize, ToSchema)]
pub(crate) struct NetworkReconciled {
    pub(super) network: String,
    pub(super) state: State,
    pub(super) listed: i64,
    pub(super) agreed: i64,
    /// Our settled charges of the day that were not given back.
    pub(super) settled: i64,
    /// Those of them that the list lacks or names otherwise.
    pub(super) contradictions: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cause: Option<String>,
}
