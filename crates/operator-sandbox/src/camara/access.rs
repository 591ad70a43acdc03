//! Access tokens: whom they are for, and which networks they open.

use std::{collections::BTreeSet, sync::Arc};

use actix_web::{HttpMessage, HttpRequest, HttpResponse, http::header};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use brands::{Adapter, ClientProof};
use operator::{
    Credentials,
    camara::{ASSERTION_TYPE, AccessToken, ClientKey},
};
use serde_json::json;
use service::{Clock, Forwarded};

use super::{Payments, Refusal, TOKEN_LIFETIME, reply, sims};
use crate::App;

impl Payments {
    /// Makes every access token invalid.
    pub fn forget_tokens(&self) {
        self.tokens.invalidate_all();
    }

    /// The client that a variable names.
    pub(super) fn client_of(&self, variable: &str) -> Option<Credentials> {
        let text = match variable {
            "NETWORK_CREDENTIALS" => self.credentials.clone(),
            variable => std::env::var(variable).ok(),
        };
        text?.parse().ok()
    }

    /// The scopes of a request's token.
    pub(super) fn scope_of(&self, req: &HttpRequest) -> String {
        bearer(req).and_then(|token| self.scopes.get(token)).unwrap_or_default()
    }

    /// The networks that have this client.
    fn networks_of(&self, app: &App, client: &Credentials, proof: ClientProof) -> Vec<String> {
        let is_of = |variable: &str| {
            let known = self.client_of(variable);
            known.is_some_and(|known| (known.user, known.password) == (client.user.clone(), client.password.clone()))
        };
        let networks = app.brands.networks().filter(|(_, network)| network.adapter() == Adapter::Camara);
        let is_called = |name: &String| app.called.as_deref().is_none_or(|called| called == name);
        networks
            .filter(|(name, network)| {
                is_called(name) && network.camara.client_auth == proof && is_of(&network.credentials)
            })
            .map(|(name, _)| name)
            .collect()
    }

    /// The networks that a request's token opens.
    pub(super) fn access(&self, req: &HttpRequest) -> Result<Arc<Vec<String>>, Refusal> {
        // An error keeps CAMARA's body.
        req.extensions_mut().insert(Forwarded);
        bearer(req).and_then(|token| self.tokens.get(token)).ok_or_else(Refusal::unauthenticated)
    }
}

/// The access token of a request.
pub(super) fn bearer(req: &HttpRequest) -> Option<&str> {
    req.headers().get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// `POST /oauth2/token`.
pub(crate) async fn token(app: App, req: HttpRequest, body: String) -> HttpResponse {
    req.extensions_mut().insert(Forwarded);
    let refused = |error: &str| HttpResponse::Unauthorized().json(json!({"error": error}));
    let field = |name: &str| {
        let found = url::form_urlencoded::parse(body.as_bytes()).find(|(named, _)| named == name);
        found.map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    let grant = field("grant_type");
    if !matches!(grant.as_str(), "client_credentials" | "authorization_code") {
        return HttpResponse::BadRequest().json(json!({"error": "unsupported_grant_type"}));
    }
    let asserted = asserted_client(&app, &req, [&field("client_assertion_type"), &field("client_assertion")]);
    let Some((client, proof)) = asserted.or_else(|| Some((basic_auth(&req)?, ClientProof::ClientSecretBasic))) else {
        return refused("invalid_client");
    };
    let networks = app.payments.networks_of(&app, &client, proof);
    if networks.is_empty() {
        return refused("invalid_client");
    }
    if grant == "authorization_code" {
        let sent = sims::CodeExchange::new(field("code"), field("redirect_uri"), field("code_verifier"));
        return reply(sims::exchange(&app, &req, &client, sent).await);
    }
    let access_token = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 24]>());
    app.payments.scopes.insert(access_token.clone(), field("scope"));
    app.payments.tokens.insert(access_token.clone(), Arc::new(networks));
    let expires_in = i64::try_from(TOKEN_LIFETIME.as_secs()).ok();
    HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(AccessToken {
        access_token,
        token_type: "Bearer".to_owned(),
        expires_in,
        id_token: None,
    })
}

/// The client that has signed a request's assertion (`private_key_jwt`).
fn asserted_client(app: &App, req: &HttpRequest, [kind, assertion]: [&str; 2]) -> Option<(Credentials, ClientProof)> {
    if kind != ASSERTION_TYPE {
        return None;
    }
    let token_url = format!("http://{}{}/camara/oauth2/token", req.connection_info().host(), app.prefix());
    let now = Clock::system_now().and_utc().timestamp();
    let variables: BTreeSet<String> = app.brands.networks().map(|(_, network)| network.credentials.clone()).collect();
    let (client, id) = variables.iter().find_map(|variable| {
        let client = app.payments.client_of(variable)?;
        let id = ClientKey::parse(&client).ok()?.verified(assertion, &token_url, now)?;
        Some((client, id))
    })?;
    let is_fresh = app.payments.assertions.entry(id).or_insert(()).is_fresh();
    is_fresh.then_some((client, ClientProof::PrivateKeyJwt))
}

/// The client of a request, which encodes its id and secret as form values (RFC 6749, section 2.3.1).
fn basic_auth(req: &HttpRequest) -> Option<Credentials> {
    use base64::engine::general_purpose::STANDARD;
    let text = req.headers().get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Basic ")?;
    let text = String::from_utf8(STANDARD.decode(text).ok()?).ok()?;
    let (user, password) = text.split_once(':')?;
    let decoded = |text: &str| url::form_urlencoded::parse(text.as_bytes()).next().map(|(name, _)| name.into_owned());
    Some(Credentials { user: decoded(user)?, password: decoded(password)? })
}
