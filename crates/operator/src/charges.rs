//! Charges and refunds: what we ask a pull network to take or give back, and what it really took.

use std::str::FromStr;

use chrono::{DateTime, NaiveDateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::untidy;

/// `POST /charges`: take one day's price from a person. A key that was charged once is never charged again.
#[derive(Clone, Serialize, Deserialize)]
pub struct ChargeRequest {
    /// Names the charge, chosen by us: one per subscription and day.
    pub key: String,
    /// The number.
    pub msisdn: String,
    /// The service's id.
    pub svc_id: i32,
    /// South African cents.
    pub cents: i64,
    /// Johannesburg's calendar day the charge is for, `YYYY-MM-DD`.
    pub day: String,
    /// The network's own id of the subscription, where it told us one.
    pub network_subscription_id: Option<String>,
}

/// How a charge ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChargeStatus {
    /// The person paid.
    Charged,
    /// The person has no airtime; nothing was taken. The same key may be tried again.
    InsufficientFunds,
    /// The network knows no running subscription to charge; nothing was taken.
    Refused,
    /// A word that we do not know: the outcome is open.
    #[serde(other)]
    Unknown,
}

/// The reply to `POST /charges` and to `GET /charges/{key}`; 404 where the network knows nothing of that key.
///
/// It counts only if it names the charge that was asked for: its key, and where it names them its number, service and amount.
#[derive(Clone, Serialize, Deserialize)]
pub struct Charge {
    /// As we sent it.
    #[serde(deserialize_with = "untidy::text")]
    pub key: String,
    /// How it ended, or last ended.
    pub outcome: ChargeStatus,
    /// The number, as we sent it.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub msisdn: Option<String>,
    /// The service's id, as we sent it.
    #[serde(default, deserialize_with = "untidy::maybe_integer")]
    pub svc_id: Option<i32>,
    /// South African cents, as we sent them.
    #[serde(default, deserialize_with = "untidy::maybe_integer")]
    pub cents: Option<i64>,
    /// The network's own name of the charge, where it took anything.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub network_ref: Option<String>,
    /// When, where the network says so.
    #[serde(default, deserialize_with = "untidy::readable_time")]
    pub at: Option<DateTime<Utc>>,
}

impl Charge {
    /// Whether it is the reply to this request and to no other.
    pub fn answers(&self, request: &ChargeRequest) -> bool {
        self.key == request.key
            && self.msisdn.as_ref().is_none_or(|msisdn| *msisdn == request.msisdn)
            && self.svc_id.is_none_or(|svc_id| svc_id == request.svc_id)
            && self.cents.is_none_or(|cents| cents == request.cents)
    }
}

/// `POST /refunds`: give back what a charge took; the same key twice is one refund.
#[derive(Clone, Serialize, Deserialize)]
pub struct RefundRequest {
    /// Names the refund, chosen by us.
    pub key: String,
    /// The charge it undoes.
    pub charge_key: String,
    /// The number.
    pub msisdn: String,
    /// The service's id.
    pub svc_id: i32,
    /// South African cents; no more than the charge took.
    pub cents: i64,
    /// Why, in a word for the network's own books.
    pub reason: String,
}

/// The reply to `POST /refunds`.
#[derive(Clone, Serialize, Deserialize)]
pub struct Refund {
    /// As we sent it.
    #[serde(deserialize_with = "untidy::text")]
    pub key: String,
    /// The network's own name of the refund.
    #[serde(default, deserialize_with = "untidy::maybe_text")]
    pub network_ref: Option<String>,
    /// South African cents that were given back; absent means all.
    #[serde(default, deserialize_with = "untidy::maybe_integer")]
    pub cents: Option<i64>,
    /// When, where the network says so.
    #[serde(default, deserialize_with = "untidy::readable_time")]
    pub at: Option<DateTime<Utc>>,
}

/// One line of `GET /charges?day=`: what the network has really taken.
#[derive(Clone, Serialize, Deserialize)]
pub struct ChargeListed {
    /// The number.
    #[serde(deserialize_with = "untidy::text")]
    pub msisdn: String,
    /// The service's id.
    #[serde(deserialize_with = "untidy::integer")]
    pub svc_id: i32,
    /// South African cents.
    #[serde(deserialize_with = "untidy::integer")]
    pub cents: i64,
    /// Names the charge.
    #[serde(deserialize_with = "untidy::text")]
    pub key: String,
    /// Johannesburg's calendar day, `YYYY-MM-DD`.
    pub day: String,
    /// When, `YYYY-MM-DD HH:MM:SS` UTC.
    #[serde(default, deserialize_with = "text_or_nothing")]
    pub at: String,
}

