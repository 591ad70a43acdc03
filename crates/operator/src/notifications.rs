//! What a network tells us by itself: answers to opt-ins, subscriptions it keeps, charges it made, and STOPs.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Answer, OptInKind, untidy};

/// A notification, told apart by the fields only its kind has.
pub enum Notification {
    /// A person answered an opt-in page.
    OptIn(OptInEvent),
    /// A push network's subscription began, goes on or ended.
    Subscription(SubscriptionEvent),
    /// A push network charged, or could not.
    Billing(BillingEvent),
    /// A person ended a subscription at the network: STOP by SMS, a USSD menu, its call centre.
    Stop(StopEvent),
}

/// A body that is none of the notifications we know; says why, and quotes nothing of it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("not a notification we know: {0}")]
pub struct NotUnderstood(String);

/// The answer to an opt-in.
#[derive(Clone, Serialize, Deserialize)]
pub struct OptInEvent {
    /// Always `opt_in`.
    pub event: String,
    /// What was asked.
    pub kind: OptInKind,
    /// The network's reference of the opt-in.
    #[serde(deserialize_with = "untidy::text")]
    pub reference: String,
    /// Our own reference of the try; none where the network began it by itself.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub subscription_id: Option<String>,
    /// The number.
    #[serde(deserialize_with = "untidy::text")]
    pub user_msisdn: String,
    /// The service's id.
    #[serde(deserialize_with = "untidy::integer")]
    pub svc_id: i32,
    /// As we sent it.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub ext_ref: Option<String>,
    /// What was answered.
    pub status: Answer,
    /// When.
    #[serde(default, deserialize_with = "untidy::maybe_time")]
    pub decided_at: Option<DateTime<Utc>>,
    /// The network's own id of the subscription that a confirmed opt-in began.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub network_subscription_id: Option<String>,
}

/// What a push network says of a subscription, by `status_id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscriptionStatus {
    /// 2: it runs.
    Active,
    /// 4: the network ended it because it could not charge.
    Churned,
    /// 8: the person ended it.
    Cancelled,
    /// Any other number: we do not know what it means.
    Unknown(i32),
}

/// A push network's word on one of its subscriptions ("datasync").
#[derive(Clone, Serialize, Deserialize)]
pub struct SubscriptionEvent {
    /// The network's own id of the subscription.
    #[serde(deserialize_with = "untidy::text", serialize_with = "untidy::as_number")]
    pub subscription_id: String,
    /// The number.
    #[serde(deserialize_with = "untidy::text")]
    pub user_msisdn: String,
    /// The service's id.
    #[serde(deserialize_with = "untidy::integer")]
    pub svc_id: i32,
    /// The service's name at the network.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub svc_name: Option<String>,
    /// As we sent it with the opt-in.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub ext_ref: Option<String>,
    /// How the person subscribed, `WAP`.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub channel_name: Option<String>,
    /// 2 active, 4 churned, 8 cancelled.
    #[serde(deserialize_with = "untidy::integer")]
    pub status_id: i32,
    /// The same in a word.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub status_name: Option<String>,
    /// What one cycle costs, in South African cents.
    #[serde(default, deserialize_with = "untidy::maybe_integer")]
    pub billing_rate: Option<i64>,
    /// `DAILY`.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub billing_cycle: Option<String>,
    /// When it was last charged.
    #[serde(default, deserialize_with = "untidy::maybe_time")]
    pub last_billed_at: Option<DateTime<Utc>>,
    /// When it will next be charged.
    #[serde(default, deserialize_with = "untidy::maybe_time")]
    pub next_billing_at: Option<DateTime<Utc>>,
    /// When it began.
    #[serde(default, deserialize_with = "untidy::maybe_time")]
    pub created_at: Option<DateTime<Utc>>,
    /// When what is told here happened.
    #[serde(default, deserialize_with = "untidy::maybe_time")]
    pub updated_at: Option<DateTime<Utc>>,
    /// Our own reference of the try that began it; none where the network began it by itself.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub partner_ref: Option<String>,
}

impl SubscriptionEvent {
    /// What `status_id` means.
    pub fn status(&self) -> SubscriptionStatus {
        match self.status_id {
            2 => SubscriptionStatus::Active,
            4 => SubscriptionStatus::Churned,
            8 => SubscriptionStatus::Cancelled,
            other => SubscriptionStatus::Unknown(other),
        }
    }
}

/// How a push network's charge ended, by `result_name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultName {
    /// The person paid.
    Success,
    /// The person has no airtime; nothing was charged.
    InsufficientFunds,
    /// Anything else; nothing was charged.
    Other,
}

/// A push network's word on one charge.
#[derive(Clone, Serialize, Deserialize)]
pub struct BillingEvent {
    /// South African cents.
    #[serde(deserialize_with = "untidy::integer")]
    pub amount: i64,
    /// Names the charge; unique per network.
    #[serde(deserialize_with = "untidy::text")]
    pub billing_ref: String,
    /// The result as a number of the network's.
    #[serde(default, deserialize_with = "untidy::maybe_integer")]
    pub result_id: Option<i64>,
    /// `SUCCESS` or `INSUFFICIENT_FUNDS`.
    #[serde(deserialize_with = "untidy::text")]
    pub result_name: String,
    /// When the network tried to charge.
    #[serde(default, deserialize_with = "untidy::maybe_time")]
    pub billed_at: Option<DateTime<Utc>>,
    /// The subscription it charged, as it stood.
    pub subscription: SubscriptionEvent,
}

impl BillingEvent {
    /// What `result_name` means.
    pub fn result(&self) -> ResultName {
        match self.result_name.to_ascii_uppercase().as_str() {
            "SUCCESS" => ResultName::Success,
            "INSUFFICIENT_FUNDS" => ResultName::InsufficientFunds,
            _ => ResultName::Other,
        }
    }
}

