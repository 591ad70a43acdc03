//! A database is restored from a backup: subscribers have left, joined and been charged since it was made.

use std::time::Duration;

use serde_json::json;
use testkit::{
    Engine, StoreCopy,
    actix_web::{self, rt},
    on_each_engine,
};

use crate::{
    network::{Call, Response},
    service::{DAY, MEMEWORLD, Setup, TTMBHA, TestEnv, at, later, number, wait_for},
};

/// Leaves on our site after the backup.
const LEFT: usize = 1;
/// Sends STOP after it, and is then charged a second time by the network.
const STOPPED: usize = 2;
/// Stays.
const STAYS: usize = 3;
/// Is billed by the push network.
const PUSH: usize = 4;
/// Joins after the backup.
const JOINED: usize = 5;
/// Joins after the restore, before it has caught up.
const LATE: usize = 6;

/// A backup of a day with four subscribers; then a day on which all are charged, one leaves, one is stopped and one joins.
async fn backup_and_a_day(env: &mut TestEnv) -> StoreCopy {
    let browser = env.joined_and_paid("memeworld", MEMEWORLD, &number(LEFT)).await;
    for n in [STOPPED, STAYS] {
        env.joined_and_paid("memeworld", MEMEWORLD, &number(n)).await;
    }
    env.joined_and_paid("ttmbhatv", TTMBHA, &number(PUSH)).await;
    wait_for("the welcomes are sent", async || !env.pull.texts_to(&number(STAYS)).is_empty()).await;
    let backup = env.copy_store("12:00:00").await;

    let day = later(DAY, 1);
    env.set_clock(&day, "09:00:00").await;
    env.pass().await;
    let id = json!(env.push.subscription(&number(PUSH), TTMBHA).unwrap().id.to_string());
    let billed = env.push.billing_event(&number(PUSH), TTMBHA, &id, "the-second-day", "SUCCESS");
    env.notify(&env.push, &billed).await;
    // A pass on a busy machine leaves charges to the next attempt.
    wait_for("four are charged", async || env.settled(&day).await == 4).await;
    env.set_clock(&day, "10:00:00").await;
    let browser = browser.through(env.client(0, "memeworld"));
    assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
    wait_for("the network has the stop, the subscriber the SMS", async || {
        env.pull.subscription(&number(LEFT), MEMEWORLD).is_none() && goodbyes(env, LEFT) == 1
    })
    .await;
    env.pull.end(&number(STOPPED), MEMEWORLD);
    env.notify(&env.pull, &env.stop_event(&env.pull, &number(STOPPED))).await;
    env.pull.billing_event(&number(STOPPED), MEMEWORLD, &json!("0"), "after-the-stop", "SUCCESS");
    env.joined_and_paid("memeworld", MEMEWORLD, &number(JOINED)).await;
    backup
}

/// The network of the pull brands, which keeps no subscriptions: an SMS with YES confirms.
const SMS_NETWORK: &str = "[network.sandbox-pull]\nopt_in = \"sms\"";

/// A number sends an SMS to the short code.
async fn write_sms(env: &TestEnv, n: usize, text: &str) {
    let sms = json!({"event": "sms", "user_msisdn": number(n), "to": "31222", "text": text, "at": env.pull.now().to_rfc3339()});
    env.notify(&env.pull, &sms).await;
}

/// Joins on the site, confirms by SMS, and pays the first day.
async fn join_by_sms(env: &TestEnv, n: usize) {
    env.browser("memeworld").join(&number(n), MEMEWORLD).await;
    wait_for("the question", async || !env.pull.texts_to(&number(n)).is_empty()).await;
    // It charges any number.
    env.pull.begin(&number(n), MEMEWORLD);
    write_sms(env, n, "YES").await;
    wait_for("the first day is paid", async || env.pull.charged_and_refunded(&number(n)) == (300, 0)).await;
}

fn goodbyes(env: &TestEnv, n: usize) -> usize {
    env.pull.texts_to(&number(n)).iter().filter(|text| text.starts_with("You have left")).count()
}

/// The status of a request for a pass.
async fn pass_status(env: &TestEnv) -> u16 {
    let request = json!({"day": env.today()});
    let reply = env.client(0, "localhost").post_as_admin("/internal/billing/run", &request).await;
    if reply.status != 200 {
        assert!(reply.json()["error_message"].as_str().is_some_and(|text| text.contains("restored")));
    }
    reply.status
}

async fn seconds_not_caught_up(env: &TestEnv) -> f64 {
    let reply = env.client(0, "localhost").get("/metrics").await;
    let text = String::from_utf8(reply.bytes).unwrap();
    let value = text.lines().find_map(|line| line.strip_prefix("spaza_restore_not_caught_up_seconds "));
    value.map_or(0.0, |value| value.parse().unwrap())
}

