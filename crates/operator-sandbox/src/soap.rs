//! The SOAP API of a WASP: the calls of the other modules in XML, for services whose network has the adapter `soap`. A caller proves itself by a
//! WS-Security UsernameToken, each with a nonce of its own.

use std::{sync::Arc, time::Duration};

use actix_web::{HttpMessage, HttpRequest, HttpResponse, http::StatusCode, web::Bytes};
use brands::Adapter;
use moka::sync::Cache;
use operator::{
    BadToken, Charge, ChargeRequest, ChargeStatus, Credentials, OptInReply, OptInRequest, Refund, RefundRequest,
    SmsRequest, StopRequest, UsernameToken, WINDOW_SECONDS,
    soap::{
        ChargeList, ChargeResult, ChargeRow, ChargeSubscriber, Done, Fault, ListCharges, OptInAnswer, OptInPage,
        RefundCharge, RefundResult, Request, RequestOptIn, Response, SendSms, StopSubscription,
    },
};
use service::{Clock, Forwarded, Page};

use crate::{
    App,
    charge_rows::Listed,
    charges::{self, MAX_LISTED},
    error::Error,
    faults, inbox,
    misbehaviour::{ListFault, Misbehaviour},
    opt_ins, refunds, stops,
};

const OK: &str = "0";
const ACCEPTED: &str = "1";
const UNKNOWN_REFERENCE: &str = "25";
const INVALID: &str = "30";
const NOT_REFUNDED: &str = "40";
const NOT_DELIVERED: &str = "41";
const INSUFFICIENT_FUNDS: &str = "51";
const NOT_SUBSCRIBED: &str = "60";
/// Without a meaning that was agreed on.
const UNLISTED: &str = "77";
const BUSY: &str = "91";
const DUPLICATE: &str = "94";

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
        let token = token.ok_or_else(|| Fault::security("InvalidSecurity", "a UsernameToken is required"))?;
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
            Some(false) => Err(Fault::security("FailedCheck", "the nonce has been used")),
            None => Err(match refused {
                BadToken::Malformed => Fault::security("InvalidSecurityToken", "the UsernameToken cannot be read"),
                BadToken::OutsideWindow => {
                    Fault::security("MessageExpired", "the UsernameToken is too old, or not yet valid")
                }
                BadToken::Wrong => {
                    Fault::security("FailedAuthentication", "the UsernameToken could not be authenticated")
                }
            }),
        }
    }
}

/// Every call of the API.
pub(crate) async fn call(app: App, req: HttpRequest, body: Bytes) -> HttpResponse {
    // A fault has the status 500 and stays XML.
    req.extensions_mut().insert(Forwarded);
    let Ok((request, token)) = Request::parse(&body) else {
        return reply(&Response::Fault(Fault::client("the request cannot be read")));
    };
    let networks = match app.callers.networks_of(&app, token.as_ref()) {
        Ok(networks) => networks,
        Err(fault) => return reply(&Response::Fault(fault)),
    };
    match answer(&app, &networks, request).await {
        Ok(response) => response,
        Err(Error::Hung) => faults::cut(),
        Err(Error::Unavailable) => HttpResponse::ServiceUnavailable().finish(),
        Err(error) => {
            tracing::error!(error = %error, "a SOAP call failed");
            reply(&Response::Fault(Fault::server("the call failed")))
        }
    }
}

/// The reply to a call that was made, whatever its result; an error is no result.
async fn answer(app: &App, networks: &[String], request: Request) -> Result<HttpResponse, Error> {
    Ok(reply(&match request {
        Request::RequestOptIn(request) => Response::RequestOptIn(match opt_in(app, networks, request).await {
            Ok(page) => OptInPage::new(OK, Some(page)),
            Err(error) => OptInPage::new(code_of(error)?, None),
        }),
        Request::QueryOptIn(query) => Response::QueryOptIn(match opt_ins::status(app, query.reference).await {
            Ok(opt_in) => OptInAnswer::new(OK, opt_in),
            Err(error) => OptInAnswer::failed(code_of(error)?),
        }),
        Request::StopSubscription(request) => Response::StopSubscription(done(stop(app, networks, request).await)?),
        Request::SendSms(request) => Response::SendSms(done(send_sms(app, networks, request).await)?),
        Request::ChargeSubscriber(request) => match charge(app, networks, request).await {
            Ok((charge, misbehaviour)) => return Ok(charge_reply(charge, &misbehaviour, Response::ChargeSubscriber)),
            Err(error) => Response::ChargeSubscriber(ChargeResult::failed(code_of(error)?)),
        },
        Request::QueryCharge(query) => match charges::status(app, query.transaction_id).await {
            Ok((charge, misbehaviour)) => return Ok(charge_reply(charge, &misbehaviour, Response::QueryCharge)),
            Err(error) => Response::QueryCharge(ChargeResult::failed(code_of(error)?)),
        },
        Request::RefundCharge(request) => Response::RefundCharge(match refund(app, networks, request).await {
            Ok(refund) => RefundResult::new(OK, Some(refund)),
            Err(error) => RefundResult::new(code_of(error)?, None),
        }),
        Request::ListCharges(request) => Response::ListCharges(list(app, networks, request).await?),
    }))
}

