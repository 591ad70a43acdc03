//! Access of operators: calls below `/internal` require a bearer token.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header, web};
use sha2::{Digest, Sha256};

use crate::Problem;

/// The token for `/internal` (`ADMIN_TOKEN`); its debug output is masked.
#[derive(Clone)]
pub struct AdminToken(Option<[u8; 32]>);

impl AdminToken {
    /// Stores the token's digest. With `None` or an empty token, every call is refused.
    pub fn new(token: Option<&str>) -> Self {
        Self(token.filter(|token| !token.is_empty()).map(|token| Sha256::digest(token).into()))
    }
}

impl std::fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "AdminToken(set)" } else { "AdminToken(unset)" })
    }
}

/// Proof that the caller sent the admin token.
#[derive(Clone, Copy, Debug)]
pub struct Admin(());

impl FromRequest for Admin {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let expected = req.app_data::<web::Data<AdminToken>>().and_then(|token| token.0);
        let given = req
            .headers()
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "))
            .map(|token| <[u8; 32]>::from(Sha256::digest(token)));
        // Comparing digests of equal length leaks nothing about the token by its timing.
        ready(match (expected, given) {
            (Some(expected), Some(given)) if expected == given => Ok(Self(())),
            _ => Err(Problem::no_token()),
        })
    }
}
