//! A network's replies.

use serde::{Deserialize, Serialize};

use super::{
    Malformed,
    envelope::{read, write},
    fields::{filled, integer, maybe_cents, rand, readable, readable_time, time},
};
use crate::{
    Charge, ChargeStatus, ListedCharge, OptIn, OptInKind, OptInReply, OptInStatus, Refund, UnreadableRow, lenient,
};

/// A network's reply.
#[derive(Serialize, Deserialize)]
pub enum Response {
    /// To `RequestOptIn`.
    #[serde(rename(serialize = "w:RequestOptInResponse", deserialize = "RequestOptInResponse"))]
    RequestOptIn(OptInPage),
    /// To `QueryOptIn`.
    #[serde(rename(serialize = "w:QueryOptInResponse", deserialize = "QueryOptInResponse"))]
    QueryOptIn(OptInAnswer),
    /// To `StopSubscription`.
    #[serde(rename(serialize = "w:StopSubscriptionResponse", deserialize = "StopSubscriptionResponse"))]
    StopSubscription(Done),
    /// To `SendSms`.
    #[serde(rename(serialize = "w:SendSmsResponse", deserialize = "SendSmsResponse"))]
    SendSms(Done),
    /// To `ChargeSubscriber`.
    #[serde(rename(serialize = "w:ChargeSubscriberResponse", deserialize = "ChargeSubscriberResponse"))]
    ChargeSubscriber(ChargeResult),
    /// To `QueryCharge`.
    #[serde(rename(serialize = "w:QueryChargeResponse", deserialize = "QueryChargeResponse"))]
    QueryCharge(ChargeResult),
    /// To `RefundCharge`.
    #[serde(rename(serialize = "w:RefundChargeResponse", deserialize = "RefundChargeResponse"))]
    RefundCharge(RefundResult),
    /// To `ListCharges`.
    #[serde(rename(serialize = "w:ListChargesResponse", deserialize = "ListChargesResponse"))]
    ListCharges(ChargeList),
    /// The request was not processed, or failed.
    #[serde(rename(serialize = "soapenv:Fault", deserialize = "Fault"))]
    Fault(Fault),
}

impl Response {
    /// The envelope.
    pub fn to_xml(&self) -> Result<String, Malformed> {
        write(self, None)
    }

    /// Parses an envelope.
    pub fn parse(xml: &[u8]) -> Result<Self, Malformed> {
        read(xml)
    }

    /// Its result code; none in a fault.
    pub fn code(&self) -> Option<&str> {
        let code = match self {
            Self::RequestOptIn(reply) => &reply.result_code,
            Self::QueryOptIn(reply) => &reply.result_code,
            Self::StopSubscription(reply) | Self::SendSms(reply) => &reply.result_code,
            Self::ChargeSubscriber(reply) | Self::QueryCharge(reply) => &reply.result_code,
            Self::RefundCharge(reply) => &reply.result_code,
            Self::ListCharges(reply) => &reply.result_code,
            Self::Fault(_) => return None,
        };
        Some(code.trim())
    }
}

/// The reply to `RequestOptIn`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct OptInPage {
    /// How it ended.
    pub result_code: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    redirect_url: Option<String>,
}

impl OptInPage {
    /// With a result code and, where there is one, a page.
    pub fn new(result_code: &str, page: Option<OptInReply>) -> Self {
        let (reference, redirect_url) = page.map(|page| (page.reference, page.redirect_url)).unzip();
        Self { result_code: result_code.to_owned(), reference, redirect_url }
    }

    /// The page.
    pub fn page(self) -> Result<OptInReply, Malformed> {
        Ok(OptInReply {
            reference: filled(self.reference)?.ok_or(Malformed)?,
            redirect_url: filled(self.redirect_url)?.ok_or(Malformed)?,
        })
    }
}

/// The reply to `QueryOptIn`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct OptInAnswer {
    /// How it ended.
    pub result_code: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<OptInKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<OptInStatus>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decided_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subscription_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    msisdn: Option<String>,
    #[serde(default)]
    active: String,
}

