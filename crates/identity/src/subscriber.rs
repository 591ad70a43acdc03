//! Extractors for the brand and the session of a request.

use std::{
    future::{Ready, ready},
    sync::Arc,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header, web::Data};
use brands::{Brand, Brands};
use service::{Message, Problem};

use crate::{Session, SessionVerifier, SubscriberId};

/// The brand and label that the request's host selects. Needs `Data<Brands>` in the app.
///
/// Behind the gateway the host is the label itself: the gateway has resolved demo prefixes and label 88 already.
#[derive(Clone, Debug)]
pub struct Site {
    /// The brand.
    pub brand: Arc<Brand>,
    /// The host label of the request.
    pub label: String,
}

/// The site of a request; a 404 where its host names no brand.
pub fn site_of(req: &HttpRequest) -> Result<Site, Problem> {
    let brands =
        req.app_data::<Data<Brands>>().ok_or_else(|| Problem::internal("Brands is not configured in this service"))?;
    let host = req.headers().get(header::HOST).and_then(|host| host.to_str().ok()).or_else(|| req.uri().host());
    host.and_then(|host| brands.of_request(host, None))
        .map(|(brand, label)| Site { brand, label })
        .ok_or_else(|| Problem::not_found(Message::new("no-such-host")))
}

impl FromRequest for Site {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(site_of(req))
    }
}

/// The name of the cookie that holds the session of a label. By label, because a host labelled `88` shows several brands.
pub fn cookie_name(label: &str) -> String {
    format!("session-{label}")
}

/// A session for the request's own host and brand: a handler with this argument answers 401 without one.
///
/// Needs `Data<Brands>` and `Data<SessionVerifier>` in the app. Use `Option<Subscriber>` where a session is optional.
#[derive(Clone, Debug)]
pub struct Subscriber {
    /// The verified session.
    pub session: Session,
    /// The site of the request.
    pub site: Site,
}

impl Subscriber {
    /// Verifies the session cookie of a request for its own site.
    pub fn of_request(req: &HttpRequest) -> Result<Self, Problem> {
        let site = site_of(req)?;
        let verifier = req
            .app_data::<Data<SessionVerifier>>()
            .ok_or_else(|| Problem::internal("SessionVerifier is not configured in this service"))?;
        let session = req
            .cookie(&cookie_name(&site.label))
            .and_then(|cookie| verifier.verify(cookie.value()))
            .filter(|session| session.label == site.label && session.svc_id == site.brand.svc_id)
            .filter(|session| !session.is_expired(service::timestamp::now().and_utc().timestamp()))
            .ok_or_else(Problem::unauthorized)?;
        Ok(Self { session, site })
    }

    /// The session's number or token, which writes apply to. `ani` may repeat it in any spelling or be absent; another one is a 403.
    pub fn own(&self, ani: Option<&str>) -> Result<&SubscriberId, Problem> {
        match ani.map(str::trim).filter(|ani| !ani.is_empty()) {
            None => Ok(&self.session.msisdn),
            Some(ani) if SubscriberId::parse(ani).is_ok_and(|ani| ani == self.session.msisdn) => {
                Ok(&self.session.msisdn)
            }
            Some(_) => Err(Problem::forbidden(Message::new("other-number"))),
        }
    }

    /// The session's service, which writes apply to. `named` may repeat it under any of its names or be absent; another service
    /// is a 403.
    pub fn own_service(&self, named: Option<&str>) -> Result<&str, Problem> {
        let brand = &self.site.brand;
        match named.map(str::trim).filter(|name| !name.is_empty()) {
            Some(name) if !brand.has_name(name) => Err(Problem::forbidden(Message::new("other-service"))),
            _ => Ok(&brand.service),
        }
    }
}

impl FromRequest for Subscriber {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::of_request(req))
    }
}
