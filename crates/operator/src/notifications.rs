//! The webhooks of a network: answers to opt-ins, changes of its subscriptions, charges it made, and STOPs.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};
use utoipa::ToSchema;

use crate::{Amount, OptInKind, OptInStatus, encoding, lenient};

/// A notification; its kind is recognised by fields that only that kind has.
pub enum Notification {
    /// A subscriber answered an opt-in page.
    OptIn(OptInEvent),
    /// A push network's subscription started, continues or ended.
    Subscription(SubscriptionEvent),
    /// A push network charged, or failed to.
    Billing(BillingEvent),
    /// A subscriber ended a subscription at the network: STOP by SMS, a USSD menu, its call centre.
    Stop(StopEvent),
    /// The network has given the number to another person.
    Recycled(StopEvent),
    /// The network has the result of a charge that it had accepted.
    Charge(ChargeEvent),
    /// A person sent an SMS to our short code.
    Sms(SmsEvent),
    /// What became of an SMS of ours.
    Receipt(ReceiptEvent),
}

/// A body that is no known notification; the message gives the cause without quoting the body.
#[derive(Clone, Debug, thiserror::Error)]
#[error("not a notification we know: {0}")]
pub struct InvalidNotification(String);

/// The answer to an opt-in.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct OptInEvent {
    /// Always `opt_in`.
    pub event: String,
    /// What was to be confirmed.
    #[serde(deserialize_with = "lenient::named")]
    pub kind: OptInKind,
    /// The network's reference of the opt-in; empty where it has none that can be read.
    #[serde(default, deserialize_with = "lenient::text_or_empty")]
    pub reference: String,
    /// Our own id of the opt-in attempt; none where the network started it by itself.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub subscription_id: Option<String>,
    /// The number.
    #[serde(deserialize_with = "lenient::text")]
    pub user_msisdn: String,
    /// The service; where it is not readable, that of the attempt.
    #[serde(default)]
    #[schema(value_type = Option<i32>)]
    pub svc_id: NamedService,
    /// As we sent it.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub ext_ref: Option<String>,
    /// The answer.
    #[serde(deserialize_with = "lenient::named")]
    pub status: OptInStatus,
    /// When.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub decided_at: Option<DateTime<Utc>>,
    /// The network's own id of the subscription that a confirmed opt-in started.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub network_subscription_id: Option<String>,
}

/// The service that a notification names: by its id, by another name, or not readably.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum NamedService {
    /// By its id, as a number or as text.
    Id(i32),
    /// By a text that is no number.
    Name(String),
    /// Absent or unreadable.
    #[default]
    Unnamed,
}

impl NamedService {
    /// The service that a text names.
    pub(crate) fn of(text: String) -> Self {
        lenient::integer_of(&text).map_or_else(|| Self::Name(text), Self::Id)
    }

    /// The text that names it.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Id(id) => Some(id.to_string()),
            Self::Name(name) => Some(name.clone()),
            Self::Unnamed => None,
        }
    }
}

impl<'de> Deserialize<'de> for NamedService {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(lenient::readable_text(deserializer)?.map_or(Self::Unnamed, Self::of))
    }
}

/// The status of a push network's subscription, by `status_id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscriptionStatus {
    /// 2: it is active.
    Active,
    /// 4: the network ended it because it could not charge.
    Churned,
    /// 8: the subscriber ended it.
    Cancelled,
    /// Any other number: its meaning is unknown.
    Unknown(i32),
}

