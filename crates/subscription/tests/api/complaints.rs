//! "I did not want this": by the page and by SMS, the receipt that shows it, and the cases of support.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{ADMIN_TOKEN, Client, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON, days_after},
    services::{Browser, MEME, PULL, PUSH, TT, TestServices, eventually, number, spawn},
};

const COMPLAINT: &str = "/api/subscribe/complaint";
const RECEIPT: &str = "/api/subscribe/receipt";

impl TestServices {
    /// Joins at noon of `DAY`, and is charged.
    async fn joined_and_charged(&self, label: &str, svc_id: i32) -> (Browser, String) {
        let msisdn = number("1111");
        let browser = self.joined(label, svc_id, &msisdn).await;
        self.wait_for_charge(DAY, &msisdn, "settled").await;
        (browser, msisdn)
    }

    async fn cases(&self) -> Value {
        let request = Client::new(self.addr, "localhost").request(Method::GET, "/internal/cases");
        Client::new(self.addr, "localhost").send(request.bearer_auth(ADMIN_TOKEN)).await.json()
    }

    async fn refunds_of(&self, msisdn: &str) -> i64 {
        let of_number = format!("(SELECT id FROM subscriptions WHERE msisdn = '{msisdn}')");
        self.count("ledger", &format!("kind = 'refund' AND subscription_id IN {of_number}")).await
    }
}

async fn complain(browser: &Browser, body: Value) -> Value {
    let reply = browser.post(COMPLAINT, &body).await;
    assert_eq!(reply.status, 200, "{body}");
    reply.json()
}