impl OptInAnswer {
    /// With a result code alone.
    pub fn failed(result_code: &str) -> Self {
        let result_code = result_code.to_owned();
        let (reference, decided_at, subscription_id) = (None, None, None);
        let (msisdn, active) = (None, String::new());
        Self { result_code, reference, kind: None, status: None, decided_at, subscription_id, msisdn, active }
    }

    /// With a result code and an opt-in.
    pub fn new(result_code: &str, opt_in: OptIn) -> Self {
        Self {
            result_code: result_code.to_owned(),
            reference: Some(opt_in.reference),
            kind: Some(opt_in.kind),
            status: Some(opt_in.status),
            decided_at: opt_in.decided_at.map(time),
            subscription_id: opt_in.network_subscription_id,
            msisdn: opt_in.user_msisdn,
            active: opt_in.active.to_string(),
        }
    }

    /// The opt-in.
    pub fn opt_in(self) -> Result<OptIn, Malformed> {
        Ok(OptIn {
            user_msisdn: filled(self.msisdn)?,
            reference: filled(self.reference)?.ok_or(Malformed)?,
            kind: self.kind.ok_or(Malformed)?,
            status: self.status.ok_or(Malformed)?,
            decided_at: readable_time(self.decided_at),
            network_subscription_id: readable(self.subscription_id),
            active: lenient::boolean_of(&self.active).unwrap_or_default(),
        })
    }
}

/// The reply to a request that returns nothing.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Done {
    /// How it ended.
    pub result_code: String,
}

/// The reply about a charge. Fields are text, so that one that cannot be read does not hide the others.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ChargeResult {
    /// How it ended.
    pub result_code: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transaction_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    msisdn: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    service_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amount: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    operator_reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
}

impl ChargeResult {
    /// With a result code alone.
    pub fn failed(result_code: &str) -> Self {
        let (transaction_id, msisdn, service_id) = (None, None, None);
        let (amount, operator_reference, timestamp) = (None, None, None);
        let result_code = result_code.to_owned();
        Self { result_code, transaction_id, msisdn, service_id, amount, operator_reference, timestamp }
    }

    /// With a result code and a charge.
    pub fn new(result_code: &str, charge: Charge) -> Self {
        Self {
            result_code: result_code.to_owned(),
            transaction_id: Some(charge.key),
            msisdn: charge.msisdn,
            service_id: charge.svc_id.map(|svc_id| svc_id.to_string()),
            amount: charge.cents.map(rand),
            operator_reference: charge.network_ref,
            timestamp: charge.at.map(time),
        }
    }

    /// The charge, with the outcome that its result code means.
    pub fn charge(self, outcome: ChargeStatus) -> Result<Charge, Malformed> {
        Ok(Charge {
            key: filled(self.transaction_id)?.ok_or(Malformed)?,
            outcome,
            msisdn: filled(self.msisdn)?,
            svc_id: integer(self.service_id)?,
            cents: maybe_cents(self.amount)?,
            network_ref: readable(self.operator_reference),
            at: readable_time(self.timestamp),
        })
    }
}

/// The reply about a refund.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RefundResult {
    /// How it ended.
    pub result_code: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transaction_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amount: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    operator_reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
}

impl RefundResult {
    /// With a result code and, where it was made, the refund.
    pub fn new(result_code: &str, refund: Option<Refund>) -> Self {
        let result_code = result_code.to_owned();
        match refund {
            None => Self { result_code, transaction_id: None, amount: None, operator_reference: None, timestamp: None },
            Some(refund) => Self {
                result_code,
                transaction_id: Some(refund.key),
                amount: refund.cents.map(rand),
                operator_reference: refund.network_ref,
                timestamp: refund.at.map(time),
            },
        }
    }

    /// The refund.
    pub fn refund(self) -> Result<Refund, Malformed> {
        Ok(Refund {
            key: filled(self.transaction_id)?.ok_or(Malformed)?,
            network_ref: readable(self.operator_reference),
            cents: maybe_cents(self.amount)?,
            at: readable_time(self.timestamp),
        })
    }
}

