//! A WASP's SOAP 1.1 billing: requests, replies and notifications in XML, and the WS-Security header that names the caller.
//!
//! Both sides are here, as for the contract's JSON. Amounts are in rand with two decimals, times are RFC 3339, and a reply's outcome is a
//! result code whose meaning is a setting of the network (`brands.toml`). Elements are read by their local names, whatever their prefix.

use chrono::{DateTime, SecondsFormat, Utc};
use quick_xml::{de, se};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Charge, ChargeEvent, ChargeRequest, ChargeStatus, ListedCharge, NamedService, Notification, OptIn, OptInEvent,
    OptInKind, OptInReply, OptInRequest, OptInStatus, Refund, RefundRequest, SmsRequest, StopEvent, StopRequest,
    UnreadableRow, UsernameToken, lenient,
};

/// The namespace of the messages, and the start of each `SOAPAction`.
pub const NAMESPACE: &str = "urn:wasp:billing:1";

const ENVELOPE: &str = "http://schemas.xmlsoap.org/soap/envelope/";
const SECURITY: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
const UTILITY: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
/// What every amount is in.
const ZAR: &str = "ZAR";

/// XML that is no message of this API, or has an unreadable field. Does not quote the text, which may contain a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a message of the SOAP API")]
pub struct Malformed;

#[derive(Serialize, Deserialize)]
#[serde(rename = "soapenv:Envelope")]
struct Envelope<B> {
    #[serde(rename = "@xmlns:soapenv", skip_deserializing)]
    envelope: &'static str,
    #[serde(rename = "@xmlns:w", skip_deserializing)]
    messages: &'static str,
    #[serde(
        rename(serialize = "soapenv:Header", deserialize = "Header"),
        default,
        skip_serializing_if = "Option::is_none"
    )]
    header: Option<Header>,
    #[serde(rename(serialize = "soapenv:Body", deserialize = "Body"))]
    body: Body<B>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(
        rename(serialize = "wsse:Security", deserialize = "Security"),
        default,
        skip_serializing_if = "Option::is_none"
    )]
    security: Option<Security>,
}

#[derive(Serialize, Deserialize)]
struct Security {
    #[serde(rename = "@soapenv:mustUnderstand", skip_deserializing)]
    must_understand: u8,
    #[serde(rename = "@xmlns:wsse", skip_deserializing)]
    security: &'static str,
    #[serde(rename = "@xmlns:wsu", skip_deserializing)]
    utility: &'static str,
    #[serde(rename(serialize = "wsse:UsernameToken", deserialize = "UsernameToken"))]
    token: UsernameToken,
}

#[derive(Serialize, Deserialize)]
struct Body<B> {
    #[serde(rename = "$value")]
    content: B,
}

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
        read(xml)
    }
}

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
        read(xml).map(|(response, _)| response)
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

/// What a network tells by itself.
#[derive(Serialize, Deserialize)]
pub enum Notice {
    /// An opt-in page was answered.
    #[serde(rename(serialize = "w:OptInAnswered", deserialize = "OptInAnswered"))]
    OptInAnswered(OptInAnswered),
    /// A subscription was ended at the network.
    #[serde(rename(serialize = "w:SubscriptionStopped", deserialize = "SubscriptionStopped"))]
    SubscriptionStopped(SubscriptionStopped),
    /// The result of an accepted charge is there.
    #[serde(rename(serialize = "w:ChargeCompleted", deserialize = "ChargeCompleted"))]
    ChargeCompleted(ChargeCompleted),
}

impl Notice {
    /// The envelope.
    pub fn to_xml(&self) -> Result<String, Malformed> {
        write(self, None)
    }

    /// Parses an envelope, as the contract's notification.
    pub fn parse(xml: &[u8]) -> Result<Notification, Malformed> {
        let (notice, _) = read(xml)?;
        Ok(match notice {
            Self::OptInAnswered(event) => Notification::OptIn(event.try_into()?),
            Self::SubscriptionStopped(event) => Notification::Stop(event.try_into()?),
            Self::ChargeCompleted(event) => Notification::Charge(event.try_into()?),
        })
    }
}