/// The current state of one of a push network's subscriptions ("datasync").
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct SubscriptionEvent {
    /// The network's own id of the subscription; empty where it cannot be read.
    #[serde(default, deserialize_with = "lenient::text_or_empty", serialize_with = "lenient::as_number")]
    pub subscription_id: String,
    /// The number; empty where it cannot be read.
    #[serde(default, deserialize_with = "lenient::text_or_empty")]
    pub user_msisdn: String,
    /// The service, by its id.
    #[serde(default)]
    #[schema(value_type = Option<i32>)]
    pub svc_id: NamedService,
    /// The service's name at the network.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub svc_name: Option<String>,
    /// As we sent it with the opt-in.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub ext_ref: Option<String>,
    /// The channel of the join, `WAP`.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub channel_name: Option<String>,
    /// 2 active, 4 churned, 8 cancelled.
    #[serde(deserialize_with = "lenient::integer")]
    pub status_id: i32,
    /// The name of the status.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub status_name: Option<String>,
    /// What one cycle costs, in South African cents.
    #[serde(default, deserialize_with = "lenient::readable_integer")]
    pub billing_rate: Option<i64>,
    /// `DAILY`.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub billing_cycle: Option<String>,
    /// When it was last charged.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub last_billed_at: Option<DateTime<Utc>>,
    /// When it will next be charged.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub next_billing_at: Option<DateTime<Utc>>,
    /// When it started.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub created_at: Option<DateTime<Utc>>,
    /// When this state was reached.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub updated_at: Option<DateTime<Utc>>,
    /// Our own id of the opt-in attempt that started it; none where the network started it by itself.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub partner_ref: Option<String>,
}

impl SubscriptionEvent {
    /// Parses a page of a network's list of subscriptions row by row; `None` for an unreadable row. Fails where the body is no list.
    pub fn page(body: &[u8]) -> Result<Vec<Option<Self>>, serde_json::Error> {
        let text = encoding::json_text(body);
        let rows: Vec<&RawValue> = serde_json::from_str(&text)?;
        let is_named = |event: &Self| !event.subscription_id.is_empty() && !event.user_msisdn.is_empty();
        Ok(rows.into_iter().map(|row| serde_json::from_str(row.get()).ok().filter(is_named)).collect())
    }

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

/// The result of one charge by a push network.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct BillingEvent {
    /// South African cents.
    #[schema(value_type = i64)]
    pub amount: Amount,
    /// The network's reference of the charge; unique per network.
    #[serde(deserialize_with = "lenient::text")]
    pub billing_ref: String,
    /// The network's number of the result.
    #[serde(default, deserialize_with = "lenient::readable_integer")]
    pub result_id: Option<i64>,
    /// `SUCCESS`, `INSUFFICIENT_FUNDS`, or a name whose meaning `brands.toml` gives.
    #[serde(deserialize_with = "lenient::text")]
    pub result_name: String,
    /// When the network tried to charge.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub billed_at: Option<DateTime<Utc>>,
    /// The charged subscription, in its state at that time.
    pub subscription: SubscriptionEvent,
}

/// A subscriber ended a subscription at the network; or the network has given the number to another person. An unreadable field counts as
/// absent, so that no STOP is lost.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct StopEvent {
    /// `stop`; or `recycled`, where the number is another person's by now.
    pub event: String,
    /// The number; empty where it cannot be read, and the network's id has to tell whose subscription ended.
    #[serde(default, deserialize_with = "lenient::text_or_empty")]
    pub user_msisdn: String,
    /// The service; none means all services of this number at the network.
    #[serde(default)]
    #[schema(value_type = Option<i32>)]
    pub svc_id: NamedService,
    /// The network's own id of the subscription that ended; none means all of this number and service.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub network_subscription_id: Option<String>,
    /// When.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub at: Option<DateTime<Utc>>,
}

/// The network has the result of a charge that it had accepted. The result itself is requested under the charge's key: one way to settle
/// a charge, whether the network sends this event or not.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct ChargeEvent {
    /// Always `charge`.
    pub event: String,
    /// The charge's key, as we sent it; some networks name only their own reference.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub key: Option<String>,
    /// The network's own reference of the charge.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub network_ref: Option<String>,
    /// When.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub at: Option<DateTime<Utc>>,
}

