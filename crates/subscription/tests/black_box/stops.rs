//! STOPs: missing fields, text instead of numbers, used webhook ids and wrong dates do not keep a STOP from ending its subscription.

use chrono::TimeDelta;
use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::{
    network::Call,
    service::{DAY, DISKI, MCFUNNY, MEMEWORLD, Setup, TTMBHA, TestEnv, later, number, wait_for},
};

/// The states of a number's subscriptions to these services.
async fn states(env: &TestEnv, msisdn: &str, services: &[i64]) -> Vec<String> {
    let mut states = Vec::new();
    for svc_id in services {
        states.push(env.state(msisdn, *svc_id).await);
    }
    states
}

/// A STOP of the pull network with the current time.
fn stop(env: &TestEnv, msisdn: &str, svc_id: &Value) -> Value {
    let mut stop = env.stop_event(&env.pull, msisdn);
    stop["svc_id"] = svc_id.clone();
    stop
}

/// The number rejoins memeworld on a new browser, and is active.
async fn joins_again(env: &TestEnv, msisdn: &str) {
    env.joined("memeworld", MEMEWORLD, msisdn).await;
    assert_eq!(env.state(msisdn, MEMEWORLD).await, "active");
    let me = env.pull.subscription(msisdn, MEMEWORLD);
    assert!(me.is_some(), "nothing ends the new subscription at the network");
}

