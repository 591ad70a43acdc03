//! A network that does not answer gets few requests and delays no other network.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use serde_json::json;
use testkit::{actix_web::rt, on_each_engine};

use crate::{
    network::{Call, Response},
    service::{DAY, DISKI, MEMEWORLD, Setup, TestEnv, later, number, wait_for, within},
};

/// The subscribers of the hanging network.
const MANY: usize = 300;

/// How long a test counts the requests to a hanging network.
const OBSERVED: Duration = Duration::from_secs(14);

/// Starts a pass without waiting for its end.
fn begin_pass(env: &TestEnv) -> rt::task::JoinHandle<u16> {
    let (client, request) = (env.client(0, "localhost"), json!({"day": env.today()}));
    rt::spawn(async move { client.post_as_admin("/internal/billing/run", &request).await.status })
}

/// Starts a pass, and asserts that these numbers are charged at the second network within a few seconds.
async fn assert_other_network_is_charged(env: &TestEnv, numbers: &[String], days: i64) {
    env.set_clock(&later(DAY, days), "09:00:00").await;
    let pass = begin_pass(env);
    let is_done = async || numbers.iter().all(|msisdn| env.other.charged_and_refunded(msisdn) == (300 * (days + 1), 0));
    assert!(within(Duration::from_secs(5), is_done).await, "day {days}: the network that answers waits for the other");
    // The pass continues on the hanging network.
    within(Duration::from_secs(10), async || pass.is_finished()).await;
}

on_each_engine! {
    async fn hanging_network_delays_no_other(engine) {
        let env = Setup::new(engine).at_other(&[DISKI]).setting("CHARGE_TIMEOUT_MS", "1000").start().await;
        let others: Vec<String> = (MANY..MANY + 5).map(number).collect();
        env.many_join(&env.pull, MEMEWORLD, 0..MANY).await;
        env.many_join(&env.other, DISKI, MANY..MANY + 5).await;
        for call in [Call::Charge, Call::ChargeStatus] {
            env.pull.on(call, |_| Response::NoReply);
        }
        // On the second day the first day's charges are unknown, and are queried.
        for days in 1..4 {
            assert_other_network_is_charged(&env, &others, days).await;
        }
    }

    async fn hanging_network_gets_few_charges_and_status_queries(engine) {
        let env = Setup::new(engine).setting("CHARGE_TIMEOUT_MS", "1000").start().await;
        env.many_join(&env.pull, MEMEWORLD, 0..MANY).await;
        env.pull.on(Call::Charge, |_| Response::NoReply);
        env.pull.on(Call::ChargeStatus, |_| Response::Status(503, String::new()));
        let charges = env.pull.count(Call::Charge);
        env.set_clock(&later(DAY, 1), "09:00:00").await;
        begin_pass(&env);
        let began = Instant::now();
        while began.elapsed() < OBSERVED {
            let charges = env.pull.count(Call::Charge) - charges;
            assert!(charges < 200, "{charges} charges were sent in {} s, and none was answered", began.elapsed().as_secs());
            let mut questions: BTreeMap<String, usize> = BTreeMap::new();
            for question in env.pull.requests(Call::ChargeStatus) {
                *questions.entry(question.name).or_default() += 1;
            }
            let most = questions.values().max().copied().unwrap_or_default();
            assert!(most <= 4, "one charge was asked about {most} times in {} s", began.elapsed().as_secs());
            rt::time::sleep(Duration::from_millis(200)).await;
        }
    }

    async fn unknown_charge_is_queried_with_growing_pauses(engine) {
        let env = TestEnv::start(engine).await;
        env.pull.on(Call::Charge, |_| Response::Status(200, "<html>Thank you!</html>".to_owned()));
        env.pull.on(Call::ChargeStatus, |_| Response::Status(503, String::new()));
        env.join_at_network(&env.pull, &number(1), MEMEWORLD).await;
        wait_for("the charge is unknown", async || {
            env.rows(DAY, &number(1), "charge").await.iter().any(|row| row.status == "unknown")
        })
        .await;
        let is_too_often = async || env.pull.count(Call::ChargeStatus) > 4;
        assert!(!within(OBSERVED, is_too_often).await, "more than 4 times in {} s", OBSERVED.as_secs());
    }

    async fn empty_pass_answers_fast_while_charges_are_unknown(engine) {
        // Whatever the order of calls, the circuit breaker stays closed: a slow machine queries while it still charges.
        let no_pause = |text: String| {
            text.replace("[network.sandbox-pull]", "[network.sandbox-pull]\nbreaker = { calls = 10000, pause_seconds = 2 }")
        };
        let env = Setup::new(engine).brands(no_pause).setting("CHARGE_TIMEOUT_MS", "2000").start().await;
        env.many_join(&env.pull, MEMEWORLD, 0..MANY).await;
        let day = later(DAY, 1);
        env.set_clock(&day, "09:00:00").await;
        // Every third reply is unreadable.
        env.pull.on(Call::Charge, |request| {
            let digits: u64 = request.msisdn().parse().unwrap();
            if digits.is_multiple_of(3) { Response::Status(200, "<html>".to_owned()) } else { Response::Normal }
        });
        env.pull.on(Call::ChargeStatus, |_| Response::Status(503, String::new()));
        env.pass().await;
        let unknown = env.ledger(&day).await.iter().filter(|row| row.status == "unknown").count();
        assert!(unknown >= 50, "{unknown} charges are unknown");
        for call in [Call::Charge, Call::ChargeStatus] {
            env.pull.on(call, |_| Response::NoReply);
        }
        env.set_clock(&day, "13:00:00").await;
        let began = Instant::now();
        env.pass().await;
        let took = began.elapsed();
        assert!(took < Duration::from_secs(5), "a pass over nothing took {took:?} with {unknown} charges unknown");
    }
}