/// A person sent an SMS to our short code, which the network passes on as it is. Only the number has to be readable, so that no STOP is lost.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct SmsEvent {
    /// Always `sms`.
    pub event: String,
    /// The network's own id of the SMS; without one, each notification is an SMS of its own.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub id: Option<String>,
    /// The number that sent it.
    #[serde(deserialize_with = "lenient::text")]
    pub user_msisdn: String,
    /// The short code that it was sent to.
    #[serde(default, deserialize_with = "lenient::short_code")]
    pub to: Option<String>,
    /// What the person wrote.
    #[serde(default, deserialize_with = "lenient::written_text")]
    pub text: String,
    /// When it was sent.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub at: Option<DateTime<Utc>>,
}

/// What became of an SMS of ours, where the network tells it.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct ReceiptEvent {
    /// Always `sms_receipt`.
    pub event: String,
    /// The key under which we sent it.
    #[serde(deserialize_with = "lenient::text")]
    pub key: String,
    /// `delivered`, `failed`, `expired`, or SMPP's names of message states (`DELIVRD`, `UNDELIV` …).
    #[serde(deserialize_with = "lenient::text")]
    pub status: String,
    /// The network's reason for a failure.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub reason: Option<String>,
    /// When.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub at: Option<DateTime<Utc>>,
}

/// The final state of an SMS at the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The phone has it.
    Delivered,
    /// It will never reach the phone.
    Failed,
    /// The phone could not be reached for too long.
    Expired,
}

impl Delivery {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Failed => "failed",
            Self::Expired => "expired",
        }
    }
}

impl ReceiptEvent {
    /// What `status` means; `None` for a name without a known meaning, or a state that is not final.
    pub fn delivery(&self) -> Option<Delivery> {
        match self.status.to_ascii_lowercase().as_str() {
            "delivered" | "delivrd" => Some(Delivery::Delivered),
            "failed" | "undeliv" | "undeliverable" | "rejected" | "rejectd" | "deleted" => Some(Delivery::Failed),
            "expired" => Some(Delivery::Expired),
            _ => None,
        }
    }
}

impl Notification {
    /// When the notified event happened, where the notification has a time.
    pub fn happened_at(&self) -> Option<DateTime<Utc>> {
        match self {
            Self::OptIn(event) => event.decided_at,
            Self::Subscription(event) => event.updated_at.or(event.created_at),
            Self::Billing(event) => event.billed_at,
            Self::Stop(event) | Self::Recycled(event) => event.at,
            Self::Charge(event) => event.at,
            Self::Sms(event) => event.at,
            Self::Receipt(event) => event.at,
        }
    }

    /// Parses a body.
    pub fn parse(body: &[u8]) -> Result<Self, InvalidNotification> {
        // A parser's message may quote the invalid value, which may be a phone number.
        let unreadable = |error: serde_json::Error| {
            InvalidNotification(format!("{:?} at column {}", error.classify(), error.column()))
        };
        let text = encoding::json_text(body);
        // Some networks send a list of one.
        let text = match serde_json::from_str::<Vec<&RawValue>>(&text) {
            Ok(rows) => match rows.as_slice() {
                [row] => row.get(),
                _ => return Err(InvalidNotification("it is a list".to_owned())),
            },
            Err(_) => &text,
        };
        let fields: Value = serde_json::from_str(text).map_err(unreadable)?;
        let has = |field: &str| fields.get(field).is_some();
        // Parsed again from the text: `Value` rounds long numbers and hides duplicate fields.
        if has("billing_ref") {
            return read(text, "billing event").map(Self::Billing);
        }
        if has("status_id") {
            return read(text, "subscription event").map(Self::Subscription);
        }
        let event = fields.get("event").and_then(Value::as_str).map(lenient::word).unwrap_or_default();
        match event.as_str() {
            "optin" => read(text, "opt-in").map(Self::OptIn),
            "charge" => read(text, "charge").map(Self::Charge),
            "sms" => read(text, "SMS").map(Self::Sms),
            "smsreceipt" => read(text, "receipt").map(Self::Receipt),
            word if has_any(word, &PAYMENTS) => Err(InvalidNotification("it is about a payment".to_owned())),
            word if has_any(word, &RECYCLINGS) => read(text, "recycling").map(Self::Recycled),
            word if has_any(word, &ENDS) => read(text, "stop").map(Self::Stop),
            _ => Err(InvalidNotification("it has none of the fields that tell its kind".to_owned())),
        }
    }
}

