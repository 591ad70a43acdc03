//! Number Verification, SIM Swap and Number Recycling of CAMARA, and the authorization endpoint that recognises a browser's SIM.
//!
//! A browser here has no SIM until it has chosen a number on `/sim`, which a cookie keeps. Codes and tokens are in memory, and count once.

use std::time::Duration;

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    cookie::{Cookie, SameSite},
    http::header,
    web::{Form, Json, Query},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use brands::Adapter;
use identity::Msisdn;
use languages::Language;
use maud::html;
use moka::sync::Cache;
use operator::{
    Credentials,
    camara::{
        ANY_SIM_SWAP, AccessToken, CHECK_NUMBER_RECYCLING, CHECK_SIM_SWAP, CheckRecycling, CheckSimSwap,
        DevicePhoneNumber, Expected, IdToken, NumberMatch, RecyclingInfo, SHARE_NUMBER, SimSwapInfo, VERIFY_NUMBER,
        VerifyNumber, challenge_of,
    },
};
use serde::Deserialize;
use serde_json::json;
use service::{Clock, Forwarded};
use sha2::{Digest, Sha256};
use url::Url;

use super::{MAX_KEPT, Refusal, Reply, access::bearer, reply};
use crate::{App, behaviour::Behaviour, clock::day_of, error::Error, page};

/// How long a code waits to be exchanged, and a token for its call (at most 300 s by the definition).
const CODE_LIFETIME: Duration = Duration::from_secs(60);
const TOKEN_SECONDS: i64 = 300;

/// The cookie with the number of this browser's SIM.
const SIM_COOKIE: &str = "sim";

/// How long ago a swapped SIM was swapped, in hours.
const SWAPPED_HOURS_AGO: u32 = 24;

/// Codes that were not exchanged, and tokens that were not used.
pub(crate) struct Sims {
    codes: Cache<String, Code>,
    tokens: Cache<String, DeviceToken>,
}

/// What a code stands for.
#[derive(Clone)]
struct Code {
    network: String,
    msisdn: String,
    scope: String,
    client: String,
    redirect_uri: String,
    challenge: String,
    nonce: String,
}

/// For one call about one SIM.
#[derive(Clone)]
struct DeviceToken {
    network: String,
    msisdn: String,
    scope: String,
}

impl Default for Sims {
    fn default() -> Self {
        Self {
            codes: Cache::builder().max_capacity(MAX_KEPT).time_to_live(CODE_LIFETIME).build(),
            tokens: Cache::builder()
                .max_capacity(MAX_KEPT)
                .time_to_live(Duration::from_secs(TOKEN_SECONDS.unsigned_abs()))
                .build(),
        }
    }
}

fn random() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 24]>())
}

/// An authorization request (OpenID Connect Core, section 3.1.2.1).
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct AuthorizationQuery {
    response_type: String,
    client_id: String,
    redirect_uri: String,
    scope: String,
    state: String,
    nonce: String,
    code_challenge: String,
    code_challenge_method: String,
}

/// `GET /oauth2/authorize`: recognises the SIM of the browser and sends it back, whatever `prompt` says: the definition allows no question.
pub(crate) async fn authorize(app: App, req: HttpRequest, query: Query<AuthorizationQuery>) -> HttpResponse {
    req.extensions_mut().insert(Forwarded);
    // The cookie is one of the public address.
    if let Some(address) = public_address(&app, &req) {
        return redirect(&address);
    }
    let networks = networks_of_client(&app, &query.client_id);
    let network = networks.into_iter().find(|network| is_registered(&app, network, &query.redirect_uri));
    let (Some(network), Ok(mut back)) = (network, Url::parse(&query.redirect_uri)) else {
        // An address that is not the client's gets nothing.
        return HttpResponse::BadRequest().json(json!({"error": "invalid_request"}));
    };
    let (name, value) = match code_for(&app, &req, network, &query) {
        Ok(code) => ("code", code),
        Err(error) => ("error", error.to_owned()),
    };
    back.query_pairs_mut().append_pair(name, &value).append_pair("state", &query.state);
    redirect(back.as_str())
}

