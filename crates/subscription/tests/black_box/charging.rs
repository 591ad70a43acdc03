//! Charging a pull network's subscribers: only a clear no is a failure, only a reply about our charge settles it, no access without payment.

use std::time::Duration;

use futures_util::join;
use serde_json::{Value, json};
use testkit::{Engine, on_each_engine};

use crate::{
    network::{Call, Response},
    service::{DAY, MEMEWORLD, Setup, TestEnv, later, number, wait_for, within},
};

/// The number of subscribers who pay every day.
const PAYERS: usize = 20;

/// The three passes of a day.
const PASSES: [&str; 3] = ["10:00:00", "13:00:00", "18:00:00"];

/// How long a test waits for an unwanted change.
const OBSERVED: Duration = Duration::from_secs(2);

/// Twenty numbers join, get their welcome and pay their first day.
async fn payers_join(env: &TestEnv) {
    env.many_join(&env.pull, MEMEWORLD, 0..PAYERS).await;
    wait_for("every number gets its welcome", async || env.pull.count(Call::Message) == PAYERS).await;
}

/// Runs the passes of a day without replies of the network, and the next morning: no number is suspended, and none gets an SMS.
async fn run_day_without_answers(env: &TestEnv, day: &str) {
    let numbers: Vec<String> = (0..PAYERS).map(number).collect();
    let texts_before: Vec<Vec<String>> = numbers.iter().map(|msisdn| env.pull.texts_to(msisdn)).collect();
    for time in PASSES {
        env.set_clock(day, time).await;
        env.pass().await;
        // The service may query the unanswered charges, now or later.
        within(Duration::from_secs(4), async || env.ledger(day).await.iter().all(|row| row.status != "unknown")).await;
    }
    env.set_clock(&later(day, 1), "09:00:00").await;
    let suspends = async || {
        for msisdn in &numbers {
            if env.state(msisdn, MEMEWORLD).await != "active" {
                return true;
            }
        }
        false
    };
    assert!(!within(OBSERVED, suspends).await, "a network that does not answer suspends no number");
    let texts: Vec<Vec<String>> = numbers.iter().map(|msisdn| env.pull.texts_to(msisdn)).collect();
    assert_eq!(texts, texts_before, "no number gets an SMS");
}

/// The network answers again: every number pays today, and none pays the day without replies.
async fn run_day_with_answers(env: &TestEnv) {
    env.pull.behave(Call::Charge);
    env.pull.behave(Call::ChargeStatus);
    let today = env.today();
    wait_for("every number has paid today", async || {
        env.pass().await;
        env.settled(&today).await == PAYERS
    })
    .await;
    for n in 0..PAYERS {
        assert_eq!(env.pull.charged_and_refunded(&number(n)), (600, 0), "an unpaid day is never charged later");
    }
}

/// Runs a day on which every reply about a charge is changed: the charge is not settled.
async fn settles_nothing(engine: Engine, change: fn(&mut Value)) {
    let env = TestEnv::start(engine).await;
    let msisdn = number(1);
    env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
    let day = later(DAY, 1);
    env.set_clock(&day, "09:00:00").await;
    env.pull.on(Call::Charge, move |_| Response::Changed(change));
    env.pull.on(Call::ChargeStatus, move |_| Response::Changed(change));
    env.pass().await;
    assert!(env.pull.requests_about(Call::Charge, &msisdn).len() >= 2, "the day's charge was sent");
    let settles = async || env.settled(&day).await > 0;
    assert!(!within(OBSERVED, settles).await, "a reply about another charge settles nothing");
    assert_eq!(env.month_spend(&msisdn).await, 300);
}

/// Ten days on which a number without airtime rejoins, with or without a leave: it is active on the first day at most.
async fn ten_days_without_airtime(env: &TestEnv, msisdn: &str, leaves: bool) {
    for days in 0..10 {
        let day = later(DAY, days);
        let is_active = async || env.state(msisdn, MEMEWORLD).await == "active";
        if days > 0 {
            env.set_clock(&day, "09:00:00").await;
            wait_for("a day that ends unpaid suspends", async || !is_active().await).await;
        }
        if leaves && days > 0 {
            let mut stop = env.stop_event(&env.pull, msisdn);
            stop["svc_id"] = json!(MEMEWORLD);
            env.notify(&env.pull, &stop).await;
        }
        let charges = || env.pull.requests_about(Call::Charge, msisdn).len();
        let before = charges();
        let (page, _) = env.browser("memeworld").join(msisdn, MEMEWORLD).await;
        env.notify(&env.pull, &env.pull.confirm(&page)).await;
        let look = async |when: &str| {
            assert!(days == 0 || !is_active().await, "day {}, {when}: active, and R0 paid", days + 1);
        };
        look("right after the join").await;
        within(Duration::from_secs(1), async || charges() > before).await;
        look("after the first charge").await;
        for time in ["13:00:00", "18:00:00", "19:00:00"] {
            env.set_clock(&day, time).await;
            env.pass().await;
            look(time).await;
        }
    }
    assert_eq!(env.pull.charged_and_refunded(msisdn), (0, 0));
}

