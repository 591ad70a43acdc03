//! The calls of support: under a token of staff, with the right scope only; ending, blocking, sending again.

use reqwest::Method;
use serde_json::{Value, json};
use service::{Scope, SigningKey, staff_token};
use testkit::{ADMIN_TOKEN, Client, Reply, on_each_engine};

use crate::{
    ledger::{DAY, NOON},
    logs::is_logged,
    services::{MEME, PULL, PUSH, TT, TestServices, eventually, number, spawn},
};

const PERSON: &str = "thandi@spaza.example";

fn token() -> String {
    token_with(Scope::Support)
}

fn token_with(scope: Scope) -> String {
    staff_token(&testkit::staff_key(), "subscription", PERSON, scope).unwrap()
}

/// Signs a token with these claims, as no back office does.
fn forged(key: &SigningKey, claims: &Value) -> String {
    key.sign(claims.to_string().as_bytes()).unwrap()
}

impl TestServices {
    pub(crate) async fn finance(&self, method: Method, path: &str, body: Option<&Value>) -> Reply {
        self.call(method, path, &token_with(Scope::Finance), body).await
    }

    pub(crate) async fn call(&self, method: Method, path: &str, token: &str, body: Option<&Value>) -> Reply {
        let client = Client::new(self.addr, "localhost");
        let request = client.request(method, path).bearer_auth(token);
        client
            .send(match body {
                Some(body) => request.json(body),
                None => request,
            })
            .await
    }

    async fn support(&self, method: Method, path: &str, body: &Value) -> Reply {
        self.call(method, path, &token(), Some(body)).await
    }
}