on_each_engine! {
    async fn stop_without_service_ends_all_services_at_that_network(engine) {
        let env = TestEnv::start(engine).await;
        let (msisdn, other) = (number(1), number(2));
        for svc_id in [MCFUNNY, MEMEWORLD, DISKI] {
            env.join_at_network(&env.pull, &msisdn, svc_id).await;
            env.join_at_network(&env.pull, &other, svc_id).await;
        }
        env.join_at_network(&env.push, &msisdn, TTMBHA).await;
        env.notify(&env.pull, &env.stop_event(&env.pull, &msisdn)).await;
        let services = [MCFUNNY, MEMEWORLD, DISKI, TTMBHA];
        assert_eq!(states(&env, &msisdn, &services).await, ["cancelled", "cancelled", "cancelled", "active"]);
        assert_eq!(states(&env, &other, &services).await, ["active", "active", "active", "none"]);
    }

    async fn stop_with_service_as_text_ends_it(engine) {
        let env = TestEnv::start(engine).await;
        for (n, text) in ["150", "memeworld", "MEMEWORLD Daily!", "", "x27820000001"].into_iter().enumerate() {
            let msisdn = number(n);
            env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
            env.join_at_network(&env.pull, &msisdn, DISKI).await;
            env.notify(&env.pull, &stop(&env, &msisdn, &json!(text))).await;
            assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled", "svc_id {text:?}");
            if text == "150" {
                assert_eq!(env.state(&msisdn, DISKI).await, "active", "only what was named ends");
            }
        }
        for (n, odd) in [Value::Null, json!(true), json!(["150"])].into_iter().enumerate() {
            let msisdn = number(10 + n);
            env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
            env.notify(&env.pull, &stop(&env, &msisdn, &odd)).await;
            assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled", "svc_id {odd}");
        }
    }

    async fn stop_of_the_previous_network_cancels(engine) {
        let env = TestEnv::start(engine).await;
        let (by_service, by_id, without) = (number(1), number(2), number(3));
        let mut ids = Vec::new();
        for msisdn in [&by_service, &by_id, &without] {
            ids.push(env.join_at_network(&env.pull, msisdn, MEMEWORLD).await);
        }
        env.write_brands(&[MEMEWORLD], |text| text);
        let mut n = 10;
        wait_for("the new brands.toml is in force", async || {
            n += 1;
            env.browser("memeworld").join(&number(n), MEMEWORLD).await;
            env.other.count(Call::OptIn) > 0
        })
        .await;

        env.notify(&env.pull, &stop(&env, &by_service, &json!(MEMEWORLD))).await;
        let mut named = stop(&env, &by_id, &json!(MEMEWORLD));
        named["network_subscription_id"] = json!(ids[1]);
        env.notify(&env.pull, &named).await;
        env.notify(&env.pull, &env.stop_event(&env.pull, &without)).await;
        for msisdn in [&by_service, &by_id, &without] {
            assert_eq!(env.state(msisdn, MEMEWORLD).await, "cancelled");
        }
        env.set_clock(&later(DAY, 1), "09:00:00").await;
        let charges_sent = || {
            let numbers = [&by_service, &by_id, &without];
            let about = |network: &crate::network::Network| -> usize {
                numbers.iter().map(|msisdn| network.requests_about(Call::Charge, msisdn).len()).sum()
            };
            about(&env.pull) + about(&env.other)
        };
        let before = charges_sent();
        env.pass().await;
        assert_eq!(charges_sent(), before, "nothing is charged after the STOP, at either network");
    }

    async fn brand_at_a_new_network_is_charged_where_each_subscriber_joined(engine) {
        let env = TestEnv::start(engine).await;
        let staying = number(1);
        let browser = env.joined_and_paid("memeworld", MEMEWORLD, &staying).await;
        env.write_brands(&[MEMEWORLD], |text| text);
        let (mut n, mut joined) = (10, String::new());
        wait_for("the new brands.toml is in force", async || {
            n += 1;
            joined = number(n);
            env.browser("memeworld").join(&joined, MEMEWORLD).await;
            env.other.count(Call::OptIn) > 0
        })
        .await;
        env.join_at_network(&env.other, &joined, MEMEWORLD).await;
        let charges =
            |network: &crate::network::Network, msisdn: &str| network.requests_about(Call::Charge, msisdn).len();
        wait_for("the first charge at the new network", async || charges(&env.other, &joined) == 1).await;
        let day = later(DAY, 1);
        env.set_clock(&day, "09:00:00").await;
        env.pass().await;
        assert_eq!((charges(&env.pull, &staying), charges(&env.other, &staying)), (2, 0));
        assert_eq!((charges(&env.pull, &joined), charges(&env.other, &joined)), (0, 2));

        // Its refund, its stop and its SMS go to the network that it joined at.
        let id = env.rows(&day, &staying, "charge").await[0].id;
        env.refund(id).await;
        assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
        for call in [Call::Refund, Call::Stop] {
            wait_for("the old network is called", async || !env.pull.requests_about(call, &staying).is_empty()).await;
            assert!(env.other.requests_about(call, &staying).is_empty());
        }
        wait_for("the goodbye", async || env.pull.texts_to(&staying).len() >= 2).await;
        assert!(env.other.texts_to(&staying).is_empty());
    }

    async fn network_with_subscriptions_cannot_be_removed(engine) {
        let env = Setup::new(engine).at_other(&[MEMEWORLD]).start().await;
        let msisdn = number(1);
        env.join_at_network(&env.other, &msisdn, MEMEWORLD).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "active");
        env.write_brands(&[], |text| text);
        // Two looks at the file, and more: the old table stays in force, and the network's STOP is accepted.
        tokio::time::sleep(std::time::Duration::from_secs(5)).await;
        env.browser("memeworld").join(&number(2), MEMEWORLD).await;
        assert_eq!((env.other.count(Call::OptIn), env.pull.count(Call::OptIn)), (1, 0));
        env.notify(&env.other, &stop(&env, &msisdn, &json!(MEMEWORLD))).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled");
        // With nothing on it, the network goes.
        env.write_brands(&[], |text| format!("{text}\n"));
        let mut n = 10;
        wait_for("the new brands.toml is in force", async || {
            n += 1;
            env.browser("memeworld").try_to_join(&number(n), MEMEWORLD).await;
            env.pull.count(Call::OptIn) > 0
        })
        .await;
    }

    async fn stop_with_used_webhook_id_is_applied(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        let another = json!({
            "event": "opt_in", "kind": "verify", "reference": "r-1", "subscription_id": null, "user_msisdn": number(2),
            "svc_id": MEMEWORLD, "status": "confirmed", "decided_at": env.pull.now().to_rfc3339(),
        });
        let stop = stop(&env, &msisdn, &json!(MEMEWORLD));
        env.notify_as(&env.pull, "counter-1", &another).await;
        env.notify_as(&env.pull, "counter-1", &stop).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled");

        // A copy with the same id and body has no effect, also after the number has rejoined.
        joins_again(&env, &msisdn).await;
        env.notify_as(&env.pull, "counter-1", &stop).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "active");
    }

    async fn ended_id_that_restarts_is_active(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let id = env.push.begin(&msisdn, TTMBHA).to_string();
        let event = |status_id: i64| env.push.subscription_event(&msisdn, TTMBHA, &json!(id), status_id);
        let first = event(2);
        env.notify(&env.push, &first).await;
        env.notify(&env.push, &env.push.billing_event(&msisdn, TTMBHA, &json!(id), "b-1", "SUCCESS")).await;
        env.set_clock(DAY, "10:00:00").await;
        env.notify(&env.push, &event(8)).await;
        assert_eq!(env.state(&msisdn, TTMBHA).await, "cancelled");
        env.notify(&env.push, &first).await;
        assert_eq!(env.state(&msisdn, TTMBHA).await, "cancelled", "a late copy of the first 2");
        env.set_clock(DAY, "11:00:00").await;
        env.notify(&env.push, &event(2)).await;
        assert_eq!(env.state(&msisdn, TTMBHA).await, "active", "a 2 that is later than the 8");
    }

    async fn stop_dated_in_the_future_counts_as_now(engine) {
        let env = TestEnv::start(engine).await;
        let hours = env.pull.now() + TimeDelta::hours(2);
        // The local time marked as UTC; a mistyped year; the same with the network's own id.
        let dates = [hours.to_rfc3339(), "2062-03-05T09:00:00Z".to_owned()];
        for (n, date) in dates.iter().flat_map(|date| [(date, false), (date, true)]).enumerate() {
            let ((date, with_id), msisdn) = (date, number(n));
            env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
            let mut stop = stop(&env, &msisdn, &json!(MEMEWORLD));
            stop["at"] = json!(date);
            if with_id {
                let id = env.pull.subscription(&msisdn, MEMEWORLD).unwrap().id.to_string();
                stop["network_subscription_id"] = json!(id);
            }
            env.notify(&env.pull, &stop).await;
            assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled", "{date}");
            joins_again(&env, &msisdn).await;
        }
    }

    async fn push_end_in_the_future_allows_rejoin(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.joined_and_paid("ttmbhatv", TTMBHA, &msisdn).await;
        let id = json!(env.push.subscription(&msisdn, TTMBHA).unwrap().id.to_string());
        let mut ended = env.push.subscription_event(&msisdn, TTMBHA, &id, 8);
        ended["updated_at"] = json!("2062-03-05T09:00:00Z");
        env.notify(&env.push, &ended).await;
        assert_eq!(env.state(&msisdn, TTMBHA).await, "cancelled");
        env.joined("ttmbhatv", TTMBHA, &msisdn).await;
        assert_eq!(env.state(&msisdn, TTMBHA).await, "active");
    }

    async fn notification_signed_with_another_networks_key_is_401(engine) {
        let keys = |text: String| {
            let with = |text: String, network: &str, variable: &str| {
                let head = format!("[network.{network}]");
                text.replace(&head, &format!("{head}\nnotify_secret = \"{variable}\""))
            };
            with(with(text, "sandbox-pull", "PULL_NOTIFY_SECRET"), "sandbox-push", "PUSH_NOTIFY_SECRET")
        };
        let env = Setup::new(engine)
            .brands(keys)
            .setting("PULL_NOTIFY_SECRET", "whsec_cHVsbC1rZXktcHVsbC1rZXk=")
            .setting("PUSH_NOTIFY_SECRET", "whsec_cHVzaC1rZXktcHVzaC1rZXk=")
            .start()
            .await;
        let (pull_key, push_key) = (b"pull-key-pull-key", b"push-key-push-key");
        let joined = env.push.subscription_event(&number(1), TTMBHA, &json!("7"), 2);
        let push = env.push.name;
        for key in [pull_key.as_slice(), env.key()] {
            assert_eq!(env.send_notification(push, "m-1", &joined, key, 0).await.status, 401);
        }
        assert_eq!(env.state(&number(1), TTMBHA).await, "none");
        assert_eq!(env.send_notification(push, "m-1", &joined, push_key, 0).await.status, 200);
        assert_eq!(env.state(&number(1), TTMBHA).await, "active");
    }
}
