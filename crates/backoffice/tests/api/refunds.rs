//! Charges that are given back together, before an imitated subscription service.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard},
};

use actix_web::{App as Server, HttpResponse, HttpServer, web};
use serde_json::{Value, json};
use testkit::eventually;

use crate::{App, Browser, spawn_app_with};

/// How a call for refunds ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Made,
    /// Before anything is stored.
    Refused,
    /// Stored, without a reply that arrives.
    Lost,
}

struct State {
    /// The cents of settled charges, by id.
    charges: BTreeMap<i64, i64>,
    /// Those that were given back.
    refunds: BTreeSet<i64>,
    /// Charges that cannot be refunded, though the account has them as settled.
    unrefundable: BTreeSet<i64>,
    answer: Answer,
    calls: Vec<Vec<i64>>,
}

/// A subscription service with one number.
#[derive(Clone)]
struct Imitation(Arc<Mutex<State>>);

impl Imitation {
    /// Starts it with charges of R1; returns its address, too.
    fn start(charges: i64) -> (Self, String) {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let imitation = Self(Arc::new(Mutex::new(State {
            charges: (1..=charges).map(|id| (id, 100)).collect(),
            refunds: BTreeSet::new(),
            unrefundable: BTreeSet::new(),
            answer: Answer::Made,
            calls: Vec::new(),
        })));
        let data = web::Data::new(imitation.clone());
        let server = HttpServer::new(move || {
            Server::new()
                .app_data(data.clone())
                .route("/internal/subscriptions/{msisdn}", web::get().to(account))
                .route("/internal/refunds", web::post().to(refund))
        });
        actix_web::rt::spawn(server.workers(1).disable_signals().listen(listener).unwrap().run());
        (imitation, address)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }
}

async fn account(imitation: web::Data<Imitation>) -> HttpResponse {
    let state = imitation.state();
    let row = |id: i64, kind: &str, cents: i64, refund_of: Option<i64>| {
        json!({
            "id": id, "day": "2026-11-01", "kind": kind, "cents": cents, "status": "settled", "key": "", "network_ref": null,
            "refund_of": refund_of, "reason": "", "made_by": "", "at": "2026-11-01 05:00:00"
        })
    };
    let charges = state.charges.iter().map(|(id, cents)| row(*id, "charge", *cents, None));
    let refunds = state.refunds.iter().map(|id| row(1000 + id, "refund", state.charges[id], Some(*id)));
    HttpResponse::Ok().json(json!({
        "month_spend_cents": 0,
        "subscriptions": [{
            "id": 1, "service": "ttmbhatv", "state": "active", "since": "2026-10-27 03:59:00", "price_cents": 100,
            "period": "day", "events": [], "charges": charges.chain(refunds).collect::<Vec<_>>(), "consents": []
        }],
        "surplus_charges": [], "blocked": null, "messages": []
    }))
}

async fn refund(imitation: web::Data<Imitation>, order: web::Json<Value>) -> HttpResponse {
    let mut state = imitation.state();
    let ids: Vec<i64> = order["ledger_ids"].as_array().unwrap().iter().map(|id| id.as_i64().unwrap()).collect();
    state.calls.push(ids.clone());
    if state.answer == Answer::Refused {
        return HttpResponse::ServiceUnavailable().finish();
    }
    let (refused, made): (Vec<i64>, Vec<i64>) = ids.into_iter().partition(|id| state.unrefundable.contains(id));
    state.refunds.extend(made);
    if state.answer == Answer::Lost {
        return HttpResponse::InternalServerError().finish();
    }
    let refused: Vec<Value> =
        refused.iter().map(|id| json!({ "ledger_id": id, "why": "No longer settled." })).collect();
    HttpResponse::Ok().json(json!({ "refunds": [], "refused": refused }))
}

/// A record of the number in a session.
async fn open(staff: &mut Browser) -> Value {
    let reply = staff.call("POST", "/api/support/search", Some(json!({ "number": "0812345601" }))).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.json()
}