on_each_engine! {
    async fn day_of_timeouts_does_not_suspend(engine) {
        let env = Setup::new(engine).setting("CHARGE_TIMEOUT_MS", "300").start().await;
        payers_join(&env).await;
        env.pull.on(Call::Charge, |_| Response::NoReply);
        run_day_without_answers(&env, &later(DAY, 1)).await;
        run_day_with_answers(&env).await;
    }

    async fn day_of_503s_does_not_suspend(engine) {
        let short_pause = |text: String| {
            text.replace("[network.sandbox-pull]", "[network.sandbox-pull]\nbreaker = { calls = 20, pause_seconds = 2 }")
        };
        let env = Setup::new(engine).brands(short_pause).start().await;
        payers_join(&env).await;
        for call in [Call::Charge, Call::ChargeStatus] {
            env.pull.on(call, |_| Response::Status(503, String::new()));
        }
        run_day_without_answers(&env, &later(DAY, 1)).await;
        run_day_with_answers(&env).await;
    }

    async fn day_of_500s_does_not_suspend(engine) {
        let env = TestEnv::start(engine).await;
        payers_join(&env).await;
        env.pull.on(Call::Charge, |_| Response::Status(500, "<html>Internal Server Error</html>".to_owned()));
        run_day_without_answers(&env, &later(DAY, 1)).await;
        run_day_with_answers(&env).await;
    }

    async fn day_of_unknown_outcomes_does_not_suspend(engine) {
        let env = TestEnv::start(engine).await;
        payers_join(&env).await;
        env.pull.on(Call::Charge, |_| Response::Outcome("barred_by_nightly_batch"));
        run_day_without_answers(&env, &later(DAY, 1)).await;
    }

    async fn day_of_refused_connections_does_not_suspend(engine) {
        let env = TestEnv::start(engine).await;
        payers_join(&env).await;
        env.pull.stop().await;
        run_day_without_answers(&env, &later(DAY, 1)).await;
    }

    async fn refusal_of_unknown_subscription_cancels_it(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        env.pull.end(&msisdn, MEMEWORLD);
        let day = later(DAY, 1);
        env.set_clock(&day, "09:00:00").await;
        env.pass().await;
        wait_for("it is cancelled", async || env.state(&msisdn, MEMEWORLD).await == "cancelled").await;
        let before = env.pull.requests_about(Call::Charge, &msisdn).len();
        env.set_clock(&later(DAY, 2), "09:00:00").await;
        env.pass().await;
        assert_eq!(env.pull.requests_about(Call::Charge, &msisdn).len(), before, "it is charged no more");
        assert!(env.pull.texts_to(&msisdn).iter().all(|text| !text.to_lowercase().contains("top up")));
    }

    async fn refusal_of_an_earlier_subscription_leaves_a_new_one_active(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let browser = env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        env.pull.end(&msisdn, MEMEWORLD);
        env.set_clock(&later(DAY, 1), "09:00:00").await;
        // The network says slowly that it has no such subscription; meanwhile the person leaves and joins again.
        env.pull.on(Call::OptInStatus, |_| Response::Delayed(Duration::from_secs(4)));
        let before = env.pull.count(Call::OptInStatus);
        let rejoin = async {
            wait_for("the network is asked", async || env.pull.count(Call::OptInStatus) > before).await;
            env.pull.behave(Call::OptInStatus);
            assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
            env.joined("memeworld", MEMEWORLD, &msisdn).await;
        };
        join!(env.pass(), rejoin);
        assert!(!within(Duration::from_secs(6), async || env.state(&msisdn, MEMEWORLD).await != "active").await);
    }

    async fn reply_with_another_key_settles_nothing(engine) {
        settles_nothing(engine, |reply| reply["key"] = json!("2031-03-06-150-another")).await;
    }

    async fn reply_with_another_amount_settles_nothing(engine) {
        settles_nothing(engine, |reply| reply["cents"] = json!(30_000)).await;
    }

    async fn reply_with_another_number_settles_nothing(engine) {
        settles_nothing(engine, |reply| reply["msisdn"] = json!(number(99))).await;
    }

    async fn numeric_network_ref_settles(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let change: fn(&mut Value) = |reply| reply["network_ref"] = json!(20_310_305_000_001_u64);
        env.pull.on(Call::Charge, move |_| Response::Changed(change));
        env.pull.on(Call::ChargeStatus, move |_| Response::Changed(change));
        env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        assert_eq!(env.rows(DAY, &msisdn, "charge").await[0].network_ref, "20310305000001");
    }

    async fn daily_rejoin_without_airtime_is_not_active(engine) {
        let env = TestEnv::start(engine).await;
        env.pull.on(Call::Charge, |_| Response::Outcome("insufficient_funds"));
        ten_days_without_airtime(&env, &number(1), false).await;
    }

    async fn daily_leave_and_rejoin_without_airtime_is_not_active(engine) {
        let env = TestEnv::start(engine).await;
        env.pull.on(Call::Charge, |_| Response::Outcome("insufficient_funds"));
        ten_days_without_airtime(&env, &number(1), true).await;
    }

    async fn unpaid_day_suspends_and_paid_day_reactivates(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.pull.on(Call::Charge, |_| Response::Outcome("insufficient_funds"));
        let (page, _) = env.browser("memeworld").join(&msisdn, MEMEWORLD).await;
        env.notify(&env.pull, &env.pull.confirm(&page)).await;
        wait_for("the first charge", async || env.pull.count(Call::Charge) > 0).await;
        env.set_clock(DAY, "13:00:00").await;
        env.pass().await;
        env.set_clock(&later(DAY, 1), "09:00:00").await;
        wait_for("it is suspended", async || env.state(&msisdn, MEMEWORLD).await == "suspended").await;
        env.pass().await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "suspended");
        env.pull.behave(Call::Charge);
        env.set_clock(&later(DAY, 2), "09:00:00").await;
        env.pass().await;
        wait_for("it is active", async || env.state(&msisdn, MEMEWORLD).await == "active").await;
        assert_eq!(env.pull.charged_and_refunded(&msisdn), (300, 0));
    }
}
