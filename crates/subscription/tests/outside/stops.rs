//! STOPs: whatever a network leaves out, writes as text, sends under a used id or dates wrongly, a STOP ends what it names.

use chrono::TimeDelta;
use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::{
    network::Call,
    service::{DAY, DISKI, MCFUNNY, MEMEWORLD, Setup, TTMBHA, World, later, number, soon},
};

/// The states of a number's subscriptions to these services.
async fn states(world: &World, msisdn: &str, services: &[i64]) -> Vec<String> {
    let mut states = Vec::new();
    for svc_id in services {
        states.push(world.state(msisdn, *svc_id).await);
    }
    states
}

/// A STOP of the pull network, of this moment.
fn stop(world: &World, msisdn: &str, svc_id: &Value) -> Value {
    let mut stop = world.stop_event(&world.pull, msisdn);
    stop["svc_id"] = svc_id.clone();
    stop
}

/// The number joins memeworld once more, on a new browser, and its subscription is active.
async fn joins_again(world: &World, msisdn: &str) {
    world.joined("memeworld", MEMEWORLD, msisdn).await;
    assert_eq!(world.state(msisdn, MEMEWORLD).await, "active");
    let me = world.pull.subscription(msisdn, MEMEWORLD);
    assert!(me.is_some(), "nothing ends the new subscription at the network");
}

