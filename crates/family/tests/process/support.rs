//! Support's work, from outside: the real family, a subscriber who joins at the gateway, and members of staff at the back office.

use std::{
    fs::File,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use diesel::RunQueryDsl;
use serde_json::{Value, json};
use store::Db;
use testkit::{Client, Engine, TestStore, eventually};
use totp_rs::{Builder, Secret};

use crate::{Family, life::Browser, place, root};

pub(crate) const MEME: i32 = 150;
pub(crate) const TT: i32 = 152;
/// More than one person may give back.
pub(crate) const LARGE: i64 = 6000;

/// A family with a back office, where a meme subscription costs R60 a day and the others R3, and its first administrator.
pub(crate) struct Office {
    pub(crate) family: Family,
    store: TestStore,
    pub(crate) admin: Staff,
    home: tempfile::TempDir,
}

/// A member of staff with a session.
pub(crate) struct Staff {
    pub(crate) base: String,
    pub(crate) cookie: String,
}

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) bytes: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or(Value::Null)
    }
}

fn code(secret: &str) -> String {
    let totp = Builder::new().with_secret(Secret::try_from_base32(secret).unwrap()).build().unwrap();
    totp.generate(u64::try_from(chrono::Utc::now().timestamp()).unwrap()).to_string()
}

impl Staff {
    /// Accepts an invitation.
    pub(crate) async fn accept(base: String, link: &str) -> Self {
        let path = format!("/api/invitations/{}", link.trim().rsplit('/').next().unwrap());
        let mut staff = Self { base, cookie: String::new() };
        let secret = staff.call("GET", &path, Value::Null).await.json()["totp_secret"].as_str().unwrap().to_owned();
        let form = json!({ "name": "Thandi", "password": "correct horse battery", "code": code(&secret) });
        let request = testkit::client().post(format!("{}{path}", staff.base)).header("sec-fetch-site", "same-origin");
        let reply = request.json(&form).send().await.unwrap();
        assert_eq!(reply.status(), 201);
        let cookie = reply.headers()["set-cookie"].to_str().unwrap();
        staff.cookie = cookie.split(';').next().unwrap().to_owned();
        staff
    }

    pub(crate) async fn call(&self, method: &str, path: &str, body: Value) -> Reply {
        let request = self.request(method, path);
        Self::reply(if body.is_null() { request } else { request.json(&body) }).await
    }

    /// Sends a file.
    pub(crate) async fn send(&self, method: &str, path: &str, body: String) -> Reply {
        Self::reply(self.request(method, path).body(body)).await
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let request = testkit::client().request(method.parse().unwrap(), format!("{}{path}", self.base));
        request.header("sec-fetch-site", "same-origin").header("cookie", &self.cookie)
    }

    async fn reply(request: reqwest::RequestBuilder) -> Reply {
        let reply = request.send().await.unwrap();
        Reply { status: reply.status().as_u16(), bytes: reply.bytes().await.unwrap().to_vec() }
    }

    /// The same session at another address of the service.
    pub(crate) fn at(&self, base: String) -> Self {
        Self { base, cookie: self.cookie.clone() }
    }

    pub(crate) async fn get_ok(&self, path: &str) -> Value {
        let reply = self.call("GET", path, Value::Null).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.json());
        reply.json()
    }

    /// Invites a member of staff, and accepts for them.
    pub(crate) async fn invite(&self, email: &str, role: &str) -> Self {
        let form = json!({ "email": email, "name": "Sipho", "roles": [role] });
        let link = self.call("POST", "/api/invitations", form).await.json()["link"].as_str().unwrap().to_owned();
        Self::accept(self.base.clone(), &link).await
    }

    pub(crate) async fn search(&self, number: &str) -> Value {
        let reply = self.call("POST", "/api/support/search", json!({ "number": number })).await;
        assert_eq!(reply.status, 200, "{}", reply.json());
        reply.json()
    }

    /// A changing call on a number's record.
    pub(crate) async fn act(&self, record: &Value, method: &str, what: &str, body: Value) -> Reply {
        self.call(method, &format!("/api/support/{}/{what}", record["ref"].as_str().unwrap()), body).await
    }
}

