//! Charges and refunds that we request from a pull network, and its own list of charges.

use chrono::{DateTime, NaiveDateTime, Utc};
use identity::Msisdn;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::{encoding, lenient};

/// `POST /charges`: charge one day's price to a number. A key that was charged once is never charged again.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct ChargeRequest {
    /// The idempotency key, chosen by us: one per subscription and day.
    pub key: String,
    /// The number.
    pub msisdn: String,
    /// The service's id.
    pub svc_id: i32,
    /// South African cents.
    pub cents: i64,
    /// Johannesburg's calendar day the charge is for, `YYYY-MM-DD`.
    pub day: String,
    /// The network's own id of the subscription, where it sent one.
    pub network_subscription_id: Option<String>,
    /// The network's own reference of the charge, where an earlier reply had one. Not sent: the key names the charge.
    #[serde(skip)]
    pub network_ref: Option<String>,
    /// About when it was sent, by our clock, where its status is queried and this is known. Not sent.
    #[serde(skip)]
    pub sent_at: Option<NaiveDateTime>,
}

/// How a charge ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChargeStatus {
    /// The subscriber paid.
    Charged,
    /// The subscriber has no airtime; nothing was charged. The same key may be tried again.
    InsufficientFunds,
    /// The network has no active subscription to charge; nothing was charged.
    Refused,
    /// The network cancelled it before it charged anything; the same key may be tried again.
    Cancelled,
    /// The network has accepted the request and does not know its result yet: it sends a `ChargeEvent`, or is asked about the key.
    Accepted,
    /// An outcome that we do not know: it stays open.
    #[serde(other)]
    Unknown,
}

/// The reply to `POST /charges` and to `GET /charges/{key}`; 404 where the network knows nothing of that key.
///
/// It is valid only if it names the requested charge: its key and, where present, its number, service and amount.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct Charge {
    /// As we sent it.
    #[serde(deserialize_with = "lenient::text")]
    pub key: String,
    /// How it ended, or last ended.
    pub outcome: ChargeStatus,
    /// The number, as we sent it.
    #[serde(default, deserialize_with = "lenient::maybe_text")]
    pub msisdn: Option<String>,
    /// The service's id, as we sent it.
    #[serde(default, deserialize_with = "lenient::maybe_integer")]
    pub svc_id: Option<i32>,
    /// South African cents, as we sent them.
    #[serde(default, deserialize_with = "lenient::maybe_integer")]
    pub cents: Option<i64>,
    /// The network's own reference of the charge, where it charged anything.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub network_ref: Option<String>,
    /// When, where the network sends it.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub at: Option<DateTime<Utc>>,
}

impl Charge {
    /// The outcome of a request whose reply names nothing.
    pub fn of(request: &ChargeRequest, outcome: ChargeStatus) -> Self {
        let (msisdn, svc_id, cents, network_ref, at) = (None, None, None, None, None);
        Self { key: request.key.clone(), outcome, msisdn, svc_id, cents, network_ref, at }
    }

    /// Whether it is the reply to this request.
    pub fn matches(&self, request: &ChargeRequest) -> bool {
        self.key == request.key
            && self.msisdn.as_ref().is_none_or(|msisdn| is_same_subscriber(msisdn, &request.msisdn))
            && self.svc_id.is_none_or(|svc_id| svc_id == request.svc_id)
            && self.cents.is_none_or(|cents| cents == request.cents)
    }
}

/// Whether both are one number, however it is written, or one token.
fn is_same_subscriber(one: &str, other: &str) -> bool {
    one == other || Msisdn::parse(one).is_ok_and(|one| Msisdn::parse(other).is_ok_and(|other| one == other))
}

/// `POST /refunds`: refund a charge; idempotent by `key`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct RefundRequest {
    /// The idempotency key of the refund, chosen by us.
    pub key: String,
    /// The key of the refunded charge.
    pub charge_key: String,
    /// The number.
    pub msisdn: String,
    /// The service's id.
    pub svc_id: i32,
    /// South African cents; no more than was charged.
    pub cents: i64,
    /// The reason, for the network's own records.
    pub reason: String,
    /// The network's own reference of the charge, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_ref: Option<String>,
    /// Johannesburg's calendar day that was charged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
    /// Whether it is less than the charge.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_part: bool,
}

/// The reply to `POST /refunds`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct Refund {
    /// As we sent it.
    #[serde(deserialize_with = "lenient::text")]
    pub key: String,
    /// The network's own reference of the refund.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub network_ref: Option<String>,
    /// South African cents that were refunded; absent means all.
    #[serde(default, deserialize_with = "lenient::maybe_integer")]
    pub cents: Option<i64>,
    /// When, where the network sends it.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    #[schema(value_type = Option<String>, format = "date-time")]
    pub at: Option<DateTime<Utc>>,
}

