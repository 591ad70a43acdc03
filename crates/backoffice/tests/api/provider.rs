//! A small OpenID provider: discovery, keys, the page at which a person agrees, and the exchange of a code. It signs by a real key, and can
//! be made to answer wrongly.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, http::header, web};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use rcgen::KeyPair;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::Url;

const CLIENT: &str = "back-office";
const SECRET: &str = "a secret: with a colon & more";
const KEY: &str = "key-1";

/// How a token is signed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signature {
    OwnKey,
    /// Another provider's key under the same name.
    OtherKey,
    /// Another provider's key, and its name.
    UnknownKey,
    /// `alg` is `none`.
    None,
    /// By the public key as a shared secret.
    Hmac,
}

/// What the page of the provider noted for a code.
struct Grant {
    challenge: String,
    nonce: String,
    redirect_uri: String,
}

pub(crate) struct State {
    /// Claims about the person at the browser, which replace those that are right.
    pub(crate) person: Value,
    pub(crate) signature: Signature,
    /// Whether the person refuses.
    pub(crate) refuses: bool,
    /// Whether every call fails.
    pub(crate) is_away: bool,
    /// Whether only the exchange of codes fails.
    pub(crate) is_exchange_away: bool,
    key: KeyPair,
    other_key: KeyPair,
    grants: HashMap<String, Grant>,
}

/// The provider.
#[derive(Clone)]
pub(crate) struct FakeProvider {
    pub(crate) issuer: String,
    state: Arc<Mutex<State>>,
}

impl FakeProvider {
    pub(crate) fn start() -> Self {
        let state = Arc::new(Mutex::new(State {
            person: json!({}),
            signature: Signature::OwnKey,
            refuses: false,
            is_away: false,
            is_exchange_away: false,
            key: KeyPair::generate().unwrap(),
            other_key: KeyPair::generate().unwrap(),
            grants: HashMap::new(),
        }));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let issuer = format!("http://{}/staff", listener.local_addr().unwrap());
        let provider = Self { issuer, state };
        let data = web::Data::new(provider.clone());
        let server = HttpServer::new(move || {
            App::new()
                .app_data(data.clone())
                .route("/staff/.well-known/openid-configuration", web::get().to(discovery))
                .route("/staff/keys", web::get().to(keys))
                .route("/staff/authorize", web::get().to(authorize))
                .route("/staff/token", web::post().to(exchange))
        });
        actix_web::rt::spawn(server.workers(1).disable_signals().listen(listener).unwrap().run());
        provider
    }

    pub(crate) fn config(&self) -> backoffice::SingleSignOnConfig {
        backoffice::SingleSignOnConfig {
            oidc_issuer: self.issuer.clone(),
            oidc_client_id: CLIENT.to_owned(),
            oidc_client_secret: SECRET.to_owned(),
            oidc_name: "Imitated Login".to_owned(),
            ..backoffice::SingleSignOnConfig::default()
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Who is at the browser from now on, with right tokens.
    pub(crate) fn person(&self, claims: Value) {
        let mut state = self.state();
        state.person = claims;
        state.signature = Signature::OwnKey;
    }

    /// A new key; the old one is gone.
    pub(crate) fn rotate(&self) {
        self.state().key = KeyPair::generate().unwrap();
    }
}

/// The name of a key is of its own, so that a rotation is noticed.
fn name_of(key: &KeyPair) -> String {
    format!("{KEY}-{}", hex::encode(Sha256::digest(key.public_key_raw())))
}

async fn discovery(provider: web::Data<FakeProvider>) -> HttpResponse {
    if provider.state().is_away {
        return HttpResponse::ServiceUnavailable().finish();
    }
    let issuer = &provider.issuer;
    HttpResponse::Ok().json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize?tenant=staff"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
    }))
}

