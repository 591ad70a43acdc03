//! Single sign-on by a provider that is imitated, and by one that attacks.

use backoffice::SecondFactorOf;
use serde_json::{Value, json};
use testkit::Engine;
use url::Url;

use crate::{
    App, Browser, FIRST, PASSWORD, Reply, code,
    provider::{FakeProvider, Signature},
    spawn_app, spawn_app_with, token_of,
};

const SIPHO: &str = "sipho@spaza.example";
const SECOND_FACTOR: &str = "/sign-in/second-factor";
const REFUSED: &str = "/sign-in?failure=refused";
const EXPIRED: &str = "/sign-in?failure=expired";
const ADDRESS: &str = "/sign-in?failure=address";

async fn spawn(engine: Engine) -> (FakeProvider, App) {
    let provider = FakeProvider::start();
    let app = spawn_app_with(engine, |config| config.single_sign_on = provider.config()).await;
    (provider, app)
}

fn sipho() -> Value {
    json!({ "sub": "account-1", "email": "Sipho@Spaza.example" })
}

/// Goes to the provider, agrees there, and returns the address to which it sends the browser back.
async fn agree(browser: &mut Browser, call: &str, body: Option<Value>) -> String {
    let begun = browser.call("POST", call, body).await;
    assert_eq!(begun.status, 200, "{begun:?}");
    let cookie = begun.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let address = begun.json()["address"].as_str().unwrap().to_owned();
    let reply = testkit::client().get(address).send().await.unwrap();
    assert_eq!(reply.status(), 302);
    let back = Url::parse(reply.headers()["location"].to_str().unwrap()).unwrap();
    assert_eq!(back.path(), "/api/sign-in/callback");
    format!("{}?{}", back.path(), back.query().unwrap())
}

/// Comes back to the back office; returns the page that it leads to. The provider is another site.
async fn come_back(browser: &mut Browser, back: &str) -> String {
    let request = browser.request(reqwest::Method::GET, back).header("sec-fetch-site", "cross-site");
    let reply = browser.send(request).await;
    assert_eq!(reply.status, 303, "{reply:?}");
    reply.header("location").to_owned()
}

/// A whole single sign-on.
async fn sign_in(browser: &mut Browser) -> String {
    let back = agree(browser, "/api/sign-in/provider", None).await;
    come_back(browser, &back).await
}

async fn is_signed_in(browser: &mut Browser) -> bool {
    browser.call("GET", "/api/session", None).await.status == 200
}

async fn prove(browser: &mut Browser, code: &str) -> Reply {
    browser.call("POST", "/api/session/second-factor", Some(json!({ "code": code }))).await
}

/// Invites a person; returns the call that accepts by single sign-on, and the secret of the authenticator.
async fn invite(admin: &mut Browser, email: &str) -> (String, String) {
    let body = json!({ "email": email, "name": "Sipho", "roles": ["support"] });
    let reply = admin.call("POST", "/api/invitations", Some(body)).await;
    assert_eq!(reply.status, 201, "{reply:?}");
    let path = format!("/api/invitations/{}", token_of(reply.json()["link"].as_str().unwrap()));
    let secret = admin.get_ok(&path).await["totp_secret"].as_str().unwrap().to_owned();
    (format!("{path}/provider"), secret)
}

/// Invites Sipho, who accepts by single sign-on; returns the secret of the authenticator, and its code that is used now.
async fn accept(app: &App, admin: &mut Browser, provider: &FakeProvider) -> (String, String) {
    let (call, secret) = invite(admin, SIPHO).await;
    provider.person(sipho());
    let mut browser = Browser::new(app.addr);
    let used = code(&secret, 0);
    let back = agree(&mut browser, &call, Some(json!({ "name": "Sipho M", "code": used }))).await;
    assert_eq!(come_back(&mut browser, &back).await, "/");
    let session = browser.get_ok("/api/session").await;
    assert_eq!((&session["staff"]["name"], &session["staff"]["email"]), (&json!("Sipho M"), &json!(SIPHO)));
    (secret, used)
}

