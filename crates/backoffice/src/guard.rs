//! Who calls: finds the session of a request, and refuses changing calls from other sites.

use std::future::{Ready, ready};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    body::MessageBody,
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{self, HeaderMap},
    },
    middleware::Next,
    web::Data,
};
use chrono::TimeDelta;

use crate::{
    app::App,
    error::Error,
    members::{Member, Role},
    sessions,
};

/// A member of staff who is an administrator.
pub(crate) struct Administrator(pub(crate) Member);

/// A member of staff who answers subscribers.
pub(crate) struct Support(pub(crate) Member);

/// A member of staff who keeps the books.
pub(crate) struct Finance(pub(crate) Member);

/// A member of staff who decides about money: finance or an administrator.
pub(crate) struct Money(pub(crate) Member);

/// A member of staff who looks after the business: support, finance or an administrator.
pub(crate) struct Business(pub(crate) Member);

/// A member of staff who edits content: an editor or a publisher.
pub(crate) struct ContentStaff(pub(crate) Member);

/// A member of staff who puts content live.
pub(crate) struct Publisher(pub(crate) Member);

/// Runs before every call of the API.
pub(crate) async fn guard(
    mut req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let changes = !matches!(*req.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if changes && !is_own_origin(req.headers()) {
        return Err(Error::ForeignOrigin.into());
    }
    if let Some(app) = req.app_data::<Data<App>>()
        && let Some(token) = sessions::token_of(&req, app)
        && let Some(member) = sessions::member_of(app, &token).await?
    {
        req.extensions_mut().insert(member);
    }
    if let Some(method) = overridden(&req) {
        req.head_mut().method = method;
    }
    next.call(req).await
}

/// How long a proved second factor opens sensitive calls.
const RECENT: TimeDelta = TimeDelta::minutes(10);

/// Runs before a sensitive call of `routes`, which needs a recent proof of the second factor.
pub(crate) async fn recent(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let proved_at = req.extensions().get::<Member>().map(|member| member.proved_at);
    let now = req.app_data::<Data<App>>().map(|app| app.clock.now());
    match proved_at.zip(now) {
        Some((proved_at, now)) if now - proved_at > RECENT => Err(Error::ProofTooOld.into()),
        _ => next.call(req).await,
    }
}

/// The method that a POST of the tus protocol stands for: some proxies let nothing but GET and POST through (its core, "Headers").
fn overridden(req: &ServiceRequest) -> Option<Method> {
    let is_upload = req.path().starts_with("/api/uploads/") && req.headers().contains_key("tus-resumable");
    let named = req.headers().get("x-http-method-override").filter(|_| is_upload && req.method() == Method::POST)?;
    let named = named.to_str().ok()?.trim();
    [Method::PATCH, Method::DELETE, Method::HEAD].into_iter().find(|method| named.eq_ignore_ascii_case(method.as_str()))
}

/// Browsers send Sec-Fetch-Site; those that do not send Origin with every changing request.
fn is_own_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    match (text("sec-fetch-site"), text(header::ORIGIN.as_str()), text(header::HOST.as_str())) {
        (Some(site), ..) => matches!(site, "same-origin" | "none"),
        (None, Some(origin), Some(host)) => {
            origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(host))
        }
        _ => false,
    }
}

impl FromRequest for Member {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(req.extensions().get::<Self>().cloned().ok_or(Error::NoSession))
    }
}

impl FromRequest for Administrator {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(member_with(req, &[Role::Administrator]).map(Self))
    }
}

impl FromRequest for Support {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(member_with(req, &[Role::Support]).map(Self))
    }
}

impl FromRequest for Finance {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(member_with(req, &[Role::Finance]).map(Self))
    }
}

impl FromRequest for Money {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(member_with(req, &[Role::Finance, Role::Administrator]).map(Self))
    }
}

impl FromRequest for Business {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(member_with(req, &[Role::Support, Role::Finance, Role::Administrator]).map(Self))
    }
}

impl FromRequest for ContentStaff {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(member_with(req, &[Role::Editor, Role::Publisher]).map(Self))
    }
}

impl FromRequest for Publisher {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(member_with(req, &[Role::Publisher]).map(Self))
    }
}

/// The member of the session, with one of these roles.
fn member_with(req: &HttpRequest, roles: &[Role]) -> Result<Member, Error> {
    let member = req.extensions().get::<Member>().cloned().ok_or(Error::NoSession)?;
    if member.roles.iter().any(|role| roles.contains(role)) { Ok(member) } else { Err(Error::NoRole) }
}
