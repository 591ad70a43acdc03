//! Parlay X: the calls of the other modules in XML, for services whose network has the adapter `soap`. A caller proves itself by a
//! WS-Security UsernameToken, each with a nonce of its own.

use std::time::Duration;

use actix_web::{HttpMessage, HttpRequest, HttpResponse, ResponseError, http::StatusCode, web::Bytes};
use brands::Adapter;
use moka::sync::Cache;
use operator::{
    BadToken, ChargeStatus, Credentials, UsernameToken, WINDOW_SECONDS,
    soap::{Fault, Reply, Request},
};
use service::{Clock, Forwarded};

use crate::{App, charges, error::Error, faults, inbox, refunds, stops};

/// The callers, and the nonces that they have used.
pub(crate) struct Callers {
    /// `NETWORK_CREDENTIALS`.
    credentials: Option<String>,
    /// For as long as a token with it would be in time; after a restart a token may be used once more.
    nonces: Cache<(String, Vec<u8>), ()>,
}

impl Callers {
    /// With the setting for networks that name no variable of their own.
    pub fn new(credentials: Option<String>) -> Self {
        let window = Duration::from_secs(2 * WINDOW_SECONDS.unsigned_abs());
        Self { credentials, nonces: Cache::builder().time_to_live(window).build() }
    }

    /// The networks that this token opens.
    fn networks_of(&self, app: &App, token: Option<&UsernameToken>) -> Result<Vec<String>, Fault> {
        let token = token.ok_or_else(|| Fault::new("wsse:InvalidSecurity", "a UsernameToken is required"))?;
        let now = Clock::system_now().and_utc();
        let (mut networks, mut used, mut refused) = (Vec::new(), None, BadToken::Wrong);
        for (name, network) in app.brands.networks().filter(|(_, network)| network.adapter() == Adapter::Soap) {
            let text = match network.credentials.as_str() {
                "NETWORK_CREDENTIALS" => self.credentials.clone(),
                variable => std::env::var(variable).ok(),
            };
            let Some(credentials) = text.and_then(|text| text.parse::<Credentials>().ok()) else { continue };
            if app.called.as_deref().is_some_and(|called| called != name) {
                continue;
            }
            match credentials.verify(token, now) {
                Ok(nonce) => {
                    networks.push(name);
                    used = Some((credentials.user, nonce));
                }
                Err(error) => refused = error,
            }
        }
        match used.map(|used| self.nonces.entry(used).or_insert(()).is_fresh()) {
            Some(true) => Ok(networks),
            Some(false) => Err(Fault::new("wsse:FailedCheck", "the nonce has been used")),
            None => Err(match refused {
                BadToken::Malformed => Fault::new("wsse:InvalidSecurityToken", "the UsernameToken cannot be read"),
                BadToken::OutsideWindow => {
                    Fault::new("wsse:MessageExpired", "the UsernameToken is too old, or not yet valid")
                }
                BadToken::Wrong => {
                    Fault::new("wsse:FailedAuthentication", "the UsernameToken could not be authenticated")
                }
            }),
        }
    }
}

/// Every call of the interfaces.
pub(crate) async fn call(app: App, req: HttpRequest, body: Bytes) -> HttpResponse {
    // A fault has the status 500 and stays XML.
    req.extensions_mut().insert(Forwarded);
    let (request, token) = match Request::parse(&body) {
        Ok(read) => read,
        Err(error) => return reply(&Fault::new("soapenv:Client", &error.to_string())),
    };
    let networks = match app.callers.networks_of(&app, token.as_ref()) {
        Ok(networks) => networks,
        Err(fault) => return reply(&fault),
    };
    match answer(&app, &networks, &request).await {
        Ok(reply) => reply,
        Err(Error::Hung) => faults::cut(),
        Err(error @ Error::TooMany) => error.error_response(),
        Err(Error::Unavailable | Error::Busy) => HttpResponse::ServiceUnavailable().finish(),
        Err(error) => reply(&Fault::new(code_of(&error), &error.to_string())),
    }
}

/// Makes a call.
async fn answer(app: &App, networks: &[String], request: &Request) -> Result<HttpResponse, Error> {
    let svc_id = match request {
        Request::Charge(charge) => charge.svc_id,
        Request::Refund(refund) => refund.svc_id,
        Request::Stop(stop) => stop.svc_id,
        Request::Sms(sms) => sms.svc_id,
    };
    // A caller's networks bill these services alone.
    if !networks.contains(&app.brand(svc_id)?.0.network) {
        return Err(Error::UnknownService);
    }
    match request {
        Request::Charge(charge) => {
            let (charge, misbehaviour) = charges::make(app, charge.clone()).await?;
            if let Some(reply) = misbehaviour.garbled_reply() {
                return Ok(reply);
            }
            let fault = match charge.outcome {
                ChargeStatus::Charged => return Ok(done(request)),
                ChargeStatus::InsufficientFunds => {
                    ("SVC0270", "The charging operation failed, the charge is not applied")
                }
                ChargeStatus::Refused => ("POL0002", "Privacy verification failed, request is refused"),
                // Its result is there later, which the interface cannot say.
                ChargeStatus::Accepted | ChargeStatus::Cancelled | ChargeStatus::Unknown => {
                    ("SVC0001", "A service error occurred")
                }
            };
            return Ok(reply(&Fault::new(fault.0, fault.1)));
        }
        Request::Refund(refund) => refunds::make(app, refund.clone()).await.map(|_| ())?,
        Request::Stop(stop) => stops::end(app, stop.clone()).await?,
        Request::Sms(sms) => inbox::send(app, sms.clone()).await?,
    }
    Ok(done(request))
}

/// The `messageId` of an error.
const fn code_of(error: &Error) -> &'static str {
    match error {
        Error::InvalidMsisdn => "SVC0004",
        Error::UnknownService | Error::BadDay | Error::BadKey | Error::BadReason | Error::UnknownCharge => "SVC0002",
        Error::BadAmount | Error::MoreThanCharged => "SVC0007",
        Error::KeyUsed => "SVC0005",
        Error::RefundRefused => "SVC0270",
        Error::SmsRefused => "POL0001",
        _ => "SVC0001",
    }
}

fn done(request: &Request) -> HttpResponse {
    xml(StatusCode::OK, Reply::done(request))
}

/// A fault, with the status that SOAP 1.1 wants.
fn reply(fault: &Fault) -> HttpResponse {
    xml(StatusCode::INTERNAL_SERVER_ERROR, fault.to_xml())
}

fn xml(status: StatusCode, xml: String) -> HttpResponse {
    HttpResponse::build(status).content_type("text/xml; charset=utf-8").body(xml)
}