/// Asks for refunds of charges; returns the status, the reply's state and sum, and the charges that have none.
async fn give_back(staff: &mut Browser, ids: impl IntoIterator<Item = i64>) -> (u16, String, i64, Vec<i64>) {
    let path = format!("/api/support/{}/refund", open(staff).await["ref"].as_str().unwrap());
    let ids: Vec<i64> = ids.into_iter().collect();
    let reply = staff.call("POST", &path, Some(json!({ "ledger_ids": ids, "reason": "never joined" }))).await;
    outcome(reply)
}

fn outcome(reply: crate::Reply) -> (u16, String, i64, Vec<i64>) {
    let body = reply.json();
    let refused = body["refused"].as_array().into_iter().flatten().map(|charge| charge["ledger_id"].as_i64().unwrap());
    let state = body["state"].as_str().unwrap_or_default().to_owned();
    (reply.status, state, body["cents"].as_i64().unwrap_or_default(), refused.collect())
}

async fn decide(staff: &mut Browser, id: &Value, accept: bool) -> (u16, String, i64, Vec<i64>) {
    let decision = json!({ "accept": accept, "reason": "looked at it" });
    outcome(staff.call("POST", &format!("/api/approvals/{id}"), Some(decision)).await)
}

/// How far each charge of the number is given back, of those where it is anything.
async fn given_back(staff: &mut Browser) -> BTreeMap<i64, String> {
    let record = open(staff).await;
    let entries = record["timeline"].as_array().unwrap().iter().filter(|entry| entry["given_back"].is_string());
    let state = |entry: &Value| {
        assert_eq!(entry["refundable"], false, "{entry}");
        (entry["ledger_id"].as_i64().unwrap(), entry["given_back"].as_str().unwrap().to_owned())
    };
    entries.map(state).collect()
}

/// The rows that the audit log's entries of an action have.
async fn logged(app: &App, action: &str) -> Vec<Value> {
    let rows = app.texts(&format!("SELECT details AS text FROM audit WHERE action = '{action}' ORDER BY id")).await;
    rows.iter().map(|details| serde_json::from_str::<Value>(details).unwrap()["ledger"].clone()).collect()
}

fn all(ids: impl IntoIterator<Item = i64>, state: &str) -> BTreeMap<i64, String> {
    ids.into_iter().map(|id| (id, state.to_owned())).collect()
}

