//! Charges are paused and resumed at the back office, from outside: the real family, a subscriber who joins meanwhile, and who may do it.

use serde_json::{Value, json};
use testkit::{Engine, eventually};

use crate::{
    life::Browser,
    support::{MEME, Office, Staff},
};

async fn change(staff: &Staff, call: &str, scope: &Value, reason: &str) -> (u16, Value) {
    let mut order = scope.clone();
    order["reason"] = json!(reason);
    let reply = staff.call("POST", &format!("/api/charges/{call}"), order).await;
    (reply.status, reply.json())
}

async fn charges_are_paused_and_resumed(engine: Engine) {
    testkit::away_from_midnight().await;
    let office = Office::open(engine).await;
    let finance = office.invite("zola@spaza.example", "finance").await;
    let support = office.invite("sipho@spaza.example", "support").await;
    let editor = office.invite("lindiwe@spaza.example", "editor").await;
    let pull = json!({ "network": "sandbox-pull" });

    // Finance and administrators alone, with a reason.
    for staff in [&support, &editor] {
        assert_eq!(staff.call("GET", "/api/charges/pauses", Value::Null).await.status, 403);
        for call in ["pause", "resume"] {
            assert_eq!(change(staff, call, &pull, "replies are mixed up").await.0, 403);
        }
    }
    assert_eq!(change(&finance, "pause", &pull, "..").await.0, 422);
    assert_eq!(change(&finance, "pause", &json!({ "netwrok": "sandbox-pull" }), "misspelt").await.0, 400);
    let (status, problem) = change(&finance, "pause", &json!({ "network": "sandbox-push" }), "it is down").await;
    assert_eq!(status, 409);
    assert!(problem["error_message"].as_str().unwrap().contains("charges by itself"), "{problem}");

    // Who joins is active, and not charged.
    let (status, pause) = change(&finance, "pause", &pull, "replies are mixed up").await;
    assert_eq!((status, &pause["made_by"]), (200, &json!("zola@spaza.example")));
    let number = "27812345801";
    Browser::new(&office.family, "memeworld").join(MEME, number).await;
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    assert_eq!(office.ledger(number).await[0].2, "pending");
    // The start screen says it to all who look after the business, the screen to who may resume them.
    for staff in [&support, &finance, &office.admin] {
        assert_eq!(staff.get_ok("/api/overview").await["pauses"], json!([pause]));
    }
    let listed = office.admin.get_ok("/api/charges/pauses").await;
    assert_eq!((&listed["pauses"], &listed["ended"]), (&json!([pause]), &json!([])));
    let push = json!({ "network": "sandbox-push", "charges_by_itself": true });
    assert!(listed["networks"].as_array().unwrap().contains(&push), "{listed}");

    let (status, ended) = change(&office.admin, "resume", &pull, "the network found it").await;
    assert_eq!((status, &ended["end"]["reason"]), (200, &json!("the network found it")));
    eventually("the charge", async || office.ledger(number).await[0].2 == "settled").await;
    assert_eq!(office.ledger(number).await.len(), 1);
    assert_eq!(support.get_ok("/api/overview").await["pauses"], json!([]));
    assert_eq!(office.admin.get_ok("/api/charges/pauses").await["ended"], json!([ended]));

    // Each is in the audit log, before the service is called; what it refused as well.
    let log = office.admin.get_ok("/api/audit").await;
    let entries = log["entries"].as_array().unwrap().iter().rev();
    let entries: Vec<_> = entries
        .filter(|entry| ["charges.", "finance."].iter().any(|of| entry["action"].as_str().unwrap().starts_with(of)))
        .map(|entry| ["action", "subject", "staff"].map(|field| entry[field].as_str().unwrap()))
        .collect();
    let expected = [
        ["charges.paused", "network sandbox-push", "zola@spaza.example"],
        ["finance.failed", "network sandbox-push", "zola@spaza.example"],
        ["charges.paused", "network sandbox-pull", "zola@spaza.example"],
        ["charges.resumed", "network sandbox-pull", entries[3][2]],
    ];
    assert_eq!(entries, expected);
}

testkit::on_each_engine! {
    async fn finance_pauses_charges_and_an_administrator_resumes_them(engine) {
        charges_are_paused_and_resumed(engine).await;
    }
}
