//! Reconciliation: a network's list is compared with the ledger, and held where it contradicts too much of it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{actix_web::rt::time::timeout, on_each_engine};

use crate::{
    network::{Call, Network, Response},
    service::{DAY, MEMEWORLD, TTMBHA, TestEnv, later, number, wait_for},
};

/// Before the hour at which the service reconciles the day before.
const BEFORE: &str = "04:00:00";

/// The part of a reply about one network.
fn of_network<'a>(reply: &'a Value, network: &Network) -> &'a Value {
    let mut networks = reply["networks"].as_array().expect("networks").iter();
    networks.find(|one| one["network"] == network.name).unwrap_or_else(|| panic!("{} in {reply}", network.name))
}

/// The pull network lists no charges, and does not know any key.
fn lists_nothing(network: &Network) {
    network.on(Call::ChargeList, |_| Response::Status(200, "[]".to_owned()));
    network.on(Call::ChargeStatus, |_| Response::Status(404, String::new()));
}

/// The refunds of all numbers on these days.
async fn refunds(env: &TestEnv, days: &[&str]) -> usize {
    let mut refunds = 0;
    for day in days {
        refunds += env.ledger(day).await.iter().filter(|row| row.kind == "refund").count();
    }
    refunds
}

/// Two numbers of the push network pay their day.
async fn two_push_payers(env: &TestEnv) {
    for n in [901, 902] {
        let msisdn = number(n);
        let id = json!(env.join_at_network(&env.push, &msisdn, TTMBHA).await);
        let paid = env.push.billing_event(&msisdn, TTMBHA, &id, &format!("b-{msisdn}"), "SUCCESS");
        env.notify(&env.push, &paid).await;
    }
}

/// Serves a list without an end: that network fails, and the other is compared.
async fn serve_endless_pages(env: &TestEnv, rule: fn(&crate::network::Request) -> Response) {
    env.many_join(&env.pull, MEMEWORLD, 0..3).await;
    two_push_payers(env).await;
    env.set_clock(&later(DAY, 1), BEFORE).await;
    env.pull.on(Call::ChargeList, rule);
    let reply = env.reconcile(&json!({"day": DAY})).await;
    let pull = of_network(&reply, &env.pull);
    assert_eq!(pull["state"], "failed", "{pull}");
    assert!(pull["cause"].is_string(), "{pull}");
    let push = of_network(&reply, &env.push);
    assert_eq!((&push["state"], &push["agreed"]), (&json!("repaired"), &json!(2)), "{push}");
    assert_eq!(env.settled(DAY).await, 5);
}

/// Fails the list of one network: the other's is compared.
async fn fail_one_list(env: &TestEnv, failing: &Network, (answers, charges): (&Network, usize)) {
    env.many_join(&env.pull, MEMEWORLD, 0..3).await;
    two_push_payers(env).await;
    env.set_clock(&later(DAY, 1), BEFORE).await;
    failing.on(Call::ChargeList, |_| Response::Status(500, "<html>".to_owned()));
    let reply = env.reconcile(&json!({"day": DAY})).await;
    assert_eq!(of_network(&reply, failing)["state"], "failed", "{reply}");
    let compared = of_network(&reply, answers);
    assert_eq!((&compared["state"], &compared["agreed"]), (&json!("repaired"), &json!(charges)), "{compared}");
    assert_eq!(reply["differences"], json!([]));
    assert_eq!(env.settled(DAY).await, 5);
}

