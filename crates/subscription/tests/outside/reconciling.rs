//! Reconciling: a network's list is held against the ledger, and not believed where it contradicts too much of it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{actix_web::rt::time::timeout, on_each_engine};

use crate::{
    network::{Call, Network, Response},
    service::{DAY, MEMEWORLD, TTMBHA, World, later, number, soon},
};

/// Before the hour at which the service reconciles the day before by itself.
const BEFORE: &str = "04:00:00";

/// What reconciling says of one network.
fn of_network<'a>(reply: &'a Value, network: &Network) -> &'a Value {
    let mut networks = reply["networks"].as_array().expect("networks").iter();
    networks.find(|one| one["network"] == network.name).unwrap_or_else(|| panic!("{} in {reply}", network.name))
}

/// The pull network's list is empty, and it knows none of its charges when asked.
fn forgets_everything(network: &Network) {
    network.on(Call::ChargeList, |_| Response::Status(200, "[]".to_owned()));
    network.on(Call::ChargeStatus, |_| Response::Status(404, String::new()));
}

/// The refunds of all numbers on these days.
async fn refunds(world: &World, days: &[&str]) -> usize {
    let mut refunds = 0;
    for day in days {
        refunds += world.ledger(day).await.iter().filter(|row| row.kind == "refund").count();
    }
    refunds
}

/// Two numbers of the push network pay their day.
async fn two_push_payers(world: &World) {
    for n in [901, 902] {
        let msisdn = number(n);
        let id = json!(world.join_at_network(&world.push, &msisdn, TTMBHA).await);
        let paid = world.push.billing_event(&msisdn, TTMBHA, &id, &format!("b-{msisdn}"), "SUCCESS");
        world.notify(&world.push, &paid).await;
    }
}

/// A list whose pages never end: that network has failed, and the other is compared.
async fn pages_never_end(world: &World, rule: fn(&crate::network::Request) -> Response) {
    world.many_join(&world.pull, MEMEWORLD, 0..3).await;
    two_push_payers(world).await;
    world.set_clock(&later(DAY, 1), BEFORE).await;
    world.pull.on(Call::ChargeList, rule);
    let reply = world.reconcile(&json!({"day": DAY})).await;
    let pull = of_network(&reply, &world.pull);
    assert_eq!(pull["state"], "failed", "{pull}");
    assert!(pull["cause"].is_string(), "{pull}");
    let push = of_network(&reply, &world.push);
    assert_eq!((&push["state"], &push["agreed"]), (&json!("repaired"), &json!(2)), "{push}");
    assert_eq!(world.settled(DAY).await, 5);
}

/// The list of one of the two networks cannot be had: the other's is compared.
async fn one_list_is_away(world: &World, away: &Network, (answers, charges): (&Network, usize)) {
    world.many_join(&world.pull, MEMEWORLD, 0..3).await;
    two_push_payers(world).await;
    world.set_clock(&later(DAY, 1), BEFORE).await;
    away.on(Call::ChargeList, |_| Response::Status(500, "<html>".to_owned()));
    let reply = world.reconcile(&json!({"day": DAY})).await;
    assert_eq!(of_network(&reply, away)["state"], "failed", "{reply}");
    let compared = of_network(&reply, answers);
    assert_eq!((&compared["state"], &compared["agreed"]), (&json!("repaired"), &json!(charges)), "{compared}");
    assert_eq!(reply["differences"], json!([]));
    assert_eq!(world.settled(DAY).await, 5);
}