fn write<B: Serialize>(content: &B, token: Option<UsernameToken>) -> Result<String, Malformed> {
    let security = |token| Security { must_understand: 1, security: SECURITY, utility: UTILITY, token };
    let envelope = Envelope {
        envelope: ENVELOPE,
        messages: NAMESPACE,
        header: token.map(|token| Header { security: Some(security(token)) }),
        body: Body { content },
    };
    let xml = se::to_string(&envelope).map_err(|_| Malformed)?;
    Ok(format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{xml}"))
}

fn read<B: DeserializeOwned>(xml: &[u8]) -> Result<(B, Option<UsernameToken>), Malformed> {
    let text = str::from_utf8(xml).map_err(|_| Malformed)?;
    let envelope: Envelope<B> = de::from_str(text).map_err(|_| Malformed)?;
    Ok((envelope.body.content, envelope.header.and_then(|header| header.security).map(|security| security.token)))
}

/// Text without surrounding blanks; none where it is empty. No identifier has control characters, and PostgreSQL stores no NUL.
fn filled(text: Option<String>) -> Result<Option<String>, Malformed> {
    let text = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    match text {
        Some(text) if text.chars().any(char::is_control) => Err(Malformed),
        text => Ok(text),
    }
}

fn required(text: String) -> Result<String, Malformed> {
    filled(Some(text))?.ok_or(Malformed)
}

fn integer<N: std::str::FromStr>(text: Option<String>) -> Result<Option<N>, Malformed> {
    filled(text)?.map(|text| text.parse().map_err(|_| Malformed)).transpose()
}

fn rand(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// Cents of an amount in rand; it has no more than two decimals and no sign.
fn cents(text: &str) -> Result<i64, Malformed> {
    let (rand, part) = text.split_once('.').unwrap_or((text, "00"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(rand) || !is_number(part) || part.len() > 2 {
        return Err(Malformed);
    }
    let whole: i64 = rand.parse().map_err(|_| Malformed)?;
    let part: i64 = format!("{part:0<2}").parse().map_err(|_| Malformed)?;
    whole.checked_mul(100).and_then(|cents| cents.checked_add(part)).ok_or(Malformed)
}

fn maybe_cents(text: Option<String>) -> Result<Option<i64>, Malformed> {
    filled(text)?.as_deref().map(cents).transpose()
}

fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A time, where it can be read: the rest of a message counts without it.
fn readable_time(text: Option<String>) -> Option<DateTime<Utc>> {
    lenient::time_of(text?.trim())
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
    kind: OptInKind,
    #[serde(default)]
    external_reference: String,
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
            kind: request.kind,
            external_reference: request.ext_ref.clone(),
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
            ext_ref: request.external_reference,
            subscription_id: request.partner_reference,
            return_url: request.return_url,
            kind: request.kind,
        })
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

/// The reference of an opt-in.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct QueryOptIn {
    /// As the network gave it.
    pub reference: String,
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
    #[serde(default)]
    active: bool,
}

impl OptInAnswer {
    /// With a result code alone.
    pub fn failed(result_code: &str) -> Self {
        let result_code = result_code.to_owned();
        let (reference, decided_at, subscription_id) = (None, None, None);
        Self { result_code, reference, kind: None, status: None, decided_at, subscription_id, active: false }
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
            active: opt_in.active,
        }
    }

    /// The opt-in.
    pub fn opt_in(self) -> Result<OptIn, Malformed> {
        Ok(OptIn {
            reference: filled(self.reference)?.ok_or(Malformed)?,
            kind: self.kind.ok_or(Malformed)?,
            status: self.status.ok_or(Malformed)?,
            decided_at: readable_time(self.decided_at),
            network_subscription_id: filled(self.subscription_id)?,
            active: self.active,
        })
    }
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

/// The reply to a request that returns nothing.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Done {
    /// How it ended.
    pub result_code: String,
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
            network_ref: filled(self.operator_reference)?,
            at: readable_time(self.timestamp),
        })
    }
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
            network_ref: filled(self.operator_reference)?,
            cents: maybe_cents(self.amount)?,
            at: readable_time(self.timestamp),
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
        }
    }

    /// A row without a readable key, service and amount.
    pub fn unreadable() -> Self {
        let text = str::to_owned;
        Self { msisdn: text("27830000001"), service_id: text("none"), amount: text("three"), ..Self::default() }
    }

    /// The charge, or what can be read of it.
    pub fn listed(self) -> Result<ListedCharge, UnreadableRow> {
        let readable = |text: &str| filled(Some(text.to_owned())).ok().flatten();
        let row = UnreadableRow {
            key: readable(&self.transaction_id),
            msisdn: readable(&self.msisdn),
            svc_id: readable(&self.service_id).and_then(|text| text.parse().ok()),
            cents: readable(&self.amount).and_then(|text| cents(&text).ok()),
        };
        let at = readable_time(Some(self.timestamp)).map(|at| at.format("%Y-%m-%d %H:%M:%S").to_string());
        match (&row.key, &row.msisdn, row.svc_id, row.cents, readable(&self.billing_date)) {
            (Some(key), Some(msisdn), Some(svc_id), Some(cents), Some(day)) if cents > 0 => Ok(ListedCharge {
                msisdn: msisdn.clone(),
                svc_id,
                cents,
                key: key.clone(),
                day,
                at: at.unwrap_or_default(),
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

/// See `OptInEvent`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct OptInAnswered {
    reference: String,
    kind: OptInKind,
    status: OptInStatus,
    msisdn: String,
    service_id: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    partner_reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    external_reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decided_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subscription_id: Option<String>,
}

impl From<&OptInEvent> for OptInAnswered {
    fn from(event: &OptInEvent) -> Self {
        Self {
            reference: event.reference.clone(),
            kind: event.kind,
            status: event.status,
            msisdn: event.user_msisdn.clone(),
            service_id: event.svc_id,
            partner_reference: event.subscription_id.clone(),
            external_reference: event.ext_ref.clone(),
            decided_at: event.decided_at.map(time),
            subscription_id: event.network_subscription_id.clone(),
        }
    }
}

impl TryFrom<OptInAnswered> for OptInEvent {
    type Error = Malformed;

    fn try_from(event: OptInAnswered) -> Result<Self, Malformed> {
        Ok(Self {
            event: "opt_in".to_owned(),
            kind: event.kind,
            reference: required(event.reference)?,
            subscription_id: filled(event.partner_reference)?,
            user_msisdn: required(event.msisdn)?,
            svc_id: event.service_id,
            ext_ref: filled(event.external_reference)?,
            status: event.status,
            decided_at: readable_time(event.decided_at),
            network_subscription_id: filled(event.subscription_id)?,
        })
    }
}

/// See `StopEvent`. All but the number counts as absent where it cannot be read, so that no STOP is lost.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct SubscriptionStopped {
    msisdn: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    service_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subscription_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
}

impl From<&StopEvent> for SubscriptionStopped {
    fn from(event: &StopEvent) -> Self {
        Self {
            msisdn: event.user_msisdn.clone(),
            service_id: match &event.svc_id {
                NamedService::Id(id) => Some(id.to_string()),
                NamedService::Name(name) => Some(name.clone()),
                NamedService::Unnamed => None,
            },
            subscription_id: event.network_subscription_id.clone(),
            timestamp: event.at.map(time),
        }
    }
}

impl TryFrom<SubscriptionStopped> for StopEvent {
    type Error = Malformed;

    fn try_from(event: SubscriptionStopped) -> Result<Self, Malformed> {
        let service = filled(event.service_id).ok().flatten();
        Ok(Self {
            event: "stop".to_owned(),
            user_msisdn: required(event.msisdn)?,
            svc_id: service
                .map_or(NamedService::Unnamed, |text| text.parse().map_or(NamedService::Name(text), NamedService::Id)),
            network_subscription_id: filled(event.subscription_id).ok().flatten(),
            at: readable_time(event.timestamp),
        })
    }
}

/// See `ChargeEvent`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ChargeCompleted {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transaction_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    operator_reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
}

impl From<&ChargeEvent> for ChargeCompleted {
    fn from(event: &ChargeEvent) -> Self {
        Self {
            transaction_id: event.key.clone(),
            operator_reference: event.network_ref.clone(),
            timestamp: event.at.map(time),
        }
    }
}

impl TryFrom<ChargeCompleted> for ChargeEvent {
    type Error = Malformed;

    fn try_from(event: ChargeCompleted) -> Result<Self, Malformed> {
        Ok(Self {
            event: "charge".to_owned(),
            key: filled(event.transaction_id)?,
            network_ref: filled(event.operator_reference)?,
            at: readable_time(event.timestamp),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Credentials;

    const NOW: &str = "2026-11-21T04:00:05Z";

    fn envelope(body: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<s:Envelope xmlns:s=\"{ENVELOPE}\" xmlns:b=\"{NAMESPACE}\">\n  <s:Body>{body}</s:Body>\n</s:Envelope>"
        )
    }

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
            "<TransactionId>k1</TransactionId><Amount>R3</Amount>",
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
    fn cents_reads_rand_with_up_to_two_decimals() {
        for (text, expected) in [("3.00", 300), ("3", 300), ("3.5", 350), ("0.05", 5), ("1234.56", 123_456)] {
            assert_eq!(cents(text), Ok(expected), "{text}");
            assert_eq!(cents(&rand(expected)), Ok(expected));
        }
        for text in [
            "",
            ".",
            "3.",
            ".5",
            "-3.00",
            "+3",
            "3,00",
            "3.000",
            "R3",
            "3e2",
            "99999999999999999999",
            "92233720368547758.08",
        ] {
            assert_eq!(cents(text), Err(Malformed), "{text}");
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

    #[test]
    fn stop_is_read_where_only_its_number_can_be() {
        for (rest, service, id, has_time) in [
            (
                "<ServiceId>150</ServiceId><SubscriptionId>7</SubscriptionId><Timestamp>2026-11-21T04:00:05Z</Timestamp>",
                NamedService::Id(150),
                Some("7"),
                true,
            ),
            (
                "<ServiceId>memeworld</ServiceId><Timestamp>soon</Timestamp>",
                NamedService::Name("memeworld".to_owned()),
                None,
                false,
            ),
            ("<ServiceId/><SubscriptionId>&#1;</SubscriptionId>", NamedService::Unnamed, None, false),
            ("", NamedService::Unnamed, None, false),
        ] {
            let body = format!("<b:SubscriptionStopped><Msisdn>27812345678</Msisdn>{rest}</b:SubscriptionStopped>");
            let Ok(Notification::Stop(event)) = Notice::parse(envelope(&body).as_bytes()) else { panic!("{rest}") };
            assert_eq!((event.svc_id, event.network_subscription_id.as_deref()), (service, id), "{rest}");
            assert_eq!((event.user_msisdn.as_str(), event.at.is_some()), ("27812345678", has_time), "{rest}");
        }
    }

    #[test]
    fn parse_rejects_what_is_no_message_without_quoting_it() {
        for body in [
            "",
            "27812345678",
            "<SubscriptionStopped/>",
            "<SubscriptionStopped><Msisdn> </Msisdn></SubscriptionStopped>",
            "<Party><Msisdn>27812345678</Msisdn></Party>",
            "<OptInAnswered><Msisdn>27812345678</Msisdn></OptInAnswered>",
            "<SubscriptionStopped><Msisdn>&number;</Msisdn></SubscriptionStopped>",
        ] {
            let error = Notice::parse(envelope(body).as_bytes()).err().unwrap_or_else(|| panic!("{body}"));
            assert!(!error.to_string().contains("812345678"));
        }
        // Entities are not expanded.
        let bomb = format!(
            "<!DOCTYPE x [<!ENTITY number \"27812345678\">]>{}",
            "<s:Envelope xmlns:s=\"x\"><s:Body><SubscriptionStopped><Msisdn>&number;</Msisdn></SubscriptionStopped></s:Body></s:Envelope>"
        );
        assert!(Notice::parse(bomb.as_bytes()).is_err());
        assert!(Notice::parse(&[0, 159, 146, 150]).is_err());
    }
}
