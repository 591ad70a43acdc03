//! The adapter `soap`: the public Parlay X interfaces, with a WS-Security UsernameToken in each request, or our certificate. Parlay X defines no
//! opt-in pages, no status of a charge and no list of a day: these are the contract's calls, as for `rest`.
//!
//! A request that was made has an empty reply; why it was not is the `messageId` of an exception, whose meaning is below or a setting of the
//! network (`results` in `brands.toml`).

use std::sync::Arc;

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use brands::{BillingResult, Network};
use operator::{
    Charge, ChargeRequest, ChargeStatus, Credentials, InvalidNotification, Notification, Refund, RefundRequest,
    SmsRequest, StopRequest, in_zone,
    soap::{self, Fault, Reply, Request},
};
use reqwest::{Client, StatusCode, header::CONTENT_TYPE};
use service::{Clock, machine};
use tokio::time::Instant;

use super::{Clients, FAILED, Failure, LATER, NOT_ACCEPTED, Operator, Rest, UNREADABLE, reply};
use crate::error::Error;

/// `result` of SubscribeManage where the subscription has ended before.
const NOT_SUBSCRIBED: &str = "2031";

/// A network with Parlay X.
pub(super) struct Soap {
    /// What Parlay X does not define.
    rest: Rest,
    clients: Clients,
    /// None where our certificate proves us.
    credentials: Option<Credentials>,
    network: Arc<Network>,
}

impl Soap {
    /// An adapter for a base URL.
    pub fn new(url: &str, network: Arc<Network>, credentials: Option<Credentials>, clients: Clients) -> Self {
        Self { rest: Rest::new(url, clients.clone()), clients, credentials, network }
    }

    /// Sends a request; the network's own word where it was not made.
    async fn send(&self, client: &Client, request: Request) -> Result<Result<(), Fault>, Failure> {
        let now = Clock::system_now().and_utc();
        let token = self.credentials.as_ref().map(|credentials| credentials.token(machine::random(), now));
        let call = client
            .post(format!("{}{}", self.rest.address(), request.interface().path))
            .header(CONTENT_TYPE, "text/xml; charset=utf-8")
            .header("soapaction", "\"\"")
            .body(request.to_xml(token));
        let reply = reply::send(&self.clients, call).await?;
        let status = reply.status;
        match status {
            status if status.is_client_error() && !matches!(status.as_u16(), 408 | 409) => {
                return Err(Failure::Rejected(NOT_ACCEPTED));
            }
            // SOAP 1.1 sends a fault with the status 500.
            StatusCode::OK | StatusCode::INTERNAL_SERVER_ERROR => {}
            _ => return Err(Failure::Unknown(FAILED)),
        }
        match Reply::parse(&reply::body(reply)?, &request) {
            Ok(Reply::Fault(fault)) => Ok(Err(fault)),
            Ok(Reply::Done) if status == StatusCode::OK => Ok(Ok(())),
            _ => Err(Failure::Unknown(UNREADABLE)),
        }
    }

    /// As `send`, for what is no charge.
    async fn succeed(&self, request: Request) -> Result<(), Error> {
        let is_stop = matches!(request, Request::Stop(_));
        let Err(fault) = self.send(&self.clients.http, request).await? else { return Ok(()) };
        match self.meaning(&fault) {
            _ if is_stop && fault.code == NOT_SUBSCRIBED => Ok(()),
            Some(BillingResult::Charged | BillingResult::Refunded) => Ok(()),
            Some(BillingResult::RetryLater | BillingResult::Pending) => Err(Failure::RetryLater(LATER).into()),
            Some(_) => Err(Error::NetworkRejected(format!("the network refuses: {}", fault.code))),
            None => Err(Error::NetworkUnavailable(format!("{FAILED}: {}", fault.code))),
        }
    }

    /// The meaning of an exception: the network's own, or that of the Parlay X specification. `None` where it may have been made.
    fn meaning(&self, fault: &Fault) -> Option<BillingResult> {
        let own = self.network.results.get(&fault.code).copied();
        own.or(match fault.code.as_str() {
            // "The charging operation failed, the charge is not applied."
            "SVC0270" => Some(BillingResult::NoAirtime),
            // "Privacy verification failed, request is refused": the subscriber has not consented, or no longer does.
            "POL0002" => Some(BillingResult::Refused),
            // Invalid input, no valid address, invalid charging information, a policy, charging is not supported.
            "SVC0002" | "SVC0003" | "SVC0004" | "SVC0007" | "POL0001" | "POL0008" => Some(BillingResult::Rejected),
            _ if fault.is_of_request() => Some(BillingResult::Rejected),
            _ => None,
        })
    }
}

#[async_trait]
impl Operator for Soap {
    fn contract(&self) -> &dyn Operator {
        &self.rest
    }

    async fn stop(&self, request: &StopRequest) -> Result<(), Error> {
        self.succeed(Request::Stop(request.clone())).await
    }

    async fn send_sms(&self, request: &SmsRequest) -> Result<(), Error> {
        self.succeed(Request::Sms(request.clone())).await
    }

    async fn charge(&self, request: &ChargeRequest, _send_by: Instant) -> Result<Charge, Failure> {
        let outcome = match self.send(&self.clients.charging, Request::Charge(request.clone())).await? {
            Ok(()) => ChargeStatus::Charged,
            Err(fault) => match self.meaning(&fault) {
                Some(BillingResult::Charged) => ChargeStatus::Charged,
                Some(BillingResult::Pending) => ChargeStatus::Accepted,
                Some(BillingResult::NoAirtime) => ChargeStatus::InsufficientFunds,
                Some(BillingResult::Refused) => ChargeStatus::Refused,
                Some(BillingResult::RetryLater) => return Err(Failure::RetryLater(LATER)),
                Some(BillingResult::Rejected | BillingResult::NotFound) => return Err(Failure::Rejected(NOT_ACCEPTED)),
                Some(BillingResult::Refunded) | None => ChargeStatus::Unknown,
            },
        };
        // The reply names no charge: it is that to our request, on its own connection.
        Ok(Charge::of(request, outcome))
    }

    async fn refund(&self, request: &RefundRequest) -> Result<Refund, Error> {
        self.succeed(Request::Refund(request.clone())).await?;
        Ok(Refund { key: request.key.clone(), network_ref: None, cents: Some(request.cents), at: None })
    }

    fn parse_notification(&self, body: &[u8]) -> Result<Notification, InvalidNotification> {
        // What Parlay X does not define comes as the contract's JSON.
        let Ok(notification) = in_zone(self.clients.zone, || soap::parse_notification(body)) else {
            return self.rest.parse_notification(body);
        };
        Ok(notification)
    }

    fn sender_token(&self, body: &[u8]) -> Option<String> {
        let (credentials, token) = (self.credentials.as_ref()?, soap::token_of(body)?);
        let nonce = credentials.verify(&token, Clock::system_now().and_utc()).ok()?;
        Some(format!("token-{}", STANDARD.encode(nonce)))
    }

    fn acknowledgement(&self, body: &[u8]) -> Option<String> {
        soap::acknowledgement(body)
    }
}
