//! The adapter `camara`: CAMARA's Carrier Billing for charges and refunds, with an OAuth 2 access token. CAMARA defines no opt-in pages, stops
//! and SMSes: these are the contract's calls, as for `rest`.
//!
//! A charge is one payment that succeeded. A repeated request has the same `clientCorrelator`, so that the network makes one payment of it;
//! only where the network itself shows that a payment ended without charging does the next attempt have another one. In two steps, a
//! payment that was prepared is confirmed in time or cancelled, here or when its status is queried. A smaller amount for the same day has
//! another key, and so payments of its own.

mod access;
mod client;
mod finder;
mod list;
mod sims;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use brands::{BillingResult, Network};
use chrono::NaiveDate;
use operator::{
    Charge, ChargeRequest, ChargeStatus, Credentials, InvalidNotification, Notification, RefundRequest,
    camara::{
        CARRIER_BILLING, CARRIER_BILLING_REFUND, CreatePayment, CreateRefund, ErrorInfo, Payment, PaymentStatus,
        PhoneNumber, RecyclingInfo, Refund, RefundStatus, SimSwapInfo, next_correlator, parse_notification,
    },
    in_zone,
};
use reqwest::{RequestBuilder, StatusCode};
use serde::de::DeserializeOwned;
use service::StartError;
use tokio::time::Instant;

use super::{
    Clients, FAILED, Failure, LATER, ListPage, NOT_ACCEPTED, NumberRequest, OTHER_CHARGE, Operator, Reply, Rest,
    log_mismatch, reply, rest::percent_encode,
};
use crate::error::Error;

use access::Access;
use client::Client as TokenClient;
use finder::{Finder, Window};
use list::ListPosition;
use sims::Sims;

/// The scopes of the calls below.
const SCOPE: &str = "carrier-billing:payments:create carrier-billing:payments:read carrier-billing:payments:write \
    carrier-billing-refund:refunds:create carrier-billing-refund:refunds:read";

const TOO_LATE: &str = "the charge was not sent in time";

/// A network with CAMARA's APIs.
pub(super) struct Camara {
    /// What CAMARA does not define.
    rest: Rest,
    clients: Clients,
    billing: String,
    refunds: String,
    access: Access,
    finder: Finder,
    sims: Sims,
    network: Arc<Network>,
}

/// The most payments that are requested for one charge at once: each but the last is one that had ended before.
const MAX_ATTEMPTS: u32 = 5;

/// Why a call has no result.
enum CallFailure {
    Failed(Failure),
    /// The network's reply, which reports no success.
    Refused {
        status: StatusCode,
        info: ErrorInfo,
    },
}

impl From<Failure> for CallFailure {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// How a request for a payment ended.
enum Requested {
    Reply(Result<Charge, Failure>),
    /// The network shows an attempt that had ended before without charging: nothing new was requested.
    EndedBefore {
        correlator: String,
        charge: Charge,
    },
}

impl From<CallFailure> for Error {
    fn from(failure: CallFailure) -> Self {
        match failure {
            CallFailure::Failed(failure) => failure.into(),
            // Without the message, which may quote a number.
            CallFailure::Refused { status: StatusCode::CONFLICT, .. } => {
                Self::NetworkUnavailable(StatusCode::CONFLICT.to_string())
            }
            CallFailure::Refused { status, .. } => Self::NetworkRejected(status.to_string()),
        }
    }
}

impl Camara {
    /// An adapter for a base URL; its API root is a setting of its own.
    pub fn new(
        url: &str,
        network: Arc<Network>,
        credentials: Credentials,
        clients: Clients,
    ) -> Result<Self, StartError> {
        let rest = Rest::new(url, clients.clone());
        let settings = &network.camara;
        let root = settings.url.clone().unwrap_or_else(|| format!("{}/camara", rest.address()));
        let root = root.trim_end_matches('/');
        let token_url = settings.token_url.clone().unwrap_or_else(|| format!("{root}/oauth2/token"));
        let scope = settings.scope.clone().unwrap_or_else(|| SCOPE.to_owned());
        let client = TokenClient::new(clients.clone(), token_url, settings.client_auth, credentials)
            .map_err(|error| StartError::Setting(format!("{}: {error}", network.credentials)))?;
        let client = Arc::new(client);
        Ok(Self {
            sims: Sims::new(root, settings, &client),
            access: Access::new(client, scope),
            billing: format!("{root}/{CARRIER_BILLING}"),
            refunds: format!("{root}/{CARRIER_BILLING_REFUND}"),
            finder: Finder::default(),
            rest,
            clients,
            network,
        })
    }