/// A page of the charges of a day.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ChargeList {
    /// How it ended.
    pub result_code: String,
    /// In any order.
    #[serde(rename = "Charge", default)]
    pub charges: Vec<ChargeRow>,
    /// The next page; none is the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// One charge that the network really made. Fields are text, so that one that cannot be read does not hide the others.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct ChargeRow {
    transaction_id: String,
    msisdn: String,
    service_id: String,
    amount: String,
    billing_date: String,
    timestamp: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator_reference: Option<String>,
}

impl ChargeRow {
    /// Of a charge.
    pub fn new(charge: &ListedCharge) -> Self {
        Self {
            transaction_id: charge.key.clone(),
            msisdn: charge.msisdn.clone(),
            service_id: charge.svc_id.to_string(),
            amount: rand(charge.cents),
            billing_date: charge.day.clone(),
            timestamp: charge.charged_at().map(|at| time(at.and_utc())).unwrap_or_default(),
            operator_reference: charge.network_ref.clone(),
        }
    }

    /// A row without a readable key, service and amount.
    pub fn unreadable() -> Self {
        let text = str::to_owned;
        Self { msisdn: text("27830000001"), service_id: text("none"), amount: text("three"), ..Self::default() }
    }

    /// The charge, or what can be read of it.
    pub fn listed(self) -> Result<ListedCharge, UnreadableRow> {
        let row = UnreadableRow {
            key: readable(Some(self.transaction_id)),
            msisdn: readable(Some(self.msisdn)),
            svc_id: integer(Some(self.service_id)).ok().flatten(),
            cents: maybe_cents(Some(self.amount)).ok().flatten(),
        };
        let at = readable_time(Some(self.timestamp)).map(|at| at.format("%Y-%m-%d %H:%M:%S").to_string());
        match (&row.key, &row.msisdn, row.svc_id, row.cents, readable(Some(self.billing_date))) {
            (Some(key), Some(msisdn), Some(svc_id), Some(cents), Some(day)) if cents > 0 => Ok(ListedCharge {
                msisdn: msisdn.clone(),
                svc_id,
                cents,
                key: key.clone(),
                day,
                at: at.unwrap_or_default(),
                network_ref: readable(self.operator_reference),
            }),
            _ => Err(row),
        }
    }
}

/// A SOAP fault.
#[derive(Serialize, Deserialize)]
pub struct Fault {
    faultcode: String,
    #[serde(default)]
    faultstring: String,
}

impl Fault {
    /// The caller is at fault, and nothing was done.
    pub fn client(text: &str) -> Self {
        Self { faultcode: "soapenv:Client".to_owned(), faultstring: text.to_owned() }
    }

    /// The network failed.
    pub fn server(text: &str) -> Self {
        Self { faultcode: "soapenv:Server".to_owned(), faultstring: text.to_owned() }
    }

    /// The caller's token is not accepted, and nothing was done; `code` is one of WS-Security's.
    pub fn security(code: &str, text: &str) -> Self {
        Self { faultcode: format!("wsse:{code}"), faultstring: text.to_owned() }
    }

