//! Our requests to a network and its replies: opt-ins, stops, SMSes.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::lenient;

/// What the subscriber is asked to confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OptInKind {
    /// To subscribe, at the price shown.
    #[serde(alias = "optin")]
    OptIn,
    /// That this phone has the number; costs nothing and changes nothing.
    Verify,
    /// To end the subscription.
    Leave,
}

/// The subscriber's answer to an opt-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OptInStatus {
    /// Not yet.
    Pending,
    /// Yes.
    Confirmed,
    /// No.
    Declined,
}

/// `POST /opt-ins`: request a confirm page.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct OptInRequest {
    /// The number, `27812345678`; empty: the page asks for it, and the answer names it.
    pub msisdn: String,
    /// The service's id.
    pub svc_id: i32,
    /// The service's display name.
    pub service: String,
    /// What a period costs, in South African cents.
    pub price_cents: i64,
    /// That period: `day`, `week` or `month`; a day if it is empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub period: String,
    /// The day of the first charge (YYYY-MM-DD), where the days before it are free; empty: it is charged at once.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub first_charge: String,
    /// The price and the smaller amounts that may be charged for a day, where the airtime does not suffice; empty: the price alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<i64>,
    /// The advertisement that led to the join; returned unchanged.
    pub ext_ref: String,
    /// The token that the network's own protection against fraud gave the visitor's page; empty: none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub anti_fraud_token: String,
    /// Our own id of this opt-in attempt; returned unchanged.
    pub subscription_id: String,
    /// Where the browser is redirected after the answer, without the parameters that the network adds.
    pub return_url: String,
    /// What is to be confirmed.
    #[serde(deserialize_with = "lenient::named")]
    pub kind: OptInKind,
}

/// The reply to `POST /opt-ins`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct OptInReply {
    /// The network's reference of this opt-in, for later status requests.
    pub reference: String,
    /// The page to redirect the browser to.
    pub redirect_url: String,
}

/// `GET /opt-ins/{reference}`: the status of an opt-in.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct OptIn {
    /// The network's reference.
    pub reference: String,
    /// What was to be confirmed.
    #[serde(deserialize_with = "lenient::named")]
    pub kind: OptInKind,
    /// The answer.
    #[serde(deserialize_with = "lenient::named")]
    pub status: OptInStatus,
    /// When it was answered.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub decided_at: Option<DateTime<Utc>>,
    /// The network's own id of the subscription that a confirmed opt-in started.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub network_subscription_id: Option<String>,
    /// Whether that subscription is still active.
    #[serde(deserialize_with = "lenient::boolean")]
    pub active: bool,
    /// The subscriber, once answered: needed where the request had no number, or the network names its subscribers by tokens.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient::maybe_text")]
    pub user_msisdn: Option<String>,
}

/// `POST /stops`: end one of the network's subscriptions; idempotent.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct StopRequest {
    /// The number.
    pub msisdn: String,
    /// The service's id.
    pub svc_id: i32,
    /// The network's own id of the subscription to end.
    pub network_subscription_id: String,
}

/// `POST /messages`: send an SMS; idempotent by `key`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct SmsRequest {
    /// The idempotency key of this SMS, chosen by us.
    pub key: String,
    /// The number it goes to.
    pub msisdn: String,
    /// The service that sends it.
    pub svc_id: i32,
    /// The text.
    pub text: String,
    /// How long it is worth delivering, in seconds: the network drops it afterwards. A day where it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_seconds: Option<u32>,
}