/// One row of `GET /charges?day=`: a charge that the network really made.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct ListedCharge {
    /// The number.
    #[serde(deserialize_with = "lenient::text")]
    pub msisdn: String,
    /// The service's id.
    #[serde(deserialize_with = "lenient::integer")]
    pub svc_id: i32,
    /// South African cents.
    #[serde(deserialize_with = "lenient::integer")]
    pub cents: i64,
    /// The charge's key.
    #[serde(deserialize_with = "lenient::text")]
    pub key: String,
    /// Johannesburg's calendar day, `YYYY-MM-DD`.
    pub day: String,
    /// When, `YYYY-MM-DD HH:MM:SS` UTC.
    #[serde(default, deserialize_with = "lenient::text_or_empty")]
    pub at: String,
    /// The network's own reference of the charge: it tells two debits under one key from one that is listed twice.
    #[serde(default, deserialize_with = "lenient::readable_text", skip_serializing_if = "Option::is_none")]
    pub network_ref: Option<String>,
}

/// The readable fields of a list's row that is no valid charge: a required field is missing or malformed.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
pub struct UnreadableRow {
    /// The charge's key.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub key: Option<String>,
    /// The number.
    #[serde(default, deserialize_with = "lenient::readable_text")]
    pub msisdn: Option<String>,
    /// The service's id.
    #[serde(default, deserialize_with = "lenient::readable_integer")]
    pub svc_id: Option<i32>,
    /// South African cents.
    #[serde(default, deserialize_with = "lenient::readable_integer")]
    pub cents: Option<i64>,
}

impl ListedCharge {
    /// Parses a page of the list row by row: an unreadable row does not affect the others. Fails where the body is no list.
    pub fn page(body: &[u8]) -> Result<Vec<Result<Self, UnreadableRow>>, serde_json::Error> {
        let text = encoding::json_text(body);
        let rows: Vec<&RawValue> = serde_json::from_str(&text)?;
        Ok(rows.into_iter().map(|row| Self::read(row.get())).collect())
    }

    fn read(row: &str) -> Result<Self, UnreadableRow> {
        // Zero or negative cents are no charge.
        let charge = serde_json::from_str(row).ok().filter(|charge: &Self| charge.cents > 0);
        charge.ok_or_else(|| serde_json::from_str(row).unwrap_or_default())
    }

    /// The time of the charge, UTC; `None` where `at` is no time of the years 1970 to 9999.
    pub fn charged_at(&self) -> Option<NaiveDateTime> {
        lenient::in_zone(chrono_tz::UTC, || lenient::time_of(&self.at)).map(|at| at.naive_utc())
    }
}

#[cfg(test)]
mod tests {
    use super::{ListedCharge, UnreadableRow};

    #[test]
    fn charged_at_is_none_outside_valid_years() {
        let charged_at = |at: &str| {
            let json = serde_json::json!({"msisdn": "27812345678", "svc_id": 1, "cents": 300, "key": "k", "day": "2026-11-21", "at": at});
            serde_json::from_value::<ListedCharge>(json).unwrap().charged_at().map(|at| at.to_string())
        };
        assert_eq!(charged_at("2026-11-21 04:00:05").as_deref(), Some("2026-11-21 04:00:05"));
        for at in ["", "soon", "+262142-12-31 23:59:59", "-0001-01-01 00:00:00"] {
            assert_eq!(charged_at(at), None, "{at}");
        }
    }

    #[test]
    fn page_keeps_the_readable_rows_beside_unreadable_ones() {
        let body = br#"[
            {"msisdn": 27812345678, "svc_id": "150", "cents": "300", "key": "k1", "day": "2026-11-21", "at": null},
            {"msisdn": "27812345678", "svc_id": 150, "cents": "three", "key": "k2", "day": "2026-11-21"},
            {"msisdn": "27812345678", "svc_id": 150, "cents": -300, "key": "k3", "day": "2026-11-21"},
            {"cents": 300}, null, "charge", 7
        ]"#;
        let page = ListedCharge::page(body).unwrap();
        assert_eq!(
            page[0].as_ref().map(|charge| (charge.key.as_str(), charge.svc_id, charge.cents)),
            Ok(("k1", 150, 300))
        );
        let unreadable: Vec<&UnreadableRow> = page.iter().filter_map(|row| row.as_ref().err()).collect();
        let expected = UnreadableRow {
            key: Some("k2".to_owned()),
            msisdn: Some("27812345678".to_owned()),
            svc_id: Some(150),
            cents: None,
        };
        assert_eq!(unreadable[0], &expected);
        assert_eq!((unreadable[1].key.as_deref(), unreadable[1].cents), (Some("k3"), Some(-300)));
        assert_eq!(unreadable[2], &UnreadableRow { cents: Some(300), ..UnreadableRow::default() });
        assert!(unreadable[3..].iter().all(|row| **row == UnreadableRow::default()) && unreadable.len() == 6);
        for body in ["", "{}", "[{]", "null"] {
            assert!(ListedCharge::page(body.as_bytes()).is_err(), "{body}");
        }
    }
}
