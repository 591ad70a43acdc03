//! Publishers, from outside: the real family, an advertisement by which a script joins numbers, and members of staff at the back office, who see
//! it, take the evidence, hold it and release it.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, Engine};

use crate::support::{MEME, Office, Staff};

/// The advertisement that the script names, as an address has it.
const BAD: &str = "bad ad&1";
const BAD_IN_QUERY: &str = "ext_ref=bad%20ad%261";

fn gateway(office: &Office) -> Client {
    Client::new(([127, 0, 0, 1], office.family.port).into(), "memeworld.localhost")
}

/// A join by a script, over HTTP; its reply.
async fn scripted_join(office: &Office, number: &str) -> Value {
    let body = json!({ "msisdn": number, "ext_ref": BAD, "channel": "WAP", "svc_id": MEME });
    gateway(office).post("/api/subscribe", &body).await.json()
}

/// A person joins on the page, and ends it at once by SMS.
async fn regretted_join(office: &Office, number: &str) {
    let gateway = gateway(office);
    let reply = gateway.post("/api/subscribe/challenge", &json!({ "svc_id": MEME })).await;
    let cookie = reply.header("set-cookie").split(';').next().unwrap().to_owned();
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let challenge = reply.json()["challenge"].clone();
    let body = json!({ "msisdn": number, "ext_ref": BAD, "channel": "WAP", "svc_id": MEME, "challenge": challenge });
    let request = gateway.request(Method::POST, "/api/subscribe").header("cookie", cookie).json(&body);
    let reply = gateway.send(request).await.json();
    let page = reply["redirectUrl"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned();
    let answer = testkit::client()
        .post(&page)
        .header("content-type", "application/x-www-form-urlencoded")
        .body("answer=confirm");
    let answer = answer.send().await.unwrap();
    assert!(answer.status().is_redirection(), "{}", answer.status());
    let network = Client::new(([127, 0, 0, 1], office.family.port + 10).into(), "localhost");
    let state = async || {
        let account = office.as_machine(&format!("/internal/subscriptions/{number}")).await;
        serde_json::from_str::<Value>(&account).unwrap()["subscriptions"][0]["state"].clone()
    };
    testkit::eventually("the subscription", async || state().await == "active").await;
    let stop = json!({ "msisdn": number, "text": "STOP" });
    assert_eq!(network.post("/sms", &stop).await.status, 200);
    testkit::eventually("its end", async || state().await == "cancelled").await;
}

async fn held(staff: &Staff) -> Vec<Value> {
    staff.get_ok("/api/publishers?held=true&q=BAD").await["publishers"].as_array().unwrap().clone()
}

async fn undecided(staff: &Staff) -> Value {
    staff.get_ok("/api/overview").await["undecided_publishers"].clone()
}

async fn publisher_is_seen_held_and_released(engine: Engine) {
    testkit::away_from_midnight().await;
    let office = Office::open_with(engine, &[("JOIN_SIGNALS", "required"), ("PUBLISHER_MIN_JOINS", "4")]).await;
    for number in 1..5 {
        regretted_join(&office, &format!("278123{number}1111")).await;
    }
    assert_eq!(scripted_join(&office, "27812345800").await["result"], 4);
    let support = office.invite("sipho@spaza.example", "support").await;
    let finance = office.invite("zola@spaza.example", "finance").await;
    let editor = office.invite("lindiwe@spaza.example", "editor").await;

    // Held by the limits: all who look after the business see it, and that a person has to decide.
    let month = finance.get_ok("/api/publishers").await["month"].as_str().unwrap().to_owned();
    for staff in [&support, &finance, &office.admin] {
        let lines = held(staff).await;
        assert_eq!(lines.len(), 1, "{lines:?}");
        let line = &lines[0];
        assert_eq!(
            (&line["ext_ref"], &line["service"], &line["svc_id"]),
            (&json!(BAD), &json!("memeworld"), &json!(MEME))
        );
        assert_eq!((&line["tries"], &line["held"], &line["codes"]), (&json!(5), &json!(1), &json!(1)));
        assert_eq!((&line["held_basis_points"], &line["confirmed"]), (&json!(2_000), &json!(4)));
        assert_eq!((&line["hold"]["state"], &line["hold"]["made_by"]), (&json!("held"), &json!("limits")));
        assert_eq!(undecided(staff).await, 1);
    }
    assert_eq!(editor.call("GET", "/api/publishers", Value::Null).await.status, 403);
    assert_eq!(undecided(&editor).await, Value::Null);
    for query in ["month=2026", "month=x"] {
        assert_eq!(finance.call("GET", &format!("/api/publishers?{query}"), Value::Null).await.status, 404, "{query}");
    }
    assert!(finance.get_ok("/api/publishers?q=no-such-publisher").await["publishers"].as_array().unwrap().is_empty());

    // The evidence is that of the subscription service, without a whole number.
    let path = |format: &str| format!("/api/publishers/evidence.{format}?{BAD_IN_QUERY}&month={month}");
    for (staff, format) in [(&support, "json"), (&finance, "csv")] {
        let reply = staff.request("GET", &path(format)).send().await.unwrap();
        let named = reply.headers()["content-disposition"].to_str().unwrap().to_owned();
        assert_eq!(named, format!("attachment; filename=\"evidence-{month}.{format}\""));
        let text = reply.text().await.unwrap();
        let internal = format!("/internal/publishers/evidence?{BAD_IN_QUERY}&month={month}&format={format}");
        assert_eq!(text, office.as_machine(&internal).await);
        assert!(text.contains("27••••••800") && text.contains("no_challenge") && !text.contains("812345800"), "{text}");
    }

    // Only an administrator decides, with a reason.
    let decide = async |staff: &Staff, call: &str, ext_ref: &str, reason: &str| {
        let order = json!({ "ext_ref": ext_ref, "reason": reason });
        staff.call("POST", &format!("/api/publishers/{call}"), order).await.status
    };
    for staff in [&support, &finance, &editor] {
        assert_eq!(decide(staff, "hold", BAD, "it is a script").await, 403);
        assert_eq!(decide(staff, "release", BAD, "it is a friend").await, 403);
    }
    assert_eq!(decide(&office.admin, "hold", BAD, " ").await, 422);
    assert_eq!(decide(&office.admin, "hold", "", "all of them").await, 409);
    let since = held(&finance).await[0]["hold"]["at"].clone();
    assert_eq!(decide(&office.admin, "hold", BAD, "it is a script").await, 204);
    let hold = held(&finance).await[0]["hold"].clone();
    assert_eq!((&hold["reason"], &hold["at"]), (&json!("it is a script"), &since));
    assert!(hold["made_by"].as_str().unwrap().contains('@'), "{hold}");
    assert_eq!(undecided(&finance).await, 0);
    assert_eq!(scripted_join(&office, "27812345806").await["challenge"], Value::Null, "its visitors get no code");
    assert_eq!(decide(&office.admin, "release", BAD, "the script is gone").await, 204);
    assert!(held(&finance).await.is_empty());
    assert!(scripted_join(&office, "27812345807").await["code"].is_string(), "its visitors may type a code again");

    // Each is in the audit log, before the service is called; what it refused as well.
    let log = office.admin.get_ok("/api/audit").await;
    let entries: Vec<_> = log["entries"]
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .filter(|entry| entry["action"].as_str().unwrap().starts_with("publisher."))
        .collect();
    let actions: Vec<_> =
        entries.iter().map(|entry| (entry["action"].as_str().unwrap(), entry["subject"].as_str().unwrap())).collect();
    let expected = [
        ("publisher.exported", BAD),
        ("publisher.exported", BAD),
        ("publisher.held", ""),
        ("publisher.failed", ""),
        ("publisher.held", BAD),
        ("publisher.released", BAD),
    ];
    assert_eq!(actions, expected);
    assert_eq!(
        (&entries[0]["staff"], &entries[1]["staff"]),
        (&json!("sipho@spaza.example"), &json!("zola@spaza.example"))
    );
    assert_eq!(entries[4]["details"], json!({ "reason": "it is a script" }));
    assert_eq!(office.admin.get_ok("/api/audit/check").await["intact"], true);

    // Finance alone has the subscribers of a month.
    assert_eq!(finance.get_ok(&format!("/api/finance/subscribers/{month}")).await["days"], json!([]));
    assert_eq!(support.call("GET", &format!("/api/finance/subscribers/{month}"), Value::Null).await.status, 403);
    assert_eq!(finance.call("GET", "/api/finance/subscribers/x", Value::Null).await.status, 404);
}

testkit::on_each_engine! {
    async fn publisher_is_held_by_the_limits_and_an_administrator_decides(engine) {
        publisher_is_seen_held_and_released(engine).await;
    }
}
