//! What we ask a network, and what it replies: opt-ins, stops, SMSes.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::untidy;

/// What the person is asked to confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OptInKind {
    /// To subscribe, at the price shown.
    OptIn,
    /// That this phone holds the number; costs nothing and changes nothing.
    Verify,
    /// To end the subscription.
    Leave,
}

/// What the person answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Not yet.
    Pending,
    /// Yes.
    Confirmed,
    /// No.
    Declined,
}

/// `POST /opt-ins`: show this person a page to confirm on.
#[derive(Clone, Serialize, Deserialize)]
pub struct OptInRequest {
    /// The number, `27812345678`.
    pub msisdn: String,
    /// The service's id.
    pub svc_id: i32,
    /// The service's name, as people read it.
    pub service: String,
    /// What one day costs, in South African cents.
    pub price_cents: i64,
    /// Which advertisement led here; handed back unchanged.
    pub ext_ref: String,
    /// Our own reference of this try; handed back unchanged.
    pub subscription_id: String,
    /// Where the person is sent after answering, without the parameters the network adds.
    pub return_url: String,
    /// What is asked.
    pub kind: OptInKind,
}

/// The reply to `POST /opt-ins`.
#[derive(Clone, Serialize, Deserialize)]
pub struct OptInReply {
    /// The network's reference of this opt-in, for asking about it later.
    pub reference: String,
    /// The page to send the person to.
    pub redirect_url: String,
}

/// `GET /opt-ins/{reference}`: what became of an opt-in.
#[derive(Clone, Serialize, Deserialize)]
pub struct OptIn {
    /// The network's reference.
    pub reference: String,
    /// What was asked.
    pub kind: OptInKind,
    /// What was answered.
    pub status: Answer,
    /// When it was answered.
    #[serde(default, deserialize_with = "untidy::maybe_time")]
    pub decided_at: Option<DateTime<Utc>>,
    /// The network's own id of the subscription that a confirmed opt-in began.
    pub network_subscription_id: Option<String>,
    /// Whether that subscription still runs.
    pub active: bool,
}

/// `POST /stops`: end one subscription of the network's; twice is once.
#[derive(Clone, Serialize, Deserialize)]
pub struct StopRequest {
    /// The number.
    pub msisdn: String,
    /// The service's id.
    pub svc_id: i32,
    /// The network's own id of the subscription to end.
    pub network_subscription_id: String,
}

/// `POST /messages`: send an SMS; the same key twice is one SMS.
#[derive(Clone, Serialize, Deserialize)]
pub struct SmsRequest {
    /// Names this SMS, chosen by us.
    pub key: String,
    /// The number it goes to.
    pub msisdn: String,
    /// The service it speaks for.
    pub svc_id: i32,
    /// What it says.
    pub text: String,
}