on_each_engine! {
    async fn an_empty_list_is_held_until_it_is_accepted_and_undone_when_the_list_is_back(engine) {
        let world = World::start(engine).await;
        let numbers: Vec<String> = (0..60).map(number).collect();
        world.many_join(&world.pull, MEMEWORLD, 0..60).await;
        let today = later(DAY, 1);
        world.set_clock(&today, BEFORE).await;
        forgets_everything(&world.pull);
        let alarms = world.alarms().len();
        for _ in 0..2 {
            let reply = world.reconcile(&json!({"day": DAY})).await;
            assert_eq!(world.settled(DAY).await, 60);
            assert_eq!(refunds(&world, &[DAY, &today]).await, 0, "an empty list counters nothing");
            let pull = of_network(&reply, &world.pull);
            assert_eq!((&pull["state"], &pull["settled"]), (&json!("held"), &json!(60)), "{pull}");
            for msisdn in &numbers {
                assert_eq!(world.month_spend(msisdn).await, 300);
            }
        }
        soon("an alarm", async || world.alarms().len() > alarms).await;

        let reply = world.reconcile(&json!({"day": DAY, "accept": true})).await;
        assert_eq!(of_network(&reply, &world.pull)["state"], "repaired");
        for msisdn in &numbers {
            assert_eq!(world.month_spend(msisdn).await, 0, "accepted: the day was never charged");
        }
        assert_eq!(world.pull.count(Call::Refund), 0, "what was never taken is not given back");

        world.pull.behave(Call::ChargeList);
        world.pull.behave(Call::ChargeStatus);
        world.reconcile(&json!({"day": DAY})).await;
        for msisdn in &numbers {
            assert_eq!(world.month_spend(msisdn).await, 300, "the full list proves the repair wrong");
            assert_eq!(world.pull.taken(msisdn), (300, 0));
        }
        let reply = world.reconcile(&json!({"day": DAY})).await;
        assert_eq!((&reply["agreed"], &reply["differences"]), (&json!(60), &json!([])));
    }

    async fn one_charge_in_a_hundred_and_fifty_that_was_never_made_is_countered(engine) {
        let world = World::start(engine).await;
        world.many_join(&world.pull, MEMEWORLD, 0..150).await;
        let today = later(DAY, 1);
        world.set_clock(&today, BEFORE).await;
        let lost = world.rows(DAY, &number(7), "charge").await.remove(0).key;
        world.pull.on(Call::ChargeStatus, move |request| {
            if request.name == lost { Response::Status(404, String::new()) } else { Response::Usual }
        });
        world.pull.on(Call::ChargeList, |_| {
            Response::Changed(|list| list.as_array_mut().unwrap().retain(|charge| charge["msisdn"] != number(7)))
        });
        let reply = world.reconcile(&json!({"day": DAY})).await;
        assert_eq!(world.month_spend(&number(7)).await, 0);
        assert_eq!(world.month_spend(&number(8)).await, 300);
        assert_eq!(reply["agreed"], 149);
        assert_eq!(of_network(&reply, &world.pull)["state"], "repaired");
        assert_eq!(refunds(&world, &[DAY, &today]).await, 1);
    }

    async fn a_page_that_names_itself_as_the_next_fails_that_network_alone(engine) {
        let world = World::start(engine).await;
        pages_never_end(&world, |_| Response::NextPage(format!("/charges?day={DAY}&limit=1000"))).await;
    }

    async fn pages_that_go_round_fail_that_network_alone(engine) {
        let world = World::start(engine).await;
        pages_never_end(&world, |request| {
            let next = if request.query.get("after").is_some_and(|after| after == "1") { 2 } else { 1 };
            Response::NextPage(format!("/charges?day={DAY}&limit=1000&after={next}"))
        })
        .await;
    }

    async fn a_row_that_cannot_be_read_is_a_difference_and_the_rest_is_compared(engine) {
        let world = World::start(engine).await;
        world.many_join(&world.pull, MEMEWORLD, 0..5).await;
        world.set_clock(&later(DAY, 1), BEFORE).await;
        world.pull.on(Call::ChargeList, |_| {
            Response::Changed(|list| {
                let broken = json!({"msisdn": ["?"], "svc_id": "many", "cents": null, "key": {}, "day": DAY, "at": 7});
                list.as_array_mut().unwrap().insert(2, broken);
            })
        });
        let alarms = world.alarms().len();
        let reply = world.reconcile(&json!({"day": DAY})).await;
        assert_eq!(reply["agreed"], 5, "{reply}");
        assert_eq!(reply["differences"].as_array().unwrap().len(), 1, "{reply}");
        assert_ne!(of_network(&reply, &world.pull)["state"], "failed", "{reply}");
        soon("an alarm", async || world.alarms().len() > alarms).await;
    }

    async fn a_pull_list_that_is_away_does_not_end_the_comparison_of_the_push_network(engine) {
        let world = World::start(engine).await;
        one_list_is_away(&world, &world.pull, (&world.push, 2)).await;
    }

    async fn a_push_list_that_is_away_does_not_end_the_comparison_of_the_pull_network(engine) {
        let world = World::start(engine).await;
        one_list_is_away(&world, &world.push, (&world.pull, 3)).await;
    }

    async fn a_day_is_reconciled_by_itself_the_next_morning(engine) {
        let world = World::start(engine).await;
        world.many_join(&world.pull, MEMEWORLD, 0..120).await;
        two_push_payers(&world).await;
        // The network charges one number a second time, and says so on its list alone.
        let msisdn = number(7);
        let id = json!(world.pull.subscription(&msisdn, MEMEWORLD).unwrap().id.to_string());
        world.pull.billing_event(&msisdn, MEMEWORLD, &id, "a-second-one", "SUCCESS");
        world.push.on(Call::ChargeList, |_| Response::Status(500, String::new()));
        world.set_clock(&later(DAY, 1), "04:25:00").await;
        let asks_for_the_day = |network: &Network| {
            network.requests(Call::ChargeList).iter().any(|request| request.query.get("day").is_some_and(|day| day == DAY))
        };
        assert!(!asks_for_the_day(&world.pull));
        world.set_clock(&later(DAY, 1), "04:31:00").await;
        soon("each network is asked for the day's list", async || {
            asks_for_the_day(&world.pull) && asks_for_the_day(&world.push)
        })
        .await;
        soon("the second charge is given back", async || world.pull.taken(&msisdn) == (600, 300)).await;
        assert_eq!(world.pull.requests_about(Call::Refund, &msisdn)[0].text("charge_key"), "a-second-one");
    }

    async fn a_day_whose_comparison_died_with_its_process_is_compared_again(engine) {
        let mut world = World::start(engine).await;
        world.many_join(&world.pull, MEMEWORLD, 0..3).await;
        world.set_clock(&later(DAY, 1), "04:25:00").await;
        world.pull.on(Call::ChargeList, |_| Response::Silence);
        world.set_clock(&later(DAY, 1), "04:31:00").await;
        soon("the comparison has begun", async || world.pull.count(Call::ChargeList) > 0).await;
        world.replicas.remove(0).kill();
        world.pull.behave(Call::ChargeList);
        world.start_replica().await;
        world.set_clock(&later(DAY, 1), "04:32:00").await;
        let began = Instant::now();
        let reply = loop {
            // Whoever asks while the dead process is still thought to live waits.
            if let Ok(reply) = timeout(Duration::from_secs(10), world.reconcile(&json!({"day": DAY}))).await {
                break reply;
            }
            assert!(began.elapsed() < Duration::from_secs(90), "the day is compared within a minute and a half");
        };
        assert_eq!(of_network(&reply, &world.pull)["state"], "repaired", "{reply}");
        assert_eq!((&reply["agreed"], &reply["differences"]), (&json!(3), &json!([])));
    }
}