    /// Sends a request with an access token; with another one if the network refuses that one. It is sent by `send_by` or not at all.
    async fn send(&self, request: RequestBuilder, send_by: Option<Instant>) -> Result<Reply, CallFailure> {
        self.send_by(&self.access, request, send_by).await
    }

    /// As `send`, with the tokens of one purpose.
    async fn send_by(
        &self,
        access: &Access,
        request: RequestBuilder,
        send_by: Option<Instant>,
    ) -> Result<Reply, CallFailure> {
        let mut is_second = false;
        loop {
            let token = access.token().await?;
            if send_by.is_some_and(|send_by| Instant::now() > send_by) {
                return Err(Failure::RetryLater(TOO_LATE).into());
            }
            let attempt = request.try_clone().ok_or(Failure::RetryLater("the request cannot be repeated"))?;
            let reply = reply::send(&self.clients, attempt.bearer_auth(&token)).await?;
            return match reply.status {
                status if status.is_success() => Ok(reply),
                StatusCode::UNAUTHORIZED => {
                    // Nothing was processed.
                    access.refused(&token).await;
                    if is_second {
                        return Err(Failure::RetryLater("the network refuses the access token").into());
                    }
                    is_second = true;
                    continue;
                }
                status if status.is_client_error() && status != StatusCode::REQUEST_TIMEOUT => {
                    let body = reply::body(reply).unwrap_or_default();
                    let info: ErrorInfo = serde_json::from_slice(&body).unwrap_or_default();
                    Err(CallFailure::Refused { status, info: ErrorInfo { status: status.as_u16(), ..info } })
                }
                _ => Err(Failure::Unknown(FAILED).into()),
            };
        }
    }

    /// As `send_by`, for the JSON of the reply.
    async fn answer<T: DeserializeOwned>(&self, access: &Access, request: RequestBuilder) -> Result<T, CallFailure> {
        let reply = self.send_by(access, request, None).await?;
        Ok(reply::json(reply, self.network.time_zone.tz())?)
    }

    fn payment_url(&self, id: &str, call: &str) -> String {
        format!("{}/payments/{}{call}", self.billing, percent_encode(id))
    }

    /// A payment by the network's id; `None` where the network does not know it.
    async fn payment(&self, id: &str, request: &ChargeRequest) -> Result<Option<Payment>, CallFailure> {
        let payment: Payment =
            match self.answer(&self.access, self.clients.charging.get(self.payment_url(id, ""))).await {
                Err(CallFailure::Refused { status: StatusCode::NOT_FOUND | StatusCode::GONE, .. }) => return Ok(None),
                payment => payment?,
            };
        if payment.payment_id != id || !is_of(&payment.charge(), request) {
            log_mismatch(self.rest.name(), "question");
            return Err(Failure::Unknown(OTHER_CHARGE).into());
        }
        Ok(Some(payment))
    }

    /// The newest payment of a charge, by our key.
    async fn find(&self, request: &ChargeRequest) -> Result<Option<Payment>, CallFailure> {
        let Some(window) = Window::around(&request.day, request.sent_at) else { return Ok(None) };
        let read = async |window| self.read_ids(window).await;
        match self.finder.find(&request.key, window, read).await? {
            Some(id) => self.payment(&id, request).await,
            None => Ok(None),
        }
    }

    /// Requests a payment, in the first or only step.
    async fn create(
        &self,
        request: &ChargeRequest,
        correlator: &str,
        send_by: Instant,
    ) -> Result<Payment, CallFailure> {
        let path = if self.network.camara.two_steps { "payments/prepare" } else { "payments" };
        let create = self.clients.charging.post(format!("{}/{path}", self.billing));
        let reply = self.send(create.json(&CreatePayment::new(request, correlator)), Some(send_by)).await?;
        let payment: Payment = reply::json(reply, self.network.time_zone.tz())?;
        // A correlator that the network left out is ours.
        if !is_of(&payment.charge(), request) || payment.correlator().is_some_and(|other| other != correlator) {
            log_mismatch(self.rest.name(), "charge");
            return Err(Failure::Unknown(OTHER_CHARGE).into());
        }
        Ok(payment)
    }