async fn keys(provider: web::Data<FakeProvider>) -> HttpResponse {
    let state = provider.state();
    let (x, y) = state.key.public_key_raw()[1..].split_at(32);
    HttpResponse::Ok().json(json!({ "keys": [
        // A key of a kind that is not known hides no other.
        { "kty": "AKP", "alg": "ML-DSA-44", "kid": "new" },
        {
            "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": name_of(&state.key),
            "x": URL_SAFE_NO_PAD.encode(x), "y": URL_SAFE_NO_PAD.encode(y),
        },
    ] }))
}

async fn authorize(provider: web::Data<FakeProvider>, req: HttpRequest) -> HttpResponse {
    let query: HashMap<String, String> =
        Url::parse(&format!("http://x/?{}", req.query_string())).unwrap().query_pairs().into_owned().collect();
    for (name, expected) in [
        ("tenant", "staff"),
        ("response_type", "code"),
        ("client_id", CLIENT),
        ("code_challenge_method", "S256"),
        ("scope", "openid email"),
    ] {
        assert_eq!(query[name], expected, "{name}");
    }
    let mut state = provider.state();
    let code = hex::encode(rand::random::<[u8; 8]>());
    let mut back = Url::parse(&query["redirect_uri"]).unwrap();
    back.query_pairs_mut().append_pair("state", &query["state"]).append_pair("iss", &provider.issuer);
    if state.refuses {
        back.query_pairs_mut().append_pair("error", "access_denied");
    } else {
        back.query_pairs_mut().append_pair("code", &code);
    }
    state.grants.insert(
        code,
        Grant {
            challenge: query["code_challenge"].clone(),
            nonce: query["nonce"].clone(),
            redirect_uri: query["redirect_uri"].clone(),
        },
    );
    HttpResponse::Found().insert_header((header::LOCATION, back.as_str())).finish()
}

async fn exchange(
    provider: web::Data<FakeProvider>,
    req: HttpRequest,
    form: web::Form<HashMap<String, String>>,
) -> HttpResponse {
    let encoded: String = url::form_urlencoded::byte_serialize(SECRET.as_bytes()).collect();
    let basic = format!("Basic {}", STANDARD.encode(format!("{CLIENT}:{encoded}")));
    assert_eq!(req.headers().get(header::AUTHORIZATION).unwrap().to_str().unwrap(), basic);
    let mut state = provider.state();
    if state.is_exchange_away {
        return HttpResponse::BadGateway().finish();
    }
    // A code is good once, for the browser's verifier.
    let grant = state.grants.remove(&form["code"]).filter(|grant| {
        grant.challenge == URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]))
            && grant.redirect_uri == form["redirect_uri"]
            && form["grant_type"] == "authorization_code"
    });
    let Some(grant) = grant else { return HttpResponse::BadRequest().json(json!({ "error": "invalid_grant" })) };
    HttpResponse::Ok().json(json!({
        "access_token": "unused", "token_type": "Bearer", "id_token": token(&provider.issuer, &state, &grant),
    }))
}

fn token(issuer: &str, state: &State, grant: &Grant) -> String {
    let now = service::timestamp::now().and_utc().timestamp();
    let mut claims = json!({
        "iss": issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": grant.nonce, "email_verified": true,
    });
    for (name, value) in state.person.as_object().unwrap() {
        claims[name] = value.clone();
    }
    let signing = match state.signature {
        Signature::OtherKey | Signature::UnknownKey => &state.other_key,
        _ => &state.key,
    };
    let named = if state.signature == Signature::UnknownKey { &state.other_key } else { &state.key };
    let mut header = Header::new(Algorithm::ES256);
    header.kid = Some(name_of(named));
    match state.signature {
        Signature::None => {
            let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
            format!("{}.{}.", part(&json!({ "alg": "none", "kid": header.kid })), part(&claims))
        }
        Signature::Hmac => {
            header.alg = Algorithm::HS256;
            jsonwebtoken::encode(&header, &claims, &EncodingKey::from_secret(state.key.public_key_raw())).unwrap()
        }
        _ => jsonwebtoken::encode(&header, &claims, &EncodingKey::from_ec_der(signing.serialized_der())).unwrap(),
    }
}
