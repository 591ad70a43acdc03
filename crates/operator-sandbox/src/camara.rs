//! CAMARA's Carrier Billing and Carrier Billing Refund, for services whose network has the adapter `camara`. A caller has an access token by
//! its OAuth 2 client credentials (`access`).
//!
//! Charges and refunds are those of the other modules. What CAMARA has beside them is in memory: access tokens, and the payments that
//! were prepared, cancelled or denied; a restart ends them, as their time does.

mod access;
mod list;
mod refunds;
mod sims;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{
    HttpRequest, HttpResponse, ResponseError,
    http::StatusCode,
    web::{Bytes, Path},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::NaiveDateTime;
use moka::sync::Cache;
use operator::{
    ChargeRequest, ChargeStatus,
    camara::{CreatePayment, ErrorInfo, Payment, PaymentStatus},
};
use serde_json::Value;

use crate::{App, charge_rows::Charge, charges, error::Error, faults, misbehaviour::Misbehaviour};

pub(crate) use access::token;
pub(crate) use list::list_payments;
pub(crate) use refunds::{create_refund, list_refunds};
pub(crate) use sims::{Sims, authorize, check_recycling, check_swap, get_number, put_sim, show_sim, verify};

/// How long an access token is valid, and a payment that is not charged is kept.
const TOKEN_LIFETIME: Duration = Duration::from_secs(600);
const PAYMENT_LIFETIME: Duration = Duration::from_secs(900);

/// The most tokens and payments in memory.
const MAX_KEPT: u64 = 100_000;

/// A status that no definition has.
const UNLISTED: &str = "settled_maybe";

/// Access tokens with the networks that they open, and payments that are no charges.
pub(crate) struct Payments {
    /// `NETWORK_CREDENTIALS`.
    credentials: Option<String>,
    tokens: Cache<String, Arc<Vec<String>>>,
    /// Ids of client assertions, which count once.
    assertions: Cache<String, ()>,
    /// The scopes that each token was requested for.
    scopes: Cache<String, String>,
    /// By correlator.
    attempts: Cache<String, Attempt>,
    /// The correlator of a key's newest attempt that was charged, or may have been.
    newest: Cache<String, String>,
}

/// One attempt of a charge.
#[derive(Clone)]
struct Attempt {
    request: ChargeRequest,
    correlator: String,
    created_at: NaiveDateTime,
    state: State,
    /// Tells attempts of one second apart.
    order: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Prepared, and not confirmed.
    Reserved,
    Cancelled,
    Denied,
    /// The charge of its key tells the result.
    Made,
}

/// A reply other than success.
struct Refusal(Box<HttpResponse>);

impl Refusal {
    fn new(status: u16, code: &str, message: &str) -> Self {
        let code_of = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self(Box::new(HttpResponse::build(code_of).json(ErrorInfo::new(status, code, message))))
    }

    fn invalid() -> Self {
        Self::new(400, "INVALID_ARGUMENT", "Client specified an invalid argument, request body or query param.")
    }

    fn not_found() -> Self {
        Self::new(404, "NOT_FOUND", "The specified resource is not found.")
    }

    fn unauthenticated() -> Self {
        Self::new(
            401,
            "UNAUTHENTICATED",
            "Request not authenticated due to missing, invalid, or expired credentials. A new authentication is required.",
        )
    }

    fn permission_denied() -> Self {
        Self::new(403, "PERMISSION_DENIED", "Client does not have sufficient permissions to perform this action.")
    }

    fn denied() -> Self {
        Self::new(403, "CARRIER_BILLING.PAYMENT_DENIED", "Payment denied by business.")
    }

    fn not_applicable() -> Self {
        Self::new(422, "SERVICE_NOT_APPLICABLE", "The service is not available for the provided identifier.")
    }

    fn conflict(code: &str) -> Self {
        Self::new(409, code, "The payment is not reserved any more.")
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::Hung => Self(Box::new(faults::cut())),
            Error::TooMany => Self(Box::new(error.error_response())),
            Error::Unavailable | Error::Busy | Error::Stopping => Self::new(503, "UNAVAILABLE", "Service Unavailable."),
            Error::UnknownCharge => Self::not_found(),
            Error::RefundRefused | Error::MoreThanCharged => {
                Self::new(422, "CARRIER_BILLING_REFUND.INVALID_AMOUNT", "The refund is not possible.")
            }
            Error::InvalidMsisdn
            | Error::UnknownService
            | Error::BadDay
            | Error::BadKey
            | Error::BadAmount
            | Error::BadReason
            | Error::KeyUsed => Self::invalid(),
            error => {
                tracing::error!(error = %error, "a CAMARA call failed");
                Self::new(500, "INTERNAL", "Internal Server Error.")
            }
        }
    }
}

