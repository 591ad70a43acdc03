//! Number Verification, SIM Swap and the authorization endpoint before them, as the published definitions have them.

use operator::camara::{Expected, IdToken, challenge_of};
use reqwest::{Method, header};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use testkit::{Engine, Reply, on_each_engine};

use crate::network::{CREDENTIALS, Network, Receiver, config};

const BRANDS: &str = include_str!("../../../../deploy/brands.toml");
const SIM: &str = "27821111111";
const SWAPPED: &str = "27821110015";
const VERIFIER: &str = "a-verifier-of-43-to-128-characters-of-our-own";
const RETURN: &str = "http://memeworld.localhost:8080/api/subscribe/verify-number/return";
const NUMBER: &str = "/camara/number-verification/v2/device-phone-number";
const VERIFY: &str = "/camara/number-verification/v2/verify";
const CHECK: &str = "/camara/sim-swap/v2/check";
const BOTH_SCOPES: &str =
    "openid dpv:ServiceRegistration number-verification:device-phone-number:read number-verification:verify";

/// A sandbox whose pull network has the adapter `camara` and knows its SIMs.
async fn spawn(engine: Engine) -> Network {
    let brands_file = tempfile::tempdir().unwrap().keep().join("brands.toml");
    let camara = "adapter = \"camara\"\ncamara = { number_verification = {}, sim_swap = {} }";
    std::fs::write(&brands_file, BRANDS.replacen("adapter = \"rest\"", camara, 1)).unwrap();
    let receiver = Receiver::default();
    let receiver_addr = receiver.listen();
    let place = testkit::store(engine).await;
    let settings = operator_sandbox::Config { brands_file, ..config(&place, receiver_addr) };
    let running = operator_sandbox::start(settings).await.unwrap();
    Network { running, receiver, receiver_addr, place }
}

/// An authorization request by a browser with a SIM; `changed` parameters in place of the right ones.
async fn authorize(network: &Network, sim: &str, changed: &[(&str, &str)]) -> Reply {
    let challenge = challenge_of(VERIFIER);
    let right = [
        ("response_type", "code"),
        ("client_id", "wasp"),
        ("redirect_uri", RETURN),
        ("scope", BOTH_SCOPES),
        ("state", "s-1"),
        ("nonce", "n-1"),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
        ("prompt", "none"),
    ];
    let value = |name: &str, right: &str| {
        let change = changed.iter().find(|(changed, _)| *changed == name);
        change.map_or_else(|| right.to_owned(), |(_, value)| (*value).to_owned())
    };
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(right.iter().map(|(name, right)| (*name, value(name, right))))
        .finish();
    let client = network.client();
    let request = client.request(Method::GET, &format!("/camara/oauth2/authorize?{query}"));
    client.send(request.header(header::COOKIE, format!("sim={sim}"))).await
}

