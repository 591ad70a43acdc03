//! The facts that the subscription service has about days and months, for finance.

use std::ops::AddAssign;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The sums of the ledger's days.
#[derive(Deserialize)]
pub(crate) struct Books {
    /// Johannesburg's calendar day now.
    pub(crate) today: NaiveDate,
    /// The ledger's first day.
    pub(crate) first: Option<NaiveDate>,
    pub(crate) brands: Vec<Brand>,
    pub(crate) lines: Vec<DaySum>,
}

/// A brand's service, and the network that charges for it.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
pub(crate) struct Brand {
    pub(crate) svc_id: i32,
    pub(crate) service: String,
    pub(crate) network: String,
}

/// How many rows of the ledger, and their cents with VAT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Sum {
    pub(crate) entries: i64,
    pub(crate) cents: i64,
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.entries += other.entries;
        self.cents += other.cents;
    }
}

/// One day of one brand at one network, of the rows with one amount.
#[derive(Clone, Deserialize)]
pub(crate) struct DaySum {
    pub(crate) day: NaiveDate,
    pub(crate) svc_id: i32,
    pub(crate) service: String,
    pub(crate) network: String,
    pub(crate) price_cents: i64,
    pub(crate) charged: Sum,
    pub(crate) failed: Sum,
    pub(crate) given_back: Sum,
    pub(crate) open: Sum,
}

/// The subscribers of one brand at one network and price, on a day.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct SubscriberDay {
    day: String,
    pub(crate) svc_id: i32,
    service: String,
    pub(crate) network: String,
    price_cents: i64,
    /// Subscriptions that the network confirmed.
    joins: i64,
    /// Subscriptions that ended.
    leaves: i64,
    /// Active and suspended subscriptions when they were counted last on that day; null on a day on which they were not.
    #[schema(required = true)]
    running: Option<i64>,
}

/// Subscribers by day.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct SubscriberDays {
    /// By day, brand, network and price.
    pub(crate) days: Vec<SubscriberDay>,
}

/// What became of a day's comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ComparisonState {
    /// It runs, or did not end.
    Running,
    /// What differed was repaired.
    Repaired,
    /// It waits to be accepted.
    Held,
    /// The list could not be read.
    Failed,
}

/// A day's newest comparison with a network's list.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct ComparedDay {
    day: String,
    network: String,
    state: ComparisonState,
    listed: i64,
    agreed: i64,
    settled: i64,
    differences: i64,
    cause: String,
}

/// Days that were compared.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct ComparedDays {
    /// Newest first.
    days: Vec<ComparedDay>,
}

/// How a day's ledger and the networks' lists differ.
#[derive(Deserialize)]
pub(crate) struct Reconciled {
    pub(crate) listed: i64,
    pub(crate) agreed: i64,
    pub(crate) differences: Vec<Difference>,
    pub(crate) more: i64,
    pub(crate) networks: Vec<ComparedNetwork>,
}

/// One difference.
#[derive(Deserialize)]
pub(crate) struct Difference {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) repair: String,
    pub(crate) ledger_id: Option<i64>,
    pub(crate) msisdn: String,
    pub(crate) svc_id: i32,
    pub(crate) cents: i64,
    pub(crate) network: String,
}

/// A day's comparison with one network.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct ComparedNetwork {
    network: String,
    #[schema(value_type = ComparisonState)]
    state: String,
    listed: i64,
    agreed: i64,
    settled: i64,
    /// Settled charges that the list lacks, or has with other data.
    contradictions: i64,
    #[schema(required = true)]
    cause: Option<String>,
}
