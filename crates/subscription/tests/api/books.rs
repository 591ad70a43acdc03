//! The sums that finance reads: they are those of the ledger, by day, brand, network and price.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::{
    ledger::{DAY, NEXT, NOON},
    services::{MEME, PULL, PUSH, TT, TestServices, eventually, number, spawn},
};

impl TestServices {
    pub async fn books(&self, query: &str) -> Value {
        let reply = self.finance(Method::GET, &format!("/internal/books?{query}"), None).await;
        assert_eq!(reply.status, 200, "{query}");
        reply.json()
    }
}

fn sum(entries: i64) -> Value {
    json!({"entries": entries, "cents": entries * 300})
}

on_each_engine! {
    async fn books_are_the_sums_of_the_ledger(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let empty = services.books(&format!("from={DAY}&to={DAY}&recount=true")).await;
        assert_eq!((&empty["today"], &empty["lines"]), (&json!(DAY), &json!([])));
        services.make_active(MEME, PULL, 3, "2060-02-26 10:00:00").await;
        services.set_clocks(&format!("{NEXT}T06:00:00+02:00")).await;
        assert_eq!(services.pass(NEXT).await, [3, 3, 0, 0, 0]);
        let msisdn = number("1111");
        services.joined("ttmbhatv", TT, &msisdn).await;
        let charge = services.wait_for_charge(NEXT, &msisdn, "settled").await;
        let poor = number("0003");
        services.joined("memeworld", MEME, &poor).await;
        services.wait_for_charge(NEXT, &poor, "failed").await;
        let order = json!({"ledger_id": charge.id, "reason": "requested"});
        assert_eq!(services.admin("/internal/refund", &order).await.status, 200);
        eventually("the refund", async || {
            services.count("ledger", "kind = 'refund' AND status = 'settled'").await == 1
        }).await;
        let books = services.books(&format!("from={NEXT}&to={NEXT}&recount=true")).await;
        let line = |svc_id: i32, service: &str, network: &str, charged: i64, failed: i64, given_back: i64| json!({
            "day": NEXT, "svc_id": svc_id, "service": service, "network": network, "price_cents": 300,
            "charged": sum(charged), "failed": sum(failed), "given_back": sum(given_back), "open": sum(0)
        });
        let expected = [line(MEME, "memeworld", PULL, 3, 1, 0), line(TT, "ttmbhatv", PUSH, 1, 0, 1)];
        assert_eq!(books["lines"], json!(expected));
        assert_eq!(books["first"], json!(NEXT));

        // The totals of dashboards are made of the same sums.
        assert_eq!(services.count("daily_charges", &format!("day = '{NEXT}' AND kind = 'charge' AND status = 'settled' AND network = '{PULL}' AND entries = 3 AND cents = 900")).await, 1);
        // An open charge is neither charged nor failed.
        services.execute(format!("UPDATE ledger SET status = 'unknown' WHERE day = '{NEXT}' AND id = {}", charge.id)).await;
        let open = services.books(&format!("from={NEXT}&to={NEXT}&recount=true")).await["lines"][1].clone();
        assert_eq!((&open["charged"], &open["open"]), (&sum(0), &sum(1)));

        for query in ["from=2060-02-27", "from=x&to=2060-02-27", "from=2060-02-28&to=2060-02-27", "from=2050-01-01&to=2060-01-01",
            "from=2060-01-01&to=2060-02-28&recount=true"] {
            let status = services.finance(Method::GET, &format!("/internal/books?{query}"), None).await.status;
            assert!(matches!(status, 400 | 422), "{query}: {status}");
        }
    }

    async fn finance_compares_a_day_and_sees_the_result(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.set_clocks(&format!("{NEXT}T00:30:00+02:00")).await;
        let reply = services.finance(Method::POST, "/internal/reconcile", Some(&json!({"day": DAY}))).await;
        assert_eq!((reply.status, &reply.json()["agreed"]), (200, &json!(1)));
        let days = services.finance(Method::GET, &format!("/internal/reconciliations?from={DAY}&to={NEXT}"), None).await.json();
        let of_network = days["days"].as_array().unwrap().iter().find(|day| day["network"] == PULL && day["day"] == DAY);
        let found = of_network.expect("the day is listed");
        assert_eq!((&found["state"], &found["agreed"], &found["settled"]), (&json!("repaired"), &json!(1), &json!(1)));
        // Its sums are there without another count.
        assert_eq!(services.books(&format!("from={DAY}&to={DAY}")).await["lines"][0]["charged"], sum(1));
    }

    async fn subscribers_are_counted_by_day_brand_network_and_price(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (stays, goes, pushed) = (number("1111"), number("1112"), number("1113"));
        services.joined("memeworld", MEME, &stays).await;
        let leaver = services.joined("memeworld", MEME, &goes).await;
        services.joined("ttmbhatv", TT, &pushed).await;
        for msisdn in [&stays, &goes] {
            services.wait_for_charge(DAY, msisdn, "settled").await;
        }
        assert_eq!(leaver.post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await.status, 200);
        // A join that is not confirmed is none.
        services.browser("memeworld").join(&number("1114"), MEME).await;
        services.books(&format!("from={DAY}&to={DAY}&recount=true")).await;
        let days = async |from: &str, to: &str| {
            let reply = services.finance(Method::GET, &format!("/internal/subscribers?from={from}&to={to}"), None).await;
            assert_eq!(reply.status, 200);
            reply.json()["days"].clone()
        };
        let line = |day: &str, svc_id: i32, service: &str, network: &str, moves: (i64, i64), running: i64| json!({
            "day": day, "svc_id": svc_id, "service": service, "network": network, "price_cents": 300,
            "joins": moves.0, "leaves": moves.1, "running": running
        });
        let first = [line(DAY, MEME, "memeworld", PULL, (2, 1), 1), line(DAY, TT, "ttmbhatv", PUSH, (1, 0), 1)];
        eventually("what runs is counted", async || days(DAY, DAY).await == json!(first)).await;
        let glance = services.call(Method::GET, "/internal/overview", testkit::ADMIN_TOKEN, None).await.json();
        assert_eq!((&glance["days"][0]["joins"], &glance["days"][0]["leaves"]), (&json!(3), &json!(1)));

        // On the next day the last one leaves; the day before keeps its count.
        services.set_clocks(&format!("{NEXT}T12:00:00+02:00")).await;
        services.sms(PULL, &stays, "STOP").await;
        services.books(&format!("from={NEXT}&to={NEXT}&recount=true")).await;
        let next = [line(NEXT, MEME, "memeworld", PULL, (0, 1), 0), line(NEXT, TT, "ttmbhatv", PUSH, (0, 0), 1)];
        let both = [&first[..], &next[..]].concat();
        eventually("what runs is counted again", async || days(DAY, NEXT).await == json!(both)).await;
        for query in ["from=2060-02-27", "from=x&to=2060-02-27", "from=2060-02-28&to=2060-02-27", "from=2050-01-01&to=2060-01-01"] {
            let status = services.finance(Method::GET, &format!("/internal/subscribers?{query}"), None).await.status;
            assert!(matches!(status, 400 | 422), "{query}: {status}");
        }
    }
}