on_each_engine! {
    async fn first_complaint_gives_the_last_charge_back_and_the_next_is_a_case(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (browser, msisdn) = services.joined_and_charged("memeworld", MEME).await;
        // Ten taps at once are one complaint.
        let taps = (0..10).map(|_| complain(&browser, json!({"day": DAY})));
        for outcome in futures_util::future::join_all(taps).await {
            assert_eq!(outcome, json!({"outcome": "refunded", "case": null, "day": DAY, "cents": 300}));
        }
        assert_eq!(services.refunds_of(&msisdn).await, 1);
        eventually("the network's refund", async || services.count("ledger", "kind = 'refund' AND status = 'settled'").await == 1).await;
        let receipt = browser.get(RECEIPT).await.json();
        let kinds: Vec<_> = receipt.as_array().unwrap().iter().map(|entry| (&entry["kind"], &entry["cents"])).collect();
        assert_eq!(kinds, [(&json!("refund"), &json!(300)), (&json!("charge"), &json!(300))]);
        assert_eq!(receipt[1]["complaint"]["outcome"], "refunded");
        let words = receipt[1]["consent"]["words"].as_str().unwrap();
        assert!(words.contains("R3/day"), "{words}");
        insta::assert_json_snapshot!("receipt", receipt, { "[].id" => "[id]", "[].refund_of" => "[id]", "[].consent.at" => "[time]", "[].consent.words" => "[words]" });
        // The next day's charge is another complaint.
        services.set_clocks(&format!("{NEXT}T12:00:00+02:00")).await;
        services.pass(NEXT).await;
        services.wait_for_charge(NEXT, &msisdn, "settled").await;
        let case = complain(&browser, json!({})).await;
        assert_eq!((&case["outcome"], &case["day"]), (&json!("case"), &json!(NEXT)));
        assert_eq!(complain(&browser, json!({"day": NEXT})).await, case, "twice is once");
        assert_eq!(services.refunds_of(&msisdn).await, 1);
        // Support sees it, and closes it.
        let id = case["case"].as_i64().unwrap();
        let open = services.cases().await;
        assert_eq!((&open[0]["complaint"]["why"], &open[0]["msisdn"]), (&json!("again"), &json!(msisdn)));
        let account = services.account(&msisdn).await;
        assert_eq!(account["subscriptions"][0]["complaints"].as_array().unwrap().len(), 2);
        assert_eq!(services.admin(&format!("/internal/cases/{id}/close"), &json!({})).await.status, 200);
        assert_eq!(services.cases().await, json!([]));
        assert_eq!(services.admin("/internal/cases/4711/close", &json!({})).await.status, 404);
    }

    async fn complaint_after_seven_days_is_a_case(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (in_time, _) = services.joined_and_charged("memeworld", MEME).await;
        let (late, msisdn) = services.joined_and_charged("memeworld", MEME).await;
        // Nothing was charged since.
        services.set_clocks(&format!("{}T12:00:00+02:00", days_after(DAY, 7))).await;
        assert_eq!(complain(&in_time, json!({})).await["outcome"], "refunded");
        services.set_clocks(&format!("{}T12:00:00+02:00", days_after(DAY, 8))).await;
        assert_eq!(complain(&late, json!({})).await["outcome"], "case");
        assert_eq!((services.refunds_of(&msisdn).await, &services.cases().await[0]["complaint"]["why"]), (0, &json!("late")));
    }

    async fn complaint_of_a_watched_day_is_a_case(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (watcher, watched) = services.joined_and_charged("mcfunny", 148).await;
        let (other, unwatched) = services.joined_and_charged("mcfunny", 148).await;
        // The gateway asks so before it sends a part of a film.
        assert_eq!(watcher.get("/api/subscribe/me?watching=true").await.status, 200);
        assert_eq!(other.get("/api/subscribe/me").await.status, 200);
        assert_eq!(complain(&watcher, json!({})).await["outcome"], "case");
        assert_eq!(complain(&other, json!({})).await["outcome"], "refunded");
        assert_eq!((services.refunds_of(&watched).await, services.refunds_of(&unwatched).await), (0, 1));
        assert_eq!(services.cases().await[0]["complaint"]["why"], "watched");
    }

    async fn complaint_about_nothing_or_without_session_changes_nothing(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (browser, msisdn) = services.joined_and_charged("memeworld", MEME).await;
        assert_eq!(complain(&browser, json!({"day": "2060-01-01"})).await["outcome"], "none");
        for (body, status) in [(json!({"day": "yesterday"}), 422), (json!({"day": 7}), 400)] {
            assert_eq!(browser.post(COMPLAINT, &body).await.status, status, "{body}");
        }
        let stranger = Client::new(services.addr, "memeworld");
        assert_eq!((stranger.post(COMPLAINT, &json!({})).await.status, stranger.get(RECEIPT).await.status), (401, 401));
        // A session of a former owner of the number.
        services.execute(format!("UPDATE subscriptions SET person = person + 1 WHERE msisdn = '{msisdn}'")).await;
        assert_eq!((browser.post(COMPLAINT, &json!({})).await.status, browser.get(RECEIPT).await.status), (401, 401));
        assert_eq!((services.refunds_of(&msisdn).await, services.count("complaints", "TRUE").await), (0, 0));
    }

    async fn receipt_has_pages(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (browser, _) = services.joined_and_charged("memeworld", MEME).await;
        complain(&browser, json!({})).await;
        let first = browser.get(&format!("{RECEIPT}?limit=1")).await;
        let next = first.header("link").split(['<', '>']).nth(1).unwrap().to_owned();
        let second = browser.get(&next).await;
        assert_eq!((&first.json()[0]["kind"], &second.json()[0]["kind"]), (&json!("refund"), &json!("charge")));
        assert_eq!(second.header("link"), "");
    }

    async fn why_and_refund_by_sms(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.sms(PULL, &msisdn, "WHY").await;
        assert!(services.texts_to(&msisdn).await[0].contains("no subscription"));
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.sms(PULL, &msisdn, "why??").await;
        let why = services.texts_to(&msisdn).await[0].clone();
        assert!(why.contains("charged R3 on 27 February. You agreed at your network on 27/02/2060."), "{why}");
        services.sms(PULL, &msisdn, "I want my money back").await;
        let refunded = services.texts_to(&msisdn).await[0].clone();
        assert!(refunded.contains("R3 for MEMEWORLD of 27 February is given back"), "{refunded}");
        services.sms(PULL, &msisdn, "REFUND").await;
        let case = services.texts_to(&msisdn).await[0].clone();
        assert!(case.contains("is case 2"), "{case}");
        services.sms(PULL, &msisdn, "refund").await;
        assert_eq!(services.texts_to(&msisdn).await[0], case, "twice is once");
        assert_eq!((services.refunds_of(&msisdn).await, services.count("complaints", "TRUE").await), (1, 2));
        // Of several services it is the one that is named.
        services.joined("ttmbhatv", TT, &msisdn).await;
        eventually("the second charge", async || services.count("ledger", "kind = 'charge' AND status = 'settled'").await == 2).await;
        services.sms(PUSH, &msisdn, "refund").await;
        assert!(services.texts_to(&msisdn).await[0].starts_with("Which service? Reply REFUND and its name"));
        services.sms(PUSH, &msisdn, "refund ttmbha tv").await;
        assert_eq!(services.refunds_of(&msisdn).await, 2);
        // A STOP is a STOP, whatever else it asks for.
        services.sms(PULL, &msisdn, "refund me and STOP").await;
        assert!(services.states(&msisdn).await.iter().all(|(_, state)| state == "cancelled"));
    }
}
