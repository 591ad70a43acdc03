//! An alarm about what a network does again and again is one line a day.

use std::time::Duration;

use serde_json::json;
use testkit::{actix_web::rt, on_each_engine};

use crate::{
    network::{Call, Response},
    service::{DAY, MEMEWORLD, Setup, TTMBHA, TestEnv, later, number, wait_for},
};

fn count(env: &TestEnv, name: &str) -> usize {
    env.alarms().iter().filter(|alarm| *alarm == name).count()
}

on_each_engine! {
    async fn notifications_that_are_not_understood_are_one_alarm_a_day_and_network(engine) {
        let env = TestEnv::start(engine).await;
        for (day, alarms) in [(DAY.to_owned(), 2), (later(DAY, 1), 4)] {
            env.set_clock(&day, "10:00:00").await;
            for n in 0..5 {
                env.notify(&env.pull, &json!({"event": "party", "user_msisdn": number(n)})).await;
                env.notify(&env.push, &json!({"event": "party", "user_msisdn": number(n)})).await;
            }
            wait_for("an alarm for each network", async || count(&env, "notification_not_understood") == alarms).await;
        }
    }

    async fn excesses_of_a_network_are_one_alarm_a_day(engine) {
        let env = TestEnv::start(engine).await;
        for n in 0..3 {
            let msisdn = number(n);
            let id = json!(env.join_at_network(&env.push, &msisdn, TTMBHA).await);
            let mut event = env.push.billing_event(&msisdn, TTMBHA, &id, &format!("b-{n}"), "SUCCESS");
            env.push.set_last_charge(400);
            event["amount"] = json!(400);
            env.notify(&env.push, &event).await;
            wait_for("the excess is given back", async || env.push.charged_and_refunded(&msisdn) == (400, 100)).await;
        }
        assert_eq!(count(&env, "amount_unexpected"), 1);
    }

    async fn outage_of_a_network_is_one_alarm(engine) {
        let breaker = |text: String| {
            text.replace("[network.sandbox-pull]", "[network.sandbox-pull]\nbreaker = { calls = 4, pause_seconds = 1 }")
        };
        let env = Setup::new(engine).brands(breaker).start().await;
        env.many_join(&env.pull, MEMEWORLD, 0..10).await;
        env.set_clock(&later(DAY, 1), "09:00:00").await;
        env.pull.on(Call::Charge, |_| Response::Status(503, String::new()));
        let before = env.pull.count(Call::Charge);
        let (client, request) = (env.client(0, "localhost"), json!({"day": env.today()}));
        let pass = rt::spawn(async move { client.post_as_admin("/internal/billing/run", &request).await.status });
        // Four calls open the breaker; each further one is the trial after a pause.
        wait_for("three pauses", async || env.pull.count(Call::Charge) >= before + 7).await;
        rt::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(count(&env, "network_paused"), 1);
        env.pull.behave(Call::Charge);
        assert_eq!(pass.await.unwrap(), 200);
        env.set_clock(&later(DAY, 1), "13:00:00").await;
        env.pass().await;
        wait_for("all are charged", async || env.settled(&later(DAY, 1)).await == 10).await;
        assert_eq!(count(&env, "network_paused"), 1);
    }
}