on_each_engine! {
    async fn token_of_staff_opens_the_calls_of_its_scope_alone(engine) {
        let services = spawn(engine).await;
        let now = chrono::Utc::now().timestamp();
        let claims = |change: (&str, Value)| {
            let mut claims = json!({"aud": "subscription", "sub": PERSON, "scope": "support", "exp": now + 60});
            claims[change.0] = change.1;
            claims
        };
        let stranger = SigningKey::parse(&SigningKey::generate().unwrap()).unwrap();
        let session = json!({"sub": "27812345678", "svc": MEME, "lbl": "memeworld", "iat": now});
        let invalid = [
            forged(&testkit::staff_key(), &claims(("exp", json!(now - 1)))),
            forged(&testkit::staff_key(), &claims(("aud", json!("meme")))),
            forged(&testkit::staff_key(), &claims(("scope", json!("everything")))),
            forged(&testkit::staff_key(), &claims(("sub", json!("billing")))),
            forged(&testkit::staff_key(), &session),
            forged(&stranger, &claims(("exp", json!(now + 60)))),
            "wrong".to_owned(),
        ];
        let scopes = [
            (Scope::Support, "support_scope"),
            (Scope::Finance, "finance_scope"),
            (Scope::Overview, "overview_scope"),
            (Scope::Editors, "editors_scope"),
        ];
        let (mut of_staff, mut of_machines) = (0, 0);
        for (path, item) in subscription::openapi()["paths"].as_object().unwrap() {
            if !path.starts_with("/internal/") {
                continue;
            }
            let address = path.replace("{msisdn}", "0812345678").replace("{id}", "999999");
            for (method, call) in item.as_object().unwrap() {
                let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
                let body = (method != Method::GET).then(|| json!({}));
                for token in &invalid {
                    let reply = services.call(method.clone(), &address, token, body.as_ref()).await;
                    assert_eq!(reply.status, 401, "{method} {path}: {token}");
                }
                let access = call["x-access"].as_str().unwrap();
                let scope_of_call = scopes.iter().find(|(_, name)| *name == access).map(|(scope, _)| *scope);
                assert!(scope_of_call.is_some() || access == "admin", "{method} {path}: the rule {access} is not known to this test");
                match scope_of_call {
                    Some(_) => of_staff += 1,
                    None => of_machines += 1,
                }
                for (scope, _) in scopes {
                    let reply = services.call(method.clone(), &address, &token_with(scope), body.as_ref()).await;
                    if scope_of_call == Some(scope) {
                        assert!(!matches!(reply.status, 401 | 403 | 500..), "{method} {path}: {}", reply.status);
                    } else {
                        assert_eq!(reply.status, 403, "{method} {path} as {scope:?}");
                    }
                }
                let reply = services.call(method.clone(), &address, ADMIN_TOKEN, body.as_ref()).await;
                assert!(!matches!(reply.status, 401 | 403 | 500..), "{method} {path}: {}", reply.status);
            }
        }
        assert!(of_staff >= 11 && of_machines >= 4, "{of_staff} calls of staff, {of_machines} of machines");
    }

    async fn refund_names_the_person_of_the_token_and_no_reserved_name(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
        for name in ["billing", "Reconcile", " network "] {
            let order = json!({"ledger_id": charge.id, "reason": "asked for", "made_by": name});
            assert_eq!(services.admin("/internal/refund", &order).await.status, 422, "{name}");
        }
        let order = json!({"ledger_id": charge.id, "reason": "asked for", "made_by": "someone else"});
        assert_eq!(services.support(Method::POST, "/internal/refund", &order).await.status, 200);
        let account = services.account(&msisdn).await;
        let entry = &account["subscriptions"][0]["charges"][0];
        assert_eq!((&entry["made_by"], &entry["refund_of"]), (&json!(PERSON), &json!(charge.id)));
        assert!(is_logged(&format!("POST /internal/refund by {PERSON}")));
        eventually("the refund", async || services.account(&msisdn).await["month_spend_cents"] == 0).await;
    }

    async fn support_ends_a_subscription_once_and_the_network_is_notified(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            let browser = services.joined(label, svc_id, &msisdn).await;
            services.wait_for_charge(DAY, &msisdn, "settled").await;
            let id = services.account(&msisdn).await["subscriptions"][0]["id"].clone();
            let path = format!("/internal/subscriptions/{id}/end");
            assert_eq!(services.support(Method::POST, &path, &json!({"reason": " "})).await.status, 422);
            for _ in 0..2 {
                let reply = services.support(Method::POST, &path, &json!({"reason": "asked by phone"})).await;
                assert_eq!((reply.status, reply.json()), (200, json!({"state": "cancelled"})));
            }
            assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "left"]);
            let event = services.account(&msisdn).await["subscriptions"][0]["events"][2].clone();
            assert_eq!((&event["made_by"], &event["reason"]), (&json!(PERSON), &json!("asked by phone")));
            // The session ends with it, and the subscriber is notified as by a leave of their own.
            assert_eq!(browser.get("/api/subscribe/me").await.json()["state"], "cancelled");
            eventually("the goodbye", async || services.inbox(&msisdn).await.iter().any(|sms| sms.contains("not be charged again"))).await;
            eventually("the stop", async || services.count("outbox", "kind = 'stop' AND done_at IS NULL").await == 0).await;
        }
        // The next day, neither the passes nor the push network charge anything.
        services.set_clocks("2060-02-28T12:00:00+02:00").await;
        let pass = services.admin("/internal/billing/run", &json!({"day": "2060-02-28"})).await;
        assert_eq!((pass.status, &pass.json()["due"]), (200, &json!(0)));
        assert!(services.ledger("2060-02-28").await.is_empty());
        services.assert_ledger_matches_network(DAY).await;
        assert_eq!(services.support(Method::POST, "/internal/subscriptions/999999/end", &json!({"reason": "x"})).await.status, 404);
    }

    async fn blocked_number_cannot_join_by_any_way_and_can_once_unblocked(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let path = format!("/internal/blocks/{msisdn}");
        // A page that was opened before the block, and is confirmed after it.
        let browser = services.browser("memeworld");
        let (page, id) = browser.join(&msisdn, MEME).await;
        for reason in ["child's phone", "again"] {
            let reply = services.support(Method::PUT, &path, &json!({"reason": reason})).await;
            assert_eq!((reply.status, &reply.json()["reason"]), (200, &json!("child's phone")));
        }
        assert_eq!(services.account(&msisdn).await["blocked"]["made_by"], json!(PERSON));
        assert_eq!(browser.try_to_join(&msisdn, MEME).await.status, 403);
        browser.submit_answer(&page, "confirm").await;
        eventually("the stop", async || services.count("outbox", "kind = 'stop' AND done_at IS NOT NULL").await == 1).await;
        assert_eq!(browser.check(&msisdn, &id).await, 0);
        // A subscription that begins at a push network.
        let event = json!({"subscription_id": 4711, "user_msisdn": msisdn, "svc_id": TT, "status_id": 2});
        assert_eq!(services.notify(PUSH, "m1", &event).await.status, 200);
        eventually("quiet", async || services.count("notifications", "outcome = 'received'").await == 0).await;
        let active = "state IN ('active', 'suspended')";
        assert_eq!(services.count("subscriptions", active).await, 0, "a blocked number is active");
        assert_eq!(services.count("ledger", "kind = 'charge'").await, 0, "a blocked number is charged");

        for _ in 0..2 {
            assert_eq!(services.call(Method::DELETE, &path, &token(), None).await.status, 204);
        }
        assert_eq!(services.account(&msisdn).await["blocked"], Value::Null);
        services.joined("memeworld", MEME, &msisdn).await;
    }

    async fn block_ends_nothing_that_runs(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        let path = format!("/internal/blocks/{msisdn}");
        assert_eq!(services.support(Method::PUT, &path, &json!({"reason": "asked for"})).await.status, 200);
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
        assert_eq!(browser.post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await.status, 200);
        assert_eq!(browser.try_to_join(&msisdn, MEME).await.status, 403);
    }

    async fn sent_sms_is_sent_again_once_while_the_copy_waits(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        eventually("the welcome", async || services.inbox(&msisdn).await.len() == 1).await;
        eventually("its record", async || services.account(&msisdn).await["messages"][0]["state"] == "sent").await;
        let sms = services.account(&msisdn).await["messages"][0].clone();
        // The network is away, so that the copy waits.
        Client::new(services.sandbox, "localhost").post_as_admin("/internal/outage", &json!({"seconds": 600})).await;
        let path = format!("/internal/messages/{}/resend", sms["id"]);
        let copy = services.support(Method::POST, &path, &json!({})).await;
        assert_eq!((copy.status, &copy.json()["state"], &copy.json()["text"]), (200, &json!("waiting"), &sms["text"]));
        let again = services.support(Method::POST, &path, &json!({})).await;
        assert_eq!(again.json()["id"], copy.json()["id"], "twice is once");
        let copy_path = format!("/internal/messages/{}/resend", copy.json()["id"]);
        assert_eq!(services.support(Method::POST, &copy_path, &json!({})).await.status, 409, "it was not sent yet");
        Client::new(services.sandbox, "localhost").post_as_admin("/internal/outage", &json!({"seconds": 0})).await;
        eventually("the copy", async || services.inbox(&msisdn).await.len() == 2).await;
        let texts = services.inbox(&msisdn).await;
        assert_eq!(texts[0], texts[1]);
        assert_eq!(services.support(Method::POST, "/internal/messages/999999/resend", &json!({})).await.status, 404);
        assert_eq!(sms["network"], json!(PULL));
    }

    async fn account_has_the_newest_rows_or_all(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.joined("ttmbhatv", TT, &msisdn).await;
        let id = services.account(&msisdn).await["subscriptions"][0]["id"].as_i64().unwrap();
        let rows: Vec<String> = (0..450)
            .map(|row| format!("({id}, '{PUSH}', 'day{row}', 'charge', 300, 'settled', 'key{row}', 1, 0, 0, '', '2025-01-01 00:00:00')"))
            .collect();
        services
            .execute(format!(
                "INSERT INTO ledger (subscription_id, network, day, kind, cents, status, charge_key, attempts, failures, pass, reason, at) VALUES {}",
                rows.join(", ")
            ))
            .await;
        let charges = async |query: &str| {
            let path = format!("/internal/subscriptions/{msisdn}{query}");
            let account = services.call(Method::GET, &path, &token(), None).await.json();
            account["subscriptions"][0]["charges"].as_array().unwrap().len()
        };
        assert_eq!(charges("").await, 400);
        assert!(charges("?whole=true").await >= 450);
        let document = services.call(Method::GET, &format!("/internal/consent/{msisdn}"), &token(), None).await;
        assert!(String::from_utf8_lossy(&document.bytes).contains("day0<"), "the oldest charge is missing");
    }
}
