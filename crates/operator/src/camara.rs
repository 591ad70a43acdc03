//! CAMARA's Carrier Billing (v0.5) and Carrier Billing Refund (v0.3): payments, refunds, errors, events and access tokens, with the fields
//! of the published definitions that both sides use. `refunds` and `events` have those two; `sims` has Number Verification and SIM Swap.
//!
//! Amounts are numbers in rand, numbers are E.164 with a plus, and times are RFC 3339. `referenceCode` is the charge's key and
//! `clientCorrelator` names one attempt of it: the key, then `KEY~2` where the network ended the first payment without charging. The
//! service's id is `serviceId` and the charged day `productId` of `chargingMetaData`.

mod client_key;
mod correlators;
mod events;
mod refunds;
mod sims;

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::{
    Charge, ChargeRequest, ChargeStatus, ListedCharge, UnreadableRow, amount::cents_of_rand, encoding, lenient,
};

pub use client_key::{ASSERTION_TYPE, ClientKey, InvalidClientKey};
pub use correlators::{key_of_correlator, next_correlator};
pub use events::{parse_notification, payment_event};
pub use refunds::{CreateRefund, Refund, RefundStatus};
pub use sims::{
    ANY_SIM_SWAP, CHECK_NUMBER_RECYCLING, CHECK_SIM_SWAP, CheckRecycling, CheckSimSwap, DevicePhoneNumber, Expected,
    IdToken, NUMBER_RECYCLING, NUMBER_VERIFICATION, NumberMatch, RecyclingInfo, SHARE_NUMBER, SIM_SWAP, SimSwapInfo,
    VERIFY_NUMBER, VerifyNumber, challenge_of,
};

/// The path of Carrier Billing below the API root.
pub const CARRIER_BILLING: &str = "carrier-billing/v0.5";
/// That of its refunds.
pub const CARRIER_BILLING_REFUND: &str = "carrier-billing-refund/v0.3";

/// One of CAMARA's APIs, as we use it.
#[derive(Serialize)]
pub struct Api {
    path: &'static str,
    version: &'static str,
    release: &'static str,
    repository: &'static str,
}

/// Those that we use.
pub const APIS: [Api; 5] = [
    Api { path: CARRIER_BILLING, version: "0.5.0", release: "r3.2", repository: "CarrierBillingCheckOut" },
    Api { path: CARRIER_BILLING_REFUND, version: "0.3.0", release: "r3.2", repository: "CarrierBillingCheckOut" },
    Api { path: NUMBER_VERIFICATION, version: "2.1.0", release: "r3.2", repository: "NumberVerification" },
    Api { path: SIM_SWAP, version: "2.2.0", release: "r4.3", repository: "SimSwap" },
    Api { path: NUMBER_RECYCLING, version: "0.3.0", release: "r3.3", repository: "NumberRecycling" },
];

/// What every amount is in.
const ZAR: &str = "ZAR";

/// JSON that is no message of this API, or has an unreadable field. Does not quote the text, which may contain a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a message of the carrier billing API")]
pub struct Malformed;

/// `POST /payments` and `POST /payments/prepare`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatePayment {
    /// The payment.
    pub amount_transaction: AmountTransaction,
}

/// Who pays how much, and by which names we know the payment.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AmountTransaction {
    #[serde(default, deserialize_with = "lenient::maybe_text", skip_serializing_if = "Option::is_none")]
    phone_number: Option<String>,
    #[serde(default, deserialize_with = "lenient::maybe_text", skip_serializing_if = "Option::is_none")]
    client_correlator: Option<String>,
    payment_amount: PaymentAmount,
    #[serde(deserialize_with = "lenient::text")]
    reference_code: String,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PaymentAmount {
    charging_information: ChargingInformation,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    charging_meta_data: Option<ChargingMetaData>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChargingInformation {
    #[serde(serialize_with = "as_rand", deserialize_with = "cents")]
    amount: i64,
    #[serde(default)]
    currency: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    is_tax_included: bool,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChargingMetaData {
    #[serde(default, deserialize_with = "lenient::readable_text", skip_serializing_if = "Option::is_none")]
    service_id: Option<String>,
    #[serde(default, deserialize_with = "lenient::readable_text", skip_serializing_if = "Option::is_none")]
    product_id: Option<String>,
}

/// How far a payment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    /// The network has not decided yet.
    Processing,
    /// It waits for a code from the subscriber.
    PendingValidation,
    /// Nothing was charged.
    Denied,
    /// Prepared: it is charged when it is confirmed.
    Reserved,
    /// Charged.
    Succeeded,
    /// Prepared, and cancelled before it was charged.
    Cancelled,
    /// A status that we do not know.
    #[serde(other)]
    Unknown,
}

/// A payment, as the network keeps it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    /// The network's own id.
    #[serde(deserialize_with = "lenient::text")]
    pub payment_id: String,
    /// As we sent it.
    pub amount_transaction: AmountTransaction,
    /// How far it is.
    pub payment_status: PaymentStatus,
    /// When the network created it.
    #[serde(default, deserialize_with = "lenient::readable_time")]
    pub payment_creation_date: Option<DateTime<Utc>>,
    /// When it was charged.
    #[serde(default, deserialize_with = "lenient::readable_time", skip_serializing_if = "Option::is_none")]
    pub payment_date: Option<DateTime<Utc>>,
}