fn redirect(address: &str) -> HttpResponse {
    HttpResponse::Found()
        .insert_header((header::LOCATION, address))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .finish()
}

/// The same address at the sandbox's public host, where the request came to another one.
fn public_address(app: &App, req: &HttpRequest) -> Option<String> {
    let public = Url::parse(&app.public_url).ok()?;
    let own = match public.port() {
        Some(port) => format!("{}:{port}", public.host_str()?),
        None => public.host_str()?.to_owned(),
    };
    let (called, path) = (req.connection_info().host().to_owned(), req.uri().path_and_query()?.as_str().to_owned());
    (called != own).then(|| format!("{}{}{path}", app.public_url, app.prefix()))
}

/// The networks that know a client by this id.
fn networks_of_client(app: &App, client_id: &str) -> Vec<String> {
    let networks = app.brands.networks().filter(|(_, network)| network.adapter() == Adapter::Camara);
    let is_called = |name: &String| app.called.as_deref().is_none_or(|called| called == name);
    let knows = |variable: &str| app.payments.client_of(variable).is_some_and(|client| client.user == client_id);
    networks
        .filter(|(name, network)| {
            is_called(name) && network.camara.number_verification.is_some() && knows(&network.credentials)
        })
        .map(|(name, _)| name)
        .collect()
}

/// Whether an address is one of a brand that is sold on the network.
fn is_registered(app: &App, network: &str, redirect_uri: &str) -> bool {
    let brands = app.brands.iter().filter(|brand| brand.offer_on(network).is_some());
    let mut hosts = brands.flat_map(|brand| {
        let of_label = |label: &String| format!("{}/", app.brands.public_url(&brand, label, app.public_port));
        brand.labels.iter().map(of_label).collect::<Vec<_>>()
    });
    hosts.any(|host| redirect_uri.starts_with(&host))
}

/// A code for the SIM of this browser, or the error of OpenID Connect.
fn code_for(app: &App, req: &HttpRequest, network: String, query: &AuthorizationQuery) -> Result<String, &'static str> {
    if query.response_type != "code" {
        return Err("unsupported_response_type");
    }
    let mut scopes = query.scope.split(' ');
    let purposes = query.scope.split(' ').filter(|scope| scope.starts_with("dpv:")).count();
    if !scopes.any(|scope| scope == "openid") || purposes != 1 {
        return Err("invalid_scope");
    }
    if query.code_challenge_method != "S256" || query.code_challenge.is_empty() || query.nonce.is_empty() {
        return Err("invalid_request");
    }
    let sim = req.cookie(SIM_COOKIE).and_then(|cookie| Msisdn::parse(cookie.value()).ok());
    // No mobile data, or that of another network.
    let sim = sim.filter(|sim| is_on_network(app, sim, &network)).ok_or("interaction_required")?;
    let code = random();
    let stands_for = Code {
        network,
        msisdn: sim.as_str().to_owned(),
        scope: query.scope.clone(),
        client: query.client_id.clone(),
        redirect_uri: query.redirect_uri.clone(),
        challenge: query.code_challenge.clone(),
        nonce: query.nonce.clone(),
    };
    app.sims.codes.insert(code.clone(), stands_for);
    Ok(code)
}

fn is_on_network(app: &App, sim: &Msisdn, network: &str) -> bool {
    let moved = app.moved_numbers.network_of(sim.as_str());
    let own = moved.or_else(|| app.brands.network_by_range(sim.as_str()));
    own.is_none_or(|own| own == network)
}

/// The request of a client that exchanges a code (RFC 6749, section 4.1.3).
pub(super) struct CodeExchange {
    code: String,
    redirect_uri: String,
    code_verifier: String,
}

