//! A push network's word on its own charges: amounts, results and times are believed only where they can be true.

use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::{
    network::Call,
    service::{DAY, TTMBHA, World, later, number, soon},
};

/// A billing event of this moment with another amount.
fn of_amount(world: &World, msisdn: &str, amount: &Value) -> Value {
    let mut event = world.push.billing_event(msisdn, TTMBHA, &id_of(world, msisdn), &format!("b-{msisdn}"), "SUCCESS");
    event["amount"] = amount.clone();
    event
}

/// The network's id of a number's subscription.
fn id_of(world: &World, msisdn: &str) -> Value {
    json!(world.push.subscription(msisdn, TTMBHA).unwrap().id.to_string())
}

/// A billing event of this moment.
fn billed(world: &World, msisdn: &str, billing_ref: &str, result: &str) -> Value {
    world.push.billing_event(msisdn, TTMBHA, &id_of(world, msisdn), billing_ref, result)
}

/// These numbers join ttmbhatv and pay their first day.
async fn payers(world: &World, numbers: &[String]) {
    for msisdn in numbers {
        world.join_at_network(&world.push, msisdn, TTMBHA).await;
        world.notify(&world.push, &billed(world, msisdn, &format!("first-{msisdn}"), "SUCCESS")).await;
        assert_eq!(world.month_spend(msisdn).await, 300);
    }
}

/// Waits for the morning of a day, by a number whose charge failed the day before: it is suspended.
async fn morning(world: &World, day: &str, unpaid: &str) {
    world.set_clock(day, "09:00:00").await;
    soon("an unpaid number is suspended", async || world.state(unpaid, TTMBHA).await == "suspended").await;
}

