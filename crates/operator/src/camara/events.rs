//! Events about payments: CloudEvents that say that a payment's result is there.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::Malformed;
use crate::{ChargeEvent, InvalidNotification, Notification, encoding, lenient};

/// The start of the type of an event about a payment.
const PAYMENT_EVENT: &str = "org.camaraproject.carrier-billing.v0.payment-";

/// A CloudEvent about a payment.
#[derive(Serialize, Deserialize)]
struct Event {
    #[serde(default, deserialize_with = "lenient::readable_text")]
    id: Option<String>,
    #[serde(default, deserialize_with = "lenient::text_or_empty")]
    source: String,
    #[serde(default, deserialize_with = "lenient::text_or_empty")]
    specversion: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, deserialize_with = "lenient::text_or_empty")]
    datacontenttype: String,
    #[serde(default, deserialize_with = "lenient::readable_time")]
    time: Option<DateTime<Utc>>,
    data: EventData,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EventData {
    #[serde(deserialize_with = "lenient::text")]
    payment_id: String,
    #[serde(default, deserialize_with = "lenient::text_or_empty")]
    status: String,
    #[serde(default, deserialize_with = "lenient::text_or_empty")]
    description: String,
}

/// Parses a notification: an event about a payment, or for everything else one of the contract.
pub fn parse_notification(body: &[u8]) -> Result<Notification, InvalidNotification> {
    match serde_json::from_str::<Event>(&encoding::json_text(body)) {
        Ok(event) if event.kind.starts_with(PAYMENT_EVENT) => Ok(Notification::Charge(ChargeEvent {
            event: "charge".to_owned(),
            key: None,
            network_ref: Some(event.data.payment_id),
            at: event.time,
        })),
        _ => Notification::parse(body),
    }
}

/// The event that a payment's result is there.
pub fn payment_event(id: &str, payment_id: &str, at: Option<DateTime<Utc>>) -> Result<String, Malformed> {
    let event = Event {
        id: Some(id.to_owned()),
        source: "urn:operator-sandbox".to_owned(),
        specversion: "1.0".to_owned(),
        kind: format!("{PAYMENT_EVENT}completed"),
        datacontenttype: "application/json".to_owned(),
        time: at,
        data: EventData {
            payment_id: payment_id.to_owned(),
            status: "succeeded".to_owned(),
            description: "The result of the payment is there.".to_owned(),
        },
    };
    serde_json::to_string(&event).map_err(|_| Malformed)
}