on_each_engine! {
    async fn restored_store_bills_nothing_until_it_has_caught_up(engine) {
        let mut env = TestEnv::start(engine).await;
        let backup = backup_and_a_day(&mut env).await;
        let day = env.today();
        env.restore_store(&backup, "11:00:00").await;
        assert_eq!(env.state(&number(LEFT), MEMEWORLD).await, "active", "the backup knows nothing of the leave");

        let charges = env.pull.count(Call::Charge);
        assert_eq!(pass_status(&env).await, 503);
        let late = env.joined("memeworld", MEMEWORLD, &number(LATE)).await;
        assert_eq!(late.me().await.status, 200, "joining goes on");
        let reply = env.client(0, "localhost").post_as_admin("/internal/reconcile", &json!({"day": DAY})).await;
        assert_eq!(reply.status, 503);
        wait_for("the metric says so", async || seconds_not_caught_up(&env).await > 0.0).await;
        env.pull.on(Call::SubscriptionList, |_| Response::Status(503, String::new()));
        assert_eq!(env.catch_up().await["caught_up"], false, "a network does not answer");
        assert_eq!(pass_status(&env).await, 503);
        env.set_clock(&day, "13:00:00").await;
        rt::time::sleep(Duration::from_secs(3)).await;
        assert_eq!(env.pull.count(Call::Charge), charges, "nothing is billed");
        assert_eq!(env.settled(&day).await, 0);

        env.pull.behave(Call::SubscriptionList);
        let caught_up = env.catch_up().await;
        assert_eq!(caught_up["caught_up"], true, "{caught_up}");
        for (n, svc_id, state) in [
            (LEFT, MEMEWORLD, "cancelled"),
            (STOPPED, MEMEWORLD, "cancelled"),
            (STAYS, MEMEWORLD, "active"),
            (PUSH, TTMBHA, "active"),
            (JOINED, MEMEWORLD, "active"),
        ] {
            assert_eq!(env.state(&number(n), svc_id).await, state, "{n}: {caught_up}");
        }
        assert_eq!(goodbyes(&env, LEFT), 1, "a subscriber who left long ago gets no second SMS");
        assert_eq!(pass_status(&env).await, 200);
        wait_for("a subscriber who joined meanwhile is charged", async || {
            env.pull.charged_and_refunded(&number(LATE)) == (300, 0)
        })
        .await;
        wait_for("the charge after the stop is given back", async || {
            env.pull.charged_and_refunded(&number(STOPPED)) == (900, 300)
        })
        .await;
        for (network, n, cents) in
            [(&env.pull, LEFT, 600), (&env.pull, STAYS, 600), (&env.push, PUSH, 600), (&env.pull, JOINED, 300)]
        {
            assert_eq!(network.charged_and_refunded(&number(n)), (cents, 0), "{n}");
        }
        wait_for("all six charges are settled", async || env.settled(&day).await == 6).await;
        wait_for("the metric is 0 again", async || seconds_not_caught_up(&env).await == 0.0).await;

        env.set_clock(&later(DAY, 2), "09:00:00").await;
        env.pass().await;
        wait_for("the others are charged", async || env.settled(&later(DAY, 2)).await == 3).await;
        assert_eq!(env.pull.charged_and_refunded(&number(LEFT)), (600, 0), "a subscription that was left stays ended");
        assert_eq!(env.pull.charged_and_refunded(&number(STOPPED)), (900, 300));
        assert_eq!(env.catch_up().await["networks"], json!([]), "there is nothing more to catch up with");
    }

    async fn network_without_a_list_is_queried_about_each_subscription(engine) {
        let mut env = TestEnv::start(engine).await;
        let backup = backup_and_a_day(&mut env).await;
        let day = env.today();
        env.restore_store(&backup, "11:00:00").await;
        for network in [&env.pull, &env.push] {
            network.on(Call::SubscriptionList, |_| Response::Status(404, String::new()));
        }
        let caught_up = env.catch_up().await;
        assert_eq!(caught_up["caught_up"], true, "{caught_up}");
        for (n, svc_id, state) in
            [(LEFT, MEMEWORLD, "cancelled"), (STOPPED, MEMEWORLD, "cancelled"), (STAYS, MEMEWORLD, "active"), (PUSH, TTMBHA, "active")]
        {
            assert_eq!(env.state(&number(n), svc_id).await, state, "{n}: {caught_up}");
        }
        assert_eq!(pass_status(&env).await, 200);
        assert_eq!(env.pull.charged_and_refunded(&number(LEFT)), (600, 0), "the day on which it left was due");
        assert_eq!(env.pull.charged_and_refunded(&number(STAYS)), (600, 0));
        // Nothing tells us of its subscription, so it gets its money back.
        wait_for("a subscriber who joined since is not charged", async || {
            env.pull.charged_and_refunded(&number(JOINED)) == (300, 300)
        })
        .await;
        assert_eq!(env.push.charged_and_refunded(&number(PUSH)), (600, 0));
        assert_eq!(env.settled(&day).await, 5, "the refunded charge is in the ledger, too");
    }

    async fn subscribers_of_a_network_that_keeps_none_confirm_again(engine) {
        let mut env = Setup::new(engine).brands(|text| text.replace("[network.sandbox-pull]", SMS_NETWORK)).start().await;
        env.pull.on(Call::SubscriptionList, |_| Response::Status(404, String::new()));
        for n in [LEFT, STAYS] {
            join_by_sms(&env, n).await;
        }
        let backup = env.copy_store("12:00:00").await;
        let day = later(DAY, 1);
        env.set_clock(&day, "09:00:00").await;
        env.pass().await;
        wait_for("both are charged", async || env.settled(&day).await == 2).await;
        write_sms(&env, LEFT, "STOP").await;
        wait_for("the goodbye", async || goodbyes(&env, LEFT) == 1).await;

        env.restore_store(&backup, "10:00:00").await;
        assert_eq!(env.state(&number(LEFT), MEMEWORLD).await, "active", "the backup knows nothing of the leave");
        let questions = |n: usize| env.pull.texts_to(&number(n)).iter().filter(|text| text.contains("reply YES")).count();
        let before = [LEFT, STAYS].map(questions);
        let caught_up = env.catch_up().await;
        assert_eq!((&caught_up["caught_up"], &caught_up["reconfirmations"]), (&json!(true), &json!(2)), "{caught_up}");
        wait_for("both are asked again", async || [LEFT, STAYS].map(questions) == before.map(|count| count + 1)).await;
        write_sms(&env, STAYS, "YES").await;
        wait_for("who says so stays", async || env.state(&number(STAYS), MEMEWORLD).await == "active").await;
        for days in 2..4 {
            env.set_clock(&later(DAY, days), "09:00:00").await;
            env.pass().await;
        }
        wait_for("who stays is charged", async || env.settled(&later(DAY, 3)).await == 1).await;
        assert_eq!(env.pull.charged_and_refunded(&number(LEFT)), (600, 0), "a subscription that was left stays ended");
        assert_eq!(env.pull.charged_and_refunded(&number(STAYS)), (1200, 0), "each day once");
        assert_eq!(env.state(&number(LEFT), MEMEWORLD).await, "cancelled");
    }
}

