//! Finance's work, from outside: the real family, subscribers who join at the gateway, and members of staff at the back office. The book is the
//! network's own list to the cent; a closed month stays as it was, and what happens later goes into the open one.

use chrono::{Datelike, FixedOffset, Months, NaiveDate, Utc};
use diesel::RunQueryDsl;
use serde_json::{Value, json};
use store::Db;
use testkit::{Client, Engine, eventually};

use crate::{
    life::Browser,
    support::{LARGE, MEME, Office, Staff, TT, of_kind, stored},
};

/// Johannesburg's day now, by the system's clock.
fn today() -> NaiveDate {
    Utc::now().with_timezone(&FixedOffset::east_opt(7200).unwrap()).date_naive()
}

fn month_of(day: NaiveDate) -> String {
    day.format("%Y-%m").to_string()
}

/// What the networks have charged on a day, by their own list: how many charges, and their cents.
async fn charged_at_networks(office: &Office, day: NaiveDate) -> (i64, i64) {
    let list = office.client(10).get_ok(&format!("/charges?day={day}")).await;
    let charges = list.as_array().unwrap();
    let cents = charges.iter().map(|charge| charge["cents"].as_i64().unwrap()).sum();
    (i64::try_from(charges.len()).unwrap(), cents)
}

async fn book(finance: &Staff, month: &str) -> Value {
    finance.get_ok(&format!("/api/finance/books/{month}?recount=true")).await
}

fn sum(entries: i64, cents: i64) -> Value {
    json!({ "entries": entries, "cents": cents })
}

/// Asserts that every line and the total are whole: net, VAT and shares sum to the income.
fn assert_adds_up(book: &Value) {
    let lines = ["days", "lines"].iter().flat_map(|list| book[*list].as_array().unwrap());
    for line in lines.chain([&book["total"]]) {
        let cents = |name: &str| line[name].as_i64().unwrap();
        let shares: i64 = line["shares"].as_array().unwrap().iter().map(|share| share["cents"].as_i64().unwrap()).sum();
        assert_eq!(cents("income_cents"), cents("vat_cents") + cents("net_cents"), "{line}");
        assert_eq!(cents("net_cents"), shares + cents("own_cents"), "{line}");
    }
    for (list, name) in [("days", "income_cents"), ("lines", "net_cents"), ("lines", "own_cents")] {
        let of_lines: i64 = book[list].as_array().unwrap().iter().map(|line| line[name].as_i64().unwrap()).sum();
        assert_eq!(book["total"][name], of_lines, "{name} of {list}");
    }
}

/// Gives a number's R3 charge back, and waits until the network has done so.
async fn give_back(office: &Office, support: &Staff, number: &str) {
    let record = support.search(number).await;
    let order =
        json!({ "ledger_ids": [of_kind(&record, "charge")[0]["ledger_id"]], "reason": "does not remember joining" });
    assert_eq!(support.act(&record, "POST", "refund", order).await.json()["state"], "made");
    eventually("the refund", async || {
        let account = office.as_machine(&format!("/internal/subscriptions/{number}")).await;
        let account: Value = serde_json::from_str(&account).unwrap();
        let charges = account["subscriptions"][0]["charges"].as_array().unwrap();
        charges.iter().any(|charge| charge["kind"] == "refund" && charge["status"] == "settled")
    })
    .await;
}

