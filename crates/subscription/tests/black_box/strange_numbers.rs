//! A number is a person only for a while, and money after a silence is announced.

use serde_json::json;
use testkit::on_each_engine;

use crate::{
    network::{Call, Response},
    service::{DAY, MEMEWORLD, Setup, TTMBHA, TestEnv, later, number, wait_for},
};

/// The passes of a day.
async fn passes(env: &TestEnv, day: &str) {
    for time in ["09:00:00", "13:00:00", "18:00:00"] {
        env.set_clock(day, time).await;
        env.pass().await;
    }
}

/// The texts to a number that announce a charge: with its price and the way to stop.
fn announced(env: &TestEnv, msisdn: &str) -> Vec<chrono::DateTime<chrono::Utc>> {
    let messages = env.pull.requests_about(Call::Message, msisdn);
    let announcements = messages.iter().filter(|message| message.text("text").contains("will be charged again"));
    announcements
        .map(|message| {
            let text = message.text("text");
            assert!(text.contains("R3/day") && text.contains("SMS STOP to"), "{text}");
            message.time
        })
        .collect()
}

on_each_engine! {
    async fn charge_after_days_without_one_is_announced_before_it(engine) {
        let env = TestEnv::start(engine).await;
        let (msisdn, other) = (number(1), number(2));
        for one in [&msisdn, &other] {
            env.joined_and_paid("memeworld", MEMEWORLD, one).await;
        }
        let poor = msisdn.clone();
        env.pull.on(Call::Charge, move |request| {
            if request.msisdn() == poor { Response::Outcome("insufficient_funds") } else { Response::Normal }
        });
        for days in 1..=3 {
            passes(&env, &later(DAY, days)).await;
        }
        assert!(announced(&env, &msisdn).is_empty(), "three days are no silence");
        // The fourth day: the announcement comes first, and the try after it.
        let day = later(DAY, 4);
        let tries = env.pull.requests_about(Call::Charge, &msisdn).len();
        env.set_clock(&day, "06:00:00").await;
        env.pass().await;
        assert!(announced(&env, &msisdn).is_empty(), "it is night");
        assert_eq!(env.pull.requests_about(Call::Charge, &msisdn).len(), tries, "nothing is charged before it");
        env.set_clock(&day, "09:00:00").await;
        wait_for("the announcement", async || announced(&env, &msisdn).len() == 1).await;
        env.pass().await;
        wait_for("the try after it", async || env.pull.requests_about(Call::Charge, &msisdn).len() > tries).await;
        for days in 5..=26 {
            passes(&env, &later(DAY, days)).await;
            // Each is sent before the clock goes on.
            let weeks = usize::try_from((days - 4) / 7).unwrap();
            wait_for("the announcement of each week", async || announced(&env, &msisdn).len() == 1 + weeks).await;
        }
        env.pull.behave(Call::Charge);
        env.set_clock(&later(DAY, 27), "09:00:00").await;
        wait_for("airtime is charged", async || {
            env.pass().await;
            env.pull.net_charges_by_day(&msisdn).contains_key(&later(DAY, 27))
        })
        .await;
        env.set_clock(&later(DAY, 28), "09:00:00").await;
        wait_for("and the next day as usual", async || {
            env.pass().await;
            let days = env.pull.net_charges_by_day(&msisdn);
            days.contains_key(&later(DAY, 28)) && env.settled(&later(DAY, 28)).await == 2
        })
        .await;
        let sent = announced(&env, &msisdn);
        let charge = env.pull.requests_about(Call::Charge, &msisdn).into_iter().rfind(|one| one.time.date_naive().to_string() >= later(DAY, 27)).unwrap();
        let age = charge.time - *sent.last().unwrap();
        assert!((0..=8).contains(&age.num_days()), "the last one is {} days old", age.num_days());
        // Once a week, and only where nothing is paid.
        assert_eq!(sent.len(), 4, "{sent:?}");
        assert!(announced(&env, &other).is_empty());
        assert_eq!(env.pull.net_charges_by_day(&other).len(), 29, "every day is charged as before");
    }

    async fn number_that_is_proved_again_after_a_month_begins_anew(engine) {
        let free = |text: String| text.replace("svc_id = 150\n", "svc_id = 150\noffer = { free_days = 1 }\n");
        let env = Setup::new(engine).brands(free).start().await;
        let msisdn = number(1);
        let first = env.joined("memeworld", MEMEWORLD, &msisdn).await;
        for days in 1..=2 {
            env.set_clock(&later(DAY, days), "09:00:00").await;
            env.pass().await;
        }
        wait_for("two days are charged", async || env.pull.charged_and_refunded(&msisdn) == (600, 0)).await;
        assert_eq!(first.leave(MEMEWORLD).await.status, 200);
        let left = later(DAY, 2);

        // Within the month it is the same person: no second free day.
        env.set_clock(&later(&left, 29), "09:00:00").await;
        let same = env.joined("memeworld", MEMEWORLD, &msisdn).await;
        wait_for("the day is charged at once", async || env.pull.charged_and_refunded(&msisdn) == (900, 0)).await;
        wait_for("the total of all", async || same.me().await.json()["total_cents"] == 900).await;
        assert_eq!(same.leave(MEMEWORLD).await.status, 200);

        let anew = later(&left, 29 + 31);
        env.set_clock(&anew, "09:00:00").await;
        let other = env.joined("memeworld", MEMEWORLD, &msisdn).await;
        let me = other.me().await.json();
        assert_eq!((&me["state"], &me["total_cents"]), (&json!("active"), &json!(0)), "{me}");
        assert!(me["since"].as_str().unwrap().starts_with(&anew), "{me}");
        assert_eq!(me["free_until"], later(&anew, 1), "a free day of its own: {me}");
        env.pass().await;
        assert_eq!(env.pull.charged_and_refunded(&msisdn), (900, 0), "the first day is free");
        env.set_clock(&later(&anew, 1), "09:00:00").await;
        env.pass().await;
        wait_for("the next one is charged", async || env.pull.charged_and_refunded(&msisdn) == (1200, 0)).await;
        wait_for("a total of its own", async || other.me().await.json()["total_cents"] == 300).await;
        // Staff see what the number did, and since when it is this person's.
        let account = env.account(&msisdn).await;
        let subscription = &account["subscriptions"][0];
        assert!(subscription["person_since"].as_str().unwrap().starts_with(&anew), "{account}");
        assert_eq!(subscription["charges"].as_array().unwrap().len(), 4, "{account}");
    }

    async fn number_that_its_network_gives_to_another_ends_without_a_word(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let browser = env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        env.joined_and_paid("ttmbhatv", TTMBHA, &msisdn).await;
        wait_for("the welcome", async || !env.pull.texts_to(&msisdn).is_empty()).await;
        env.set_clock(&later(DAY, 1), "09:00:00").await;
        let texts = env.pull.texts_to(&msisdn).len();
        let given = json!({"event": "number_recycled", "user_msisdn": msisdn, "at": env.pull.now().to_rfc3339()});
        env.notify(&env.pull, &given).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled");
        assert_eq!(env.state(&msisdn, TTMBHA).await, "active", "another network has not said so");
        wait_for("the network ends its own", async || env.pull.subscription(&msisdn, MEMEWORLD).is_none()).await;
        env.notify(&env.pull, &given).await;
        env.pass().await;
        env.set_clock(&later(DAY, 1), "13:00:00").await;
        env.pass().await;
        assert_eq!(env.pull.charged_and_refunded(&msisdn), (300, 0));
        assert_eq!(env.pull.texts_to(&msisdn).len(), texts, "the new owner gets no SMS of the former one");
        assert_ne!(browser.me().await.json()["state"], "active");

        let other = env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        assert_eq!(other.me().await.json()["total_cents"], 300);
        // The news comes once more, and is older than the new owner.
        env.notify(&env.pull, &given).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "active");
        let causes: Vec<String> = env.account(&msisdn).await["subscriptions"][0]["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| event["cause"].as_str().unwrap().to_owned())
            .collect();
        assert!(causes.contains(&"recycled".to_owned()), "{causes:?}");
    }
}
