//! SMSes: at night only replies, one reminder per month, concurrent and yet in order for each number.

use std::time::{Duration, Instant};

use chrono::FixedOffset;
use serde_json::json;
use testkit::{actix_web::rt, on_each_engine};

use crate::{
    network::{Call, Network, Request, Response},
    service::{DAY, MEMEWORLD, Setup, TTMBHA, TestEnv, later, number, wait_for, within},
};

/// The required parts of every welcome and reminder, beside the name and the helpline.
const NAMED_ALWAYS: [&str; 4] = ["subscription service", "r3", "vat", "stop"];

/// The number of reminders on one morning.
const MANY: usize = 200;

/// Asserts that a text has every required part.
fn assert_has_required_parts(text: &str, service: &str, helpline: &str) {
    let text = text.to_lowercase();
    for word in NAMED_ALWAYS.into_iter().chain([service, helpline]) {
        assert!(text.contains(&word.to_lowercase()), "{word:?} is missing: {text}");
    }
}

/// A number joins and gets its welcome: messages that were due before have then been processed.
async fn gets_welcome(env: &TestEnv, msisdn: &str) {
    env.join_at_network(&env.push, msisdn, TTMBHA).await;
    wait_for("a welcome at night", async || !env.push.texts_to(msisdn).is_empty()).await;
}

/// How many SMSes a number got in a month, `2031-02`.
fn sms_in_month(network: &Network, msisdn: &str, month: &str) -> usize {
    let zone = FixedOffset::east_opt(2 * 3600).unwrap();
    let in_month = |request: &Request| request.time.with_timezone(&zone).format("%Y-%m").to_string() == month;
    network.requests_about(Call::Message, msisdn).into_iter().filter(in_month).count()
}

/// Many numbers join, and get their welcomes.
async fn join_many(env: &TestEnv) {
    env.many_join(&env.pull, MEMEWORLD, 0..MANY).await;
    wait_for("every number gets its welcome", async || env.pull.count(Call::Message) == MANY).await;
}

/// Moves to 1 March, when joins of 1 February are reminded; each SMS takes the network this long.
async fn start_reminder_day(env: &TestEnv, each: Duration) {
    env.pull.on(Call::Message, move |_| Response::Delayed(each));
    env.set_clock("2031-03-01", "12:00:00").await;
}