/// The entries of a record of one kind.
pub(crate) fn of_kind<'a>(record: &'a Value, kind: &str) -> Vec<&'a Value> {
    record["timeline"].as_array().unwrap().iter().filter(|entry| entry["kind"] == kind).collect()
}

/// The family's brands with another price for memes.
fn write_brands(home: &Path) -> std::path::PathBuf {
    let text = std::fs::read_to_string(root().join("deploy/brands.toml")).unwrap();
    let offer = format!("svc_id = 150\noffer = {{ price_cents = {LARGE}, period = \"day\" }}\n");
    let text = text.replace("svc_id = 150\n", &offer);
    assert!(text.contains(&offer));
    let path = home.join("brands.toml");
    std::fs::write(&path, text).unwrap();
    path
}

impl Office {
    pub(crate) async fn open(engine: Engine) -> Self {
        Self::open_with(engine, &[]).await
    }

    /// The same with further settings.
    pub(crate) async fn open_with(engine: Engine, settings: &[(&str, &str)]) -> Self {
        let (home, store) = place(engine).await;
        let (brands, printed) = (write_brands(home.path()), home.path().join("printed"));
        let family = Family::start_with(home.path(), &store, |command: &mut Command| {
            command.env("BRANDS_FILE", &brands).env("BILLING_TIMES", "").stdout(File::create(&printed).unwrap());
            command.envs(settings.iter().copied());
        })
        .await;
        let text = std::fs::read_to_string(&printed).unwrap();
        let link = text.lines().find(|line| line.contains("/invitation/")).unwrap();
        let admin = Staff::accept(format!("http://127.0.0.1:{}", family.port + 6), link).await;
        Self { family, store, admin, home }
    }

    /// The same after its process was ended and started again, at another address: sessions are still valid.
    pub(crate) async fn restarted(self) -> Self {
        let Self { family, store, admin, home } = self;
        assert_eq!(family.end("INT"), Some(0));
        let brands = write_brands(home.path());
        let family = Family::start_with(home.path(), &store, |command: &mut Command| {
            command.env("BRANDS_FILE", &brands).env("BILLING_TIMES", "");
        })
        .await;
        let admin = admin.at(format!("http://127.0.0.1:{}", family.port + 6));
        Self { family, store, admin, home }
    }

    /// A new member of staff, who gets the role on the machine.
    pub(crate) async fn invite(&self, email: &str, role: &str) -> Staff {
        let staff = self.admin.invite(email, role).await;
        grant(&stored(self), email, role);
        staff
    }

    /// The key with which the back office signs.
    pub(crate) fn staff_key(&self) -> service::SigningKey {
        let text = std::fs::read_to_string(self.home.path().join("data/staff.key")).unwrap();
        service::SigningKey::parse(&text).unwrap()
    }

    /// Where a file is published.
    pub(crate) fn published(&self, path: &str) -> std::path::PathBuf {
        self.home.path().join("data/published").join(path)
    }

    /// Puts a file of the demo pack where uploads are published: `media/…` or `images/…`.
    pub(crate) fn put(&self, demo: &str, published: &str) {
        let to = self.published(published);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(root().join("deploy/demo").join(demo), to).unwrap();
    }

    pub(crate) fn client(&self, offset: u16) -> Client {
        Client::new(([127, 0, 0, 1], self.family.port + offset).into(), "localhost")
    }

    /// A call of the subscription service as a machine.
    pub(crate) async fn as_machine(&self, path: &str) -> String {
        let client = self.client(5);
        let reply = client.send(client.request(reqwest::Method::GET, path).bearer_auth("dev-admin")).await;
        assert_eq!(reply.status, 200, "{path}");
        String::from_utf8(reply.bytes.to_vec()).unwrap()
    }

    /// What the network has charged a number today: cents by service.
    async fn charged_at_network(&self, number: &str) -> Vec<(i64, i64)> {
        let today = chrono::Utc::now().with_timezone(&chrono::FixedOffset::east_opt(7200).unwrap()).date_naive();
        let charges = self.client(10).get_ok(&format!("/charges?day={today}")).await;
        let of_number = charges.as_array().unwrap().iter().filter(|charge| charge["msisdn"] == number);
        of_number.map(|charge| (charge["svc_id"].as_i64().unwrap(), charge["cents"].as_i64().unwrap())).collect()
    }

