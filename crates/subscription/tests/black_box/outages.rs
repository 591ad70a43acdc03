//! A network that does not answer gets few requests and delays no other network.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use diesel::connection::SimpleConnection;
use serde_json::json;
use store::Db;
use testkit::{
    Engine,
    actix_web::{self, rt},
    on_each_engine,
};

use crate::{
    network::{Call, Network, Response},
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

/// Writes subscriptions whose charges of these days failed three times or settled, as an earlier run of the service has.
async fn write_days(env: &TestEnv, numbers: std::ops::Range<usize>, days: &[(&str, &str)]) {
    let db = Db::open(&env.store.config, subscription::NAME, subscription::MIGRATIONS).await.unwrap();
    let days: Vec<(String, String)> =
        days.iter().map(|(day, status)| ((*day).to_owned(), (*status).to_owned())).collect();
    db.write(move |conn| {
        for n in numbers {
            let msisdn = number(n);
            conn.batch_execute(&format!(
                "INSERT INTO subscriptions (msisdn, svc_id, state, since, network) \
                 VALUES ('{msisdn}', {MEMEWORLD}, 'active', '2031-02-20 08:00:00', 'sandbox-pull')"
            ))?;
            for (day, status) in &days {
                let failures = if status == "failed" { 3 } else { 0 };
                conn.batch_execute(&format!(
                    "INSERT INTO ledger (subscription_id, network, day, kind, cents, status, charge_key, attempts, failures, pass, reason, at) \
                     SELECT id, 'sandbox-pull', '{day}', 'charge', 300, '{status}', '{day}-{n}', 3, {failures}, 0, '', '{day} 18:00:00' \
                     FROM subscriptions WHERE msisdn = '{msisdn}'"
                ))?;
            }
        }
        Ok::<_, store::Error>(())
    })
    .await
    .unwrap();
}

on_each_engine! {
    async fn look_back_over_an_outage_finds_the_unpaid_behind_600_who_paid_since(engine) {
        let env = TestEnv::start(engine).await;
        let (unpaid, returned) = (later(DAY, -2), later(DAY, -1));
        write_days(&env, 0..600, &[(&unpaid, "failed"), (&returned, "settled")]).await;
        write_days(&env, 600..601, &[(&unpaid, "failed")]).await;
        // The day's first check looks back.
        env.set_clock(&later(DAY, 1), "00:30:00").await;
        wait_for("the last one is suspended", async || env.state(&number(600), MEMEWORLD).await == "suspended").await;
        assert_eq!(env.state(&number(0), MEMEWORLD).await, "active");
    }

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

    async fn network_that_is_back_is_charged_while_the_pass_goes_on_at_another(engine) {
        let settings = |text: String| {
            text.replace("[network.sandbox-pull]", "[network.sandbox-pull]\nbreaker = { calls = 4, pause_seconds = 1 }\npace = { charges_at_once = 2 }")
                .replace("[network.other-pull]", "[network.other-pull]\npace = { charges_at_once = 1 }")
        };
        let env = Setup::new(engine).at_other(&[DISKI]).brands(settings).start().await;
        env.many_join(&env.pull, MEMEWORLD, 0..20).await;
        env.many_join(&env.other, DISKI, 20..40).await;
        let day = later(DAY, 1);
        env.set_clock(&day, "09:00:00").await;
        env.pull.on(Call::Charge, |_| Response::Status(503, String::new()));
        env.other.on(Call::Charge, |_| Response::Delayed(Duration::from_secs(3)));
        let pass = begin_pass(&env);
        let is_away = async || env.alarms().contains(&"network_paused".to_owned());
        assert!(within(Duration::from_secs(10), is_away).await, "the network is away");
        env.pull.behave(Call::Charge);
        let charged = async || {
            let rows = env.ledger(&day).await;
            let at_pull = |msisdn: &String| (0..20).any(|n| number(n) == *msisdn);
            rows.iter().filter(|row| row.status == "settled" && at_pull(&row.msisdn)).count() > 5
        };
        assert!(within(Duration::from_secs(20), charged).await, "the network that is back waits for the other");
        assert!(!pass.is_finished(), "the other network was slow");
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

/// On PostgreSQL, where claims run side by side: this one waits for a row of its network.
#[actix_web::test]
async fn claim_that_hangs_delays_no_other_network() {
    // Each charge of the other network has a claim of its own.
    let one_at_once =
        |text: String| text.replace("[network.other-pull]", "[network.other-pull]\npace = { charges_at_once = 1 }");
    let env = Setup::new(Engine::Postgres).at_other(&[DISKI]).brands(one_at_once).start().await;
    env.many_join(&env.pull, MEMEWORLD, 0..3).await;
    env.many_join(&env.other, DISKI, 3..6).await;
    env.other.on(Call::Charge, |_| Response::Delayed(Duration::from_millis(500)));
    let db = Db::open(&env.store.config, subscription::NAME, subscription::MIGRATIONS).await.unwrap();
    let hold = format!(
        "INSERT INTO charge_hours (network, hour, sent) VALUES ('sandbox-pull', '{}T09', 0); SELECT pg_sleep(8)",
        later(DAY, 1)
    );
    let holding = rt::spawn(async move {
        db.write(move |conn| Ok::<_, store::Error>(conn.batch_execute(&hold)?)).await.unwrap();
    });
    env.set_clock(&later(DAY, 1), "09:00:00").await;
    begin_pass(&env);
    let is_charged = |network: &Network, n: usize| network.charged_and_refunded(&number(n)) == (600, 0);
    let are_done = async || (3..6).all(|n| is_charged(&env.other, n));
    assert!(within(Duration::from_secs(5), are_done).await, "the other network waits for the claim");
    assert!(!is_charged(&env.pull, 0), "the claim waits");
    holding.await.unwrap();
}