on_each_engine! {
    async fn unpaid_push_day_sends_no_sms_at_night(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.joined_and_paid("ttmbhatv", TTMBHA, &msisdn).await;
        wait_for("a welcome", async || env.push.texts_to(&msisdn).len() == 1).await;
        env.set_clock(&later(DAY, 1), "10:00:00").await;
        let id = json!(env.push.subscription(&msisdn, TTMBHA).unwrap().id.to_string());
        let failed = env.push.billing_event(&msisdn, TTMBHA, &id, "b-unpaid", "INSUFFICIENT_FUNDS");
        env.notify(&env.push, &failed).await;
        let day = later(DAY, 2);
        env.set_clock(&day, "00:00:05").await;
        wait_for("it is suspended", async || env.state(&msisdn, TTMBHA).await == "suspended").await;
        for (n, time) in ["00:01:00", "03:00:00", "07:59:00"].into_iter().enumerate() {
            env.set_clock(&day, time).await;
            gets_welcome(&env, &number(10 + n)).await;
            assert_eq!(env.push.texts_to(&msisdn).len(), 1, "nothing is sent at {time}");
        }
        env.set_clock(&day, "08:00:30").await;
        wait_for("the SMS in the morning", async || env.push.texts_to(&msisdn).len() == 2).await;
        let text = env.push.texts_to(&msisdn).remove(1);
        assert!(!text.contains("today"), "the unpaid day was yesterday: {text}");
    }

    async fn each_calendar_month_has_one_reminder(engine) {
        let env = Setup::new(engine).day("2030-12-30").start().await;
        let numbers = [number(30), number(31)];
        env.joined_and_paid("memeworld", MEMEWORLD, &numbers[0]).await;
        env.set_clock("2030-12-31", "09:00:00").await;
        env.joined_and_paid("memeworld", MEMEWORLD, &numbers[1]).await;
        for days in 0..90 {
            let day = later("2031-01-01", days);
            env.set_clock(&day, "12:00:00").await;
            env.pass().await;
            let month = &day[..7];
            // Reminders that are due late in a month are sent before the month is over.
            if later(&day, 1)[..7] != *month {
                let gets_welcome = async || numbers.iter().all(|msisdn| sms_in_month(&env.pull, msisdn, month) > 0);
                within(Duration::from_secs(4), gets_welcome).await;
            }
        }
        for msisdn in &numbers {
            let counts = ["2031-01", "2031-02", "2031-03"].map(|month| sms_in_month(&env.pull, msisdn, month));
            assert_eq!(counts, [1, 1, 1], "reminders in January, February and March");
        }
    }

    async fn reminder_waits_for_the_morning(engine) {
        let env = Setup::new(engine).day("2031-02-01").start().await;
        let msisdn = number(1);
        env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        wait_for("a welcome", async || env.pull.texts_to(&msisdn).len() == 1).await;
        // Due since the day before.
        for (n, time) in ["00:01:00", "06:30:00", "07:59:00"].into_iter().enumerate() {
            env.set_clock("2031-03-02", time).await;
            gets_welcome(&env, &number(10 + n)).await;
            assert_eq!(env.pull.texts_to(&msisdn).len(), 1, "nothing is sent at {time}");
        }
        env.set_clock("2031-03-02", "08:00:30").await;
        wait_for("the reminder", async || env.pull.texts_to(&msisdn).len() == 2).await;
    }

    async fn reminders_are_sent_concurrently(engine) {
        let env = Setup::new(engine).day("2031-02-01").start().await;
        join_many(&env).await;
        start_reminder_day(&env, Duration::from_millis(100)).await;
        wait_for("the first reminder", async || env.pull.count(Call::Message) > MANY).await;
        let began = Instant::now();
        let all = within(Duration::from_secs(10), async || env.pull.count(Call::Message) == 2 * MANY).await;
        let sent = env.pull.count(Call::Message) - MANY;
        assert!(all, "{sent} of {MANY} reminders were sent in {} s", began.elapsed().as_secs());
    }

    async fn welcome_overtakes_reminders(engine) {
        let env = Setup::new(engine).day("2031-02-01").start().await;
        let msisdn = number(900);
        join_many(&env).await;
        env.set_clock("2031-02-27", "12:00:00").await;
        let (page, _) = env.browser("memeworld").join(&msisdn, MEMEWORLD).await;
        start_reminder_day(&env, Duration::from_millis(250)).await;
        wait_for("reminders are under way", async || env.pull.count(Call::Message) > MANY + 3).await;
        env.notify(&env.pull, &env.pull.confirm(&page)).await;
        let reminders = || env.pull.count(Call::Message) - MANY;
        let is_welcome = async || !env.pull.texts_to(&msisdn).is_empty();
        let limit = Instant::now();
        while !is_welcome().await {
            assert!(reminders() < MANY * 3 / 4, "{} of {MANY} reminders came before the welcome", reminders());
            assert!(limit.elapsed() < Duration::from_secs(60), "no welcome");
            rt::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn sms_waits_for_earlier_one_to_the_same_number(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        // The first attempt of the first SMS fails.
        let is_first = std::sync::atomic::AtomicBool::new(true);
        env.pull.on(Call::Message, move |_| {
            let is_first = is_first.swap(false, std::sync::atomic::Ordering::Relaxed);
            if is_first { Response::Status(503, String::new()) } else { Response::Delayed(Duration::from_millis(300)) }
        });
        let browser = env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        wait_for("the first attempt", async || env.pull.count(Call::Message) == 1).await;
        assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
        wait_for("both SMSes", async || env.pull.count(Call::Message) >= 3).await;
        let sent = env.pull.requests_about(Call::Message, &msisdn);
        assert_eq!(sent[1].text("text"), sent[0].text("text"), "the welcome comes before the goodbye");
        assert_ne!(sent[2].text("text"), sent[0].text("text"));
        assert!(sent[2].at - sent[1].at >= Duration::from_millis(300), "and is answered before it is sent");
    }

    async fn refused_sms_is_dead_and_not_sent_again(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.pull.on(Call::Message, |_| Response::Status(422, "{\"detail\":\"not on this network\"}".to_owned()));
        let browser = env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        let states = async || {
            let account = env.account(&msisdn).await;
            let messages = account["messages"].as_array().cloned().unwrap_or_default();
            let mut sms: Vec<_> = messages.iter().filter(|one| one["kind"] == "sms").collect();
            sms.sort_by_key(|one| one["id"].as_i64());
            sms.iter().map(|one| one["state"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        wait_for("the support desk sees it", async || states().await == ["dead"]).await;
        let account = env.account(&msisdn).await;
        let message = &account["messages"][0];
        assert_eq!(message["attempts"], 1, "{message}");
        assert!(message["last_error"].as_str().is_some_and(|error| error.contains("422")), "{message}");
        assert_eq!(message["text"], env.pull.texts_to(&msisdn)[0]);

        env.pull.behave(Call::Message);
        for time in ["10:00:00", "19:00:00"] {
            env.set_clock(DAY, time).await;
        }
        assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
        wait_for("what is said later is sent", async || states().await == ["dead", "sent"]).await;
        assert_eq!(env.pull.texts_to(&msisdn).len(), 2, "each was sent once");
    }

    async fn welcomes_and_reminders_have_the_parts_of_the_contract(engine) {
        let env = Setup::new(engine).day("2031-02-01").start().await;
        let msisdn = number(1);
        env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
        env.join_at_network(&env.push, &msisdn, TTMBHA).await;
        wait_for("a welcome to each", async || env.pull.count(Call::Message) + env.push.count(Call::Message) == 2).await;
        assert_has_required_parts(&env.pull.texts_to(&msisdn)[0], "MEMEWORLD", "080 000 0150");
        assert_has_required_parts(&env.push.texts_to(&msisdn)[0], "TTMbha TV", "080 000 0152");
        env.set_clock("2031-03-01", "12:00:00").await;
        wait_for("a reminder of each", async || env.pull.count(Call::Message) + env.push.count(Call::Message) == 4).await;
        assert_has_required_parts(&env.pull.texts_to(&msisdn)[1], "MEMEWORLD", "080 000 0150");
        assert_has_required_parts(&env.push.texts_to(&msisdn)[1], "TTMbha TV", "080 000 0152");
    }
}