    /// Confirms a prepared payment, or cancels it where that is too late or refused; its result.
    async fn confirm(&self, payment: Payment, request: &ChargeRequest, send_by: Instant) -> Charge {
        let confirm = self.clients.charging.post(self.payment_url(&payment.payment_id, "/confirm"));
        let confirmed = self.send(confirm.json(&PhoneNumber::new(&request.msisdn)), Some(send_by)).await;
        let refused = match confirmed {
            // The reply has no result.
            Ok(_) => None,
            Err(CallFailure::Failed(Failure::Unknown(_))) => return open(&payment),
            Err(CallFailure::Refused { status: StatusCode::CONFLICT, .. }) => None,
            Err(CallFailure::Refused { status, info }) => self.refusal(status, &info),
            Err(CallFailure::Failed(_)) => Some(ChargeStatus::Cancelled),
        };
        let result = match refused {
            Some(_) => self.cancel(&payment, request).await,
            None => self.payment(&payment.payment_id, request).await,
        };
        match result {
            Ok(Some(now)) => match (now.charge(), refused) {
                (charge, Some(outcome)) if charge.outcome == ChargeStatus::Cancelled => Charge { outcome, ..charge },
                // Confirmed, and not charged yet.
                (charge, None) if now.payment_status == PaymentStatus::Reserved => {
                    Charge { outcome: ChargeStatus::Accepted, ..charge }
                }
                (charge, _) => charge,
            },
            Ok(None) | Err(_) => open(&payment),
        }
    }

    /// Cancels a prepared payment; what the network then says about it.
    async fn cancel(&self, payment: &Payment, request: &ChargeRequest) -> Result<Option<Payment>, CallFailure> {
        let cancel = self.clients.charging.post(self.payment_url(&payment.payment_id, "/cancel"));
        match self.send(cancel.json(&PhoneNumber::new(&request.msisdn)), None).await {
            // A conflict means that it was confirmed or cancelled before.
            Ok(_) | Err(CallFailure::Refused { status: StatusCode::CONFLICT, .. }) => {
                self.payment(&payment.payment_id, request).await
            }
            Err(failure) => Err(failure),
        }
    }

    /// The result of a payment that is not in the hands of a request: one that is only prepared is cancelled.
    async fn result(&self, payment: Payment, request: &ChargeRequest) -> Result<Charge, CallFailure> {
        match payment.payment_status {
            PaymentStatus::Reserved | PaymentStatus::PendingValidation => {
                let now = self.cancel(&payment, request).await?;
                Ok(now.map_or_else(|| open(&payment), |now| now.charge()))
            }
            _ => Ok(payment.charge()),
        }
    }

    /// What a refused payment means; `None` where the request is at fault.
    fn refusal(&self, status: StatusCode, info: &ErrorInfo) -> Option<ChargeStatus> {
        let meaning = self.network.results.get(&info.code).copied().or(match (status.as_u16(), info.code.as_str()) {
            (403, "CARRIER_BILLING.PAYMENT_DENIED") | (422, "CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED") => {
                Some(BillingResult::NoAirtime)
            }
            (404, "IDENTIFIER_NOT_FOUND") | (422, "SERVICE_NOT_APPLICABLE") => Some(BillingResult::Refused),
            _ => None,
        });
        match meaning? {
            BillingResult::NoAirtime => Some(ChargeStatus::InsufficientFunds),
            BillingResult::Refused => Some(ChargeStatus::Refused),
            BillingResult::RetryLater => Some(ChargeStatus::Cancelled),
            _ => None,
        }
    }

    /// Requests a payment by a correlator.
    async fn request(&self, request: &ChargeRequest, correlator: &str, send_by: Instant) -> Requested {
        let has_two_steps = self.network.camara.two_steps;
        Requested::Reply(match self.create(request, correlator, send_by).await {
            // No new payment begins like this.
            Ok(payment) if has_ended(&payment.charge()) => {
                return Requested::EndedBefore { correlator: correlator.to_owned(), charge: payment.charge() };
            }
            Ok(payment) if payment.payment_status == PaymentStatus::Reserved => {
                Ok(self.confirm(payment, request, send_by).await)
            }
            // It waits for a code that only the subscriber could type, or for the network itself: it will not be confirmed.
            Ok(payment) if has_two_steps && payment.payment_status != PaymentStatus::Succeeded => {
                let now = self.cancel(&payment, request).await;
                Ok(now.ok().flatten().map_or_else(|| open(&payment), |now| now.charge()))
            }
            Ok(payment) => Ok(payment.charge()),
            Err(CallFailure::Failed(failure)) => Err(failure),
            Err(CallFailure::Refused { status, info })
                if info.is_known_correlator() || status == StatusCode::CONFLICT =>
            {
                return self.known(request, correlator).await;
            }
            Err(CallFailure::Refused { status, info }) => match self.refusal(status, &info) {
                Some(ChargeStatus::Cancelled) => Err(Failure::RetryLater(LATER)),
                Some(outcome) => Ok(Charge::of(request, outcome)),
                None => Err(Failure::Rejected(NOT_ACCEPTED)),
            },
        })
    }

