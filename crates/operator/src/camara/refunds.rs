//! Refunds of payments: a request is for the whole amount of its payment, whatever that was, or for a part of it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{ChargingInformation, ZAR};
use crate::{RefundRequest, lenient};

/// `POST /payments/{paymentId}/refunds`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateRefund {
    #[serde(rename = "type")]
    kind: RefundKind,
    amount_transaction: RefundTransaction,
    #[serde(default)]
    reason: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RefundKind {
    Total,
    Partial,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RefundTransaction {
    #[serde(default, deserialize_with = "lenient::maybe_text", skip_serializing_if = "Option::is_none")]
    client_correlator: Option<String>,
    refund_amount: RefundAmount,
    #[serde(deserialize_with = "lenient::text")]
    reference_code: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RefundAmount {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    charging_information: Option<ChargingInformation>,
}

/// How far a refund is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatus {
    /// The network has not decided yet.
    Processing,
    /// Nothing was refunded.
    Denied,
    /// Refunded.
    Succeeded,
    /// A status that we do not know.
    #[serde(other)]
    Unknown,
}

/// A refund, as the network keeps it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refund {
    /// The network's own id.
    #[serde(deserialize_with = "lenient::text")]
    pub refund_id: String,
    /// How far it is.
    pub refund_status: RefundStatus,
    #[serde(rename = "type")]
    kind: RefundKind,
    amount_transaction: RefundTransaction,
    #[serde(default, deserialize_with = "lenient::readable_time")]
    refund_creation_date: Option<DateTime<Utc>>,
    #[serde(default, deserialize_with = "lenient::readable_time", skip_serializing_if = "Option::is_none")]
    refund_date: Option<DateTime<Utc>>,
}

impl CreateRefund {
    /// The whole amount of a charge, or a part; a repeated request is one refund by its key.
    pub fn new(request: &RefundRequest) -> Self {
        Self {
            kind: if request.in_part { RefundKind::Partial } else { RefundKind::Total },
            amount_transaction: RefundTransaction::new(&request.key, request.in_part.then_some(request.cents)),
            reason: request.reason.clone(),
        }
    }

    /// Our key of the refund.
    pub fn key(&self) -> &str {
        &self.amount_transaction.reference_code
    }

    /// The cents of a partial refund; none are the whole amount.
    pub fn cents(&self) -> Option<i64> {
        self.amount_transaction.refund_amount.charging_information.as_ref().map(|information| information.amount)
    }

    /// The reason.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl RefundTransaction {
    fn new(key: &str, cents: Option<i64>) -> Self {
        let information = |cents| ChargingInformation {
            amount: cents,
            currency: ZAR.to_owned(),
            description: "Refund".to_owned(),
            is_tax_included: true,
        };
        Self {
            client_correlator: Some(key.to_owned()),
            refund_amount: RefundAmount { charging_information: cents.map(information) },
            reference_code: key.to_owned(),
        }
    }
}

impl Refund {
    /// Of a refund that was made, as the contract has it; `cents` where it is not the whole amount.
    pub fn made(refund: &crate::Refund, cents: Option<i64>) -> Self {
        Self {
            refund_id: refund.network_ref.clone().unwrap_or_default(),
            refund_status: RefundStatus::Succeeded,
            kind: if cents.is_some() { RefundKind::Partial } else { RefundKind::Total },
            amount_transaction: RefundTransaction::new(&refund.key, cents),
            refund_creation_date: refund.at,
            refund_date: refund.at,
        }
    }

    /// Whether it has this key of ours.
    pub fn has_key(&self, key: &str) -> bool {
        self.amount_transaction.reference_code == key
    }

    /// The same as the contract's reply about a refund.
    pub fn refund(&self) -> crate::Refund {
        let information = self.amount_transaction.refund_amount.charging_information.as_ref();
        let part = information.filter(|_| self.kind == RefundKind::Partial);
        crate::Refund {
            key: self.amount_transaction.reference_code.clone(),
            network_ref: Some(self.refund_id.clone()),
            cents: part.map(|information| information.amount),
            at: self.refund_date.or(self.refund_creation_date),
        }
    }
}
