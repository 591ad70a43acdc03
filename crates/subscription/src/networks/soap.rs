//! The adapter `soap`: a WASP's SOAP 1.1 billing, with a WS-Security UsernameToken in each request. How a request ended is a result code,
//! whose meaning is that of the sandbox's WASP or a setting of the network (`results` in `brands.toml`).

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use brands::{BillingResult, Network};
use operator::{
    Charge, ChargeRequest, ChargeStatus, Credentials, InvalidNotification, Notification, OptIn, OptInReply,
    OptInRequest, Refund, RefundRequest, SmsRequest, StopRequest, in_zone,
    soap::{ChargeResult, ChargeRow, ListCharges, NAMESPACE, Notice, QueryCharge, QueryOptIn, Request, Response},
};
use reqwest::{Client, StatusCode, header::CONTENT_TYPE};
use service::Clock;

use super::{ChargeReply, Clients, LIST_TIMEOUT, ListPage, Operator, UNREADABLE, busy, log_mismatch, reply};
use crate::error::Error;

/// Charges on one page of a network's list.
const LIST_PAGE_SIZE: u32 = 1000;

const LATER: &str = "the network said later";
const NOT_ACCEPTED: &str = "the network did not take the request";

/// A network behind a WASP.
pub(super) struct Soap {
    clients: Clients,
    /// The URL of the settings, which tells networks with one list.
    address: String,
    endpoint: String,
    credentials: Credentials,
    network: Arc<Network>,
}

/// Why a request has no result.
enum Failure {
    /// It was not processed; it may be sent again.
    RetryLater(&'static str),
    /// As `RetryLater`: the network has too much to do, and may have said for how long.
    Busy(Option<Duration>),
    /// It would be rejected again.
    Rejected(&'static str),
    /// It may have been processed.
    Unknown(&'static str),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Busy(_) => Self::NetworkUnavailable(LATER.to_owned()),
            Failure::RetryLater(cause) | Failure::Unknown(cause) => Self::NetworkUnavailable(cause.to_owned()),
            Failure::Rejected(cause) => Self::NetworkRejected(cause.to_owned()),
        }
    }
}

impl Soap {
    /// An adapter for an endpoint; the sandbox has its own below its address.
    pub fn new(url: &str, network: Arc<Network>, credentials: Credentials, clients: Clients) -> Self {
        let address = url.trim_end_matches('/').to_owned();
        let endpoint = network.url.clone().unwrap_or_else(|| format!("{address}/soap"));
        Self { clients, address, endpoint, credentials, network }
    }

    async fn send(&self, client: &Client, request: &Request) -> Result<Response, Failure> {
        let token = self.credentials.token(rand::random(), Clock::system_now().and_utc());
        let xml = request.to_xml(token).map_err(|_| Failure::Rejected("the request cannot be written as XML"))?;
        let mut call = client.post(&self.endpoint);
        if matches!(request, Request::ListCharges(_)) {
            call = call.timeout(LIST_TIMEOUT);
        }
        let reply = call
            .header(CONTENT_TYPE, "text/xml; charset=utf-8")
            .header("soapaction", format!("\"{NAMESPACE}#{}\"", request.action()))
            .body(xml)
            .send()
            .await
            .map_err(|error| match error {
                // The connection failed, so the network got no request.
                error if error.is_connect() => Failure::RetryLater("the network is away"),
                error if error.is_timeout() => Failure::Unknown("no answer in time"),
                _ => Failure::Unknown("the connection was cut"),
            })?;
        let status = reply.status();
        if let Some(after) = busy(&reply) {
            return Err(Failure::Busy(after));
        }
        match status {
            StatusCode::SERVICE_UNAVAILABLE => return Err(Failure::RetryLater(LATER)),
            status if status.is_client_error() && !matches!(status.as_u16(), 408 | 409) => {
                return Err(Failure::Rejected(NOT_ACCEPTED));
            }
            // SOAP 1.1 sends a fault with the status 500.
            StatusCode::OK | StatusCode::INTERNAL_SERVER_ERROR => {}
            _ => return Err(Failure::Unknown("the network failed")),
        }
        let body = reply::body(reply).await.map_err(|_| Failure::Unknown(UNREADABLE))?;
        match in_zone(self.clients.zone, || Response::parse(&body)) {
            Ok(Response::Fault(fault)) if fault.is_of_request() => Err(Failure::Rejected(NOT_ACCEPTED)),
            Ok(Response::Fault(_)) => Err(Failure::Unknown("the network failed")),
            Ok(response) if status == StatusCode::OK => Ok(response),
            _ => Err(Failure::Unknown(UNREADABLE)),
        }
    }

    /// The reply to a request, where its result code means success.
    async fn succeed(&self, client: &Client, request: &Request) -> Result<Response, Error> {
        let response = self.send(client, request).await?;
        match self.meaning(response.code()) {
            Some(BillingResult::Charged | BillingResult::Refunded) => Ok(response),
            Some(
                BillingResult::Rejected | BillingResult::NotFound | BillingResult::Refused | BillingResult::NoAirtime,
            ) => Err(Failure::Rejected(NOT_ACCEPTED).into()),
            Some(BillingResult::RetryLater | BillingResult::Pending) => Err(Failure::RetryLater(LATER).into()),
            None => Err(Failure::Unknown("its result code has no known meaning").into()),
        }
    }

    /// The meaning of a result code: the network's own, or that of the sandbox's WASP.
    fn meaning(&self, code: Option<&str>) -> Option<BillingResult> {
        let code = code?;
        let own = self.network.results.get(code).copied();
        own.or(match code {
            "0" => Some(BillingResult::Charged),
            "1" => Some(BillingResult::Pending),
            "25" => Some(BillingResult::NotFound),
            "30" | "40" | "41" | "94" => Some(BillingResult::Rejected),
            "51" => Some(BillingResult::NoAirtime),
            "60" => Some(BillingResult::Refused),
            "91" => Some(BillingResult::RetryLater),
            _ => None,
        })
    }