    /// The result of the newest payment of a charge, where the network has one of this correlator: an earlier request made it.
    async fn known(&self, request: &ChargeRequest, correlator: &str) -> Requested {
        let unknown = Requested::Reply(Err(Failure::Unknown("the network has this charge already")));
        let Ok(Some(payment)) = self.find(request).await else { return unknown };
        let correlator = payment.correlator().unwrap_or(correlator).to_owned();
        match self.result(payment, request).await {
            Ok(charge) if has_ended(&charge) => Requested::EndedBefore { correlator, charge },
            Ok(charge) => Requested::Reply(Ok(charge)),
            Err(_) => unknown,
        }
    }

    /// The correlator of the next attempt, or the result of the last one.
    async fn attempt(&self, request: &ChargeRequest) -> Result<Result<String, Charge>, CallFailure> {
        let Some(id) = payment_id(request.network_ref.as_deref(), &request.key) else {
            return Ok(Ok(request.key.clone()));
        };
        let Some(payment) = self.payment(id, request).await? else { return Ok(Ok(request.key.clone())) };
        let correlator = payment.correlator().unwrap_or(&request.key).to_owned();
        let charge = self.result(payment, request).await?;
        Ok(if has_ended(&charge) { Ok(next_correlator(&correlator)) } else { Err(charge) })
    }

    /// The refund of a key, in the network's list of a payment's refunds.
    async fn find_refund(&self, url: &str, key: &str) -> Result<Refund, Error> {
        let list = self.clients.http.get(format!("{url}?page=1&perPage=100"));
        let refunds: Vec<Refund> = self.answer(&self.access, list).await?;
        let found = refunds.into_iter().find(|refund| refund.has_key(key));
        found.ok_or_else(|| Error::NetworkUnavailable("the network has another refund of this key".to_owned()))
    }
}

/// Whether its payment ended without charging.
fn has_ended(charge: &Charge) -> bool {
    matches!(charge.outcome, ChargeStatus::InsufficientFunds | ChargeStatus::Cancelled)
}

/// Whether it is a payment of this charge. One that ended may have another amount: the number has joined again at another price since.
fn is_of(charge: &Charge, request: &ChargeRequest) -> bool {
    let cents = charge.cents.filter(|_| !has_ended(charge));
    Charge { cents, ..charge.clone() }.matches(request)
}

/// A payment whose result is not known.
fn open(payment: &Payment) -> Charge {
    Charge { outcome: ChargeStatus::Unknown, ..payment.charge() }
}

/// The network's id of a payment; where the ledger has the key in its place, a list named the charge and the id is unknown.
fn payment_id<'a>(network_ref: Option<&'a str>, key: &str) -> Option<&'a str> {
    network_ref.filter(|network_ref| *network_ref != key)
}

#[async_trait]
impl Operator for Camara {
    fn contract(&self) -> &dyn Operator {
        &self.rest
    }

    async fn charge(&self, request: &ChargeRequest, send_by: Instant) -> Result<Charge, Failure> {
        let mut correlator = match self.attempt(request).await {
            Ok(Ok(correlator)) => correlator,
            Ok(Err(charge)) => return Ok(charge),
            // Nothing was sent.
            Err(_) => return Err(Failure::RetryLater("the network does not answer about the last attempt")),
        };
        let mut last: Option<Charge> = None;
        for _ in 0..MAX_ATTEMPTS {
            match (self.request(request, &correlator, send_by).await, last) {
                (Requested::EndedBefore { correlator: ended, charge }, _) => {
                    correlator = next_correlator(&ended);
                    last = Some(charge);
                }
                // Nothing new was requested, which is no failure of the subscriber; a later request goes on from the payment that ended.
                (Requested::Reply(Err(Failure::RetryLater(_) | Failure::Busy(_))), Some(charge)) => {
                    return Ok(Charge { outcome: ChargeStatus::Cancelled, ..charge });
                }
                (Requested::Reply(reply), _) => return reply,
            }
        }
        last.ok_or(Failure::RetryLater(LATER))
    }