async fn actions(admin: &mut Browser, action: &str) -> Vec<Value> {
    admin.get_ok(&format!("/api/audit?action={action}")).await["entries"].as_array().unwrap().clone()
}

testkit::on_each_engine! {
    async fn person_invited_by_single_sign_on_signs_in_with_second_factor(engine) {
        let (provider, app) = spawn(engine).await;
        let (mut admin, _) = app.administrator().await;
        assert_eq!(admin.get_ok("/api/sign-in").await, json!({ "provider": "Imitated Login" }));
        let (secret, used) = accept(&app, &mut admin, &provider).await;

        // There is no password, and the provider alone is not enough.
        let mut browser = Browser::new(app.addr);
        assert_eq!(browser.sign_in(SIPHO, PASSWORD, &code(&secret, 1)).await.status, 401);
        assert_eq!(sign_in(&mut browser).await, SECOND_FACTOR);
        assert!(!is_signed_in(&mut browser).await);
        assert_eq!(browser.get_ok("/api/session/second-factor").await, json!({ "passkey": null }));
        assert_eq!(prove(&mut Browser::new(app.addr), &code(&secret, 1)).await.status, 404, "another browser");
        assert_eq!(prove(&mut browser, &used).await.status, 401, "a used code");
        let reply = prove(&mut browser, &code(&secret, 1)).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        assert!(is_signed_in(&mut browser).await);
        assert_eq!(prove(&mut browser, &code(&secret, 1)).await.status, 404, "it is over");

        let opened = actions(&mut admin, "session.opened").await;
        assert_eq!(opened[0]["details"]["factors"], json!(["single sign-on", "code"]));
        assert_eq!(actions(&mut admin, "session.refused").await.len(), 2);
        let accepted = actions(&mut admin, "invitation.accepted").await;
        assert_eq!(accepted[0]["details"]["issuer"], provider.issuer);

        // A sign-out ends our session.
        assert_eq!(browser.call("DELETE", "/api/session", None).await.status, 204);
        assert!(!is_signed_in(&mut browser).await);
        let stored = app.texts("SELECT token_hash AS text FROM provider_visits UNION ALL SELECT token_hash FROM open_sign_ins").await;
        assert!(stored.is_empty(), "{stored:?}");
    }

    async fn invitation_is_accepted_by_its_verified_address_alone_and_once(engine) {
        let (provider, app) = spawn(engine).await;
        let (mut admin, _) = app.administrator().await;
        let (call, secret) = invite(&mut admin, SIPHO).await;
        let body = json!({ "name": "Sipho", "code": code(&secret, 0) });
        let wrong = json!({ "name": "Sipho", "code": "12345" });
        assert_eq!(admin.call("POST", &call, Some(wrong)).await.status, 422);
        let mut browser = Browser::new(app.addr);
        for person in [
            json!({ "sub": "account-1", "email": SIPHO, "email_verified": false }),
            json!({ "sub": "account-1", "email": SIPHO, "email_verified": null }),
            json!({ "sub": "account-1", "email": SIPHO, "email_verified": "true" }),
            json!({ "sub": "account-1", "email": "thabo@spaza.example" }),
            json!({ "sub": "account-1" }),
        ] {
            provider.person(person.clone());
            let back = agree(&mut browser, &call, Some(body.clone())).await;
            assert_eq!(come_back(&mut browser, &back).await, ADDRESS, "{person}");
            // Nor does the address alone sign in who is invited.
            assert_eq!(sign_in(&mut browser).await, REFUSED, "{person}");
        }
        assert!(!is_signed_in(&mut browser).await);
        provider.person(sipho());
        assert_eq!(sign_in(&mut browser).await, REFUSED, "an invited address without the invitation");
        let [first, second] = [
            agree(&mut browser.clone(), &call, Some(body.clone())).await,
            agree(&mut browser, &call, Some(body.clone())).await,
        ];
        assert_eq!(come_back(&mut browser, &first).await, EXPIRED, "the cookie is of the second");
        let mut other = Browser::new(app.addr);
        let third = agree(&mut other, &call, Some(body.clone())).await;
        assert_eq!(come_back(&mut other, &third).await, "/");
        assert_eq!(come_back(&mut browser, &second).await, EXPIRED);
        assert_eq!(browser.call("POST", &call, Some(body)).await.status, 404, "the link is used");
    }

    async fn forged_tokens_are_refused(engine) {
        let (provider, app) = spawn(engine).await;
        let (mut admin, _) = app.administrator().await;
        accept(&app, &mut admin, &provider).await;
        let mut browser = Browser::new(app.addr);
        let now = service::timestamp::now().and_utc().timestamp();
        let claims = |name: &str, value: Value| {
            let mut person = sipho();
            person[name] = value;
            person
        };
        for (name, value) in [
            ("nonce", json!("another")),
            ("nonce", json!(null)),
            ("aud", json!("another-client")),
            ("aud", json!(["back-office", "another-client"])),
            ("aud", json!([])),
            ("azp", json!("another-client")),
            ("iss", json!("http://127.0.0.1:9")),
            ("exp", json!(now - 3600)),
            ("exp", json!(null)),
            ("nbf", json!(now + 3600)),
            ("sub", json!(null)),
            ("sub", json!("account-2")),
        ] {
            provider.person(claims(name, value.clone()));
            assert_eq!(sign_in(&mut browser).await, REFUSED, "{name}: {value}");
        }
        for (signature, name) in [
            (Signature::OtherKey, "another key"),
            (Signature::UnknownKey, "an unknown key"),
            (Signature::None, "none"),
            (Signature::Hmac, "the public key as a secret"),
        ] {
            provider.person(sipho());
            provider.state().signature = signature;
            assert_eq!(sign_in(&mut browser).await, REFUSED, "{name}");
        }
        assert!(!is_signed_in(&mut browser).await);
        provider.person(claims("azp", json!("back-office")));
        assert_eq!(sign_in(&mut browser).await, SECOND_FACTOR);
    }

    async fn code_and_state_count_once_and_in_their_browser(engine) {
        let (provider, app) = spawn(engine).await;
        let (mut admin, _) = app.administrator().await;
        accept(&app, &mut admin, &provider).await;
        let (mut browser, mut other) = (Browser::new(app.addr), Browser::new(app.addr));
        let call = "/api/sign-in/provider";

        let stolen = agree(&mut browser, call, None).await;
        assert_eq!(come_back(&mut other, &stolen).await, EXPIRED, "a browser without the cookie");
        agree(&mut other, call, None).await;
        assert_eq!(come_back(&mut other, &stolen).await, EXPIRED, "a browser with a cookie of its own");
        assert_eq!(come_back(&mut browser, &stolen).await, SECOND_FACTOR);
        assert_eq!(come_back(&mut browser, &stolen).await, EXPIRED, "the same address again");

        // A code of another visit, and a used one.
        let code_of = |back: &str| back.split_once("code=").unwrap().1.split('&').next().unwrap().to_owned();
        let foreign = agree(&mut other, call, None).await;
        for code in [code_of(&foreign), code_of(&stolen)] {
            let back = agree(&mut browser, call, None).await;
            let swapped = back.replace(&code_of(&back), &code);
            assert_eq!(come_back(&mut browser, &swapped).await, REFUSED);
        }
        let back = agree(&mut browser, call, None).await;
        let state = back.split_once("state=").unwrap().1.split('&').next().unwrap();
        assert_eq!(come_back(&mut browser, &back.replace(state, "0")).await, EXPIRED, "a wrong state");
        let back = agree(&mut browser, call, None).await;
        assert_eq!(come_back(&mut browser, &back.replace("iss=http", "iss=https")).await, REFUSED, "another issuer");
        let back = agree(&mut browser, call, None).await;
        app.execute("UPDATE provider_visits SET expires_at = '2026-01-01 00:00:00'").await.unwrap();
        assert_eq!(come_back(&mut browser, &back).await, EXPIRED, "too late");
        provider.state().refuses = true;
        assert_eq!(sign_in(&mut browser).await, "/sign-in?failure=cancelled");
        assert!(!is_signed_in(&mut browser).await && !is_signed_in(&mut other).await);
    }

    async fn removed_reset_and_locked_members_are_refused(engine) {
        let (provider, app) = spawn(engine).await;
        let (mut admin, _) = app.administrator().await;
        let (secret, _) = accept(&app, &mut admin, &provider).await;
        let id = crate::id_of(&mut admin, SIPHO).await;

        // Ten wrong codes lock the account's codes, and leave the way to the provider open.
        let mut waits = Browser::new(app.addr);
        assert_eq!(sign_in(&mut waits).await, SECOND_FACTOR);
        for _ in 0..10 {
            assert_eq!(prove(&mut waits, "000000").await.status, 401);
        }
        assert_eq!(prove(&mut waits, &code(&secret, 1)).await.status, 429);
        let mut other = Browser::new(app.addr);
        assert_eq!(sign_in(&mut other).await, SECOND_FACTOR);
        assert_eq!(prove(&mut other, &code(&secret, 1)).await.status, 429);

        // A reset ends the lock, what waits, and the link to the provider's account.
        let reply = admin.call("POST", &format!("/api/staff/{id}/reset"), None).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        assert_eq!(prove(&mut waits, &code(&secret, 1)).await.status, 404);
        assert_eq!(sign_in(&mut Browser::new(app.addr)).await, REFUSED);
        let call = format!("/api/invitations/{}/provider", token_of(reply.json()["link"].as_str().unwrap()));
        let secret = admin.get_ok(call.trim_end_matches("/provider")).await["totp_secret"].as_str().unwrap().to_owned();
        let back = agree(&mut waits, &call, Some(json!({ "name": "Sipho", "code": code(&secret, 0) }))).await;
        assert_eq!(come_back(&mut waits, &back).await, "/");
        let mut later = Browser::new(app.addr);
        assert_eq!(sign_in(&mut later).await, SECOND_FACTOR);

        let body = json!({ "roles": ["support"], "removed": true });
        assert_eq!(admin.call("PUT", &format!("/api/staff/{id}"), Some(body)).await.status, 200);
        assert!(!is_signed_in(&mut waits).await);
        assert_eq!(prove(&mut later, &code(&secret, 1)).await.status, 404);
        assert_eq!(sign_in(&mut later).await, REFUSED);
    }

    async fn one_address_begins_a_hundred_sign_ons(engine) {
        let (_provider, app) = spawn(engine).await;
        let mut browser = Browser::new(app.addr);
        for number in 0..101 {
            let reply = browser.call("POST", "/api/sign-in/provider", None).await;
            assert_eq!(reply.status, if number < 100 { 200 } else { 429 }, "{number}: {reply:?}");
        }
    }

    async fn member_links_and_unlinks_the_own_account_of_the_provider(engine) {
        let (provider, app) = spawn(engine).await;
        let (mut admin, secret) = app.administrator().await;
        let (mut thabo, _) = app.member(&mut admin, "thabo@spaza.example", &["editor"]).await;
        let link = "/api/sign-in/link";
        let linked = |is: bool| json!({ "provider": "Imitated Login", "linked": is });
        assert_eq!(admin.get_ok(link).await, linked(false));
        for person in [
            json!({ "sub": "admin", "email": FIRST, "email_verified": false }),
            json!({ "sub": "admin", "email": "attacker@spaza.example" }),
        ] {
            provider.person(person);
            let back = agree(&mut admin, link, None).await;
            assert_eq!(come_back(&mut admin, &back).await, ADDRESS);
        }
        provider.person(json!({ "sub": "admin", "email": FIRST }));
        let back = agree(&mut admin, link, None).await;
        assert_eq!(come_back(&mut admin, &back).await, "/sessions");
        assert_eq!(admin.get_ok(link).await, linked(true));
        assert_eq!(actions(&mut admin, "single_sign_on.linked").await.len(), 1);

        // The subject counts from now on; the address at the provider may change.
        provider.person(json!({ "sub": "admin", "email": "new@spaza.example", "email_verified": false }));
        let mut browser = Browser::new(app.addr);
        assert_eq!(sign_in(&mut browser).await, SECOND_FACTOR);
        assert_eq!(prove(&mut browser, &code(&secret, 1)).await.status, 200);

        // One account of the provider is one member's.
        provider.person(json!({ "sub": "admin", "email": "thabo@spaza.example" }));
        let back = agree(&mut thabo, link, None).await;
        assert_eq!(come_back(&mut thabo, &back).await, REFUSED);

        // A link that was begun in a session ends with it.
        provider.person(json!({ "sub": "thabo", "email": "thabo@spaza.example" }));
        let back = agree(&mut thabo, link, None).await;
        assert_eq!(thabo.call("DELETE", "/api/session", None).await.status, 204);
        assert_eq!(come_back(&mut thabo, &back).await, EXPIRED);

        assert_eq!(admin.call("DELETE", link, None).await.status, 204);
        assert_eq!(admin.call("DELETE", link, None).await.status, 404);
        provider.person(json!({ "sub": "admin", "email": FIRST }));
        assert_eq!(sign_in(&mut Browser::new(app.addr)).await, REFUSED);
    }

    async fn member_without_a_password_keeps_single_sign_on(engine) {
        let (provider, app) = spawn(engine).await;
        let (mut admin, _) = app.administrator().await;
        let (secret, _) = accept(&app, &mut admin, &provider).await;
        let mut browser = Browser::new(app.addr);
        assert_eq!(sign_in(&mut browser).await, SECOND_FACTOR);
        assert_eq!(prove(&mut browser, &code(&secret, 1)).await.status, 200);
        assert_eq!(browser.call("DELETE", "/api/sign-in/link", None).await.status, 409);

        // As an administrator by single sign-on, this member is one who can sign in, but not where single sign-on is not configured.
        let first = crate::id_of(&mut admin, FIRST).await;
        app.grant(SIPHO, &["administrator"]);
        let body = json!({ "roles": ["editor"], "removed": false });
        let path = format!("/api/staff/{first}");
        let without = app.restarted(|config| config.single_sign_on = backoffice::SingleSignOnConfig::default()).await;
        assert_eq!(admin.at(without.addr).call("PUT", &path, Some(body.clone())).await.status, 409);
        assert_eq!(admin.call("PUT", &path, Some(body)).await.status, 200);
    }

    async fn second_factor_of_the_provider_counts_where_it_is_configured(engine) {
        let (provider, app) = spawn(engine).await;
        let (mut admin, _) = app.administrator().await;
        accept(&app, &mut admin, &provider).await;
        let trusting = app
            .restarted(|config| {
                config.single_sign_on.oidc_second_factor = SecondFactorOf::Provider;
                config.single_sign_on.oidc_second_factor_values = vec!["mfa".to_owned(), "phr".to_owned()];
            })
            .await;
        for (name, value, expected) in [
            ("amr", json!(["pwd", "mfa"]), "/"),
            ("acr", json!("phr"), "/"),
            ("amr", json!(["pwd"]), SECOND_FACTOR),
            ("acr", json!("mf"), SECOND_FACTOR),
            ("amr", json!([]), SECOND_FACTOR),
        ] {
            let mut person = sipho();
            person[name] = value.clone();
            provider.person(person);
            let mut browser = Browser::new(trusting.addr);
            assert_eq!(sign_in(&mut browser).await, expected, "{name}: {value}");
            assert_eq!(is_signed_in(&mut browser).await, expected == "/");
            assert_eq!(sign_in(&mut Browser::new(app.addr)).await, SECOND_FACTOR, "{name}: {value}");
        }
        let opened = actions(&mut admin, "session.opened").await;
        assert_eq!(opened[0]["details"]["factors"], json!(["single sign-on", "the provider's"]));
    }

    async fn provider_that_is_away_stops_single_sign_on_alone(engine) {
        let provider = FakeProvider::start();
        provider.state().is_away = true;
        let app = spawn_app_with(engine, |config| config.single_sign_on = provider.config()).await;
        let (mut admin, secret) = app.administrator().await;
        let mut browser = Browser::new(app.addr);
        let reply = browser.call("POST", "/api/sign-in/provider", None).await;
        assert_eq!(reply.status, 503, "{reply:?}");
        let text = reply.json()["error_message"].as_str().unwrap().to_owned();
        assert!(text.contains("sign in with your password") && !text.contains("127.0.0.1"), "{text}");
        assert_eq!(browser.sign_in(FIRST, PASSWORD, &code(&secret, 1)).await.status, 200);

        provider.state().is_away = false;
        accept(&app, &mut admin, &provider).await;
        provider.state().is_exchange_away = true;
        assert_eq!(sign_in(&mut Browser::new(app.addr)).await, "/sign-in?failure=unavailable");
        provider.state().is_exchange_away = false;
        assert_eq!(sign_in(&mut Browser::new(app.addr)).await, SECOND_FACTOR);
    }

    async fn key_of_the_provider_rotates(engine) {
        let (provider, app) = spawn(engine).await;
        let (mut admin, _) = app.administrator().await;
        accept(&app, &mut admin, &provider).await;
        provider.rotate();
        // Keys that were just read are not read again for each unknown one.
        let mut location = String::new();
        for _ in 0..20 {
            location = sign_in(&mut Browser::new(app.addr)).await;
            if location == SECOND_FACTOR {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
        assert_eq!(location, SECOND_FACTOR);
    }

    async fn single_sign_on_is_off_without_settings(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        assert_eq!(admin.get_ok("/api/sign-in").await, json!({ "provider": null }));
        assert_eq!(admin.get_ok("/api/sign-in/link").await, json!({ "provider": null, "linked": false }));
        assert_eq!(admin.call("POST", "/api/sign-in/provider", None).await.status, 404);
        let request = admin.request(reqwest::Method::GET, "/api/sign-in/callback?code=x&state=y");
        assert_eq!(admin.send(request).await.header("location"), EXPIRED);
    }
}

#[testkit::actix_web::test]
async fn half_of_the_settings_refuse_the_start() {
    let (key, second) = (crate::token_key(), crate::second_factor_key());
    let others = [
        ("BIND", "127.0.0.1:0"),
        ("BACKOFFICE_DIR", "migrations/backoffice"),
        ("STAFF_TOKEN_SECRET_KEY", key.as_str()),
        ("SECOND_FACTOR_KEYS", second.as_str()),
    ];
    let (issuer, client, secret) =
        (("OIDC_ISSUER", "https://login.example"), ("OIDC_CLIENT_ID", "c"), ("OIDC_CLIENT_SECRET", "hidden"));
    for (settings, named) in [
        (vec![client, secret], "OIDC_ISSUER: not set"),
        (vec![issuer, secret, ("OIDC_CLIENT_ID", "")], "OIDC_CLIENT_ID: not set"),
        (vec![issuer, client], "OIDC_CLIENT_SECRET: not set"),
        (vec![("OIDC_ISSUER", "login.example"), client, secret], "OIDC_ISSUER: is no"),
        (
            vec![
                ("OIDC_ISSUER", "http://login.example"),
                client,
                secret,
                ("PRODUCTION", "1"),
                ("BACKOFFICE_URL", "https://staff.spaza.example"),
            ],
            "OIDC_ISSUER: ",
        ),
    ] {
        let line = testkit::failed_start(env!("CARGO_BIN_EXE_backoffice"), &[&others[..], &settings].concat()).await;
        assert!(line.starts_with(named) && !line.contains("hidden"), "{line}");
    }
}