async fn finance_closes_a_month(engine: Engine) {
    testkit::away_from_midnight().await;
    let office = Office::open(engine).await;
    let (day, month) = (today(), month_of(today()));
    let numbers = ["27812345701", "27812345702", "27812345703"];
    for (label, svc_id, number) in
        [("ttmbhatv", TT, numbers[0]), ("ttmbhatv", TT, numbers[1]), ("memeworld", MEME, numbers[2])]
    {
        Browser::new(&office.family, label).join(svc_id, number).await;
        eventually("the charge", async || office.ledger(number).await.iter().any(|row| row.2 == "settled")).await;
    }
    let support = office.invite("sipho@spaza.example", "support").await;
    let finance = office.invite("zola@spaza.example", "finance").await;
    give_back(&office, &support, numbers[0]).await;
    assert_eq!(support.call("GET", "/api/finance/months", Value::Null).await.status, 403);

    // Contract terms, never more than the whole.
    let first = day.with_day(1).unwrap();
    let term = |party: &str, svc_id: i32, basis_points: i64| json!({ "network": "sandbox-push", "svc_id": svc_id, "party": party, "basis_points": basis_points, "since": first.to_string() });
    for (term, status) in [
        (term("Network", 0, 5000), 204),
        (term("Licensor", TT, 3333), 204),
        (term("Agent", 0, 1668), 422),
        (term("=1+1", 0, 100), 422),
        (term("Agent", 0, -1), 422),
    ] {
        assert_eq!(finance.call("POST", "/api/finance/terms", term.clone()).await.status, status, "{term}");
    }

    // The book is the networks' own list.
    let running = book(&finance, &month).await;
    let (charges, cents) = charged_at_networks(&office, day).await;
    assert_eq!((charges, cents), (3, LARGE + 600));
    assert_eq!(running["total"]["charged"], sum(charges, cents), "{running}");
    assert_eq!(running["total"]["given_back"], sum(1, 300));
    assert_eq!((&running["state"], &running["total"]["income_cents"]), (&json!("running"), &json!(cents - 300)));
    assert_adds_up(&running);
    // So is the day at a glance, of which each role has its part.
    let glance = finance.get_ok("/api/overview").await;
    let today = &glance["money"]["days"][0];
    assert_eq!(
        (&today["charged_cents"], &today["given_back_cents"], &today["charges"]),
        (&json!(cents), &json!(300), &json!(3))
    );
    let hours = glance["money"]["hours"].as_array().unwrap();
    assert_eq!(hours.iter().map(|hour| hour["charged_cents"].as_i64().unwrap()).sum::<i64>(), cents, "{hours:?}");
    assert_eq!((&glance["subscribers"]["days"][0]["joins"], &glance["operations"]), (&json!(3), &Value::Null));
    let glance = support.get_ok("/api/overview").await;
    assert!(glance["money"].is_null() && glance["subscribers"].is_object(), "{glance}");
    assert!(!glance["operations"]["networks"].as_array().unwrap().is_empty(), "{glance}");
    let editor = office.invite("lindiwe@spaza.example", "editor").await;
    let nothing =
        json!({ "subscribers": null, "money": null, "operations": null, "undecided_publishers": null, "pauses": null });
    assert_eq!(editor.get_ok("/api/overview").await, nothing);
    // R3 with VAT of 15 % are R2.61 net; half of it is the network's, a third the licensor's.
    let push = finance.get_ok(&format!("/api/finance/books/{month}?network=sandbox-push")).await;
    let shares = json!([{ "party": "Licensor", "cents": 87 }, { "party": "Network", "cents": 130 }]);
    assert_eq!(
        (&push["total"]["net_cents"], &push["total"]["shares"], &push["total"]["own_cents"]),
        (&json!(261), &shares, &json!(44))
    );
    let close = async |income: &Value| {
        finance.call("POST", &format!("/api/finance/books/{month}/close"), json!({ "income_cents": income })).await
    };
    let early = close(&running["income_cents"]).await;
    assert_eq!((early.status, &early.json()["detail"]), (409, &json!("The month is not over.")));

    // The month is over.
    let next = first.checked_add_months(Months::new(1)).unwrap();
    let later = next.with_day(2).unwrap();
    for offset in [5, 10] {
        let client: Client = office.client(offset);
        let moved = json!({ "now": format!("{later}T12:00:00+02:00") });
        let request = client.request(reqwest::Method::POST, "/internal/clock").bearer_auth("dev-admin").json(&moved);
        assert_eq!(client.send(request).await.status, 200);
    }
    let months = finance.get_ok("/api/finance/months").await;
    let states: Vec<&Value> = months["months"].as_array().unwrap().iter().map(|month| &month["state"]).collect();
    assert_eq!(states, ["running", "over"]);
    let over = book(&finance, &month).await;
    assert_eq!((&over["days"], &over["obstacles"]), (&running["days"], &json!([])));
    assert_eq!(close(&json!(cents)).await.status, 409, "closed with another income than was shown");
    assert_eq!(close(&over["income_cents"]).await.status, 204);
    assert_eq!(close(&over["income_cents"]).await.status, 409, "closed twice");
    let closed = book(&finance, &month).await;
    assert_eq!((&closed["state"], &closed["closed"]["intact"]), (&json!("closed"), &json!(true)));
    assert_eq!((&closed["days"], &closed["total"]), (&over["days"], &over["total"]));
    // Nothing new holds in it.
    assert_eq!(finance.call("POST", "/api/finance/terms", term("Late", 0, 1)).await.status, 422);
    let rate = json!({ "basis_points": 1600, "since": first.to_string() });
    assert_eq!(finance.call("POST", "/api/finance/vat", rate).await.status, 422);
    let rate = json!({ "basis_points": 1600, "since": next.to_string() });
    assert_eq!(finance.call("POST", "/api/finance/vat", rate).await.status, 204);

    // A later refund goes into the open month.
    give_back(&office, &support, numbers[1]).await;
    let after = book(&finance, &month).await;
    assert_eq!((&after["days"], &after["total"], &after["drifts"]), (&closed["days"], &closed["total"], &json!([])));
    let open = book(&finance, &month_of(next)).await;
    assert_eq!((&open["total"]["given_back"], &open["total"]["income_cents"]), (&sum(1, 300), &json!(-300)));
    // With the rate of that month: R3 contain 41 cents of 16 %.
    assert_eq!(open["total"]["vat_cents"], json!(-41));
    assert_adds_up(&open);

    // A change of the closed month's ledger is shown there, and is a correction in the open one.
    let insert = format!(
        "INSERT INTO ledger (subscription_id, network, day, kind, cents, status, charge_key, attempts, failures, pass, reason, at) \
         SELECT MIN(id), 'sandbox-pull', '{day}', 'refund', 300, 'settled', 'late', 1, 0, 0, '', '{later} 05:00:00' FROM subscriptions WHERE svc_id = {MEME}"
    );
    let db = Db::open(&stored(&office), subscription::NAME, subscription::MIGRATIONS).await.unwrap();
    db.run(move |conn| Ok::<_, store::Error>(diesel::sql_query(insert).execute(conn).map(drop)?)).await.unwrap();
    let drifted = book(&finance, &month).await;
    assert_eq!((&drifted["days"], &drifted["total"]), (&closed["days"], &closed["total"]));
    let drifts = drifted["drifts"].as_array().unwrap();
    assert_eq!(drifts.len(), 1, "{drifted}");
    assert_eq!((&drifts[0]["closed"]["given_back"], &drifts[0]["now"]["given_back"]), (&sum(0, 0), &sum(1, 300)));
    let open = book(&finance, &month_of(next)).await;
    let corrections: Vec<&Value> =
        open["days"].as_array().unwrap().iter().filter(|line| !line["correction_of"].is_null()).collect();
    assert_eq!(corrections.len(), 1, "{open}");
    assert_eq!(
        (&corrections[0]["correction_of"], &corrections[0]["income_cents"], &corrections[0]["vat_cents"]),
        (&json!(month), &json!(-300), &json!(-39))
    );
    assert_eq!(open["total"]["income_cents"], json!(-600));

    // The exports say the same.
    let csv = finance.call("GET", &format!("/api/finance/books/{month}/book.csv"), Value::Null).await;
    let csv = String::from_utf8(csv.bytes).unwrap();
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let column = |name: &str| -> i64 {
        let at = header.iter().position(|column| *column == name).unwrap();
        csv.lines().skip(1).map(|line| line.split(',').nth(at).unwrap().parse::<i64>().unwrap()).sum()
    };
    assert_eq!(
        (column("charged_cents"), column("given_back_cents"), column("income_cents")),
        (cents, 300, cents - 300)
    );
    assert_eq!(column("net_cents"), column("own_cents") + column("share of Network") + column("share of Licensor"));
    let page = finance.call("GET", &format!("/api/finance/books/{month}/statement.html"), Value::Null).await;
    let text = String::from_utf8_lossy(&page.bytes);
    for words in [format!("Statement, {month}"), "Closed at".to_owned(), "R63.00".to_owned(), "Licensor".to_owned()] {
        assert!(text.contains(&words), "{words:?} is missing in {text}");
    }

    // Finance compares a day with the networks' lists.
    let compared = finance.call("POST", &format!("/api/finance/differences/{day}"), json!({})).await;
    assert_eq!((compared.status, &compared.json()["agreed"]), (200, &json!(3)), "{}", compared.json());
    assert_eq!(
        finance.call("POST", &format!("/api/finance/differences/{day}"), json!({ "accept": true })).await.status,
        422
    );
    let days = finance.get_ok("/api/finance/differences").await;
    assert!(
        days["days"]
            .as_array()
            .unwrap()
            .iter()
            .any(|compared| compared["day"] == day.to_string() && compared["state"] == "repaired"),
        "{days}"
    );

    // Who did what; the hash of the closed book is in the chain.
    let log = office.admin.get_ok("/api/audit?action=month.closed").await;
    let entries = log["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 1);
    assert_eq!((&entries[0]["staff"], &entries[0]["subject"]), (&json!("zola@spaza.example"), &json!(month)));
    assert_eq!(entries[0]["details"]["hash"], closed["closed"]["hash"]);
    let changes = office.admin.get_ok("/api/audit?action=terms.changed").await;
    assert_eq!(changes["entries"].as_array().unwrap().len(), 2);
    assert_eq!(office.admin.get_ok("/api/audit/check").await["intact"], true);

    // No statement changes a closed month.
    let db = Db::open(&stored(&office), backoffice::NAME, backoffice::MIGRATIONS).await.unwrap();
    for statement in ["UPDATE closed_months SET lines = '[]'", "DELETE FROM closed_months"] {
        let refused =
            db.run(move |conn| Ok::<_, store::Error>(diesel::sql_query(statement).execute(conn).map(drop)?)).await;
        assert!(refused.is_err(), "{statement}");
    }
    assert_eq!(office.family.end("INT"), Some(0));
}

testkit::on_each_engine! {
    async fn finance_closes_a_month_and_it_stays_as_it_was(engine) {
        finance_closes_a_month(engine).await;
    }
}