    async fn charge_status(&self, request: &ChargeRequest) -> Result<Option<Charge>, Error> {
        if let Some(id) = payment_id(request.network_ref.as_deref(), &request.key)
            && let Some(payment) = self.payment(id, request).await?
        {
            return Ok(Some(self.result(payment, request).await?));
        }
        let Some(payment) = self.find(request).await? else { return Ok(None) };
        let charge = self.result(payment, request).await?;
        // One that ended may be of an earlier attempt; the one in question charged nothing, either.
        Ok((!has_ended(&charge)).then_some(charge))
    }

    async fn refund(&self, request: &RefundRequest) -> Result<operator::Refund, Error> {
        let id = match payment_id(request.network_ref.as_deref(), &request.charge_key) {
            Some(id) => id.to_owned(),
            None => {
                let unknown = || Error::NetworkRejected("the network has no payment of this charge".to_owned());
                let window = request.day.as_deref().and_then(Window::of_day).ok_or_else(unknown)?;
                let read = async |window| self.read_ids(window).await;
                self.finder.find(&request.charge_key, window, read).await?.ok_or_else(unknown)?
            }
        };
        let url = format!("{}/payments/{}/refunds", self.refunds, percent_encode(&id));
        let create = self.clients.http.post(&url).json(&CreateRefund::new(request));
        let made: Refund = match self.answer(&self.access, create).await {
            Err(CallFailure::Refused { info, .. }) if info.is_known_correlator() => {
                self.find_refund(&url, &request.key).await?
            }
            made => made?,
        };
        match made.refund_status {
            RefundStatus::Succeeded if made.has_key(&request.key) => Ok(made.refund()),
            RefundStatus::Denied => Err(Error::NetworkRejected("the network denied the refund".to_owned())),
            // Requested again later; it is the same refund by its key.
            _ => Err(Error::NetworkUnavailable("the network has not made the refund yet".to_owned())),
        }
    }

    async fn charges_of_day(&self, day: &str, next: Option<&str>) -> Result<(ListPage, Option<String>), Error> {
        let unreadable = || Error::NetworkUnavailable("the position in the list cannot be read".to_owned());
        let window = Window::of_day(day).ok_or_else(unreadable)?;
        let position = next.map(|next| ListPosition::parse(next).ok_or_else(unreadable)).transpose()?;
        let (payments, next) = self.page(window, "&paymentStatus=succeeded", position.as_ref()).await?;
        let rows = payments.into_iter().filter_map(|payment| match payment {
            Ok(payment) => payment.listed(day),
            Err(row) => Some(Err(row)),
        });
        Ok((rows.collect(), next.map(|next| next.to_text())))
    }

    fn parse_notification(&self, body: &[u8]) -> Result<Notification, InvalidNotification> {
        in_zone(self.network.time_zone.tz(), || parse_notification(body))
    }

    fn number_page(&self, request: &NumberRequest) -> Option<String> {
        self.network.camara.number_verification.as_ref().map(|_| self.sims.number_page(request))
    }

    async fn number_of_sim(&self, code: &str, request: &NumberRequest) -> Result<String, Error> {
        self.sims.number_of(code, request).await
    }

    async fn was_sim_swapped(&self, msisdn: &str) -> Result<Option<bool>, Error> {
        if self.network.camara.sim_swap.is_none() {
            return Ok(None);
        }
        let info: SimSwapInfo = self.answer(&self.sims.swap_access, self.sims.swap_request(msisdn)).await?;
        Ok(Some(info.swapped))
    }

    async fn was_recycled(&self, msisdn: &str, since: NaiveDate) -> Result<Option<bool>, Error> {
        if self.network.camara.number_recycling.is_none() {
            return Ok(None);
        }
        let request = self.sims.recycling_request(msisdn, since);
        let info: RecyclingInfo = self.answer(&self.sims.recycling_access, request).await?;
        Ok(Some(info.phone_number_recycled))
    }
}
