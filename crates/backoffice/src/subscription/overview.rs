//! The day at a glance, as the subscription service replies.

use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::pauses::ChargePause;

/// What the subscription service replies.
#[derive(Deserialize)]
pub(crate) struct DayAtAGlance {
    #[serde(with = "service::timestamp")]
    pub(crate) now: NaiveDateTime,
    pub(crate) counted_at: Option<CountedAt>,
    pub(crate) days: Vec<Day>,
    pub(crate) hours: Vec<OverviewHour>,
    pub(crate) services: Vec<OverviewService>,
    pub(crate) networks: Vec<OverviewNetwork>,
    pub(crate) messages: Vec<OverviewMessages>,
    pub(crate) pass_overdue_seconds: i64,
    pub(crate) pass_open_seconds: i64,
    pub(crate) parked: i64,
    pub(crate) restored_seconds: i64,
    /// Absent in replies of an earlier release.
    #[serde(default)]
    pub(crate) undecided_publishers: i64,
    /// Absent in replies of an earlier release.
    #[serde(default)]
    pub(crate) pauses: Vec<ChargePause>,
}

#[derive(Deserialize)]
pub(crate) struct CountedAt(#[serde(with = "service::timestamp")] pub(crate) NaiveDateTime);

#[derive(Deserialize)]
pub(crate) struct Day {
    pub(crate) day: String,
    pub(crate) joins: i64,
    pub(crate) leaves: i64,
    pub(crate) charged_cents: i64,
    pub(crate) given_back_cents: i64,
    pub(crate) charges: i64,
    pub(crate) failed: i64,
    pub(crate) open: i64,
}

/// The subscriptions of one service.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct OverviewService {
    pub(crate) svc_id: i32,
    pub(crate) service: String,
    pub(crate) active: i64,
    pub(crate) suspended: i64,
    pub(crate) pending: i64,
}

/// One hour's money.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct OverviewHour {
    /// 0 to 23.
    pub(crate) hour: i32,
    pub(crate) charged_cents: i64,
    pub(crate) given_back_cents: i64,
}

/// The state of one network.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct OverviewNetwork {
    pub(crate) network: String,
    /// Whether charging pauses, because the network does not answer.
    pub(crate) paused: bool,
    /// Today's charges that are not settled yet.
    pub(crate) open: i64,
    /// Charges with an unknown outcome, and the age of the oldest.
    pub(crate) unknown: i64,
    pub(crate) unknown_seconds: i64,
    /// Days whose comparison waits for a person, and days that could not be compared.
    pub(crate) held_days: i64,
    pub(crate) failed_days: i64,
}

/// What a message does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MessageKind {
    /// A text to a subscriber.
    Sms,
    /// The end of a subscription, for the network.
    Stop,
    /// A charge to give back, for the network.
    Refund,
}

/// The messages of one kind.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct OverviewMessages {
    pub(crate) kind: MessageKind,
    pub(crate) waiting: i64,
    /// The age of the oldest urgent one.
    pub(crate) oldest_seconds: i64,
    /// Messages that the network refused.
    pub(crate) dead: i64,
}