    /// Whether nothing was done, because the request is at fault. All codes but `Server` and unknown ones say so.
    pub fn is_of_request(&self) -> bool {
        let code = self.faultcode.trim().rsplit(':').next().unwrap_or_default();
        let of_security = [
            "UnsupportedSecurityToken",
            "UnsupportedAlgorithm",
            "InvalidSecurity",
            "InvalidSecurityToken",
            "FailedAuthentication",
            "FailedCheck",
            "SecurityTokenUnavailable",
            "MessageExpired",
        ];
        ["Client", "VersionMismatch", "MustUnderstand"].contains(&code) || of_security.contains(&code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soap::envelope::envelope;

    const NOW: &str = "2026-11-21T04:00:05Z";

    #[test]
    fn response_is_read_with_other_prefixes_blanks_and_unknown_elements() {
        let body = "<!-- a comment --><b:ChargeSubscriberResponse><ResultText>ok</ResultText><ResultCode> 0 </ResultCode>\
            <b:TransactionId>\n k1 \n</b:TransactionId><Amount>3.00</Amount><ServiceId>150</ServiceId><Msisdn/>\
            <OperatorReference>77</OperatorReference><Timestamp>2026-11-21 06:00:05</Timestamp></b:ChargeSubscriberResponse>";
        let Ok(response) = Response::parse(envelope(body).as_bytes()) else { panic!("not read") };
        assert_eq!(response.code(), Some("0"));
        let Response::ChargeSubscriber(result) = response else { panic!("another response") };
        let charge = result.charge(ChargeStatus::Charged).unwrap();
        assert_eq!((charge.key.as_str(), charge.cents, charge.svc_id), ("k1", Some(300), Some(150)));
        assert_eq!((charge.msisdn, charge.network_ref.as_deref()), (None, Some("77")));
        assert_eq!(charge.at.map(time).as_deref(), Some(NOW));
    }

    #[test]
    fn charge_rejects_fields_that_cannot_be_compared() {
        for fields in [
            "",
            "<TransactionId> </TransactionId>",
            "<TransactionId>k1</TransactionId><Amount>3.001</Amount>",
            "<TransactionId>k1</TransactionId><Amount>three</Amount>",
            "<TransactionId>k1</TransactionId><ServiceId>memeworld</ServiceId>",
            "<TransactionId>k&#9;1</TransactionId>",
        ] {
            let body = format!("<QueryChargeResponse><ResultCode>0</ResultCode>{fields}</QueryChargeResponse>");
            let Ok(Response::QueryCharge(result)) = Response::parse(envelope(&body).as_bytes()) else {
                panic!("{fields}")
            };
            assert!(result.charge(ChargeStatus::Charged).is_err(), "{fields}");
        }
    }

    #[test]
    fn list_keeps_the_readable_rows_beside_unreadable_ones() {
        let row = |key: &str, amount: &str| {
            format!(
                "<Charge><TransactionId>{key}</TransactionId><Msisdn>27812345678</Msisdn><ServiceId>150</ServiceId>\
                 <Amount>{amount}</Amount><BillingDate>2026-11-21</BillingDate><Timestamp>{NOW}</Timestamp></Charge>"
            )
        };
        let body = format!(
            "<ListChargesResponse><ResultCode>0</ResultCode>{}{}<Charge/>{}<NextCursor>4</NextCursor></ListChargesResponse>",
            row("k1", "3.00"),
            row("k2", "0.00"),
            row("", "3.00")
        );
        let Ok(Response::ListCharges(list)) = Response::parse(envelope(&body).as_bytes()) else { panic!("not read") };
        assert_eq!(list.next_cursor.as_deref(), Some("4"));
        let rows: Vec<_> = list.charges.into_iter().map(ChargeRow::listed).collect();
        let first = rows[0].as_ref().ok().unwrap();
        assert_eq!((first.key.as_str(), first.cents, first.at.as_str()), ("k1", 300, "2026-11-21 04:00:05"));
        let unreadable: Vec<_> = rows[1..].iter().map(|row| row.as_ref().err().unwrap()).collect();
        assert_eq!((unreadable[0].key.as_deref(), unreadable[0].cents), (Some("k2"), Some(0)));
        assert_eq!(unreadable[1], &UnreadableRow::default());
        assert_eq!((unreadable[2].key.as_deref(), unreadable[2].cents), (None, Some(300)));
        let empty = envelope("<ListChargesResponse><ResultCode>0</ResultCode></ListChargesResponse>");
        let Ok(Response::ListCharges(list)) = Response::parse(empty.as_bytes()) else { panic!("not read") };
        assert!(list.charges.is_empty() && list.next_cursor.is_none());
    }

    #[test]
    fn fault_tells_whether_the_request_was_processed() {
        for (code, is_of_request) in [
            ("soapenv:Client", true),
            ("SOAP-ENV:Client", true),
            ("wsse:FailedAuthentication", true),
            ("wsse:InvalidSecurity", true),
            ("soapenv:Server", false),
            ("Server.Timeout", false),
            ("", false),
        ] {
            let body = format!(
                "<s:Fault><faultcode>{code}</faultcode><faultstring>no</faultstring><detail><x/></detail></s:Fault>"
            );
            let Ok(response) = Response::parse(envelope(&body).as_bytes()) else { panic!("{code}") };
            assert_eq!(response.code(), None);
            let Response::Fault(fault) = response else { panic!("{code}") };
            assert_eq!(fault.is_of_request(), is_of_request, "{code}");
        }
    }
}
