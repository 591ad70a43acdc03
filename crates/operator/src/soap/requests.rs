//! What we ask a network for.

use serde::{Deserialize, Serialize};

use super::{
    Malformed,
    envelope::{read_request, write},
    fields::{ZAR, cents, rand},
};
use crate::{ChargeRequest, OptInKind, OptInRequest, RefundRequest, SmsRequest, StopRequest, UsernameToken};

/// What we ask for.
#[derive(Serialize, Deserialize)]
pub enum Request {
    /// A confirm page for a number.
    #[serde(rename(serialize = "w:RequestOptIn", deserialize = "RequestOptIn"))]
    RequestOptIn(RequestOptIn),
    /// The answer to an opt-in.
    #[serde(rename(serialize = "w:QueryOptIn", deserialize = "QueryOptIn"))]
    QueryOptIn(QueryOptIn),
    /// The end of a subscription.
    #[serde(rename(serialize = "w:StopSubscription", deserialize = "StopSubscription"))]
    StopSubscription(StopSubscription),
    /// An SMS.
    #[serde(rename(serialize = "w:SendSms", deserialize = "SendSms"))]
    SendSms(SendSms),
    /// A charge.
    #[serde(rename(serialize = "w:ChargeSubscriber", deserialize = "ChargeSubscriber"))]
    ChargeSubscriber(ChargeSubscriber),
    /// The result of a charge.
    #[serde(rename(serialize = "w:QueryCharge", deserialize = "QueryCharge"))]
    QueryCharge(QueryCharge),
    /// A refund.
    #[serde(rename(serialize = "w:RefundCharge", deserialize = "RefundCharge"))]
    RefundCharge(RefundCharge),
    /// The charges of a day.
    #[serde(rename(serialize = "w:ListCharges", deserialize = "ListCharges"))]
    ListCharges(ListCharges),
}

impl Request {
    /// Its name in the `SOAPAction` header.
    pub fn action(&self) -> &'static str {
        match self {
            Self::RequestOptIn(_) => "RequestOptIn",
            Self::QueryOptIn(_) => "QueryOptIn",
            Self::StopSubscription(_) => "StopSubscription",
            Self::SendSms(_) => "SendSms",
            Self::ChargeSubscriber(_) => "ChargeSubscriber",
            Self::QueryCharge(_) => "QueryCharge",
            Self::RefundCharge(_) => "RefundCharge",
            Self::ListCharges(_) => "ListCharges",
        }
    }

    /// The envelope, with its caller's header.
    pub fn to_xml(&self, token: UsernameToken) -> Result<String, Malformed> {
        write(self, Some(token))
    }

    /// Parses an envelope; its caller's token, where it has one.
    pub fn parse(xml: &[u8]) -> Result<(Self, Option<UsernameToken>), Malformed> {
        read_request(xml)
    }
}

/// See `OptInRequest`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RequestOptIn {
    msisdn: String,
    service_id: i32,
    service_name: String,
    amount: String,
    currency: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    period: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    first_charge: String,
    /// Amounts separated by blanks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    part_amounts: String,
    kind: OptInKind,
    #[serde(default)]
    external_reference: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    anti_fraud_token: String,
    partner_reference: String,
    return_url: String,
}

impl From<&OptInRequest> for RequestOptIn {
    fn from(request: &OptInRequest) -> Self {
        Self {
            msisdn: request.msisdn.clone(),
            service_id: request.svc_id,
            service_name: request.service.clone(),
            amount: rand(request.price_cents),
            currency: ZAR.to_owned(),
            period: request.period.clone(),
            first_charge: request.first_charge.clone(),
            part_amounts: request.parts.iter().map(|part| rand(*part)).collect::<Vec<_>>().join(" "),
            kind: request.kind,
            external_reference: request.ext_ref.clone(),
            anti_fraud_token: request.anti_fraud_token.clone(),
            partner_reference: request.subscription_id.clone(),
            return_url: request.return_url.clone(),
        }
    }
}

impl TryFrom<RequestOptIn> for OptInRequest {
    type Error = Malformed;

    fn try_from(request: RequestOptIn) -> Result<Self, Malformed> {
        Ok(Self {
            msisdn: request.msisdn,
            svc_id: request.service_id,
            service: request.service_name,
            price_cents: cents(&request.amount)?,
            period: request.period,
            first_charge: request.first_charge,
            parts: request.part_amounts.split_whitespace().map(cents).collect::<Result<_, _>>()?,
            ext_ref: request.external_reference,
            anti_fraud_token: request.anti_fraud_token,
            subscription_id: request.partner_reference,
            return_url: request.return_url,
            kind: request.kind,
        })
    }
}

/// The reference of an opt-in.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct QueryOptIn {
    /// As the network gave it.
    pub reference: String,
}

/// See `StopRequest`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct StopSubscription {
    msisdn: String,
    service_id: i32,
    subscription_id: String,
}