impl CodeExchange {
    /// With the fields of a request.
    pub fn new(code: String, redirect_uri: String, code_verifier: String) -> Self {
        Self { code, redirect_uri, code_verifier }
    }
}

/// A token for a code, once.
pub(super) async fn exchange(app: &App, req: &HttpRequest, client: &Credentials, sent: CodeExchange) -> Reply {
    let invalid = || Refusal(Box::new(HttpResponse::BadRequest().json(json!({"error": "invalid_grant"}))));
    let code = app.sims.codes.remove(&sent.code).ok_or_else(invalid)?;
    app.misbehaviours.begin_call(Some(&code.network)).await?;
    let is_same = code.client == client.user
        && code.redirect_uri == sent.redirect_uri
        && code.challenge == challenge_of(&sent.code_verifier);
    if !is_same {
        return Err(invalid());
    }
    let wrong = app.misbehaviours.of(&code.network).wrong_audience;
    let issuer = format!("http://{}{}/camara", req.connection_info().host(), app.prefix());
    let audience: &str = if wrong { "another-client" } else { &client.user };
    let expected = Expected { issuer: &issuer, client: audience, nonce: &code.nonce };
    // Says nothing about the number, and is another one for each client.
    let digest = Sha256::digest(format!("{}/{}/{}", client.password, client.user, code.msisdn));
    let now = Clock::system_now().and_utc().timestamp();
    let id_token = IdToken::new(&expected, &URL_SAFE_NO_PAD.encode(digest), now, TOKEN_SECONDS);
    let access_token = random();
    let Code { network, msisdn, scope, .. } = code;
    app.sims.tokens.insert(access_token.clone(), DeviceToken { network, msisdn, scope });
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(AccessToken {
        access_token,
        token_type: "Bearer".to_owned(),
        expires_in: Some(TOKEN_SECONDS),
        id_token: id_token.signed(&client.password).ok(),
    }))
}

/// What a request's token stands for: a token is for one call.
async fn device_of(app: &App, req: &HttpRequest, scope: &str) -> Result<DeviceToken, Refusal> {
    req.extensions_mut().insert(Forwarded);
    let token = bearer(req).and_then(|token| app.sims.tokens.remove(token));
    let token = token.ok_or_else(Refusal::unauthenticated)?;
    app.misbehaviours.begin_call(Some(&token.network)).await?;
    if !token.scope.split(' ').any(|granted| granted == scope) {
        return Err(Refusal::permission_denied());
    }
    Ok(token)
}

/// `GET /device-phone-number`.
pub(crate) async fn get_number(app: App, req: HttpRequest) -> HttpResponse {
    let get = async || {
        let device = device_of(&app, &req, SHARE_NUMBER).await?;
        Ok(HttpResponse::Ok().json(DevicePhoneNumber::new(&device.msisdn)))
    };
    reply(get().await)
}

/// `POST /verify`.
pub(crate) async fn verify(app: App, req: HttpRequest, number: Json<VerifyNumber>) -> HttpResponse {
    let verify = async || {
        let device = device_of(&app, &req, VERIFY_NUMBER).await?;
        let device_phone_number_verified = number.is(&device.msisdn).ok_or_else(Refusal::invalid)?;
        Ok(HttpResponse::Ok().json(NumberMatch { device_phone_number_verified }))
    };
    reply(verify().await)
}

/// `POST /check`: whether the SIM of a number was swapped in the last hours.
pub(crate) async fn check_swap(app: App, req: HttpRequest, check: Json<CheckSimSwap>) -> HttpResponse {
    let check_swap = async || {
        begin_check(&app, &req, &[CHECK_SIM_SWAP, ANY_SIM_SWAP]).await?;
        let hours = check.max_age_hours();
        if !(1..=2400).contains(&hours) {
            return Err(Refusal::new(400, "OUT_OF_RANGE", "Client specified an invalid range."));
        }
        let was_swapped = behaviour_of(check.msisdn())? == Behaviour::SimSwapped;
        Ok(HttpResponse::Ok().json(SimSwapInfo { swapped: was_swapped && hours >= SWAPPED_HOURS_AGO }))
    };
    reply(check_swap().await)
}