    fn charge_reply(&self, result: ChargeResult, request: &ChargeRequest) -> ChargeReply {
        let outcome = match self.meaning(Some(result.result_code.trim())) {
            Some(BillingResult::Charged) => ChargeStatus::Charged,
            Some(BillingResult::Pending) => ChargeStatus::Accepted,
            Some(BillingResult::NoAirtime) => ChargeStatus::InsufficientFunds,
            Some(BillingResult::Refused) => ChargeStatus::Refused,
            Some(BillingResult::RetryLater) => return ChargeReply::RetryLater(LATER),
            Some(BillingResult::Rejected | BillingResult::NotFound) => return ChargeReply::Rejected(NOT_ACCEPTED),
            Some(BillingResult::Refunded) | None => ChargeStatus::Unknown,
        };
        match result.charge(outcome) {
            Ok(charge) if charge.matches(request) => ChargeReply::Completed(charge),
            Ok(_) => {
                log_mismatch("charge");
                ChargeReply::Unknown("the answer names another charge")
            }
            Err(_) => ChargeReply::Unknown(UNREADABLE),
        }
    }
}

/// The reply is to another request than the one that was sent.
fn other_reply() -> Error {
    Error::NetworkUnavailable("the answer is to another request".to_owned())
}

fn unreadable<E>(_: E) -> Error {
    Error::NetworkUnavailable(UNREADABLE.to_owned())
}

#[async_trait]
impl Operator for Soap {
    fn address(&self) -> &str {
        &self.address
    }

    async fn opt_in(&self, request: &OptInRequest) -> Result<OptInReply, Error> {
        match self.succeed(&self.clients.http, &Request::RequestOptIn(request.into())).await? {
            Response::RequestOptIn(reply) => reply.page().map_err(unreadable),
            _ => Err(other_reply()),
        }
    }

    async fn opt_in_status(&self, reference: &str) -> Result<OptIn, Error> {
        let query = QueryOptIn { reference: reference.to_owned() };
        match self.succeed(&self.clients.http, &Request::QueryOptIn(query)).await? {
            Response::QueryOptIn(reply) => reply.opt_in().map_err(unreadable),
            _ => Err(other_reply()),
        }
    }

    async fn stop(&self, request: &StopRequest) -> Result<(), Error> {
        self.succeed(&self.clients.http, &Request::StopSubscription(request.into())).await.map(|_| ())
    }

    async fn send_sms(&self, request: &SmsRequest) -> Result<(), Error> {
        self.succeed(&self.clients.http, &Request::SendSms(request.into())).await.map(|_| ())
    }

    async fn charge(&self, request: &ChargeRequest, _send_by: Instant) -> ChargeReply {
        match self.send(&self.clients.charging, &Request::ChargeSubscriber(request.into())).await {
            Ok(Response::ChargeSubscriber(result)) => self.charge_reply(result, request),
            Ok(_) => ChargeReply::Unknown("the answer is to another request"),
            Err(Failure::RetryLater(cause)) => ChargeReply::RetryLater(cause),
            Err(Failure::Busy(after)) => ChargeReply::Busy(after),
            Err(Failure::Rejected(cause)) => ChargeReply::Rejected(cause),
            Err(Failure::Unknown(cause)) => ChargeReply::Unknown(cause),
        }
    }

    async fn charge_status(&self, request: &ChargeRequest) -> Result<Option<Charge>, Error> {
        let query = QueryCharge { transaction_id: request.key.clone() };
        match self.send(&self.clients.charging, &Request::QueryCharge(query)).await? {
            Response::QueryCharge(result)
                if self.meaning(Some(result.result_code.trim())) == Some(BillingResult::NotFound) =>
            {
                Ok(None)
            }
            Response::QueryCharge(result) => match self.charge_reply(result, request) {
                ChargeReply::Completed(charge) => Ok(Some(charge)),
                ChargeReply::Rejected(cause) => Err(Failure::Rejected(cause).into()),
                ChargeReply::RetryLater(cause) | ChargeReply::Unknown(cause) => Err(Failure::Unknown(cause).into()),
                ChargeReply::Busy(after) => Err(Failure::Busy(after).into()),
            },
            _ => Err(other_reply()),
        }
    }

    async fn refund(&self, request: &RefundRequest) -> Result<Refund, Error> {
        match self.succeed(&self.clients.http, &Request::RefundCharge(request.into())).await? {
            Response::RefundCharge(reply) => {
                let refund = reply.refund().map_err(unreadable)?;
                if refund.key == request.key { Ok(refund) } else { Err(other_reply()) }
            }
            _ => Err(other_reply()),
        }
    }

    async fn charges_of_day(&self, day: &str, next: Option<&str>) -> Result<(ListPage, Option<String>), Error> {
        let cursor = next.map(str::to_owned);
        let request = ListCharges { billing_date: day.to_owned(), page_size: LIST_PAGE_SIZE, cursor };
        match self.succeed(&self.clients.http, &Request::ListCharges(request)).await? {
            Response::ListCharges(list) => {
                let next = list.next_cursor.filter(|cursor| !cursor.trim().is_empty());
                Ok((list.charges.into_iter().map(ChargeRow::listed).collect(), next))
            }
            _ => Err(other_reply()),
        }
    }

    fn parse_notification(&self, body: &[u8]) -> Result<Notification, InvalidNotification> {
        in_zone(self.clients.zone, || Notice::parse(body)).map_err(InvalidNotification::from)
    }
}
