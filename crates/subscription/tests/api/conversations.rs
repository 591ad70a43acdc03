//! One recorded conversation per adapter, for a network's engineers: `crates/operator/wire/conversations`. `REWRITE=1` writes them again.

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    sync::{Arc, Mutex, OnceLock},
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    web::{self, Bytes, Data},
};
use diesel::{QueryableByName, RunQueryDsl as _, sql_types::Text};
use reqwest::header;
use serde_json::{Value, json};
use testkit::{Engine, actix_web, eventually};

use crate::{
    conformance::{NAME, brands_file},
    ledger::{DAY, NOON},
    services::{MEME, Options, TestServices, number, spawn_with},
};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../operator/wire/conversations");

/// Stands between the service and the network, and keeps what both say.
#[derive(Default)]
struct Recorder {
    network: OnceLock<SocketAddr>,
    exchanges: Mutex<Vec<Exchange>>,
}

struct Exchange {
    call: String,
    request: String,
    status: u16,
    reply: String,
}

async fn forward(recorder: Data<Arc<Recorder>>, req: HttpRequest, body: Bytes) -> HttpResponse {
    let network = recorder.network.get().expect("the network has started");
    let path = req.uri().to_string();
    let method = req.method().as_str();
    let method: reqwest::Method = method.parse().unwrap();
    let mut request = testkit::client().request(method, format!("http://{network}{path}"));
    for name in [header::CONTENT_TYPE, header::AUTHORIZATION] {
        if let Some(value) = req.headers().get(name.as_str()) {
            request = request.header(name, value.as_bytes());
        }
    }
    let reply = request.body(body.to_vec()).send().await.unwrap();
    let status = reply.status().as_u16();
    let head = |name| reply.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    let heads = [header::CONTENT_TYPE, header::LINK].map(|name| (name.as_str().to_owned(), head(name)));
    let text = reply.text().await.unwrap();
    recorder.exchanges.lock().unwrap().push(Exchange {
        call: format!("{} {path}", req.method()),
        request: String::from_utf8(body.to_vec()).unwrap(),
        status,
        reply: text.clone(),
    });
    let mut answer = HttpResponse::build(status.try_into().unwrap());
    for (name, value) in heads {
        if let Some(value) = value {
            answer.insert_header((name, value));
        }
    }
    answer.body(text)
}

impl Recorder {
    fn listen(self: &Arc<Self>) -> SocketAddr {
        let recorder = Data::new(self.clone());
        let app = move || App::new().app_data(recorder.clone()).default_service(web::to(forward));
        let server = HttpServer::new(app).workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let addr = server.addrs()[0];
        actix_web::rt::spawn(server.run());
        addr
    }
}

/// The place of a call in a conversation: the service makes some of them at the same time.
fn place(call: &str, request: &str) -> usize {
    const ORDER: [&str; 11] = [
        "POST /opt-ins",
        "GET /opt-ins",
        "/oauth2/token",
        "chargeAmount",
        "POST /charges",
        "/payments",
        "SendSms",
        "/messages",
        "refund",
        "GET /charges",
        "",
    ];
    ORDER.iter().position(|part| call.contains(part) || request.contains(part)).unwrap()
}

/// A text with `ID` between each of these beginnings and the next tag: base64 has signs that separate words.
fn with_id_after(text: &str, beginning: &str) -> String {
    let mut parts = text.split(beginning);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |written, part| {
        let rest = part.find('<').map_or("", |end| &part[end..]);
        format!("{written}{beginning}ID{rest}")
    })
}

/// A text without what differs from one recording to the next.
fn redacted(text: &str, msisdn: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_+=~.:%".contains(c);
    let mut written = String::new();
    let text = &with_id_after(&with_id_after(text, "PasswordDigest\">"), "Base64Binary\">");
    let mut rest = text.as_str();
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        written.push_str(before);
        let digits = word.chars().filter(char::is_ascii_digit).count();
        let is_clock = digits == 6 && word.len() == 8 && word.matches(':').count() == 2;
        let is_time =
            is_clock || digits >= 14 && (word.contains(':') || (word.starts_with("20") && digits == word.len()));
        written.push_str(&match word {
            word if word.starts_with("127.0.0.1") => "network.example".to_owned(),
            word if word.contains(msisdn) => word.replace(msisdn, "27821234567"),
            _ if is_time => "TIME".to_owned(),
            // An SMS may have waited for some seconds.
            word if word.parse().is_ok_and(|seconds| (86_340_u32..86_400).contains(&seconds)) => "86400".to_owned(),
            // Random ids have 24 or 32 signs, of which none may be a digit.
            word if word.len() >= 16
                && (digits > 1 || [24, 32].contains(&word.len()) && !word.ends_with("Response"))
                && !word.contains("localhost")
                && !word.starts_with("oasis-") =>
            {
                "ID".to_owned()
            }
            word => word.to_owned(),
        });
        rest = after;
    }
    written.push_str(rest);
    written
}

