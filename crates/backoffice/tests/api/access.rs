//! Who may make which call: every call of the document, as every role.

use crate::{Browser, spawn_app};
use serde_json::json;

/// Any folder stands for the built front end where the start fails before it is served.
const PAGES: &str = "migrations/backoffice";

const ROLES: [&str; 5] = ["editor", "publisher", "support", "finance", "administrator"];

/// Method, address with parameters filled in, and the access rule, of every call. The one that ends the session is last.
fn calls() -> Vec<(String, String, String)> {
    calls_with("x-access")
}

/// The same, with another extension of the document; empty where the call has none.
pub(crate) fn calls_with(extension: &str) -> Vec<(String, String, String)> {
    let document = backoffice::openapi();
    let mut calls = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let address = path.replace("{id}", "999999").replace("{token}", "unknown").replace("{record}", "unknown");
            let address = ["{month}", "{day}", "{catalogue}", "{kind}", "{slug}", "{still}"]
                .iter()
                .fold(address, |address, parameter| address.replace(parameter, "unknown"));
            assert!(!address.contains('{'), "{path} has a parameter that this test does not fill in");
            calls.push((method.to_uppercase(), address, operation[extension].as_str().unwrap_or_default().to_owned()));
        }
    }
    calls.sort_by_key(|(method, path, _)| (method == "DELETE" && path == "/api/session", path.clone()));
    calls
}

/// Asserts that each call is refused exactly where its rule says so.
async fn call_all(browser: Browser, role: Option<&str>) {
    for (method, path, access) in calls() {
        let body = (method != "GET").then(|| json!({}));
        // A copy, so that the cookies of one call are of no use to the next.
        let reply = browser.clone().call(&method, &path, body).await;
        let call = format!("{method} {path} ({access}) as {role:?}: {reply:?}");
        let refusal = match (access.as_str(), role) {
            ("public", _) | ("staff", Some(_)) => None,
            ("administrator" | "support" | "finance" | "publisher", Some(role)) if role == access => None,
            ("content", Some("editor" | "publisher")) => None,
            ("money", Some("finance" | "administrator")) => None,
            ("business", Some("support" | "finance" | "administrator")) => None,
            (
                "staff" | "administrator" | "support" | "finance" | "money" | "business" | "publisher" | "content",
                None,
            ) => Some(401),
            ("administrator" | "support" | "finance" | "money" | "business" | "publisher" | "content", Some(_)) => {
                Some(403)
            }
            (other, _) => panic!("{call}: the rule {other} is not known to this test"),
        };
        match refusal {
            Some(status) => assert_eq!(reply.status, status, "{call}"),
            // Nothing listens where the subscription service should be: calls that only read there get that far.
            None if (matches!(access.as_str(), "finance" | "money" | "business")
                || ["/api/overview", "/api/support/cases"].contains(&path.as_str()))
                && method == "GET" =>
            {
                assert!(!matches!(reply.status, 401 | 403 | 500..503), "{call}")
            }
            None => assert!(!matches!(reply.status, 401 | 403 | 500..), "{call}"),
        }
    }
}

testkit::on_each_engine! {
    async fn every_call_is_allowed_to_its_role_alone(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        call_all(Browser::new(app.addr), None).await;
        for role in ROLES {
            let (browser, _) = app.member(&mut admin, &format!("{role}@spaza.example"), &[role]).await;
            call_all(browser, Some(role)).await;
        }
    }

    async fn changing_call_of_another_site_is_403(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        let own = format!("http://{}", app.addr);
        for (headers, status) in [
            (vec![], 403),
            (vec![("sec-fetch-site", "cross-site")], 403),
            (vec![("sec-fetch-site", "same-site")], 403),
            (vec![("sec-fetch-site", "cross-site"), ("origin", own.as_str())], 403),
            (vec![("origin", "https://evil.example")], 403),
            (vec![("origin", "null")], 403),
            (vec![("origin", own.as_str())], 422),
            (vec![("sec-fetch-site", "same-origin")], 422),
        ] {
            let body = json!({ "email": "x", "name": "X", "roles": ["editor"] });
            let mut request = admin.request(reqwest::Method::POST, "/api/invitations").json(&body);
            for (name, value) in &headers {
                request = request.header(*name, *value);
            }
            let reply = admin.send(request).await;
            assert_eq!(reply.status, status, "{headers:?}: {reply:?}");
            assert!(!reply.json()["error_message"].as_str().unwrap().is_empty());
        }
    }
}

#[testkit::actix_web::test]
async fn production_needs_https() {
    let (key, second) = (crate::token_key(), crate::second_factor_key());
    let settings = [
        ("PRODUCTION", "1"),
        ("BIND", "127.0.0.1:0"),
        ("STAFF_TOKEN_SECRET_KEY", key.as_str()),
        ("SECOND_FACTOR_KEYS", second.as_str()),
        ("BACKOFFICE_DIR", PAGES),
    ];
    let line = testkit::failed_start(env!("CARGO_BIN_EXE_backoffice"), &settings).await;
    assert!(line.starts_with("BACKOFFICE_URL: "), "{line}");
}

#[testkit::actix_web::test]
async fn key_of_staff_tokens_is_needed_and_not_a_published_one() {
    let start = async |settings: &[(&str, &str)]| {
        let second = crate::second_factor_key();
        let others = [("BIND", "127.0.0.1:0"), ("BACKOFFICE_DIR", PAGES), ("SECOND_FACTOR_KEYS", second.as_str())];
        let settings = [&others, settings].concat();
        testkit::failed_start(env!("CARGO_BIN_EXE_backoffice"), &settings).await
    };
    const NAME: &str = "STAFF_TOKEN_SECRET_KEY";
    // The key of the fuzz targets.
    let published = "k4.secret.6Pcel5Zl3c_uJ7g6dzyNwB3q-PJ7n2S77_pnc7UnWQd478p__1B5j26yTrJ2DeW1zcaEFCcJsZVdfykXByN6CQ";
    assert_eq!(start(&[]).await, format!("{NAME}: not set"));
    for settings in [
        &[(NAME, "weak")][..],
        &[("PRODUCTION", "1"), ("BACKOFFICE_URL", "https://staff.spaza.example"), (NAME, published)],
    ] {
        let line = start(settings).await;
        assert!(line.starts_with(&format!("{NAME}: ")) && !line.contains("weak"), "{line}");
    }
}

#[testkit::actix_web::test]
async fn keys_of_second_factors_are_needed() {
    let key = crate::token_key();
    for keys in [None, Some(""), Some("weak")] {
        let mut settings =
            vec![("BIND", "127.0.0.1:0"), ("BACKOFFICE_DIR", PAGES), ("STAFF_TOKEN_SECRET_KEY", key.as_str())];
        settings.extend(keys.map(|keys| ("SECOND_FACTOR_KEYS", keys)));
        let line = testkit::failed_start(env!("CARGO_BIN_EXE_backoffice"), &settings).await;
        assert!(line.starts_with("SECOND_FACTOR_KEYS: ") && !line.contains("weak"), "{line}");
    }
}