testkit::on_each_engine! {
    async fn ninety_charges_are_given_back_by_one_request_and_one_approval(engine) {
        let (imitation, address) = Imitation::start(92);
        let app = spawn_app_with(engine, |config| config.subscription_url = address).await;
        let (mut admin, _) = app.administrator().await;
        let (mut first, _) = app.member(&mut admin, "sipho@spaza.example", &["support"]).await;
        let (mut second, _) = app.member(&mut admin, "zola@spaza.example", &["support"]).await;
        assert_eq!(give_back(&mut first, []).await.0, 422);
        assert_eq!(give_back(&mut first, 0..501).await.0, 422);
        assert_eq!(give_back(&mut first, [4711]).await.0, 409);

        assert_eq!(give_back(&mut first, 1..=90).await, (200, "waits".to_owned(), 9000, vec![]));
        assert!(imitation.state().calls.is_empty(), "given back by one person");
        assert_eq!(given_back(&mut second).await, all(1..=90, "waits"));
        // A charge in two choices keeps the first; the others of the second go on.
        assert_eq!(give_back(&mut first, [1]).await.0, 409);
        assert_eq!(give_back(&mut second, [90, 91]).await, (200, "made".to_owned(), 100, vec![90]));
        assert_eq!(open(&mut first).await["refund_left_cents"], 4900);

        let approvals = second.get_ok("/api/approvals").await["approvals"].clone();
        let approval = &approvals[0];
        assert_eq!((approvals.as_array().unwrap().len(), &approval["charges"], &approval["cents"]), (1, &json!(90), &json!(9000)));
        assert_eq!((&approval["services"], &approval["first_day"]), (&json!(["ttmbhatv"]), &json!("2026-11-01")));
        let id = &approval["id"];
        assert_eq!(decide(&mut first, id, true).await.0, 403, "the first person approved");
        imitation.state().unrefundable.insert(90);
        assert_eq!(decide(&mut second, id, true).await, (200, "made".to_owned(), 8900, vec![90]));
        assert_eq!(decide(&mut second, id, true).await.0, 404, "decided twice");
        assert_eq!(imitation.state().calls, [vec![91], (1..=90).collect()]);
        assert_eq!(given_back(&mut first).await, all((1..=89).chain([91]), "whole"));
        assert_eq!(first.get_ok("/api/approvals").await["approvals"], json!([]));

        // The whole sum counts: R1 more waits, and a refusal leaves it.
        assert_eq!(open(&mut first).await["refund_left_cents"], 0);
        assert_eq!(give_back(&mut second, [90, 92]).await, (200, "waits".to_owned(), 200, vec![]));
        let id = first.get_ok("/api/approvals").await["approvals"][0]["id"].clone();
        assert_eq!(decide(&mut first, &id, false).await, (200, "refused".to_owned(), 200, vec![]));
        assert_eq!(given_back(&mut first).await, all((1..=89).chain([91]), "whole"));
        // One entry with all rows.
        let ninety = json!((1..=90).collect::<Vec<_>>());
        assert_eq!(logged(&app, "refund.requested").await, [ninety.clone(), json!([90, 92])]);
        assert_eq!(logged(&app, "refund.approved").await, [ninety]);
        assert_eq!(logged(&app, "support.failed").await, [json!([90])]);
        assert_eq!(admin.get_ok("/api/audit/check").await["intact"], true);
    }

    async fn refunds_without_a_reply_stay_open_until_each_is_made_once(engine) {
        let (imitation, address) = Imitation::start(70);
        let app = spawn_app_with(engine, |config| config.subscription_url = address).await;
        let (mut admin, _) = app.administrator().await;
        let (mut first, _) = app.member(&mut admin, "sipho@spaza.example", &["support"]).await;
        let (mut second, _) = app.member(&mut admin, "zola@spaza.example", &["support"]).await;
        imitation.state().answer = Answer::Lost;
        assert_eq!(give_back(&mut first, 1..=3).await, (200, "open".to_owned(), 300, vec![]));
        imitation.state().answer = Answer::Refused;
        assert_eq!(give_back(&mut first, 4..=70).await.1, "waits");
        let id = second.get_ok("/api/approvals").await["approvals"][0]["id"].clone();
        // The approval is kept: no second one is needed.
        assert_eq!(decide(&mut second, &id, true).await, (200, "open".to_owned(), 6700, vec![]));
        assert_eq!(second.get_ok("/api/approvals").await["approvals"], json!([]));
        assert_eq!(given_back(&mut first).await, all(1..=70, "on_its_way"));
        assert_eq!(give_back(&mut first, [1, 70]).await.0, 409);
        assert_eq!(open(&mut first).await["refund_left_cents"], 0);

        imitation.state().answer = Answer::Made;
        // Another process on the same database, as after a crash.
        let _restarted = app.restarted(|_| ()).await;
        eventually("the refunds", async || {
            app.texts("SELECT 'x' AS text FROM refunds WHERE is_open OR state <> 'made'").await.is_empty()
        })
        .await;
        assert_eq!(given_back(&mut first).await, all(1..=70, "whole"));
        let calls = imitation.state().calls.clone();
        assert!(calls.iter().all(|ids| *ids == [1, 2, 3] || ids.iter().copied().eq(4..=70)), "{calls:?}");
        assert_eq!(logged(&app, "refund.made").await, [json!([1, 2, 3])]);
    }
}