/// A body in a block of its own.
fn block(body: &str, msisdn: &str) -> String {
    let (language, text) = match serde_json::from_str::<Value>(body) {
        Ok(json) => ("json", format!("{json:#}")),
        Err(_) if body.starts_with('<') => ("xml", body.replace("><", ">\n<")),
        Err(_) => ("", body.to_owned()),
    };
    if text.is_empty() { String::new() } else { format!("\n```{language}\n{}\n```\n", redacted(&text, msisdn)) }
}

#[derive(QueryableByName)]
struct Body {
    #[diesel(sql_type = Text)]
    body: String,
}

async fn notifications(services: &TestServices) -> Vec<String> {
    let query = "SELECT body FROM notifications ORDER BY id";
    let load =
        move |conn: &mut store::DbConnection| Ok::<_, store::Error>(diesel::sql_query(query).load::<Body>(conn)?);
    services.db().await.run(load).await.unwrap().into_iter().map(|row| row.body).collect()
}

/// A join, its charge, a refund, the list of the day, the end.
async fn record(adapter: &str) -> String {
    let recorder = Arc::<Recorder>::default();
    let addr = recorder.listen();
    let file = brands_file(adapter);
    let brands = std::fs::read_to_string(&file).unwrap();
    let head = format!("[network.{NAME}]\n");
    std::fs::write(&file, brands.replace(&head, &format!("{head}url = \"http://{addr}\"\n"))).unwrap();
    let services = spawn_with(Engine::Sqlite, Options { brands_file: Some(file), ..Options::default() }).await;
    recorder.network.set(services.sandbox).unwrap();
    services.set_clocks(NOON).await;
    let msisdn = number("1111");
    let browser = services.browser("memeworld");
    let (page, id) = browser.join(&msisdn, MEME).await;
    // Before the network's answer is there, the service looks for it.
    assert_eq!(browser.check(&msisdn, &id).await, 0);
    browser.submit_answer(&page, "confirm").await;
    eventually("the session", async || browser.check(&msisdn, &id).await == 1).await;
    if adapter == "datasync" {
        let sandbox = testkit::Client::new(services.sandbox, "localhost");
        assert_eq!(sandbox.post("/run-day", &json!({"day": DAY})).await.status, 200);
    }
    let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
    assert_eq!(services.admin("/internal/reconcile", &json!({"day": DAY})).await.status, 200);
    let refund = json!({"ledger_id": charge.id, "reason": "a customer asked"});
    assert_eq!(services.admin("/internal/refund", &refund).await.status, 200);
    browser.post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await;
    eventually("the outbox is empty", async || services.count("outbox", "done_at IS NULL").await == 0).await;
    eventually("all notifications are delivered", async || {
        services.count_in_sandbox("notifications", "delivered_at IS NULL").await == 0
    })
    .await;

    let mut exchanges = std::mem::take(&mut *recorder.exchanges.lock().unwrap());
    exchanges.sort_by_key(|exchange| place(&exchange.call, &exchange.request));
    let mut written = format!(
        "# A conversation with `{adapter}`\n\nRecorded between the subscription service and the operator sandbox. What differs each time is `ID` and `TIME`.\n"
    );
    let mut kinds = BTreeSet::new();
    for Exchange { call, request, status, reply } in exchanges {
        let call = redacted(&call, &msisdn);
        // One of each kind.
        let kind = call.split(['?']).next().unwrap_or_default().to_owned();
        let operation = ["refundAmount", "chargeAmount"].into_iter().find(|name| request.contains(name));
        if !kinds.insert((kind, operation)) {
            continue;
        }
        written.push_str(&format!(
            "\n## `{call}`\n{}\nReply {status}:\n{}",
            block(&request, &msisdn),
            block(&reply, &msisdn)
        ));
    }
    written.push_str("\n## What the network tells: `POST /api/subscribe/notify/NETWORK`\n");
    let mut notified: Vec<String> = notifications(&services).await.iter().map(|body| block(body, &msisdn)).collect();
    notified.sort();
    notified.dedup();
    written.extend(notified);
    written
}

async fn is_as_recorded(adapter: &str) {
    let recorded = record(adapter).await;
    let file = format!("{FOLDER}/{adapter}.md");
    if std::env::var_os("REWRITE").is_some() {
        std::fs::create_dir_all(FOLDER).unwrap();
        std::fs::write(&file, &recorded).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = committed.lines().zip(recorded.lines()).find(|(one, other)| one != other);
    assert!(committed == recorded, "{file} is stale ({differs:?}): run this test with REWRITE=1");
}

#[actix_web::test]
async fn conversation_with_rest_is_as_recorded() {
    is_as_recorded("rest").await;
}

#[actix_web::test]
async fn conversation_with_datasync_is_as_recorded() {
    is_as_recorded("datasync").await;
}

#[actix_web::test]
async fn conversation_with_soap_is_as_recorded() {
    is_as_recorded("soap").await;
}

#[actix_web::test]
async fn conversation_with_camara_is_as_recorded() {
    is_as_recorded("camara").await;
}