/// `POST /payments/{paymentId}/confirm` and `/cancel`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PhoneNumber {
    phone_number: String,
}

/// The body of an error.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ErrorInfo {
    /// The HTTP status.
    pub status: u16,
    /// The cause, as a word.
    pub code: String,
    /// The cause, for a person.
    pub message: String,
}

impl ErrorInfo {
    /// With a status, a code and a message.
    pub fn new(status: u16, code: &str, message: &str) -> Self {
        Self { status, code: code.to_owned(), message: message.to_owned() }
    }

    /// Whether it says that the network has a payment or refund with the same correlator.
    pub fn is_known_correlator(&self) -> bool {
        // 400 has one code for every invalid argument; the definition's message names the field.
        let names_correlator = self.message.to_ascii_lowercase().contains("clientcorrelator");
        matches!(self.code.as_str(), "ALREADY_EXISTS" | "CONFLICT") || (self.status == 400 && names_correlator)
    }
}

/// An access token (RFC 6749).
#[derive(Serialize, Deserialize)]
pub struct AccessToken {
    /// Sent with each request.
    pub access_token: String,
    /// Always `bearer`, in any case.
    pub token_type: String,
    /// How long it is valid, in seconds.
    #[serde(default, deserialize_with = "lenient::maybe_integer")]
    pub expires_in: Option<i64>,
    /// Where a code was exchanged: whom the network recognised, and for whose request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
}

fn as_rand<S: Serializer>(cents: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    // The shortest text of the number; 300 cents are `3`, 250 cents `2.5`.
    let text = format!("{}.{:02}", cents / 100, cents % 100);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    RawValue::from_string(text.to_owned()).map_err(serde::ser::Error::custom)?.serialize(serializer)
}

fn cents<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    let text = lenient::text(deserializer)?;
    cents_of_rand(&text).ok_or_else(|| serde::de::Error::custom("expected an amount in rand"))
}

fn e164(msisdn: &str) -> String {
    format!("+{msisdn}")
}

fn without_plus(number: &str) -> String {
    number.strip_prefix('+').unwrap_or(number).to_owned()
}

/// A time of a query, such as `paymentCreationDate.gte`.
pub fn query_time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

impl CreatePayment {
    /// Of a charge; `correlator` names this attempt.
    pub fn new(request: &ChargeRequest, correlator: &str) -> Self {
        let charging_information = ChargingInformation {
            amount: request.cents,
            currency: ZAR.to_owned(),
            description: format!("Subscription, {}", request.day),
            is_tax_included: true,
        };
        let charging_meta_data = Some(ChargingMetaData {
            service_id: Some(request.svc_id.to_string()),
            product_id: Some(request.day.clone()),
        });
        Self {
            amount_transaction: AmountTransaction {
                phone_number: Some(e164(&request.msisdn)),
                client_correlator: Some(correlator.to_owned()),
                payment_amount: PaymentAmount { charging_information, charging_meta_data },
                reference_code: request.key.clone(),
            },
        }
    }
}

impl AmountTransaction {
    /// The charge that it asks for, and the correlator of this attempt.
    pub fn request(&self) -> Result<(ChargeRequest, String), Malformed> {
        let meta = self.payment_amount.charging_meta_data.as_ref().ok_or(Malformed)?;
        let information = &self.payment_amount.charging_information;
        if information.currency != ZAR {
            return Err(Malformed);
        }
        let request = ChargeRequest {
            key: self.reference_code.clone(),
            msisdn: without_plus(self.phone_number.as_deref().ok_or(Malformed)?),
            svc_id: meta.service_id.as_deref().and_then(|id| id.parse().ok()).ok_or(Malformed)?,
            cents: information.amount,
            day: meta.product_id.clone().ok_or(Malformed)?,
            network_subscription_id: None,
            network_ref: None,
            sent_at: None,
        };
        Ok((request, self.client_correlator.clone().ok_or(Malformed)?))
    }

    fn meta(&self) -> Option<&ChargingMetaData> {
        self.payment_amount.charging_meta_data.as_ref()
    }
}

