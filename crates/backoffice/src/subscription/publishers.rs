//! A page of publishers, as the subscription service replies.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

/// What was decided last about a publisher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HoldState {
    /// All of its joins are held.
    Held,
    /// They are not.
    Released,
}

/// Whether all joins of a publisher are held.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct Hold {
    pub(crate) state: HoldState,
    pub(crate) reason: String,
    /// "limits", or who decided.
    pub(crate) made_by: String,
    /// Since when.
    #[serde(deserialize_with = "moment")]
    #[schema(value_type = String, format = "date-time")]
    pub(crate) at: DateTime<Utc>,
}

/// A publisher's joins of one brand.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct PublisherLine {
    /// Empty: visitors who came by themselves.
    pub(crate) ext_ref: String,
    /// 0: held without a join in the month, or counted before brands were.
    pub(crate) svc_id: i32,
    pub(crate) service: String,
    /// Joins of persons and held ones; a person who was held at first and typed the code counts once.
    pub(crate) tries: i64,
    pub(crate) held: i64,
    /// Held joins whose visitor had to type a code.
    pub(crate) codes: i64,
    /// Of these, the joins that went on with it.
    pub(crate) passed_by_code: i64,
    /// Joins that the network confirmed.
    pub(crate) confirmed: i64,
    /// Subscriptions that ended within 24 hours, at their subscriber's request.
    pub(crate) left_early: i64,
    /// Charges that staff gave back.
    pub(crate) refunded: i64,
    /// Shares in hundredths of a percent: held joins of the tries, early ends and refunds of the confirmed joins.
    pub(crate) held_basis_points: i64,
    pub(crate) left_basis_points: i64,
    pub(crate) refunded_basis_points: i64,
    /// Null where the publisher was never held.
    #[serde(default)]
    #[schema(required = true)]
    pub(crate) hold: Option<Hold>,
}

/// A brand's service.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct PublisherBrand {
    pub(crate) svc_id: i32,
    pub(crate) service: String,
}

/// A page of the publishers of a month.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct PublisherPage {
    pub(crate) month: String,
    /// The month that runs.
    pub(crate) this_month: String,
    /// How many months counts and evidence are kept.
    pub(crate) kept_months: u32,
    /// Whether joins are held; else they are only counted.
    pub(crate) is_enforced: bool,
    pub(crate) services: Vec<PublisherBrand>,
    publishers: Vec<PublisherLine>,
    /// `offset` of the next page; null on the last one.
    #[schema(required = true)]
    pub(crate) next: Option<u32>,
}

/// A time of the service's replies.
pub(crate) fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DateTime<Utc>, D::Error> {
    service::timestamp::deserialize(deserializer).map(|at| at.and_utc())
}
