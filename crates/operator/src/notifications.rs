//! What a network tells us by itself: answers to opt-ins, subscriptions it keeps, charges it made, and STOPs.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
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

/// The service that a notification names: by its id, by another name, or not in a way that can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NamedService {
    /// By its id, also where it comes as text.
    Id(i32),
    /// By a text that is no number.
    Name(String),
    /// Not at all.
    #[default]
    Unnamed,
}

impl Serialize for NamedService {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Id(id) => serializer.serialize_i32(*id),
            Self::Name(name) => serializer.serialize_str(name),
            Self::Unnamed => serializer.serialize_none(),
        }
    }
}

impl<'de> Deserialize<'de> for NamedService {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = untidy::readable_text(deserializer)?;
        Ok(match text {
            Some(text) => text.parse().map_or_else(|_| Self::Name(text), Self::Id),
            None => Self::Unnamed,
        })
    }
}

/// The amount of a billing event as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount(String);

impl Amount {
    /// So many cents.
    pub fn of_cents(cents: i64) -> Self {
        Self(cents.to_string())
    }

    /// Whether it means exactly so many cents: `300` and `300.00` are cents, `3.00` can only be rand.
    pub fn is_cents(&self, cents: i64) -> bool {
        let whole = |text: &str| text.parse::<i64>().ok();
        match self.0.split_once('.') {
            None => whole(&self.0) == Some(cents),
            Some((rand, "00")) if whole(rand) == Some(cents) => true,
            Some((rand, part)) if part.len() == 2 && !rand.starts_with('-') => {
                whole(&format!("{rand}{part}")) == Some(cents)
            }
            Some(_) => false,
        }
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse::<i64>() {
            Ok(cents) if cents.to_string() == self.0 => serializer.serialize_i64(cents),
            _ => serializer.serialize_str(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        untidy::text(deserializer).map(Self)
    }
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
    /// The service, by its id.
    #[serde(default)]
    pub svc_id: NamedService,
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

/// A push network's word on one charge.
#[derive(Clone, Serialize, Deserialize)]
pub struct BillingEvent {
    /// South African cents.
    pub amount: Amount,
    /// Names the charge; unique per network.
    #[serde(deserialize_with = "untidy::text")]
    pub billing_ref: String,
    /// The result as a number of the network's.
    #[serde(default, deserialize_with = "untidy::maybe_integer")]
    pub result_id: Option<i64>,
    /// `SUCCESS`, `INSUFFICIENT_FUNDS`, or a name whose meaning `brands.toml` gives.
    #[serde(deserialize_with = "untidy::text")]
    pub result_name: String,
    /// When the network tried to charge.
    #[serde(default, deserialize_with = "untidy::maybe_time")]
    pub billed_at: Option<DateTime<Utc>>,
    /// The subscription it charged, as it stood.
    pub subscription: SubscriptionEvent,
}

/// A person ended a subscription at the network. It is never lost: what cannot be read of it counts as not said.
#[derive(Clone, Serialize, Deserialize)]
pub struct StopEvent {
    /// Always `stop`.
    pub event: String,
    /// The number.
    #[serde(deserialize_with = "untidy::text")]
    pub user_msisdn: String,
    /// The service; none means all services of this number at the network.
    #[serde(default)]
    pub svc_id: NamedService,
    /// The network's own id of the subscription that ended; none means all of this number and service.
    #[serde(default, deserialize_with = "untidy::readable_text")]
    pub network_subscription_id: Option<String>,
    /// When.
    #[serde(default, deserialize_with = "untidy::readable_time")]
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
            match fields.get("event").and_then(Value::as_str).map(|event| event.trim().to_ascii_lowercase()).as_deref()
            {
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
        assert!(event.amount.is_cents(300));
        assert_eq!((event.billing_ref.as_str(), event.result_name.as_str()), ("77", "success"));
        // Without a zone it is Johannesburg's time: both spellings are the same moment.
        assert_eq!(event.billed_at, event.subscription.last_billed_at);
        assert_eq!(event.billed_at.unwrap().to_rfc3339(), "2026-11-21T04:00:05+00:00");
        assert_eq!(event.subscription.user_msisdn, "27812345678");
        assert_eq!(event.subscription.status(), SubscriptionStatus::Active);
        assert_eq!(event.subscription.next_billing_at, None);
    }

    #[test]
    fn an_amount_means_cents_and_rand_only_with_two_digits() {
        for (text, cents, meant) in [
            ("300", 300, true),
            ("300.00", 300, true),
            ("3.00", 300, true),
            ("3.00", 3, true),
            ("3", 300, false),
            ("3.0", 300, false),
            ("-300", 300, false),
            ("-3.00", 300, false),
            ("0", 300, false),
            ("300000", 300, false),
            ("3000.00", 300, false),
            ("R3", 300, false),
        ] {
            assert_eq!(Amount(text.to_owned()).is_cents(cents), meant, "{text} {cents}");
        }
    }

    #[test]
    fn a_stop_is_read_whatever_else_it_holds() {
        for (rest, service, at) in [
            (r#""svc_id":150,"at":"2026-11-21T04:00:05Z""#, NamedService::Id(150), true),
            (r#""svc_id":"150""#, NamedService::Id(150), false),
            (r#""svc_id":"memeworld","at":"soon""#, NamedService::Name("memeworld".to_owned()), false),
            (r#""svc_id":{"id":150},"at":17"#, NamedService::Unnamed, false),
            (r#""svc_id":null,"network_subscription_id":[7]"#, NamedService::Unnamed, false),
            (r#""at":"+262142-01-01T00:00:00Z""#, NamedService::Unnamed, false),
        ] {
            let body = format!(r#"{{"event":"STOP","user_msisdn":"27812345678",{rest}}}"#);
            let Ok(Notification::Stop(event)) = Notification::parse(body.as_bytes()) else { panic!("{body}") };
            assert_eq!((event.svc_id, event.at.is_some()), (service, at), "{body}");
        }
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
            br#"{"event":"stop","user_msisdn":["27812345678"],"svc_id":152}"#,
            br#"{"status_id":"x27812345678","subscription_id":1,"user_msisdn":"27812345678","svc_id":152}"#,
            br#"{"billing_ref":"1","amount":3.5,"result_name":"SUCCESS"}"#,
        ] {
            let Err(error) = Notification::parse(body) else { panic!("understood {body:?}") };
            assert!(!error.to_string().contains("812345678"), "{error}");
        }
    }
}