impl Payment {
    /// Parses a payment.
    pub fn parse(json: &[u8]) -> Result<Self, Malformed> {
        serde_json::from_str(&encoding::json_text(json)).map_err(|_| Malformed)
    }

    /// A page of a list, row by row: an unreadable row does not affect the others. Fails where the body is no list.
    pub fn page(json: &[u8]) -> Result<Vec<Result<Self, UnreadableRow>>, Malformed> {
        let text = encoding::json_text(json);
        let rows: Vec<&RawValue> = serde_json::from_str(&text).map_err(|_| Malformed)?;
        Ok(rows.into_iter().map(|row| Self::parse(row.get().as_bytes()).map_err(|_| unreadable(row))).collect())
    }

    /// Of a charge, as the contract has it.
    pub fn new(payment_id: &str, status: PaymentStatus, request: &ChargeRequest, correlator: &str) -> Self {
        let CreatePayment { amount_transaction } = CreatePayment::new(request, correlator);
        let payment_id = payment_id.to_owned();
        Self { payment_id, amount_transaction, payment_status: status, payment_creation_date: None, payment_date: None }
    }

    /// The key of the charge.
    pub fn key(&self) -> &str {
        &self.amount_transaction.reference_code
    }

    /// The attempt of the charge.
    pub fn correlator(&self) -> Option<&str> {
        self.amount_transaction.client_correlator.as_deref()
    }

    /// The same as the contract's reply about a charge.
    pub fn charge(&self) -> Charge {
        let outcome = match self.payment_status {
            PaymentStatus::Succeeded => ChargeStatus::Charged,
            PaymentStatus::Processing => ChargeStatus::Accepted,
            PaymentStatus::Denied => ChargeStatus::InsufficientFunds,
            PaymentStatus::Cancelled => ChargeStatus::Cancelled,
            PaymentStatus::Reserved | PaymentStatus::PendingValidation | PaymentStatus::Unknown => {
                ChargeStatus::Unknown
            }
        };
        let transaction = &self.amount_transaction;
        Charge {
            key: transaction.reference_code.clone(),
            outcome,
            msisdn: transaction.phone_number.as_deref().map(without_plus),
            svc_id: transaction.meta().and_then(|meta| meta.service_id.as_ref()?.parse().ok()),
            cents: Some(transaction.payment_amount.charging_information.amount),
            network_ref: Some(self.payment_id.clone()),
            at: self.payment_date.or(self.payment_creation_date),
        }
    }

    /// The day that was charged: the one we sent, else that of its creation in Johannesburg.
    fn day(&self) -> Option<NaiveDate> {
        let sent = self.amount_transaction.meta().and_then(|meta| meta.product_id.as_deref()?.parse().ok());
        sent.or_else(|| Some(self.payment_creation_date?.with_timezone(&lenient::JOHANNESBURG).date_naive()))
    }

    /// The same as a row of the contract's list; `None` where it charged nothing, or on another day.
    pub fn listed(&self, day: &str) -> Option<Result<ListedCharge, UnreadableRow>> {
        if self.payment_status != PaymentStatus::Succeeded || self.day().is_some_and(|own| own.to_string() != day) {
            return None;
        }
        let Charge { key, msisdn, svc_id, cents, at, .. } = self.charge();
        Some(match (msisdn, svc_id, cents.filter(|cents| *cents > 0)) {
            (Some(msisdn), Some(svc_id), Some(cents)) => {
                let at = at.map(|at| at.format("%Y-%m-%d %H:%M:%S").to_string()).unwrap_or_default();
                let network_ref = Some(self.payment_id.clone());
                Ok(ListedCharge { msisdn, svc_id, cents, key, day: day.to_owned(), at, network_ref })
            }
            (msisdn, svc_id, _) => Err(UnreadableRow { key: Some(key), msisdn, svc_id, cents }),
        })
    }
}

/// What can be read of a row.
fn unreadable(row: &RawValue) -> UnreadableRow {
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct Row {
        amount_transaction: Transaction,
    }
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct Transaction {
        #[serde(deserialize_with = "lenient::readable_text")]
        reference_code: Option<String>,
        #[serde(deserialize_with = "lenient::readable_text")]
        phone_number: Option<String>,
    }
    let Transaction { reference_code, phone_number } =
        serde_json::from_str(row.get()).unwrap_or(Row::default()).amount_transaction;
    UnreadableRow { key: reference_code, msisdn: phone_number.as_deref().map(without_plus), ..UnreadableRow::default() }
}

impl PhoneNumber {
    /// Of a number.
    pub fn new(msisdn: &str) -> Self {
        Self { phone_number: e164(msisdn) }
    }
}