    /// The ledger's rows of a number today: kind, cents, status.
    pub(crate) async fn ledger(&self, number: &str) -> Vec<(String, i64, String)> {
        let today = chrono::Utc::now().with_timezone(&chrono::FixedOffset::east_opt(7200).unwrap()).date_naive();
        let csv = self.as_machine(&format!("/internal/ledger?day={today}")).await;
        let rows = csv.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()).filter(|row| row[2] == number);
        rows.map(|row| (row[5].to_owned(), row[6].parse().unwrap(), row[7].to_owned())).collect()
    }
}

async fn support_answers_gives_back_and_ends(engine: Engine) {
    testkit::away_from_midnight().await;
    let office = Office::open(engine).await;
    let number = "27812345601";
    Browser::new(&office.family, "ttmbhatv").join(TT, number).await;
    eventually("the charge", async || {
        office.ledger(number).await == [("charge".to_owned(), 300, "settled".to_owned())]
    })
    .await;
    let support = office.invite("sipho@spaza.example", "support").await;
    let record = support.search("081 234 5601").await;
    assert!(!record.to_string().contains(&number[2..]), "the number is not masked: {record}");

    // Why: the charge, and the consent with its words.
    let charges = of_kind(&record, "charge");
    assert_eq!((charges.len(), &charges[0]["cents"], &charges[0]["refundable"]), (1, &json!(300), &json!(true)));
    let consent = of_kind(&record, "consent")[0];
    let why = charges[0]["why"].as_str().unwrap();
    assert!(
        why.starts_with("Joined by the join page of ttmbhatv")
            && why.contains(", confirmed on ")
            && why.contains("R3/day"),
        "{why}"
    );
    assert!(charges[0]["consent"].is_string() && charges[0]["consent"] == consent["consent"], "{record}");
    assert!(consent["detail"].as_str().unwrap().contains("R3/day"), "{consent}");
    assert!(!of_kind(&record, "message").is_empty() && !of_kind(&record, "join").is_empty(), "{record}");

    // Another session cannot use the record.
    let other = office.invite("zola@spaza.example", "support").await;
    assert_eq!(other.act(&record, "POST", "reveal", json!({ "reason": "curious" })).await.status, 404);
    let revealed = support.act(&record, "POST", "reveal", json!({ "reason": "to call back" })).await;
    assert_eq!(revealed.json(), json!({ "number": number }));
    assert_eq!(support.act(&record, "POST", "reveal", json!({ "reason": " x " })).await.status, 422);

    // Gives it back, once.
    let order = json!({ "ledger_ids": [charges[0]["ledger_id"]], "reason": "does not remember joining" });
    assert_eq!(support.act(&record, "POST", "refund", order.clone()).await.json()["state"], "made");
    assert_eq!(support.act(&record, "POST", "refund", order.clone()).await.status, 409, "given back twice");
    let books = [("charge", 300), ("refund", 300)].map(|(kind, cents)| (kind.to_owned(), cents, "settled".to_owned()));
    eventually("the refund", async || office.ledger(number).await == books).await;
    // A charge of another number.
    let stranger = support.search("081 234 5603").await;
    assert_eq!(support.act(&stranger, "POST", "refund", order).await.status, 409);

    // Ends it; the network is notified.
    let id = &record["subscriptions"][0]["id"];
    assert_eq!(
        support.act(&stranger, "POST", "end", json!({ "subscription_id": id, "reason": "not theirs" })).await.status,
        409
    );
    for _ in 0..2 {
        let ended =
            support.act(&record, "POST", "end", json!({ "subscription_id": id, "reason": "asked by phone" })).await;
        assert_eq!(ended.status, 204, "{}", ended.json());
    }
    eventually("the stop", async || {
        let account: Value =
            serde_json::from_str(&office.as_machine(&format!("/internal/subscriptions/{number}")).await).unwrap();
        account["messages"]
            .as_array()
            .unwrap()
            .iter()
            .any(|message| message["kind"] == "stop" && message["state"] == "sent")
    })
    .await;
    let record = support.search(number).await;
    assert_eq!(record["subscriptions"][0]["state"], "cancelled");
    assert_eq!(of_kind(&record, "leave")[0]["text"], "Ended by sipho@spaza.example");
    assert!(of_kind(&record, "refund")[0]["detail"].as_str().unwrap().contains("By: sipho@spaza.example"));
    assert_eq!(record["month_spend_cents"], 0);
    // Ledger and sandbox agree: one real charge, and no second.
    assert_eq!(office.charged_at_network(number).await.iter().map(|(_, cents)| *cents).collect::<Vec<_>>(), [300]);
    assert_eq!(office.ledger(number).await, books);

    // Blocks; the join form refuses the number until it is unblocked.
    let join = async || {
        let body = json!({ "msisdn": number, "ext_ref": "", "channel": "WAP", "svc_id": MEME });
        Client::new(([127, 0, 0, 1], office.family.port).into(), "memeworld.localhost")
            .post("/api/subscribe", &body)
            .await
            .status
    };
    for (blocked, status) in [(true, 403), (false, 200)] {
        let changed = support.act(&record, "PUT", "block", json!({ "blocked": blocked, "reason": "asked for" })).await;
        assert_eq!((changed.status, join().await), (204, status));
    }

    let note = json!({ "kind": "complaint", "text": "Never joined.\nSays the child did." });
    assert_eq!(support.act(&record, "POST", "notes", note).await.status, 204);
    let message = of_kind(&record, "message").into_iter().find(|entry| entry["retryable"] == true).unwrap();
    let path = format!("messages/{}/retry", message["message_id"]);
    assert_eq!(support.act(&record, "POST", &path, json!({ "reason": "lost the phone" })).await.status, 204);
    assert_eq!(support.act(&stranger, "POST", &path, json!({ "reason": "not theirs" })).await.status, 409);
    // Neither without a reason, nor for one that cannot be seen.
    for reason in ["", "\u{3164}\u{3164}\u{3164}", "\u{200b}\u{200b}\u{200b}", "..."] {
        let order = json!({ "format": "json", "reason": reason });
        assert_eq!(support.act(&record, "POST", "dossier", order.clone()).await.status, 422, "{reason:?}");
        assert_eq!(support.act(&record, "POST", "reveal", order).await.status, 422, "{reason:?}");
    }
    assert_eq!(support.act(&record, "GET", "dossier.json", Value::Null).await.status, 404);
    let dossier =
        support.act(&record, "POST", "dossier", json!({ "format": "json", "reason": "a complaint" })).await.json();
    assert_eq!((&dossier["number"], &dossier["notes"][0]["kind"]), (&json!(number), &json!("complaint")));

    // An open record is read again as part of its search, in its own session.
    let path = format!("/api/support/{}", record["ref"].as_str().unwrap());
    let again = support.call("GET", &path, Value::Null).await;
    assert_eq!((again.status, &again.json()["notes"][0]["kind"]), (200, &json!("complaint")));
    // The join after the unblocking is new.
    assert_eq!(
        (&again.json()["subscriptions"][0]["state"], &again.json()["subscriptions"][1]),
        (&json!("pending"), &record["subscriptions"][0])
    );
    let other = office.invite("lerato@spaza.example", "support").await;
    assert_eq!(
        other.call("GET", &path, Value::Null).await.status,
        support.call("GET", "/api/support/x", Value::Null).await.status
    );
    assert!(other.call("GET", &path, Value::Null).await.json().get("timeline").is_none());

    // Who did what, without a whole number, in an intact chain.
    let log = office.admin.get_ok("/api/audit").await;
    let mut actions: Vec<&str> =
        log["entries"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    actions.retain(|action| {
        ["number", "refund", "subscription", "note", "message", "dossier", "support"]
            .iter()
            .any(|part| action.starts_with(part))
    });
    actions.reverse();
    assert_eq!(
        actions,
        [
            "number.searched",
            "number.revealed",
            "refund.made",
            "number.searched",
            "subscription.ended",
            "subscription.ended",
            "number.searched",
            "number.blocked",
            "number.unblocked",
            "note.added",
            "message.sent_again",
            "dossier.made"
        ]
    );
    let export = String::from_utf8(office.admin.call("GET", "/api/audit/export", Value::Null).await.bytes).unwrap();
    assert!(!export.contains(&number[2..]) && !export.contains("Never joined"), "the log has more than it should");
    assert_eq!(office.admin.get_ok("/api/audit/check").await["intact"], true);
    assert_eq!(office.family.end("INT"), Some(0));
}

async fn large_refund_waits_for_a_second_person(engine: Engine) {
    testkit::away_from_midnight().await;
    let office = Office::open(engine).await;
    let numbers = ["27812345611", "27812345612"];
    for number in numbers {
        Browser::new(&office.family, "memeworld").join(MEME, number).await;
        eventually("the charge", async || {
            office.ledger(number).await.len() == 1 && office.ledger(number).await[0].2 == "settled"
        })
        .await;
    }
    let first = office.invite("sipho@spaza.example", "support").await;
    let second = office.invite("zola@spaza.example", "support").await;
    let mut waiting = Vec::new();
    for number in numbers {
        let record = first.search(number).await;
        let charge = of_kind(&record, "charge")[0];
        assert_eq!(charge["cents"], LARGE);
        let order = json!({ "ledger_ids": [charge["ledger_id"]], "reason": "charged after leaving" });
        assert_eq!(first.act(&record, "POST", "refund", order.clone()).await.json()["state"], "waits");
        assert_eq!(first.act(&record, "POST", "refund", order.clone()).await.status, 409, "requested twice");
        // Nor by the second person without the first one's request being decided.
        let again = second.search(number).await;
        assert_eq!(second.act(&again, "POST", "refund", order).await.status, 409);
        let approvals = first.get_ok("/api/approvals").await;
        waiting.push(approvals["approvals"].as_array().unwrap().last().unwrap()["id"].clone());
    }
    let approvals = second.get_ok("/api/approvals").await;
    assert_eq!(approvals["approvals"].as_array().unwrap().len(), 2, "{approvals}");
    assert_eq!(
        (&approvals["approvals"][0]["mine"], &approvals["approvals"][0]["requested_by"]),
        (&json!(false), &json!("sipho@spaza.example"))
    );
    let decide = async |staff: &Staff, at: usize, accept: bool| {
        staff
            .call(
                "POST",
                &format!("/api/approvals/{}", waiting[at]),
                json!({ "accept": accept, "reason": "looked at it" }),
            )
            .await
            .status
    };
    assert_eq!(decide(&first, 0, true).await, 403, "the first person approved");
    assert_eq!(decide(&office.admin, 0, true).await, 403, "an administrator without the role approved");
    for number in numbers {
        assert_eq!(office.ledger(number).await.len(), 1, "given back by one person");
    }
    assert_eq!(decide(&second, 1, false).await, 200);
    assert_eq!(decide(&second, 0, true).await, 200);
    assert_eq!(decide(&second, 0, true).await, 404, "decided twice");
    eventually("the refund", async || {
        office
            .ledger(numbers[0])
            .await
            .iter()
            .any(|(kind, cents, status)| (kind.as_str(), *cents, status.as_str()) == ("refund", LARGE, "settled"))
    })
    .await;
    assert_eq!(office.ledger(numbers[1]).await.len(), 1, "given back though it was refused");
    assert_eq!(first.get_ok("/api/approvals").await["approvals"], json!([]));
    // R60 are given back today: even R3 need a second person now.
    Browser::new(&office.family, "ttmbhatv").join(TT, numbers[0]).await;
    eventually("the small charge", async || office.ledger(numbers[0]).await.len() == 3).await;
    let record = first.search(numbers[0]).await;
    let small = of_kind(&record, "charge").into_iter().find(|charge| charge["cents"] == 300).unwrap().clone();
    let order = json!({ "ledger_ids": [small["ledger_id"]], "reason": "one more" });
    assert_eq!(first.act(&record, "POST", "refund", order).await.json()["state"], "waits");
    // The other person has given back R500 to numbers today: even R3 to one more need a second person.
    let another = "27812345613";
    Browser::new(&office.family, "ttmbhatv").join(TT, another).await;
    eventually("the charge", async || office.ledger(another).await.len() == 1).await;
    let made = format!(
        "INSERT INTO refunds (number_id, ledger_id, cents, reason, state, staff_id, staff, at) \
         SELECT (SELECT MIN(id) FROM numbers), -id, 50000, 'earlier', 'made', id, email, '{}' FROM staff WHERE email = 'zola@spaza.example'",
        chrono::Utc::now().format("%Y-%m-%d %H:%M:%S")
    );
    let db = Db::open(&stored(&office), backoffice::NAME, backoffice::MIGRATIONS).await.unwrap();
    db.run(move |conn| Ok::<_, store::Error>(diesel::sql_query(made).execute(conn).map(drop)?)).await.unwrap();
    let record = second.search(another).await;
    let order = json!({ "ledger_ids": [of_kind(&record, "charge")[0]["ledger_id"]], "reason": "one more" });
    assert_eq!(second.act(&record, "POST", "refund", order).await.json()["state"], "waits");
    assert_eq!(office.admin.get_ok("/api/audit/check").await["intact"], true);
    assert_eq!(office.family.end("INT"), Some(0));
}

async fn dossier_of_400_events_takes_at_most_3_seconds(engine: Engine) {
    let office = Office::open(engine).await;
    let number = "27812345621";
    Browser::new(&office.family, "ttmbhatv").join(TT, number).await;
    Browser::new(&office.family, "memeworld").behind(&[("accept-language", "zu")]).join(MEME, number).await;
    let db = Db::open(&stored(&office), subscription::NAME, subscription::MIGRATIONS).await.unwrap();
    let rows: Vec<String> = (0..500)
        .map(|row| {
            format!("((SELECT MIN(id) FROM subscriptions), 'sandbox-push', 'day-{row}', 'charge', 300, 'settled', 'key{row}', 1, 0, 0, '', '2025-01-01 00:00:00')")
        })
        .collect();
    let insert = format!(
        "INSERT INTO ledger (subscription_id, network, day, kind, cents, status, charge_key, attempts, failures, pass, reason, at) VALUES {}",
        rows.join(", ")
    );
    db.run(move |conn| Ok::<_, store::Error>(diesel::sql_query(insert).execute(conn).map(drop)?)).await.unwrap();
    let support = office.invite("sipho@spaza.example", "support").await;
    let record = support.search(number).await;
    for format in ["json", "html"] {
        let started = Instant::now();
        let dossier =
            support.act(&record, "POST", "dossier", json!({ "format": format, "reason": "a complaint" })).await;
        let duration = started.elapsed();
        let text = String::from_utf8_lossy(&dossier.bytes);
        assert_eq!(dossier.status, 200, "{text}");
        assert!(duration <= Duration::from_secs(3), "{format}: {duration:?}");
        // Every charge, the consent's words, and the welcome.
        for day in [0, 250, 499] {
            assert!(text.contains(&format!("day-{day}")), "{format}: the charge of day-{day} is missing");
        }
        let unchecked = match format {
            "html" => "zu, a translation that no speaker had checked",
            _ => "\"translation\":\"unchecked\"",
        };
        for words in ["I agreed to the Terms", "Welcome to", unchecked] {
            assert!(text.contains(words), "{format}: {words:?} is missing");
        }
        // Headings and names of facts and columns are texts of the catalogue.
        for words in ["<!DOCTYPE html>", "Dossier of 27812345621", "Words shown", "By, and why"] {
            assert_eq!(text.contains(words), format == "html", "{format}: {words:?}");
        }
    }
    assert_eq!(office.family.end("INT"), Some(0));
}

/// Gives an account a role, on the machine.
pub(crate) fn grant(store: &store::StoreConfig, email: &str, role: &str) {
    let mut grant = Command::new(Path::new(env!("CARGO_BIN_EXE_family")).with_file_name("backoffice"));
    grant.env("DATA_DIR", &store.data_dir).envs(store.database_url.as_ref().map(|url| ("DATABASE_URL", url)));
    assert!(grant.args(["grant", email, role]).status().unwrap().success());
}

/// The family's own store.
pub(crate) fn stored(office: &Office) -> store::StoreConfig {
    match office.store.config.database_url {
        Some(_) => office.store.config.clone(),
        None => store::StoreConfig::sqlite(office.home.path().join("data")),
    }
}

testkit::on_each_engine! {
    async fn support_answers_why_a_number_was_charged_gives_it_back_and_ends_it(engine) {
        support_answers_gives_back_and_ends(engine).await;
    }

    async fn refund_beyond_the_limit_is_made_by_two_persons_only(engine) {
        large_refund_waits_for_a_second_person(engine).await;
    }

    async fn dossier_has_everything_within_3_seconds(engine) {
        dossier_of_400_events_takes_at_most_3_seconds(engine).await;
    }
}