/// Nothing but the server's own setting says that it was recovered: no step of ours has run.
#[actix_web::test]
async fn recovered_server_bills_nothing_until_it_has_caught_up() {
    let mut env = TestEnv::start(Engine::Postgres).await;
    let backup = backup_and_a_day(&mut env).await;
    let day = env.today();
    env.recover_store(&backup, &at(DAY, "12:00:00"), "11:00:00").await;
    assert_eq!(env.state(&number(LEFT), MEMEWORLD).await, "active", "the backup knows nothing of the leave");
    let charges = env.pull.count(Call::Charge);
    assert_eq!(pass_status(&env).await, 503);
    env.joined("memeworld", MEMEWORLD, &number(LATE)).await;
    env.set_clock(&day, "13:00:00").await;
    rt::time::sleep(Duration::from_secs(3)).await;
    assert_eq!((env.pull.count(Call::Charge), env.settled(&day).await), (charges, 0), "nothing is billed");

    let caught_up = env.catch_up().await;
    assert_eq!(caught_up["caught_up"], true, "{caught_up}");
    assert_eq!(env.state(&number(LEFT), MEMEWORLD).await, "cancelled");
    assert_eq!(pass_status(&env).await, 200);
    assert_eq!(env.pull.charged_and_refunded(&number(LEFT)), (600, 0), "the day on which it left was due");
    // The setting stays with the server.
    env.restart("14:00:00").await;
    assert_eq!(pass_status(&env).await, 200, "a time is caught up with once");

    env.recover_store(&backup, &at(DAY, "12:00:01"), "15:00:00").await;
    assert_eq!(pass_status(&env).await, 503, "another recovery is another one to catch up with");
    env.recover_store(&backup, "yesterday evening", "16:00:00").await;
    let reply = env.client(0, "localhost").post_as_admin("/internal/billing/run", &json!({"day": day})).await;
    assert_eq!(reply.status / 100, 5, "with an unreadable time nothing is billed either");
}
