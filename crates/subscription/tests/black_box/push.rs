//! A push network's events about its charges: amounts, results and times count only where they are plausible.

use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::{
    network::Call,
    service::{DAY, TTMBHA, TestEnv, later, number, wait_for},
};

/// A billing event with another amount and the current time.
fn of_amount(env: &TestEnv, msisdn: &str, amount: &Value) -> Value {
    let mut event = env.push.billing_event(msisdn, TTMBHA, &id_of(env, msisdn), &format!("b-{msisdn}"), "SUCCESS");
    event["amount"] = amount.clone();
    event
}

/// The network's id of a number's subscription.
fn id_of(env: &TestEnv, msisdn: &str) -> Value {
    json!(env.push.subscription(msisdn, TTMBHA).unwrap().id.to_string())
}

/// A billing event with the current time.
fn billed(env: &TestEnv, msisdn: &str, billing_ref: &str, result: &str) -> Value {
    env.push.billing_event(msisdn, TTMBHA, &id_of(env, msisdn), billing_ref, result)
}

/// These numbers join ttmbhatv and pay their first day.
async fn payers(env: &TestEnv, numbers: &[String]) {
    for msisdn in numbers {
        env.join_at_network(&env.push, msisdn, TTMBHA).await;
        env.notify(&env.push, &billed(env, msisdn, &format!("first-{msisdn}"), "SUCCESS")).await;
        assert_eq!(env.month_spend(msisdn).await, 300);
    }
}

/// Waits for the morning of a day, by a number whose charge failed the day before and which is then suspended.
async fn morning(env: &TestEnv, day: &str, unpaid: &str) {
    env.set_clock(day, "09:00:00").await;
    wait_for("an unpaid number is suspended", async || env.state(unpaid, TTMBHA).await == "suspended").await;
}