impl From<&StopRequest> for StopSubscription {
    fn from(request: &StopRequest) -> Self {
        Self {
            msisdn: request.msisdn.clone(),
            service_id: request.svc_id,
            subscription_id: request.network_subscription_id.clone(),
        }
    }
}

impl From<StopSubscription> for StopRequest {
    fn from(request: StopSubscription) -> Self {
        Self { msisdn: request.msisdn, svc_id: request.service_id, network_subscription_id: request.subscription_id }
    }
}

/// See `SmsRequest`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct SendSms {
    message_id: String,
    msisdn: String,
    service_id: i32,
    text: String,
}

impl From<&SmsRequest> for SendSms {
    fn from(request: &SmsRequest) -> Self {
        Self {
            message_id: request.key.clone(),
            msisdn: request.msisdn.clone(),
            service_id: request.svc_id,
            text: request.text.clone(),
        }
    }
}

impl From<SendSms> for SmsRequest {
    fn from(request: SendSms) -> Self {
        Self { key: request.message_id, msisdn: request.msisdn, svc_id: request.service_id, text: request.text }
    }
}

/// See `ChargeRequest`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ChargeSubscriber {
    transaction_id: String,
    msisdn: String,
    service_id: i32,
    amount: String,
    currency: String,
    billing_date: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subscription_id: Option<String>,
}

impl From<&ChargeRequest> for ChargeSubscriber {
    fn from(request: &ChargeRequest) -> Self {
        Self {
            transaction_id: request.key.clone(),
            msisdn: request.msisdn.clone(),
            service_id: request.svc_id,
            amount: rand(request.cents),
            currency: ZAR.to_owned(),
            billing_date: request.day.clone(),
            subscription_id: request.network_subscription_id.clone(),
        }
    }
}

impl TryFrom<ChargeSubscriber> for ChargeRequest {
    type Error = Malformed;

    fn try_from(request: ChargeSubscriber) -> Result<Self, Malformed> {
        Ok(Self {
            key: request.transaction_id,
            msisdn: request.msisdn,
            svc_id: request.service_id,
            cents: cents(&request.amount)?,
            day: request.billing_date,
            network_subscription_id: request.subscription_id,
            network_ref: None,
            sent_at: None,
        })
    }
}

/// The key of a charge.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct QueryCharge {
    /// As we sent it.
    pub transaction_id: String,
}

/// See `RefundRequest`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RefundCharge {
    transaction_id: String,
    original_transaction_id: String,
    msisdn: String,
    service_id: i32,
    amount: String,
    currency: String,
    #[serde(default)]
    reason: String,
}

impl From<&RefundRequest> for RefundCharge {
    fn from(request: &RefundRequest) -> Self {
        Self {
            transaction_id: request.key.clone(),
            original_transaction_id: request.charge_key.clone(),
            msisdn: request.msisdn.clone(),
            service_id: request.svc_id,
            amount: rand(request.cents),
            currency: ZAR.to_owned(),
            reason: request.reason.clone(),
        }
    }
}

impl TryFrom<RefundCharge> for RefundRequest {
    type Error = Malformed;

    fn try_from(request: RefundCharge) -> Result<Self, Malformed> {
        Ok(Self {
            key: request.transaction_id,
            charge_key: request.original_transaction_id,
            msisdn: request.msisdn,
            svc_id: request.service_id,
            cents: cents(&request.amount)?,
            reason: request.reason,
            network_ref: None,
            day: None,
            in_part: false,
        })
    }
}

/// Which day, and which page of it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ListCharges {
    /// `YYYY-MM-DD`.
    pub billing_date: String,
    /// The most charges of a page.
    pub page_size: u32,
    /// The page, as the one before it named it; none is the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Credentials;

    const NOW: &str = "2026-11-21T04:00:05Z";

    #[test]
    fn request_is_written_as_soap_with_a_username_token() {
        let credentials: Credentials = "wasp:secret".parse().unwrap();
        let request = Request::QueryCharge(QueryCharge { transaction_id: "a<b>&\"c".to_owned() });
        let xml = request.to_xml(credentials.token([7; 16], NOW.parse().unwrap())).unwrap();
        for part in [
            "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:w=\"urn:wasp:billing:1\">",
            "<wsse:Security soapenv:mustUnderstand=\"1\" xmlns:wsse=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd\"",
            "<wsse:UsernameToken><wsse:Username>wasp</wsse:Username>",
            "#PasswordDigest\">",
            "<wsu:Created>2026-11-21T04:00:05Z</wsu:Created>",
            "<soapenv:Body><w:QueryCharge><TransactionId>a&lt;b&gt;&amp;\"c</TransactionId></w:QueryCharge></soapenv:Body>",
        ] {
            assert!(xml.contains(part), "{part}\n{xml}");
        }
        assert!(!xml.contains("secret"));
        let Ok((Request::QueryCharge(query), Some(token))) = Request::parse(xml.as_bytes()) else { panic!("{xml}") };
        assert_eq!(query.transaction_id, "a<b>&\"c");
        assert_eq!(credentials.verify(&token, NOW.parse().unwrap()).unwrap(), [7; 16]);
    }
}