/// A line of the list that names no charge: a field is missing, or is not what it should be. What can be read of it.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
pub struct UnreadableRow {
    /// Names the charge.
    #[serde(default, deserialize_with = "untidy::readable_text")]
    pub key: Option<String>,
    /// The number.
    #[serde(default, deserialize_with = "untidy::readable_text")]
    pub msisdn: Option<String>,
    /// The service's id.
    #[serde(default, deserialize_with = "readable_integer")]
    pub svc_id: Option<i32>,
    /// South African cents.
    #[serde(default, deserialize_with = "readable_integer")]
    pub cents: Option<i64>,
}

fn text_or_nothing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(untidy::readable_text(deserializer)?.unwrap_or_default())
}

fn readable_integer<'de, D: Deserializer<'de>, N: FromStr>(deserializer: D) -> Result<Option<N>, D::Error> {
    Ok(untidy::readable_text(deserializer)?.and_then(|text| text.parse().ok()))
}

impl ChargeListed {
    /// A page of the list, row by row: a row that cannot be read does not take the others with it. Fails where it is no list.
    pub fn page(body: &[u8]) -> Result<Vec<Result<Self, UnreadableRow>>, serde_json::Error> {
        let rows: Vec<&RawValue> = serde_json::from_slice(body)?;
        Ok(rows.into_iter().map(|row| Self::read(row.get())).collect())
    }

    fn read(row: &str) -> Result<Self, UnreadableRow> {
        // A charge takes something: nothing and less than nothing is no charge.
        let charge = serde_json::from_str(row).ok().filter(|charge: &Self| charge.cents > 0);
        charge.ok_or_else(|| serde_json::from_str(row).unwrap_or_default())
    }

    /// When, UTC; nothing where the network wrote no time of the years 1970 to 9999.
    pub fn moment(&self) -> Option<NaiveDateTime> {
        let at = NaiveDateTime::parse_from_str(&self.at, "%Y-%m-%d %H:%M:%S").ok()?;
        untidy::is_of_our_years(&at).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::{ChargeListed, UnreadableRow};

    #[test]
    fn a_listed_charge_has_a_moment_that_can_be_reckoned_with() {
        let moment = |at: &str| {
            let json = serde_json::json!({"msisdn": "27812345678", "svc_id": 1, "cents": 300, "key": "k", "day": "2026-11-21", "at": at});
            serde_json::from_value::<ChargeListed>(json).unwrap().moment().map(|at| at.to_string())
        };
        assert_eq!(moment("2026-11-21 04:00:05").as_deref(), Some("2026-11-21 04:00:05"));
        for at in ["", "soon", "+262142-12-31 23:59:59", "-0001-01-01 00:00:00"] {
            assert_eq!(moment(at), None, "{at}");
        }
    }
    #[test]
    fn an_unreadable_row_leaves_the_rest_of_its_page() {
        let body = br#"[
            {"msisdn": 27812345678, "svc_id": "150", "cents": "300", "key": "k1", "day": "2026-11-21", "at": null},
            {"msisdn": "27812345678", "svc_id": 150, "cents": "three", "key": "k2", "day": "2026-11-21"},
            {"msisdn": "27812345678", "svc_id": 150, "cents": -300, "key": "k3", "day": "2026-11-21"},
            {"cents": 300}, null, "charge", 7
        ]"#;
        let page = ChargeListed::page(body).unwrap();
        assert_eq!(
            page[0].as_ref().map(|charge| (charge.key.as_str(), charge.svc_id, charge.cents)),
            Ok(("k1", 150, 300))
        );
        let unreadable: Vec<&UnreadableRow> = page.iter().filter_map(|row| row.as_ref().err()).collect();
        let named = UnreadableRow {
            key: Some("k2".to_owned()),
            msisdn: Some("27812345678".to_owned()),
            svc_id: Some(150),
            cents: None,
        };
        assert_eq!(unreadable[0], &named);
        assert_eq!((unreadable[1].key.as_deref(), unreadable[1].cents), (Some("k3"), Some(-300)));
        assert_eq!(unreadable[2], &UnreadableRow { cents: Some(300), ..UnreadableRow::default() });
        assert!(unreadable[3..].iter().all(|row| **row == UnreadableRow::default()) && unreadable.len() == 6);
        for body in ["", "{}", "[{]", "null"] {
            assert!(ChargeListed::page(body.as_bytes()).is_err(), "{body}");
        }
    }
}