type Reply = Result<HttpResponse, Refusal>;

fn reply(result: Reply) -> HttpResponse {
    result.unwrap_or_else(|Refusal(response)| *response)
}

impl Payments {
    /// With the setting for networks that name no variable of their own.
    pub fn new(credentials: Option<String>) -> Self {
        Self {
            credentials,
            tokens: Cache::builder().max_capacity(MAX_KEPT).time_to_live(TOKEN_LIFETIME).build(),
            assertions: Cache::builder().max_capacity(MAX_KEPT).time_to_live(TOKEN_LIFETIME).build(),
            scopes: Cache::builder().max_capacity(MAX_KEPT).time_to_live(TOKEN_LIFETIME).build(),
            attempts: Cache::builder().max_capacity(MAX_KEPT).time_to_live(PAYMENT_LIFETIME).build(),
            newest: Cache::builder().max_capacity(MAX_KEPT).time_to_live(PAYMENT_LIFETIME).build(),
        }
    }

    /// The newest attempt of a key that was charged, or may have been.
    fn made(&self, key: &str) -> Option<Attempt> {
        self.attempts.get(&self.newest.get(key)?).filter(|attempt| attempt.state == State::Made)
    }

    /// The id of the payment of a charge: that of its newest attempt.
    pub fn id_of_charge(&self, key: &str) -> String {
        self.made(key).map_or_else(|| payment_id(key), |attempt| payment_id(&attempt.correlator))
    }

    fn keep(&self, attempt: Attempt) {
        if attempt.state == State::Made {
            self.newest.insert(attempt.request.key.clone(), attempt.correlator.clone());
        }
        self.attempts.insert(attempt.correlator.clone(), attempt);
    }
}

/// The id of the payment of an attempt.
fn payment_id(correlator: &str) -> String {
    format!("pay-{}", URL_SAFE_NO_PAD.encode(correlator))
}

fn correlator_of(id: &str) -> Option<String> {
    String::from_utf8(URL_SAFE_NO_PAD.decode(id.strip_prefix("pay-")?).ok()?).ok()
}

/// `POST /payments`.
pub(crate) async fn create_payment(app: App, req: HttpRequest, body: Bytes) -> HttpResponse {
    reply(create(&app, &req, &body, false).await)
}

/// `POST /payments/prepare`.
pub(crate) async fn prepare_payment(app: App, req: HttpRequest, body: Bytes) -> HttpResponse {
    reply(create(&app, &req, &body, true).await)
}

async fn create(app: &App, req: &HttpRequest, body: &[u8], is_prepared: bool) -> Reply {
    let networks = app.payments.access(req)?;
    let create: CreatePayment = serde_json::from_slice(body).map_err(|_| Refusal::invalid())?;
    let (request, correlator) = create.amount_transaction.request().map_err(|_| Refusal::invalid())?;
    let (brand, _) = app.brand(request.svc_id)?;
    if !networks.contains(&brand.network) {
        return Err(Refusal::invalid());
    }
    if let Some(known) = app.payments.attempts.get(&correlator) {
        // The same payment, whatever became of it.
        let is_same = known.request.msisdn == request.msisdn && known.request.cents == request.cents;
        if !is_same {
            return Err(Refusal::new(400, "INVALID_ARGUMENT", "clientCorrelator already exist on server."));
        }
        match shown(app, &known).await {
            // It was never charged, and its request got no reply.
            Err(Refusal(reply)) if reply.status() == StatusCode::NOT_FOUND => {}
            shown => return shown,
        }
    }
    let created_at = app.clock.now();
    let mut attempt = Attempt { request, correlator, created_at, state: State::Made, order: Instant::now() };
    if let Some(before) = app.payments.made(&attempt.request.key) {
        if charged_at(app, &before.request.key).await?.is_some() {
            // Another correlator is another payment, also of a charge that was made.
            attempt.request.key.clone_from(&attempt.correlator);
        } else {
            app.payments.keep(Attempt { state: State::Denied, ..before });
        }
    }
    if !is_prepared {
        return make(app, attempt).await;
    }
    let misbehaviour = charges::begin(app, &attempt.request).await?.1;
    if misbehaviour.refuse_all {
        return Err(Refusal::not_applicable());
    }
    attempt.state = State::Reserved;
    app.payments.keep(attempt.clone());
    let payment = attempt.payment(PaymentStatus::Reserved);
    Ok(HttpResponse::Created().json(payment))
}