async fn opt_in(app: &App, networks: &[String], request: RequestOptIn) -> Result<OptInReply, Error> {
    let request = OptInRequest::try_from(request).map_err(|_| Error::BadAmount)?;
    check_service(app, networks, request.svc_id)?;
    opt_ins::begin(app, request).await
}

async fn stop(app: &App, networks: &[String], request: StopSubscription) -> Result<(), Error> {
    let request = StopRequest::from(request);
    check_service(app, networks, request.svc_id)?;
    stops::end(app, request).await
}

async fn send_sms(app: &App, networks: &[String], request: SendSms) -> Result<(), Error> {
    let request = SmsRequest::from(request);
    check_service(app, networks, request.svc_id)?;
    inbox::send(app, request).await
}

async fn charge(
    app: &App,
    networks: &[String],
    request: ChargeSubscriber,
) -> Result<(Charge, Arc<Misbehaviour>), Error> {
    let request = ChargeRequest::try_from(request).map_err(|_| Error::BadAmount)?;
    check_service(app, networks, request.svc_id)?;
    charges::make(app, request).await
}

async fn refund(app: &App, networks: &[String], request: RefundCharge) -> Result<Refund, Error> {
    let request = RefundRequest::try_from(request).map_err(|_| Error::BadAmount)?;
    check_service(app, networks, request.svc_id)?;
    Ok(refunds::make(app, request).await?.0)
}

/// Refuses a service that no network of the caller bills.
fn check_service(app: &App, networks: &[String], svc_id: i32) -> Result<(), Error> {
    let (brand, _) = app.brand(svc_id)?;
    if networks.contains(&brand.network) { Ok(()) } else { Err(Error::UnknownService) }
}

async fn list(app: &App, networks: &[String], request: ListCharges) -> Result<ChargeList, Error> {
    let (mut listed, mut faults) = (Listed::default(), Vec::new());
    for network in networks {
        faults.extend(charges::begin_list(app, Some(network)).await?);
        listed.extend(app.listed(Some(network)));
    }
    let cursor = request.cursor.as_deref().map(str::trim).filter(|cursor| !cursor.is_empty());
    let after = cursor.map_or(Ok(0), str::parse);
    let (Ok(day), Ok(after), true) = (
        charges::parse_day(request.billing_date.trim()),
        after,
        (1..=MAX_LISTED).contains(&i64::from(request.page_size)),
    ) else {
        return Ok(ChargeList { result_code: INVALID.to_owned(), charges: Vec::new(), next_cursor: None });
    };
    let page = Page { limit: request.page_size.into(), after };
    let (rows, last) = charges::page_of_day(app, day.to_string(), listed, page).await?;
    let mut charges: Vec<ChargeRow> = rows.iter().map(ChargeRow::new).collect();
    if faults.contains(&ListFault::BadRow) {
        charges.push(ChargeRow::unreadable());
    }
    let next = if faults.contains(&ListFault::Endless) { Some(after) } else { last };
    Ok(ChargeList { result_code: OK.to_owned(), charges, next_cursor: next.map(|last| last.to_string()) })
}

fn charge_reply(charge: Charge, misbehaviour: &Misbehaviour, response: fn(ChargeResult) -> Response) -> HttpResponse {
    let code = match charge.outcome {
        ChargeStatus::Charged => OK,
        ChargeStatus::Accepted => ACCEPTED,
        ChargeStatus::InsufficientFunds => INSUFFICIENT_FUNDS,
        ChargeStatus::Refused => NOT_SUBSCRIBED,
        ChargeStatus::Cancelled => BUSY,
        ChargeStatus::Unknown => UNLISTED,
    };
    misbehaviour.garbled_reply().unwrap_or_else(|| reply(&response(ChargeResult::new(code, charge))))
}

fn done(result: Result<(), Error>) -> Result<Done, Error> {
    let code = result.map_or_else(code_of, |()| Ok(OK))?;
    Ok(Done { result_code: code.to_owned() })
}

/// The result code of an error that is reported to the caller; other errors have none.
fn code_of(error: Error) -> Result<&'static str, Error> {
    Ok(match error {
        Error::UnknownOptIn | Error::UnknownCharge => UNKNOWN_REFERENCE,
        Error::InvalidMsisdn
        | Error::UnknownService
        | Error::BadReturnUrl
        | Error::BadDay
        | Error::BadKey
        | Error::BadAmount
        | Error::BadReason => INVALID,
        Error::RefundRefused | Error::MoreThanCharged => NOT_REFUNDED,
        Error::SmsRefused => NOT_DELIVERED,
        Error::Busy => BUSY,
        Error::KeyUsed => DUPLICATE,
        other => return Err(other),
    })
}

/// An envelope; a fault has the status 500, as SOAP 1.1 wants it.
fn reply(response: &Response) -> HttpResponse {
    let status = if response.code().is_some() { StatusCode::OK } else { StatusCode::INTERNAL_SERVER_ERROR };
    match response.to_xml() {
        Ok(xml) => HttpResponse::build(status).content_type("text/xml; charset=utf-8").body(xml),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}