on_each_engine! {
    async fn an_amount_in_rand_is_never_a_hundredth_of_it(engine) {
        let world = World::start(engine).await;
        for (n, amount) in [json!("3.00"), json!(3.00), json!("3,00"), json!("R3.00")].iter().enumerate() {
            let msisdn = number(n);
            world.join_at_network(&world.push, &msisdn, TTMBHA).await;
            let before = world.alarms().len();
            world.notify(&world.push, &of_amount(&world, &msisdn, amount)).await;
            let charges = world.rows(DAY, &msisdn, "charge").await;
            let settled: Vec<i64> =
                charges.iter().filter(|row| row.status == "settled").map(|row| row.cents).collect();
            assert!(settled.is_empty() || settled == [300], "{amount} was booked as {settled:?} cents");
            if settled.is_empty() {
                soon("an alarm", async || world.alarms().len() > before).await;
            }
        }
    }

    async fn an_amount_that_cannot_be_true_is_not_settled_and_raises_an_alarm(engine) {
        let world = World::start(engine).await;
        for (n, amount) in [json!(-300), json!(0), json!(300_000), json!("-300")].iter().enumerate() {
            let msisdn = number(n);
            world.join_at_network(&world.push, &msisdn, TTMBHA).await;
            let before = world.alarms().len();
            world.notify(&world.push, &of_amount(&world, &msisdn, amount)).await;
            let charges = world.rows(DAY, &msisdn, "charge").await;
            assert!(charges.iter().all(|row| row.status != "settled"), "{amount} cents: {charges:?}");
            assert_eq!(world.month_spend(&msisdn).await, 0, "{amount} cents");
            soon("an alarm", async || world.alarms().len() > before).await;
        }
    }

    async fn a_result_that_is_no_clear_no_never_suspends(engine) {
        let world = World::start(engine).await;
        let results = ["PENDING", "REFUNDED", "GRACE", "XYZZY", ""];
        let numbers: Vec<String> = (0..results.len()).map(number).collect();
        let unpaid: Vec<String> = (10..13).map(number).collect();
        payers(&world, &numbers).await;
        payers(&world, &unpaid).await;
        for (days, unpaid) in (1..).zip(&unpaid) {
            let day = later(DAY, days);
            world.set_clock(&day, "10:00:00").await;
            for (msisdn, result) in numbers.iter().zip(results) {
                world.notify(&world.push, &billed(&world, msisdn, &format!("b-{msisdn}-{day}"), result)).await;
            }
            let failed = billed(&world, unpaid, &format!("b-{unpaid}-{day}"), "INSUFFICIENT_FUNDS");
            world.notify(&world.push, &failed).await;
            morning(&world, &later(&day, 1), unpaid).await;
            for (msisdn, result) in numbers.iter().zip(results) {
                assert_eq!(world.state(msisdn, TTMBHA).await, "active", "{result:?}, {days} days");
            }
        }
    }

    async fn a_billing_ref_that_fails_and_then_succeeds_is_paid(engine) {
        let world = World::start(engine).await;
        let numbers: Vec<String> = (0..2).map(number).collect();
        let unpaid = number(10);
        payers(&world, &numbers).await;
        payers(&world, std::slice::from_ref(&unpaid)).await;
        let day = later(DAY, 1);
        world.set_clock(&day, "10:00:00").await;
        for (msisdn, failure) in numbers.iter().zip(["INSUFFICIENT_FUNDS", "FAILED"]) {
            let billing_ref = format!("b-{msisdn}");
            world.notify(&world.push, &billed(&world, msisdn, &billing_ref, failure)).await;
            world.notify(&world.push, &billed(&world, msisdn, &billing_ref, "SUCCESS")).await;
            let charges = world.rows(&day, msisdn, "charge").await;
            assert_eq!(charges.len(), 1, "{charges:?}");
            assert_eq!((charges[0].status.as_str(), charges[0].cents), ("settled", 300), "after {failure}");
        }
        world.notify(&world.push, &billed(&world, &unpaid, "b-unpaid", "INSUFFICIENT_FUNDS")).await;
        morning(&world, &later(&day, 1), &unpaid).await;
        for msisdn in &numbers {
            assert_eq!(world.state(msisdn, TTMBHA).await, "active");
            assert_eq!(world.month_spend(msisdn).await, 600);
        }
    }

    async fn a_second_charge_of_a_day_is_given_back_by_itself(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        payers(&world, std::slice::from_ref(&msisdn)).await;
        let second = billed(&world, &msisdn, "second-of-the-day", "SUCCESS");
        world.notify(&world.push, &second).await;
        world.notify(&world.push, &second).await;
        soon("a refund of the second charge reaches the network", async || world.push.taken(&msisdn) == (600, 300)).await;
        let refunds = world.push.requests_about(Call::Refund, &msisdn);
        assert_eq!(refunds[0].text("charge_key"), "second-of-the-day");
        soon("the month is one day's price", async || world.month_spend(&msisdn).await == 300).await;
        assert_eq!(world.push.taken(&msisdn), (600, 300), "given back once");
        assert_eq!(world.state(&msisdn, TTMBHA).await, "active");
    }

    async fn a_failure_billed_in_2099_suspends_the_day_after(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        payers(&world, std::slice::from_ref(&msisdn)).await;
        let day = later(DAY, 1);
        world.set_clock(&day, "10:00:00").await;
        let mut failed = billed(&world, &msisdn, "b-2099", "INSUFFICIENT_FUNDS");
        failed["billed_at"] = json!("2099-01-01T06:00:00Z");
        world.notify(&world.push, &failed).await;
        morning(&world, &later(&day, 1), &msisdn).await;
    }

    async fn a_success_billed_in_2099_is_booked_for_today(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        world.join_at_network(&world.push, &msisdn, TTMBHA).await;
        let mut paid = billed(&world, &msisdn, "b-2099", "SUCCESS");
        paid["billed_at"] = json!("2099-01-01T06:00:00Z");
        world.notify(&world.push, &paid).await;
        let charges = world.rows(DAY, &msisdn, "charge").await;
        assert_eq!(charges.len(), 1, "{charges:?}");
        assert_eq!((charges[0].status.as_str(), charges[0].cents), ("settled", 300));
        assert_eq!(world.ledger("2099-01-01").await, []);
        assert_eq!(world.month_spend(&msisdn).await, 300);
    }
}