on_each_engine! {
    async fn a_stop_without_a_service_ends_every_service_of_the_number_at_that_network(engine) {
        let world = World::start(engine).await;
        let (msisdn, other) = (number(1), number(2));
        for svc_id in [MCFUNNY, MEMEWORLD, DISKI] {
            world.join_at_network(&world.pull, &msisdn, svc_id).await;
            world.join_at_network(&world.pull, &other, svc_id).await;
        }
        world.join_at_network(&world.push, &msisdn, TTMBHA).await;
        world.notify(&world.pull, &world.stop_event(&world.pull, &msisdn)).await;
        let services = [MCFUNNY, MEMEWORLD, DISKI, TTMBHA];
        assert_eq!(states(&world, &msisdn, &services).await, ["cancelled", "cancelled", "cancelled", "active"]);
        assert_eq!(states(&world, &other, &services).await, ["active", "active", "active", "none"]);
    }

    async fn a_stop_that_names_its_service_by_text_is_not_lost(engine) {
        let world = World::start(engine).await;
        for (n, text) in ["150", "memeworld", "MEMEWORLD Daily!", "", "x27820000001"].into_iter().enumerate() {
            let msisdn = number(n);
            world.join_at_network(&world.pull, &msisdn, MEMEWORLD).await;
            world.join_at_network(&world.pull, &msisdn, DISKI).await;
            world.notify(&world.pull, &stop(&world, &msisdn, &json!(text))).await;
            assert_eq!(world.state(&msisdn, MEMEWORLD).await, "cancelled", "svc_id {text:?}");
            if text == "150" {
                assert_eq!(world.state(&msisdn, DISKI).await, "active", "only what was named ends");
            }
        }
        for (n, odd) in [Value::Null, json!(true), json!(["150"])].into_iter().enumerate() {
            let msisdn = number(10 + n);
            world.join_at_network(&world.pull, &msisdn, MEMEWORLD).await;
            world.notify(&world.pull, &stop(&world, &msisdn, &odd)).await;
            assert_eq!(world.state(&msisdn, MEMEWORLD).await, "cancelled", "svc_id {odd}");
        }
    }

    async fn a_stop_of_the_network_that_the_brand_had_before_cancels(engine) {
        let world = World::start(engine).await;
        let (by_service, by_id, without) = (number(1), number(2), number(3));
        let mut ids = Vec::new();
        for msisdn in [&by_service, &by_id, &without] {
            ids.push(world.join_at_network(&world.pull, msisdn, MEMEWORLD).await);
        }
        world.write_brands(&[MEMEWORLD], |text| text);
        let mut n = 10;
        soon("the new brands.toml is in force", async || {
            n += 1;
            world.browser("memeworld").join(&number(n), MEMEWORLD).await;
            world.other.count(Call::OptIn) > 0
        })
        .await;

        world.notify(&world.pull, &stop(&world, &by_service, &json!(MEMEWORLD))).await;
        let mut named = stop(&world, &by_id, &json!(MEMEWORLD));
        named["network_subscription_id"] = json!(ids[1]);
        world.notify(&world.pull, &named).await;
        world.notify(&world.pull, &world.stop_event(&world.pull, &without)).await;
        for msisdn in [&by_service, &by_id, &without] {
            assert_eq!(world.state(msisdn, MEMEWORLD).await, "cancelled");
        }
        world.set_clock(&later(DAY, 1), "09:00:00").await;
        let asked = || {
            let numbers = [&by_service, &by_id, &without];
            let about = |network: &crate::network::Network| -> usize {
                numbers.iter().map(|msisdn| network.requests_about(Call::Charge, msisdn).len()).sum()
            };
            about(&world.pull) + about(&world.other)
        };
        let before = asked();
        world.pass().await;
        assert_eq!(asked(), before, "nothing is charged after the STOP, at either network");
    }

    async fn a_stop_under_a_used_id_counts(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        let another = json!({
            "event": "opt_in", "kind": "verify", "reference": "r-1", "subscription_id": null, "user_msisdn": number(2),
            "svc_id": MEMEWORLD, "status": "confirmed", "decided_at": world.pull.now().to_rfc3339(),
        });
        let stop = stop(&world, &msisdn, &json!(MEMEWORLD));
        world.notify_as(&world.pull, "counter-1", &another).await;
        world.notify_as(&world.pull, "counter-1", &stop).await;
        assert_eq!(world.state(&msisdn, MEMEWORLD).await, "cancelled");

        // A copy, of the same id and the same body, does nothing: not even after the number has joined again.
        joins_again(&world, &msisdn).await;
        world.notify_as(&world.pull, "counter-1", &stop).await;
        assert_eq!(world.state(&msisdn, MEMEWORLD).await, "active");
    }

    async fn an_id_that_ends_and_begins_again_is_active(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        let id = world.push.begin(&msisdn, TTMBHA).to_string();
        let event = |status_id: i64| world.push.subscription_event(&msisdn, TTMBHA, &json!(id), status_id);
        let first = event(2);
        world.notify(&world.push, &first).await;
        world.notify(&world.push, &world.push.billing_event(&msisdn, TTMBHA, &json!(id), "b-1", "SUCCESS")).await;
        world.set_clock(DAY, "10:00:00").await;
        world.notify(&world.push, &event(8)).await;
        assert_eq!(world.state(&msisdn, TTMBHA).await, "cancelled");
        world.notify(&world.push, &first).await;
        assert_eq!(world.state(&msisdn, TTMBHA).await, "cancelled", "a late copy of the first 2");
        world.set_clock(DAY, "11:00:00").await;
        world.notify(&world.push, &event(2)).await;
        assert_eq!(world.state(&msisdn, TTMBHA).await, "active", "a 2 that is later than the 8");
    }

    async fn a_stop_dated_in_the_future_counts_as_now(engine) {
        let world = World::start(engine).await;
        let hours = world.pull.now() + TimeDelta::hours(2);
        // The local time, marked as if it were UTC; a year that somebody mistyped; the same with the network's own id.
        let dates = [hours.to_rfc3339(), "2062-03-05T09:00:00Z".to_owned()];
        for (n, date) in dates.iter().flat_map(|date| [(date, false), (date, true)]).enumerate() {
            let ((date, with_id), msisdn) = (date, number(n));
            world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
            let mut stop = stop(&world, &msisdn, &json!(MEMEWORLD));
            stop["at"] = json!(date);
            if with_id {
                let id = world.pull.subscription(&msisdn, MEMEWORLD).unwrap().id.to_string();
                stop["network_subscription_id"] = json!(id);
            }
            world.notify(&world.pull, &stop).await;
            assert_eq!(world.state(&msisdn, MEMEWORLD).await, "cancelled", "{date}");
            joins_again(&world, &msisdn).await;
        }
    }

    async fn a_push_network_ends_a_subscription_in_the_future_and_the_number_joins_again(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        world.joined_and_paid("ttmbhatv", TTMBHA, &msisdn).await;
        let id = json!(world.push.subscription(&msisdn, TTMBHA).unwrap().id.to_string());
        let mut ended = world.push.subscription_event(&msisdn, TTMBHA, &id, 8);
        ended["updated_at"] = json!("2062-03-05T09:00:00Z");
        world.notify(&world.push, &ended).await;
        assert_eq!(world.state(&msisdn, TTMBHA).await, "cancelled");
        world.joined("ttmbhatv", TTMBHA, &msisdn).await;
        assert_eq!(world.state(&msisdn, TTMBHA).await, "active");
    }

    async fn only_a_networks_own_key_signs_for_it(engine) {
        let keys = |text: String| {
            let with = |text: String, network: &str, variable: &str| {
                let head = format!("[network.{network}]");
                text.replace(&head, &format!("{head}\nnotify_secret = \"{variable}\""))
            };
            with(with(text, "sandbox-pull", "PULL_NOTIFY_SECRET"), "sandbox-push", "PUSH_NOTIFY_SECRET")
        };
        let world = Setup::new(engine)
            .brands(keys)
            .setting("PULL_NOTIFY_SECRET", "whsec_cHVsbC1rZXktcHVsbC1rZXk=")
            .setting("PUSH_NOTIFY_SECRET", "whsec_cHVzaC1rZXktcHVzaC1rZXk=")
            .start()
            .await;
        let (pull_key, push_key) = (b"pull-key-pull-key", b"push-key-push-key");
        let joined = world.push.subscription_event(&number(1), TTMBHA, &json!("7"), 2);
        let push = world.push.name;
        for key in [pull_key.as_slice(), world.key()] {
            assert_eq!(world.send_notification(push, "m-1", &joined, key, 0).await.status, 401);
        }
        assert_eq!(world.state(&number(1), TTMBHA).await, "none");
        assert_eq!(world.send_notification(push, "m-1", &joined, push_key, 0).await.status, 200);
        assert_eq!(world.state(&number(1), TTMBHA).await, "active");
    }
}