/// The parameters with which a browser is sent back.
fn sent_back(reply: &Reply) -> Vec<(String, String)> {
    assert_eq!(reply.status, 302, "{}", String::from_utf8_lossy(&reply.bytes));
    let query = reply.header("location").strip_prefix(&format!("{RETURN}?")).unwrap();
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

async fn code(network: &Network, changed: &[(&str, &str)]) -> String {
    let back = sent_back(&authorize(network, SIM, changed).await);
    assert_eq!((back[0].0.as_str(), &back[1]), ("code", &("state".to_owned(), "s-1".to_owned())));
    back[0].1.clone()
}

async fn token(network: &Network, credentials: &str, fields: &[(&str, &str)]) -> Reply {
    let (user, password) = credentials.split_once(':').unwrap();
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let client = network.client();
    let request = client.request(Method::POST, "/camara/oauth2/token").basic_auth(user, Some(password));
    client.send(request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(body)).await
}

async fn exchange(network: &Network, code: &str) -> Reply {
    let fields =
        [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", RETURN), ("code_verifier", VERIFIER)];
    token(network, CREDENTIALS, &fields).await
}

/// An access token for a SIM, with these scopes.
async fn device_token(network: &Network, scope: &str) -> String {
    let reply = exchange(network, &code(network, &[("scope", scope)]).await).await;
    reply.json()["access_token"].as_str().unwrap().to_owned()
}

async fn call(network: &Network, method: Method, path: &str, token: &str, body: Value) -> (u16, Value) {
    let client = network.client();
    let request = client.request(method, path).bearer_auth(token);
    let reply = client.send(if body.is_null() { request } else { request.json(&body) }).await;
    (reply.status, reply.json())
}

fn refused(status: u16, code: &str, reply: (u16, Value)) {
    assert_eq!((reply.0, &reply.1["status"], &reply.1["code"]), (status, &json!(status), &json!(code)), "{}", reply.1);
    assert!(reply.1["message"].as_str().is_some_and(|text| !text.is_empty()));
}

on_each_engine! {
    async fn code_leads_to_the_number_of_the_sim_once(engine) {
        let network = spawn(engine).await;
        let code = code(&network, &[]).await;
        let reply = exchange(&network, &code).await;
        assert_eq!((reply.status, reply.header("cache-control")), (200, "no-store"));
        let granted = reply.json();
        assert!(granted["expires_in"].as_i64().unwrap() <= 300 && granted.get("refresh_token").is_none(), "{granted}");
        let id_token = IdToken::of_endpoint(granted["id_token"].as_str().unwrap()).unwrap();
        let expected = Expected { issuer: "http://localhost:8090/camara", client: "wasp", nonce: "n-1" };
        assert!(id_token.is_for(&expected, chrono::Utc::now().timestamp()));
        let claims = String::from_utf8(
            base64::Engine::decode(
                &base64::engine::general_purpose::URL_SAFE_NO_PAD,
                granted["id_token"].as_str().unwrap().split('.').nth(1).unwrap(),
            )
            .unwrap(),
        );
        assert!(!claims.unwrap().contains(&SIM[2..]), "the subject says nothing about the number");
        let access_token = granted["access_token"].as_str().unwrap();
        let number = call(&network, Method::GET, NUMBER, access_token, Value::Null).await;
        assert_eq!(number, (200, json!({ "devicePhoneNumber": format!("+{SIM}") })));
        // The token is for one call, and the code for one token.
        refused(401, "UNAUTHENTICATED", call(&network, Method::GET, NUMBER, access_token, Value::Null).await);
        let again = exchange(&network, &code).await;
        assert_eq!((again.status, again.json()), (400, json!({ "error": "invalid_grant" })));
    }

    async fn verify_compares_one_number_with_the_sim(engine) {
        let network = spawn(engine).await;
        let hash = |number: &str| Sha256::digest(number).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        for (body, verified) in [
            (json!({ "phoneNumber": format!("+{SIM}") }), true),
            (json!({ "phoneNumber": format!("+{SWAPPED}") }), false),
            (json!({ "hashedPhoneNumber": hash(&format!("+{SIM}")) }), true),
            (json!({ "hashedPhoneNumber": hash(SIM) }), false),
        ] {
            let token = device_token(&network, BOTH_SCOPES).await;
            let reply = call(&network, Method::POST, VERIFY, &token, body.clone()).await;
            assert_eq!(reply, (200, json!({ "devicePhoneNumberVerified": verified })), "{body}");
        }
        for body in [json!({}), json!({ "phoneNumber": format!("+{SIM}"), "hashedPhoneNumber": hash(SIM) })] {
            let token = device_token(&network, BOTH_SCOPES).await;
            refused(400, "INVALID_ARGUMENT", call(&network, Method::POST, VERIFY, &token, body).await);
        }
    }

    async fn token_opens_the_calls_of_its_scopes(engine) {
        let network = spawn(engine).await;
        let verify_only = "openid dpv:ServiceRegistration number-verification:verify";
        let token = device_token(&network, verify_only).await;
        refused(403, "PERMISSION_DENIED", call(&network, Method::GET, NUMBER, &token, Value::Null).await);
        let share_only = "openid dpv:ServiceRegistration number-verification:device-phone-number:read";
        let token = device_token(&network, share_only).await;
        let body = json!({ "phoneNumber": format!("+{SIM}") });
        refused(403, "PERMISSION_DENIED", call(&network, Method::POST, VERIFY, &token, body).await);
        refused(401, "UNAUTHENTICATED", call(&network, Method::GET, NUMBER, "guessed", Value::Null).await);
    }

    async fn browser_without_this_networks_sim_gets_no_code_and_no_question(engine) {
        let network = spawn(engine).await;
        let state = ("state".to_owned(), "s-1".to_owned());
        for sim in ["", "nonsense"] {
            let back = sent_back(&authorize(&network, sim, &[]).await);
            assert_eq!(back, [("error".to_owned(), "interaction_required".to_owned()), state.clone()]);
        }
        for (changed, error) in [
            (("response_type", "token"), "unsupported_response_type"),
            (("scope", "dpv:ServiceRegistration number-verification:verify"), "invalid_scope"),
            (("scope", "openid number-verification:verify"), "invalid_scope"),
            (("code_challenge_method", "plain"), "invalid_request"),
            (("code_challenge", ""), "invalid_request"),
        ] {
            let back = sent_back(&authorize(&network, SIM, &[changed]).await);
            assert_eq!(back, [("error".to_owned(), error.to_owned()), state.clone()], "{changed:?}");
        }
        // An address or a client that is not registered is sent nowhere.
        for changed in [
            ("redirect_uri", "https://elsewhere.example/"),
            ("redirect_uri", "http://memeworld.localhost:8080.elsewhere.example/"),
            ("redirect_uri", ""),
            ("client_id", "another"),
        ] {
            let reply = authorize(&network, SIM, &[changed]).await;
            assert_eq!((reply.status, reply.header("location")), (400, ""), "{changed:?}");
        }
    }

    async fn code_is_for_its_client_address_and_verifier(engine) {
        let network = spawn(engine).await;
        for (name, value) in [("redirect_uri", "http://memeworld.localhost:8080/"), ("code_verifier", "another")] {
            let code = code(&network, &[]).await;
            let mut fields = vec![
                ("grant_type", "authorization_code"),
                ("code", code.as_str()),
                ("redirect_uri", RETURN),
                ("code_verifier", VERIFIER),
            ];
            fields.retain(|(field, _)| *field != name);
            fields.push((name, value));
            assert_eq!(token(&network, CREDENTIALS, &fields).await.status, 400, "{name}");
            // A code that was tried is spent.
            assert_eq!(exchange(&network, &code).await.status, 400, "{name}");
        }
        let code = code(&network, &[]).await;
        let fields = [("grant_type", "authorization_code"), ("code", code.as_str()), ("redirect_uri", RETURN)];
        assert_eq!(token(&network, "wasp:wrong", &fields).await.status, 401);
    }

    async fn swapped_sim_is_reported_within_its_age(engine) {
        let network = spawn(engine).await;
        let grant = |scope: &'static str| [("grant_type", "client_credentials"), ("scope", scope)];
        let access = async |scope| token(&network, CREDENTIALS, &grant(scope)).await.json()["access_token"].clone();
        let allowed = access("dpv:FraudPreventionAndDetection sim-swap:check").await;
        let allowed = allowed.as_str().unwrap();
        let check = async |token: &str, body: Value| call(&network, Method::POST, CHECK, token, body).await;
        for (body, swapped) in [
            (json!({ "phoneNumber": format!("+{SWAPPED}"), "maxAge": 240 }), true),
            (json!({ "phoneNumber": format!("+{SWAPPED}") }), true),
            (json!({ "phoneNumber": format!("+{SWAPPED}"), "maxAge": 12 }), false),
            (json!({ "phoneNumber": format!("+{SIM}"), "maxAge": 2400 }), false),
        ] {
            assert_eq!(check(allowed, body.clone()).await, (200, json!({ "swapped": swapped })), "{body}");
        }
        refused(400, "OUT_OF_RANGE", check(allowed, json!({ "phoneNumber": format!("+{SIM}"), "maxAge": 2401 })).await);
        refused(422, "MISSING_IDENTIFIER", check(allowed, json!({ "maxAge": 240 })).await);
        refused(404, "IDENTIFIER_NOT_FOUND", check(allowed, json!({ "phoneNumber": "+346661113334" })).await);
        let other = access("carrier-billing:payments:read").await;
        let body = json!({ "phoneNumber": format!("+{SIM}") });
        refused(403, "PERMISSION_DENIED", check(other.as_str().unwrap(), body.clone()).await);
        refused(401, "UNAUTHENTICATED", check("guessed", body).await);
    }

    async fn person_puts_a_sim_into_the_browser_and_removes_it(engine) {
        let network = spawn(engine).await;
        let put = network.form("/sim", &[("msisdn", "082 111 1111")]).await;
        let cookie = put.header("set-cookie").to_owned();
        assert!(put.status == 303 && cookie.starts_with(&format!("sim={SIM};")) && cookie.contains("HttpOnly"), "{cookie}");
        let client = network.client();
        let with_sim = client.request(Method::GET, "/sim").header(header::COOKIE, format!("sim={SIM}"));
        let page = String::from_utf8(client.send(with_sim).await.bytes).unwrap();
        assert!(page.contains("27••••••111") && !page.contains(&SIM[2..]), "{page}");
        let removed = network.form("/sim", &[("msisdn", "")]).await;
        assert!(removed.header("set-cookie").starts_with("sim=;"), "{}", removed.header("set-cookie"));
        assert!(String::from_utf8(client.get("/sim").await.bytes).unwrap().contains("not on mobile data"));
    }
}