/// A person ended a subscription at the network.
#[derive(Clone, Serialize, Deserialize)]
pub struct StopEvent {
    /// Always `stop`.
    pub event: String,
    /// The number.
    #[serde(deserialize_with = "untidy::text")]
    pub user_msisdn: String,
    /// The service's id.
    #[serde(deserialize_with = "untidy::integer")]
    pub svc_id: i32,
    /// The network's own id of the subscription that ended; none means all of this number and service.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub network_subscription_id: Option<String>,
    /// When.
    #[serde(default, deserialize_with = "untidy::maybe_time")]
    pub at: Option<DateTime<Utc>>,
}

impl Notification {
    /// When what it tells came about, where it says so.
    pub fn happened_at(&self) -> Option<DateTime<Utc>> {
        match self {
            Self::OptIn(event) => event.decided_at,
            Self::Subscription(event) => event.updated_at.or(event.created_at),
            Self::Billing(event) => event.billed_at,
            Self::Stop(event) => event.at,
        }
    }

    /// Understands a body, or says why not.
    pub fn parse(body: &[u8]) -> Result<Self, NotUnderstood> {
        // A parser's own message may quote the value at fault, and values here are numbers of people.
        let unreadable =
            |error: serde_json::Error| NotUnderstood(format!("{:?} at column {}", error.classify(), error.column()));
        let fields: Value = serde_json::from_slice(body).map_err(unreadable)?;
        let has = |field: &str| fields.get(field).is_some();
        // From the bytes again, not from the fields just read: those have rounded numbers, and forgotten that a field stood twice.
        if has("billing_ref") {
            serde_json::from_slice(body).map(Self::Billing).map_err(|error| field_at_fault("billing event", &error))
        } else if has("status_id") {
            serde_json::from_slice(body)
                .map(Self::Subscription)
                .map_err(|error| field_at_fault("subscription event", &error))
        } else {
            match fields.get("event").and_then(Value::as_str) {
                Some("opt_in") => {
                    serde_json::from_slice(body).map(Self::OptIn).map_err(|error| field_at_fault("opt-in", &error))
                }
                Some("stop") => {
                    serde_json::from_slice(body).map(Self::Stop).map_err(|error| field_at_fault("stop", &error))
                }
                _ => Err(NotUnderstood("it has none of the fields that tell its kind".to_owned())),
            }
        }
    }
}

fn field_at_fault(what: &str, error: &serde_json::Error) -> NotUnderstood {
    let text = error.to_string();
    // "missing field `x`" names our field and quotes nothing; anything else may quote a value.
    let cause = if text.starts_with("missing field") { text } else { "a field cannot be read".to_owned() };
    NotUnderstood(format!("{what}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_untidy_feed_is_understood() {
        let body = br#"{"amount":"300","billing_ref":77,"result_id":"1","result_name":"success",
            "billed_at":"2026-11-21 06:00:05","subscription":{"subscription_id":"991","user_msisdn":27812345678,"svc_id":"152",
            "status_id":"2","billing_rate":"300","last_billed_at":"2026-11-21T06:00:05+02:00","next_billing_at":""}}"#;
        let Ok(Notification::Billing(event)) = Notification::parse(body) else { panic!("a billing event") };
        assert_eq!((event.amount, event.billing_ref.as_str(), event.result()), (300, "77", ResultName::Success));
        // Without a zone it is Johannesburg's time: both spellings are the same moment.
        assert_eq!(event.billed_at, event.subscription.last_billed_at);
        assert_eq!(event.billed_at.unwrap().to_rfc3339(), "2026-11-21T04:00:05+00:00");
        assert_eq!(event.subscription.user_msisdn, "27812345678");
        assert_eq!(event.subscription.status(), SubscriptionStatus::Active);
        assert_eq!(event.subscription.next_billing_at, None);
    }

    #[test]
    fn two_charges_stay_two_however_long_their_names_are() {
        let named = |name: &str| {
            let body = format!(
                r#"{{"amount":300,"billing_ref":{name},"result_name":"SUCCESS","subscription":{{"subscription_id":{name},
                "user_msisdn":"27812345678","svc_id":152,"status_id":2}}}}"#
            );
            let Ok(Notification::Billing(event)) = Notification::parse(body.as_bytes()) else {
                panic!("a billing event")
            };
            (event.billing_ref, event.subscription.subscription_id)
        };
        for name in ["20261121000000000001", "20261121000000000002", "340282366920938463463374607431768211456"] {
            assert_eq!(named(name), (name.to_owned(), name.to_owned()));
        }
    }

    #[test]
    fn what_cannot_be_understood_says_why_and_quotes_nothing() {
        for body in [
            &b"not json 27812345678"[..],
            b"[]",
            b"{}",
            b"\"27812345678\"",
            br#"{"event":"party","user_msisdn":"27812345678"}"#,
            br#"{"event":"opt_in","user_msisdn":"27812345678"}"#,
            br#"{"event":"stop","user_msisdn":"27812345678","user_msisdn":"27812345679","svc_id":152}"#,
            br#"{"event":"stop","user_msisdn":"27812345678","svc_id":152,"at":"+262142-01-01T00:00:00Z"}"#,
            br#"{"status_id":2,"subscription_id":1,"user_msisdn":"27812345678","svc_id":"x27812345678"}"#,
            br#"{"billing_ref":"1","amount":3.5,"result_name":"SUCCESS"}"#,
        ] {
            let Err(error) = Notification::parse(body) else { panic!("understood {body:?}") };
            assert!(!error.to_string().contains("812345678"), "{error}");
        }
    }
}