/// Charges an attempt; without a charge there is no payment.
async fn make(app: &App, attempt: Attempt) -> Reply {
    let was_reserved = attempt.state == State::Reserved;
    // First, so that a lost reply has a payment.
    let made = Attempt { state: State::Made, ..attempt.clone() };
    app.payments.keep(made.clone());
    let after_failure = |state: Option<State>| match state {
        Some(state) => app.payments.keep(Attempt { state, ..made.clone() }),
        None => app.payments.attempts.invalidate(&made.correlator),
    };
    match charges::make(app, made.request.clone()).await {
        Ok((charge, misbehaviour)) => match charge.outcome {
            ChargeStatus::InsufficientFunds => {
                after_failure(was_reserved.then_some(State::Denied));
                Err(Refusal::denied())
            }
            ChargeStatus::Refused => {
                after_failure(was_reserved.then_some(State::Reserved));
                Err(Refusal::not_applicable())
            }
            _ if was_reserved => Ok(HttpResponse::Accepted().finish()),
            _ => charge_reply(StatusCode::CREATED, &made, &charge, &misbehaviour),
        },
        // It may have been charged.
        Err(Error::Hung) => Err(Error::Hung.into()),
        Err(error) => {
            after_failure(was_reserved.then_some(State::Reserved));
            Err(error.into())
        }
    }
}

/// A payment as its network tells it.
fn charge_reply(
    status: StatusCode,
    attempt: &Attempt,
    charge: &operator::Charge,
    misbehaviour: &Misbehaviour,
) -> Reply {
    if let Some(garbled) = misbehaviour.garbled_reply() {
        return Ok(garbled);
    }
    Ok(HttpResponse::build(status).json(attempt.of_charge(charge)?))
}

impl Attempt {
    fn payment(&self, status: PaymentStatus) -> Payment {
        Payment {
            payment_creation_date: Some(self.created_at.and_utc()),
            ..Payment::new(&payment_id(&self.correlator), status, &self.request, &self.correlator)
        }
    }

    /// The payment, with what its network tells of the charge.
    fn of_charge(&self, charge: &operator::Charge) -> Result<Value, Error> {
        let request = ChargeRequest {
            key: charge.key.clone(),
            msisdn: charge.msisdn.clone().unwrap_or_else(|| self.request.msisdn.clone()),
            cents: charge.cents.unwrap_or(self.request.cents),
            ..self.request.clone()
        };
        let (status, date) = match charge.outcome {
            ChargeStatus::Charged => (PaymentStatus::Succeeded, charge.at),
            ChargeStatus::Accepted => (PaymentStatus::Processing, None),
            _ => (PaymentStatus::Denied, None),
        };
        let payment = Payment { payment_date: date, ..Self { request, ..self.clone() }.payment(status) };
        let mut json = crate::notifications::body(&payment)?;
        if charge.outcome == ChargeStatus::Unknown {
            crate::misbehaviour::set(&mut json, "paymentStatus", UNLISTED.into());
        }
        Ok(json)
    }
}

/// When a key was charged, if it was.
async fn charged_at(app: &App, key: &str) -> Result<Option<NaiveDateTime>, Error> {
    let (key, called) = (key.to_owned(), app.called.clone());
    app.db
        .run(move |conn| Ok(Charge::of_keys(conn, called.as_deref(), &[&key])?.remove(&key).map(|charge| charge.at)))
        .await
}