/// Stems of the words by which networks name events, in any grammar: the end of a subscription, a number that was given to another person, and
/// what only looks like an end.
const ENDS: [&str; 7] = ["stop", "unsub", "cancel", "optout", "deactivat", "terminat", "churn"];
const RECYCLINGS: [&str; 2] = ["recycl", "reassign"];
const PAYMENTS: [&str; 3] = ["charge", "payment", "refund"];

fn has_any(word: &str, stems: &[&str]) -> bool {
    stems.iter().any(|stem| word.contains(stem))
}

fn read<T: DeserializeOwned>(text: &str, what: &str) -> Result<T, InvalidNotification> {
    serde_json::from_str(text).map_err(|error| invalid_field(what, &error))
}

fn invalid_field(what: &str, error: &serde_json::Error) -> InvalidNotification {
    let text = error.to_string();
    // "missing field `x`" quotes no value; other messages may.
    let cause = if text.starts_with("missing field") { text } else { "a field cannot be read".to_owned() };
    InvalidNotification(format!("{what}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_keeps_the_readable_rows_beside_unreadable_ones() {
        let body = br#"[{"subscription_id":991,"user_msisdn":27812345678,"svc_id":"152","status_id":"8"},{"status_id":2},null,7]"#;
        let page = SubscriptionEvent::page(body).unwrap();
        let ended = page[0].as_ref().unwrap();
        assert_eq!((ended.subscription_id.as_str(), ended.status()), ("991", SubscriptionStatus::Cancelled));
        assert!(page[1..].iter().all(Option::is_none) && page.len() == 4);
        assert!(SubscriptionEvent::page(b"{}").is_err());
    }

    #[test]
    fn sms_is_read_where_only_its_number_can_be() {
        for (fields, text, id) in [
            (r#""id":7,"text":"Stop!\nPlease \u0000","at":"2026-11-21 06:00:05""#, "Stop!\nPlease \0", Some("7")),
            (r#""id":[],"text":31222,"at":"soon","to":{}"#, "31222", None),
            (r#""text":null"#, "", None),
            (r#""text":["STOP"]"#, "[\"STOP\"]", None),
            (r#""id":"a""#, "", Some("a")),
        ] {
            let body = format!(r#"{{"event":"SMS","user_msisdn":27812345678,{fields}}}"#);
            let Ok(Notification::Sms(event)) = Notification::parse(body.as_bytes()) else { panic!("{body}") };
            assert_eq!((event.text.as_str(), event.id.as_deref()), (text, id), "{body}");
        }
        assert!(Notification::parse(br#"{"event":"sms","text":"STOP"}"#).is_err());
    }

    #[test]
    fn parse_keeps_every_digit_of_long_references() {
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
    fn parse_errors_do_not_quote_the_body() {
        for body in [
            &b"not json 27812345678"[..],
            b"[]",
            b"{}",
            b"\"27812345678\"",
            br#"{"event":"party","user_msisdn":"27812345678"}"#,
            br#"{"event":"payment_cancelled","user_msisdn":"27812345678"}"#,
            br#"{"event":"opt_in","user_msisdn":"27812345678"}"#,
            br#"{"event":"stop","user_msisdn":"27812345678","user_msisdn":"27812345679","svc_id":152}"#,
            br#"[{"event":"stop","user_msisdn":"27812345678"},{"event":"stop","user_msisdn":"27812345679"}]"#,
            br#"{"status_id":"x27812345678","subscription_id":1,"user_msisdn":"27812345678","svc_id":152}"#,
            br#"{"billing_ref":"1","amount":3.5,"result_name":"SUCCESS"}"#,
        ] {
            let Err(error) = Notification::parse(body) else { panic!("parsed {body:?}") };
            assert!(!error.to_string().contains("812345678"), "{error}");
        }
    }
}