/// `POST /check` of Number Recycling: whether a number was given to another person after a day.
pub(crate) async fn check_recycling(app: App, req: HttpRequest, check: Json<CheckRecycling>) -> HttpResponse {
    let check_recycling = async || {
        begin_check(&app, &req, &[CHECK_NUMBER_RECYCLING]).await?;
        let is_recycled = behaviour_of(check.msisdn())? == Behaviour::Recycled;
        let yesterday = day_of(app.clock.now()).pred_opt();
        let phone_number_recycled = is_recycled && Some(check.specified_date) < yesterday;
        Ok(HttpResponse::Ok().json(RecyclingInfo { phone_number_recycled }))
    };
    reply(check_recycling().await)
}

/// Whether a call may ask about a number, by one of these scopes.
async fn begin_check(app: &App, req: &HttpRequest, scopes: &[&str]) -> Result<(), Refusal> {
    let networks = app.payments.access(req)?;
    let network = networks.first().map(String::as_str);
    app.misbehaviours.begin_call(network).await?;
    if network.is_some_and(|network| app.misbehaviours.of(network).checks_unavailable) {
        return Err(Refusal::from(Error::Unavailable));
    }
    let scope = app.payments.scope_of(req);
    if !scope.split(' ').any(|granted| scopes.contains(&granted)) {
        return Err(Refusal::permission_denied());
    }
    Ok(())
}

fn behaviour_of(msisdn: Option<String>) -> Result<Behaviour, Refusal> {
    let missing = || Refusal::new(422, "MISSING_IDENTIFIER", "The device cannot be identified.");
    let unknown = |_| Refusal::new(404, "IDENTIFIER_NOT_FOUND", "Device identifier not found.");
    Ok(Behaviour::of(Msisdn::parse(&msisdn.ok_or_else(missing)?).map_err(unknown)?.as_str()))
}

/// The number to put into this browser.
#[derive(Deserialize)]
pub(crate) struct SimForm {
    msisdn: String,
}

/// `GET /sim`: which SIM this browser has.
pub(crate) async fn show_sim(req: HttpRequest) -> page::PageResponse {
    let sim = req.cookie(SIM_COOKIE).and_then(|cookie| Msisdn::parse(cookie.value()).ok());
    let body = html! {
        section class="card" {
            h1 { "The SIM in this browser" }
            p class="lead" {
                "A real network recognises the SIM of a phone on mobile data. This stand-in for one takes the number that you choose here."
            }
            @match &sim {
                Some(sim) => p { "This browser is on mobile data, with the SIM of " (sim.masked()) "." },
                None => p { "This browser is not on mobile data." },
            }
            form method="post" action="/sim" {
                label for="msisdn" { "Number; empty: no mobile data" }
                input id="msisdn" name="msisdn" inputmode="tel" autocomplete="off" placeholder="eg 0721000021";
                button class="yes" type="submit" { "Put in" }
            }
        }
    };
    page::page(Language::ENGLISH, "SIM", body)
}

/// `POST /sim`: puts the SIM of a number into this browser, or takes it out.
pub(crate) async fn put_sim(form: Form<SimForm>) -> HttpResponse {
    let number = Msisdn::parse(&form.msisdn);
    let cookie =
        Cookie::build(SIM_COOKIE, number.as_ref().map(|number| number.as_str().to_owned()).unwrap_or_default());
    let cookie = cookie.path("/").http_only(true).same_site(SameSite::Lax);
    let mut cookie = cookie.finish();
    if number.is_err() {
        cookie.make_removal();
    }
    HttpResponse::SeeOther().insert_header((header::LOCATION, "/sim")).cookie(cookie).finish()
}