/// Those of some attempts that were not charged.
async fn without_charges(app: &App, attempts: Vec<Attempt>) -> Result<Vec<Attempt>, Error> {
    let (made, mut open): (Vec<_>, Vec<_>) = attempts.into_iter().partition(|attempt| attempt.state == State::Made);
    let called = app.called.clone();
    let uncharged = move |conn: &mut store::DbConnection| {
        let mut uncharged = Vec::new();
        for some in made.chunks(1000) {
            let keys: Vec<&str> = some.iter().map(|attempt| attempt.request.key.as_str()).collect();
            let charged = Charge::of_keys(conn, called.as_deref(), &keys)?;
            uncharged.extend(some.iter().filter(|attempt| !charged.contains_key(&attempt.request.key)).cloned());
        }
        Ok::<_, Error>(uncharged)
    };
    open.extend(app.db.run(uncharged).await?);
    Ok(open)
}

/// The reply about an attempt.
async fn shown(app: &App, attempt: &Attempt) -> Reply {
    let status = match attempt.state {
        State::Reserved => PaymentStatus::Reserved,
        State::Cancelled => PaymentStatus::Cancelled,
        State::Denied => PaymentStatus::Denied,
        State::Made => {
            let (charge, misbehaviour) = charges::status(app, attempt.request.key.clone()).await?;
            return charge_reply(StatusCode::OK, attempt, &charge, &misbehaviour);
        }
    };
    if app.begin_call(attempt.request.svc_id).await?.forget_charges {
        return Err(Refusal::not_found());
    }
    Ok(HttpResponse::Ok().json(attempt.payment(status)))
}

/// The attempt of a payment: one in memory, or a charge's first.
async fn find(app: &App, networks: &[String], id: &str) -> Result<Attempt, Refusal> {
    let correlator = correlator_of(id).ok_or_else(Refusal::not_found)?;
    let attempt = match app.payments.attempts.get(&correlator) {
        Some(attempt) => attempt,
        None => {
            let (key, called) = (correlator.clone(), app.called.clone());
            let find = move |conn: &mut store::DbConnection| {
                Ok::<_, Error>(Charge::of_keys(conn, called.as_deref(), &[&key])?.remove(&key))
            };
            let charge = app.db.run(find).await?;
            charge.map(Attempt::of).ok_or_else(Refusal::not_found)?
        }
    };
    let (brand, _) = app.brand(attempt.request.svc_id)?;
    if networks.contains(&brand.network) { Ok(attempt) } else { Err(Refusal::not_found()) }
}

impl Attempt {
    /// The attempt of a charge that is not in memory.
    fn of(charge: Charge) -> Self {
        let created_at = charge.at;
        let request = charge.request();
        Self { correlator: request.key.clone(), request, created_at, state: State::Made, order: Instant::now() }
    }
}

/// `GET /payments/{id}`.
pub(crate) async fn get_payment(app: App, req: HttpRequest, id: Path<String>) -> HttpResponse {
    let get = async || {
        let networks = app.payments.access(&req)?;
        shown(&app, &find(&app, &networks, &id).await?).await
    };
    reply(get().await)
}

/// `POST /payments/{id}/confirm`.
pub(crate) async fn confirm_payment(app: App, req: HttpRequest, id: Path<String>) -> HttpResponse {
    let confirm = async || {
        let networks = app.payments.access(&req)?;
        let attempt = find(&app, &networks, &id).await?;
        match attempt.state {
            State::Reserved => make(&app, attempt).await,
            State::Cancelled => Err(Refusal::conflict("CARRIER_BILLING.PAYMENT_CANCELLED")),
            State::Made | State::Denied => Err(Refusal::conflict("CARRIER_BILLING.PAYMENT_CONFIRMED")),
        }
    };
    reply(confirm().await)
}

/// `POST /payments/{id}/cancel`.
pub(crate) async fn cancel_payment(app: App, req: HttpRequest, id: Path<String>) -> HttpResponse {
    let cancel = async || {
        let networks = app.payments.access(&req)?;
        let attempt = find(&app, &networks, &id).await?;
        match attempt.state {
            State::Reserved => {
                app.begin_call(attempt.request.svc_id).await?;
                let cancelled = Attempt { state: State::Cancelled, ..attempt };
                app.payments.keep(cancelled);
                Ok(HttpResponse::Accepted().finish())
            }
            State::Cancelled => Err(Refusal::conflict("CARRIER_BILLING.PAYMENT_CANCELLED")),
            State::Made | State::Denied => Err(Refusal::conflict("CARRIER_BILLING.PAYMENT_CONFIRMED")),
        }
    };
    reply(cancel().await)
}