on_each_engine! {
    async fn empty_list_is_held_until_accepted_and_undone_by_the_full_list(engine) {
        let env = TestEnv::start(engine).await;
        let numbers: Vec<String> = (0..60).map(number).collect();
        env.many_join(&env.pull, MEMEWORLD, 0..60).await;
        let today = later(DAY, 1);
        env.set_clock(&today, BEFORE).await;
        lists_nothing(&env.pull);
        let alarms = env.alarms().len();
        for _ in 0..2 {
            let reply = env.reconcile(&json!({"day": DAY})).await;
            assert_eq!(env.settled(DAY).await, 60);
            assert_eq!(refunds(&env, &[DAY, &today]).await, 0, "an empty list counters nothing");
            let pull = of_network(&reply, &env.pull);
            assert_eq!((&pull["state"], &pull["settled"]), (&json!("held"), &json!(60)), "{pull}");
            for msisdn in &numbers {
                assert_eq!(env.month_spend(msisdn).await, 300);
            }
        }
        wait_for("an alarm", async || env.alarms().len() > alarms).await;

        let reply = env.reconcile(&json!({"day": DAY, "accept": true})).await;
        assert_eq!(of_network(&reply, &env.pull)["state"], "repaired");
        for msisdn in &numbers {
            assert_eq!(env.month_spend(msisdn).await, 0, "accepted: the day was never charged");
        }
        assert_eq!(env.pull.count(Call::Refund), 0, "what was never charged is not refunded");

        env.pull.behave(Call::ChargeList);
        env.pull.behave(Call::ChargeStatus);
        env.reconcile(&json!({"day": DAY})).await;
        for msisdn in &numbers {
            assert_eq!(env.month_spend(msisdn).await, 300, "the full list proves the repair wrong");
            assert_eq!(env.pull.charged_and_refunded(msisdn), (300, 0));
        }
        let reply = env.reconcile(&json!({"day": DAY})).await;
        assert_eq!((&reply["agreed"], &reply["differences"]), (&json!(60), &json!([])));
    }

    async fn one_charge_in_150_never_made_is_countered(engine) {
        let env = TestEnv::start(engine).await;
        env.many_join(&env.pull, MEMEWORLD, 0..150).await;
        let today = later(DAY, 1);
        env.set_clock(&today, BEFORE).await;
        let lost = env.rows(DAY, &number(7), "charge").await.remove(0).key;
        env.pull.on(Call::ChargeStatus, move |request| {
            if request.name == lost { Response::Status(404, String::new()) } else { Response::Normal }
        });
        env.pull.on(Call::ChargeList, |_| {
            Response::Changed(|list| list.as_array_mut().unwrap().retain(|charge| charge["msisdn"] != number(7)))
        });
        let reply = env.reconcile(&json!({"day": DAY})).await;
        assert_eq!(env.month_spend(&number(7)).await, 0);
        assert_eq!(env.month_spend(&number(8)).await, 300);
        assert_eq!(reply["agreed"], 149);
        assert_eq!(of_network(&reply, &env.pull)["state"], "repaired");
        assert_eq!(refunds(&env, &[DAY, &today]).await, 1);
    }

    async fn page_that_links_to_itself_fails_only_its_network(engine) {
        let env = TestEnv::start(engine).await;
        serve_endless_pages(&env, |_| Response::NextPage(format!("/charges?day={DAY}&limit=1000"))).await;
    }

    async fn cyclic_pages_fail_only_their_network(engine) {
        let env = TestEnv::start(engine).await;
        serve_endless_pages(&env, |request| {
            let next = if request.query.get("after").is_some_and(|after| after == "1") { 2 } else { 1 };
            Response::NextPage(format!("/charges?day={DAY}&limit=1000&after={next}"))
        })
        .await;
    }

    async fn unreadable_row_is_a_difference_and_the_rest_is_compared(engine) {
        let env = TestEnv::start(engine).await;
        env.many_join(&env.pull, MEMEWORLD, 0..5).await;
        env.set_clock(&later(DAY, 1), BEFORE).await;
        env.pull.on(Call::ChargeList, |_| {
            Response::Changed(|list| {
                let broken = json!({"msisdn": ["?"], "svc_id": "many", "cents": null, "key": {}, "day": DAY, "at": 7});
                list.as_array_mut().unwrap().insert(2, broken);
            })
        });
        let alarms = env.alarms().len();
        let reply = env.reconcile(&json!({"day": DAY})).await;
        assert_eq!(reply["agreed"], 5, "{reply}");
        assert_eq!(reply["differences"].as_array().unwrap().len(), 1, "{reply}");
        assert_ne!(of_network(&reply, &env.pull)["state"], "failed", "{reply}");
        wait_for("an alarm", async || env.alarms().len() > alarms).await;
    }

    async fn list_that_fails_all_day_is_one_alarm(engine) {
        let env = TestEnv::start(engine).await;
        env.many_join(&env.pull, MEMEWORLD, 0..1).await;
        env.pull.on(Call::ChargeList, |_| Response::Status(500, String::new()));
        let failed = || env.alarms().iter().filter(|alarm| *alarm == "reconcile_failed").count();
        for (day, alarms) in [(later(DAY, 1), 1), (later(DAY, 2), 2)] {
            for time in ["06:00:00", "07:00:00", "08:00:00", "09:00:00"] {
                let before = env.pull.count(Call::ChargeList);
                env.set_clock(&day, time).await;
                wait_for("the list is requested", async || env.pull.count(Call::ChargeList) > before).await;
                wait_for("the alarm", async || failed() >= alarms).await;
                // By a person, too.
                env.reconcile(&json!({"day": DAY})).await;
                assert_eq!(failed(), alarms, "{time}");
            }
        }
    }

    async fn failed_pull_list_does_not_stop_the_push_comparison(engine) {
        let env = TestEnv::start(engine).await;
        fail_one_list(&env, &env.pull, (&env.push, 2)).await;
    }

    async fn failed_push_list_does_not_stop_the_pull_comparison(engine) {
        let env = TestEnv::start(engine).await;
        fail_one_list(&env, &env.push, (&env.pull, 3)).await;
    }

    async fn day_is_reconciled_the_next_morning(engine) {
        let env = TestEnv::start(engine).await;
        env.many_join(&env.pull, MEMEWORLD, 0..120).await;
        two_push_payers(&env).await;
        // The network charges one number twice, and only its list shows it.
        let msisdn = number(7);
        let id = json!(env.pull.subscription(&msisdn, MEMEWORLD).unwrap().id.to_string());
        env.pull.billing_event(&msisdn, MEMEWORLD, &id, "a-second-one", "SUCCESS");
        env.push.on(Call::ChargeList, |_| Response::Status(500, String::new()));
        env.set_clock(&later(DAY, 1), "04:25:00").await;
        let asks_for_the_day = |network: &Network| {
            network.requests(Call::ChargeList).iter().any(|request| request.query.get("day").is_some_and(|day| day == DAY))
        };
        assert!(!asks_for_the_day(&env.pull));
        env.set_clock(&later(DAY, 1), "04:31:00").await;
        wait_for("each network is asked for the day's list", async || {
            asks_for_the_day(&env.pull) && asks_for_the_day(&env.push)
        })
        .await;
        wait_for("the second charge is given back", async || env.pull.charged_and_refunded(&msisdn) == (600, 300)).await;
        assert_eq!(env.pull.requests_about(Call::Refund, &msisdn)[0].text("charge_key"), "a-second-one");
    }

    async fn comparison_of_a_dead_process_is_repeated(engine) {
        let mut env = TestEnv::start(engine).await;
        env.many_join(&env.pull, MEMEWORLD, 0..3).await;
        env.set_clock(&later(DAY, 1), "04:25:00").await;
        env.pull.on(Call::ChargeList, |_| Response::NoReply);
        env.set_clock(&later(DAY, 1), "04:31:00").await;
        wait_for("the comparison has begun", async || env.pull.count(Call::ChargeList) > 0).await;
        env.replicas.remove(0).kill();
        env.pull.behave(Call::ChargeList);
        env.start_replica().await;
        env.set_clock(&later(DAY, 1), "04:32:00").await;
        let began = Instant::now();
        let reply = loop {
            // A request waits until the dead process's heartbeat has timed out.
            if let Ok(reply) = timeout(Duration::from_secs(10), env.reconcile(&json!({"day": DAY}))).await {
                break reply;
            }
            assert!(began.elapsed() < Duration::from_secs(90), "the day is compared within a minute and a half");
        };
        assert_eq!(of_network(&reply, &env.pull)["state"], "repaired", "{reply}");
        assert_eq!((&reply["agreed"], &reply["differences"]), (&json!(3), &json!([])));
    }
}
