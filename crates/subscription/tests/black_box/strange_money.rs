//! Money that a network takes too much of, gives back too little of, or wants to take later.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::{
    network::{Call, Response},
    service::{DAY, DISKI, MEMEWORLD, Setup, TTMBHA, TestEnv, later, number, wait_for, within},
};

/// A push network's charge of a number with another amount, which its list has, too.
fn charged(env: &TestEnv, msisdn: &str, id: &str, cents: i64) -> Value {
    let mut event = env.push.billing_event(msisdn, TTMBHA, &json!(id), &format!("b-{msisdn}"), "SUCCESS");
    env.push.set_last_charge(cents);
    event["amount"] = json!(cents);
    event
}

/// The cents of a number's settled charges of a day, and of its refunds that are settled.
async fn books(env: &TestEnv, day: &str, msisdn: &str) -> (i64, i64) {
    let sum = |rows: Vec<crate::service::Row>| -> i64 {
        rows.iter().filter(|row| row.status == "settled").map(|row| row.cents).sum()
    };
    (sum(env.rows(day, msisdn, "charge").await), sum(env.rows(&env.today(), msisdn, "refund").await))
}

on_each_engine! {
    async fn excess_of_a_push_network_is_booked_and_given_back(engine) {
        let env = TestEnv::start(engine).await;
        for (n, cents) in [400, 300_000].into_iter().enumerate() {
            let msisdn = number(n);
            let id = env.join_at_network(&env.push, &msisdn, TTMBHA).await;
            let event = charged(&env, &msisdn, &id, cents);
            env.notify(&env.push, &event).await;
            env.notify(&env.push, &event).await;
            wait_for("the excess is given back", async || books(&env, DAY, &msisdn).await == (cents, cents - 300)).await;
            assert_eq!(env.push.charged_and_refunded(&msisdn), (cents, cents - 300));
            assert_eq!(env.month_spend(&msisdn).await, 300);
            wait_for("the SMS", async || env.push.texts_to(&msisdn).iter().any(|text| text.contains("in place of R3"))).await;
        }
        assert!(env.alarms().contains(&"amount_unexpected".to_owned()));
    }

    async fn excess_in_the_list_alone_is_given_back_and_not_made_good(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let id = env.join_at_network(&env.push, &msisdn, TTMBHA).await;
        charged(&env, &msisdn, &id, 400);
        env.set_clock(&later(DAY, 1), "04:00:00").await;
        let reply = env.reconcile(&json!({"day": DAY})).await;
        assert_eq!(reply["differences"][0]["repair"], "excess_refunded", "{reply}");
        wait_for("the excess is given back", async || books(&env, DAY, &msisdn).await == (400, 100)).await;
        env.set_clock(&later(DAY, 1), "09:00:00").await;
        wait_for("the SMS", async || env.push.texts_to(&msisdn).iter().any(|text| text.contains("R4"))).await;
        let again = env.reconcile(&json!({"day": DAY})).await;
        assert_eq!(again["differences"], json!([]));
        assert_eq!(env.push.charged_and_refunded(&msisdn), (400, 100));
    }

    async fn second_debit_under_one_key_is_a_difference_and_given_back(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        env.set_clock(&later(DAY, 1), "04:00:00").await;
        env.pull.on(Call::ChargeList, |_| {
            Response::Changed(|list| {
                let rows = list.as_array_mut().unwrap();
                // The row of an earlier page once more, and another debit with its key.
                let mut second = rows[0].clone();
                second["at"] = json!("2031-03-05 12:00:00");
                rows.extend([rows[0].clone(), second]);
            })
        });
        let reply = env.reconcile(&json!({"day": DAY})).await;
        let differences = reply["differences"].as_array().unwrap();
        assert_eq!(differences.len(), 1, "{reply}");
        assert_eq!((&differences[0]["type"], &differences[0]["repair"]), (&json!("charged_twice"), &json!("refunded")));
        wait_for("a refund of the second", async || env.pull.requests_about(Call::Refund, &msisdn).len() == 1).await;
        let requested = env.pull.requests_about(Call::Refund, &msisdn)[0].clone();
        let key = env.rows(DAY, &msisdn, "charge").await[0].key.clone();
        assert_eq!((requested.text("charge_key"), requested.body["cents"].as_i64()), (key.as_str(), Some(300)));
        assert_ne!(requested.text("key"), format!("refund-{key}"), "its own refund stays possible");
        env.reconcile(&json!({"day": DAY})).await;
        assert_eq!(env.pull.requests_about(Call::Refund, &msisdn).len(), 1);
    }

    async fn refund_in_part_leaves_the_rest_open(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        let charge = env.rows(DAY, &msisdn, "charge").await[0].id;
        env.pull.on(Call::Refund, |_| Response::Changed(|refund| refund["cents"] = json!(100)));
        env.refund(charge).await;
        wait_for("the part", async || books(&env, DAY, &msisdn).await == (300, 100)).await;
        wait_for("the SMS", async || {
            env.pull.texts_to(&msisdn).iter().any(|text| text.contains("R1 of R3") && text.contains("R2"))
        })
        .await;
        assert_eq!(env.month_spend(&msisdn).await, 200);
        env.pull.behave(Call::Refund);
        env.refund(charge).await;
        wait_for("the rest", async || books(&env, DAY, &msisdn).await == (300, 300)).await;
        let requested = env.pull.requests_about(Call::Refund, &msisdn);
        assert_eq!(requested.iter().map(|request| request.body["cents"].clone()).collect::<Vec<_>>(), [json!(300), json!(200)]);
        assert_ne!(requested[0].text("key"), requested[1].text("key"));
        assert_eq!(env.month_spend(&msisdn).await, 0);
        env.refund(charge).await;
        assert_eq!(env.rows(DAY, &msisdn, "refund").await.len(), 2, "nothing is owed any more");
    }

    async fn network_with_a_speed_limit_charges_everyone_in_one_pass(engine) {
        let env = TestEnv::start(engine).await;
        const MANY: usize = 100;
        env.many_join(&env.pull, MEMEWORLD, 0..MANY).await;
        env.set_clock(&later(DAY, 1), "09:00:00").await;
        let seconds: Arc<Mutex<BTreeMap<u64, u32>>> = Arc::default();
        let began = Instant::now();
        env.pull.on(Call::Charge, move |_| {
            let mut seconds = seconds.lock().unwrap();
            let charges = seconds.entry(began.elapsed().as_secs()).or_default();
            *charges += 1;
            if *charges > 20 { Response::Busy } else { Response::Normal }
        });
        let totals = env.pass().await;
        assert_eq!((&totals["charged"], &totals["due"]), (&json!(MANY), &json!(MANY)), "{totals}");
        assert_eq!(env.settled(&later(DAY, 1)).await, MANY);
        assert!(!env.alarms().contains(&"network_paused".to_owned()), "a limit is no outage");
    }

    async fn pass_during_an_outage_charges_the_other_networks(engine) {
        let breaker = |text: String| {
            // Few at once: most are not sent when the pause begins, and keep the pass open.
            let settings = "breaker = { calls = 4, pause_seconds = 60 }\npace = { charges_at_once = 2 }";
            text.replace("[network.sandbox-pull]", &format!("[network.sandbox-pull]\n{settings}"))
        };
        let env = Setup::new(engine).at_other(&[DISKI]).brands(breaker).start().await;
        env.many_join(&env.pull, MEMEWORLD, 0..20).await;
        env.many_join(&env.other, DISKI, 20..25).await;
        let day = later(DAY, 1);
        env.set_clock(&day, "09:00:00").await;
        env.pull.on(Call::Charge, |_| Response::Status(503, String::new()));
        // The other network has no airtime for them now, and some later.
        env.other.on(Call::Charge, |_| Response::Outcome("insufficient_funds"));
        let sent = env.pull.count(Call::Charge);
        env.pass().await;
        assert!(env.pull.count(Call::Charge) < sent + 15, "the pass stays open");
        env.other.behave(Call::Charge);
        env.set_clock(&day, "09:10:00").await;
        env.pass().await;
        let charged = async || {
            let rows = env.ledger(&day).await;
            rows.iter().filter(|row| row.status == "settled").count() == 5
        };
        assert!(within(Duration::from_secs(10), charged).await, "the other network waits for the one that is away");
    }

    async fn compressed_reply_with_a_mark_is_read(engine) {
        let env = TestEnv::start(engine).await;
        env.pull.on(Call::OptIn, |_| Response::Compressed);
        let (page, id) = env.browser("memeworld").join(&number(1), MEMEWORLD).await;
        assert!(page.starts_with(&env.pull.url()) && !id.is_empty());
        env.pull.on(Call::Charge, |_| Response::Compressed);
        env.joined_and_paid("memeworld", MEMEWORLD, &number(2)).await;
    }
}