on_each_engine! {
    async fn amount_in_rand_is_read_as_rand(engine) {
        let env = TestEnv::start(engine).await;
        for (n, amount) in [json!("3.00"), json!(3.00), json!("3,00"), json!("R3.00")].iter().enumerate() {
            let msisdn = number(n);
            env.join_at_network(&env.push, &msisdn, TTMBHA).await;
            env.notify(&env.push, &of_amount(&env, &msisdn, amount)).await;
            let charges = env.rows(DAY, &msisdn, "charge").await;
            let settled: Vec<i64> =
                charges.iter().filter(|row| row.status == "settled").map(|row| row.cents).collect();
            assert!(settled.is_empty() || settled == [300], "{amount} was booked as {settled:?} cents");
            if settled.is_empty() {
                wait_for("the alarm", async || env.alarms() == ["amount_unexpected"]).await;
            }
        }
    }

    async fn equal_amount_in_another_form_is_settled(engine) {
        let env = TestEnv::start(engine).await;
        let texts = ["300", "300.0", "300.00", "+300", "300 ", "3.0", "3.00", "3,00", "R3", "R3.00"].map(Value::from);
        for (n, amount) in [json!(300), json!(300.0), json!(3.0)].into_iter().chain(texts).enumerate() {
            let msisdn = number(n);
            env.join_at_network(&env.push, &msisdn, TTMBHA).await;
            env.notify(&env.push, &of_amount(&env, &msisdn, &amount)).await;
            assert_eq!(env.month_spend(&msisdn).await, 300, "{amount}");
        }
        assert!(env.alarms().is_empty(), "{:?}", env.alarms());
    }

    async fn unexpected_amount_is_not_settled_and_raises_an_alarm(engine) {
        let env = TestEnv::start(engine).await;
        for (n, amount) in [json!(-300), json!(0), json!(200), json!("3000.00"), json!("-300")].iter().enumerate() {
            let msisdn = number(n);
            env.join_at_network(&env.push, &msisdn, TTMBHA).await;
            env.notify(&env.push, &of_amount(&env, &msisdn, amount)).await;
            let charges = env.rows(DAY, &msisdn, "charge").await;
            assert!(charges.iter().all(|row| row.status != "settled"), "{amount} cents: {charges:?}");
            assert_eq!(env.month_spend(&msisdn).await, 0, "{amount} cents");
        }
        wait_for("the alarm", async || env.alarms() == ["amount_unexpected"]).await;
    }

    async fn unclear_result_does_not_suspend(engine) {
        let env = TestEnv::start(engine).await;
        let results = ["PENDING", "REFUNDED", "GRACE", "XYZZY", ""];
        let numbers: Vec<String> = (0..results.len()).map(number).collect();
        let unpaid: Vec<String> = (10..13).map(number).collect();
        payers(&env, &numbers).await;
        payers(&env, &unpaid).await;
        for (days, unpaid) in (1..).zip(&unpaid) {
            let day = later(DAY, days);
            env.set_clock(&day, "10:00:00").await;
            for (msisdn, result) in numbers.iter().zip(results) {
                env.notify(&env.push, &billed(&env, msisdn, &format!("b-{msisdn}-{day}"), result)).await;
            }
            let failed = billed(&env, unpaid, &format!("b-{unpaid}-{day}"), "INSUFFICIENT_FUNDS");
            env.notify(&env.push, &failed).await;
            morning(&env, &later(&day, 1), unpaid).await;
            for (msisdn, result) in numbers.iter().zip(results) {
                assert_eq!(env.state(msisdn, TTMBHA).await, "active", "{result:?}, {days} days");
            }
        }
    }

    async fn billing_ref_that_fails_then_succeeds_is_paid(engine) {
        let env = TestEnv::start(engine).await;
        let numbers: Vec<String> = (0..2).map(number).collect();
        let unpaid = number(10);
        payers(&env, &numbers).await;
        payers(&env, std::slice::from_ref(&unpaid)).await;
        let day = later(DAY, 1);
        env.set_clock(&day, "10:00:00").await;
        for (msisdn, failure) in numbers.iter().zip(["INSUFFICIENT_FUNDS", "FAILED"]) {
            let billing_ref = format!("b-{msisdn}");
            env.notify(&env.push, &billed(&env, msisdn, &billing_ref, failure)).await;
            env.notify(&env.push, &billed(&env, msisdn, &billing_ref, "SUCCESS")).await;
            let charges = env.rows(&day, msisdn, "charge").await;
            assert_eq!(charges.len(), 1, "{charges:?}");
            assert_eq!((charges[0].status.as_str(), charges[0].cents), ("settled", 300), "after {failure}");
        }
        env.notify(&env.push, &billed(&env, &unpaid, "b-unpaid", "INSUFFICIENT_FUNDS")).await;
        morning(&env, &later(&day, 1), &unpaid).await;
        for msisdn in &numbers {
            assert_eq!(env.state(msisdn, TTMBHA).await, "active");
            assert_eq!(env.month_spend(msisdn).await, 600);
        }
    }

    async fn second_charge_of_a_day_is_refunded(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        payers(&env, std::slice::from_ref(&msisdn)).await;
        let second = billed(&env, &msisdn, "second-of-the-day", "SUCCESS");
        env.notify(&env.push, &second).await;
        env.notify(&env.push, &second).await;
        wait_for("a refund of the second charge reaches the network", async || env.push.charged_and_refunded(&msisdn) == (600, 300)).await;
        let refunds = env.push.requests_about(Call::Refund, &msisdn);
        assert_eq!(refunds[0].text("charge_key"), "second-of-the-day");
        wait_for("the month is one day's price", async || env.month_spend(&msisdn).await == 300).await;
        assert_eq!(env.push.charged_and_refunded(&msisdn), (600, 300), "given back once");
        assert_eq!(env.state(&msisdn, TTMBHA).await, "active");
    }

    async fn failure_dated_2099_suspends_the_day_after(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        payers(&env, std::slice::from_ref(&msisdn)).await;
        let day = later(DAY, 1);
        env.set_clock(&day, "10:00:00").await;
        let mut failed = billed(&env, &msisdn, "b-2099", "INSUFFICIENT_FUNDS");
        failed["billed_at"] = json!("2099-01-01T06:00:00Z");
        env.notify(&env.push, &failed).await;
        morning(&env, &later(&day, 1), &msisdn).await;
    }

    async fn success_dated_2099_is_entered_for_today(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.join_at_network(&env.push, &msisdn, TTMBHA).await;
        let mut paid = billed(&env, &msisdn, "b-2099", "SUCCESS");
        paid["billed_at"] = json!("2099-01-01T06:00:00Z");
        env.notify(&env.push, &paid).await;
        let charges = env.rows(DAY, &msisdn, "charge").await;
        assert_eq!(charges.len(), 1, "{charges:?}");
        assert_eq!((charges[0].status.as_str(), charges[0].cents), ("settled", 300));
        assert_eq!(env.ledger("2099-01-01").await, []);
        assert_eq!(env.month_spend(&msisdn).await, 300);
    }
}
