//! Access to calls below `/internal`: machines have the admin token; members of staff come through the back office, which signs a
//! short-lived token for each call. It names the person, the service that is called, and what the person may do there.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header, web};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    Clock, Problem, SigningKey, StaffText, VerifyingKeys,
    route::{self, service_name},
};

/// How long a token of staff is valid, in seconds: it is used at once, and clocks differ.
const LIFETIME_SECONDS: i64 = 60;

/// The caller that has no other name than the admin token.
const MACHINE: &str = "admin-token";

/// What a member of staff may do in another service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Answers subscribers: reads a number's account, ends, refunds, blocks, sends messages again.
    Support,
    /// Keeps the books: reads sums of the ledger, compares days with the networks' lists.
    Finance,
    /// Edits a catalogue: reads its records in every state, imports records, takes records down.
    Editors,
    /// Reads the day at a glance: sums and states, no number.
    Overview,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    /// The service.
    aud: String,
    /// The member of staff: an email address.
    sub: String,
    scope: Scope,
    /// Seconds since 1970 UTC.
    exp: i64,
}

/// The token of one call of `service` by a member of staff; `None` only if signing itself fails.
pub fn staff_token(key: &SigningKey, service: &str, person: &str, scope: Scope) -> Option<String> {
    let exp = system_seconds().saturating_add(LIFETIME_SECONDS);
    let claims = Claims { aud: service.to_owned(), sub: person.to_owned(), scope, exp };
    key.sign(&serde_json::to_vec(&claims).ok()?)
}

fn system_seconds() -> i64 {
    Clock::system_now().and_utc().timestamp()
}

/// What opens `/internal`: the token of machines (`ADMIN_TOKEN`), and the public keys of the back office. Debug output is masked.
#[derive(Clone)]
pub struct AdminToken {
    digest: Option<[u8; 32]>,
    staff_keys: Option<VerifyingKeys>,
}

impl AdminToken {
    /// Stores the token's digest. With `None` or an empty token, every call is refused.
    pub fn new(token: Option<&str>) -> Self {
        let digest = token.filter(|token| !token.is_empty()).map(|token| Sha256::digest(token).into());
        Self { digest, staff_keys: None }
    }

    /// Accepts tokens of staff, too, that these keys verify.
    pub fn with_staff_keys(self, staff_keys: Option<VerifyingKeys>) -> Self {
        Self { staff_keys, ..self }
    }
}

impl std::fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.digest.is_some() { "AdminToken(set)" } else { "AdminToken(unset)" })
    }
}

/// Proof that the caller sent the admin token.
#[derive(Clone, Copy, Debug)]
pub struct Admin(());

/// Proof that the caller sent the admin token, or a token of staff with the scope [`Scope::Support`].
#[derive(Clone, Debug)]
pub struct SupportCaller(Caller);

impl SupportCaller {
    /// Who calls: a member of staff by email address, or `admin-token`.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Whether the caller is a machine, which may act for a person that it names itself.
    pub fn is_machine(&self) -> bool {
        matches!(self.0, Caller::Machine)
    }
}

/// Proof that the caller sent the admin token, or a token of staff with the scope [`Scope::Finance`].
#[derive(Clone, Debug)]
pub struct FinanceCaller(Caller);

impl FinanceCaller {
    /// Who calls: a member of staff by email address, or `admin-token`.
    pub fn name(&self) -> &str {
        self.0.name()
    }
}

/// Proof that the caller sent the admin token, or a token of staff with the scope [`Scope::Editors`].
#[derive(Clone, Debug)]
pub struct EditorCaller(Caller);

impl EditorCaller {
    /// Who calls: a member of staff by email address, or `admin-token`.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Whether the caller is a machine, which may act for a person that it names itself.
    pub fn is_machine(&self) -> bool {
        matches!(self.0, Caller::Machine)
    }
}

/// Proof that the caller sent the admin token, or a token of staff with the scope [`Scope::Overview`].
#[derive(Clone, Copy, Debug)]
pub struct OverviewCaller(());

#[derive(Clone, Debug)]
enum Caller {
    Machine,
    Staff { person: String, scope: Scope },
}

impl Caller {
    fn name(&self) -> &str {
        match self {
            Self::Machine => MACHINE,
            Self::Staff { person, .. } => person,
        }
    }

    fn of(req: &HttpRequest) -> Result<Self, Problem> {
        let given = req
            .headers()
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "));
        let (Some(given), Some(expected)) = (given, req.app_data::<web::Data<AdminToken>>()) else {
            return Err(Problem::no_token());
        };
        // Comparing digests of equal length leaks nothing about the token by its timing.
        if expected.digest == Some(Sha256::digest(given).into()) {
            return Ok(Self::Machine);
        }
        let message = expected.staff_keys.as_ref().and_then(|keys| keys.verify(given));
        let claims = message.and_then(|message| serde_json::from_str::<Claims>(&message).ok());
        let Some(Claims { sub: person, scope, .. }) = claims
            .filter(|claims| Some(claims.aud.as_str()) == service_name(req))
            .filter(|claims| claims.exp > system_seconds() && claims.sub.contains('@'))
        else {
            return Err(Problem::no_token());
        };
        Ok(Self::Staff { person, scope })
    }

    /// Logs the call of a member of staff, whether or not it is allowed.
    fn log(&self, req: &HttpRequest, is_allowed: bool) {
        if let Self::Staff { person, .. } = self {
            let (method, route) = (req.method(), route::name(req));
            tracing::info!(staff.name = person, staff.allowed = is_allowed, "{method} {route} by {person}");
        }
    }
}

fn extract<T>(req: &HttpRequest, allow: impl FnOnce(Caller) -> Option<T>) -> Ready<Result<T, Problem>> {
    ready(Caller::of(req).and_then(|caller| {
        let allowed = allow(caller.clone());
        caller.log(req, allowed.is_some());
        allowed.ok_or_else(|| Problem::forbidden(StaffText::new("scope-too-small")))
    }))
}

impl FromRequest for Admin {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        extract(req, |caller| matches!(caller, Caller::Machine).then_some(Self(())))
    }
}

impl FromRequest for FinanceCaller {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        extract(req, |caller| match caller {
            Caller::Machine | Caller::Staff { scope: Scope::Finance, .. } => Some(Self(caller)),
            Caller::Staff { .. } => None,
        })
    }
}

impl FromRequest for OverviewCaller {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        extract(req, |caller| {
            matches!(caller, Caller::Machine | Caller::Staff { scope: Scope::Overview, .. }).then_some(Self(()))
        })
    }
}

impl FromRequest for SupportCaller {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        extract(req, |caller| match caller {
            Caller::Machine | Caller::Staff { scope: Scope::Support, .. } => Some(Self(caller)),
            Caller::Staff { .. } => None,
        })
    }
}

impl FromRequest for EditorCaller {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        extract(req, |caller| match caller {
            Caller::Machine | Caller::Staff { scope: Scope::Editors, .. } => Some(Self(caller)),
            Caller::Staff { .. } => None,
        })
    }
}
