//! What is sent to people: at night only answers, in every month one reminder, side by side and yet in order for each number.

use std::time::{Duration, Instant};

use chrono::FixedOffset;
use serde_json::json;
use testkit::{actix_web::rt, on_each_engine};

use crate::{
    network::{Call, Network, Request, Response},
    service::{DAY, MEMEWORLD, Setup, TTMBHA, World, later, number, soon, within},
};

/// What every welcome and every reminder says beside the name and the helpline.
const NAMED_ALWAYS: [&str; 4] = ["subscription service", "r3", "vat", "stop"];

/// How many reminders a month's morning brings.
const MANY: usize = 200;

/// Asserts that a text names everything that a welcome or a reminder must.
fn names_everything(text: &str, service: &str, helpline: &str) {
    let text = text.to_lowercase();
    for word in NAMED_ALWAYS.into_iter().chain([service, helpline]) {
        assert!(text.contains(&word.to_lowercase()), "{word:?} is missing: {text}");
    }
}

/// A number joins, and is told: what is due before it is due for others has then been looked at.
async fn is_told(world: &World, msisdn: &str) {
    world.join_at_network(&world.push, msisdn, TTMBHA).await;
    soon("a welcome at night", async || !world.push.texts_to(msisdn).is_empty()).await;
}

/// How many SMSes a number got in a month, `2031-02`.
fn told_in(network: &Network, msisdn: &str, month: &str) -> usize {
    let zone = FixedOffset::east_opt(2 * 3600).unwrap();
    let in_month = |request: &Request| request.time.with_timezone(&zone).format("%Y-%m").to_string() == month;
    network.requests_about(Call::Message, msisdn).into_iter().filter(in_month).count()
}

/// Many numbers join, and are welcomed.
async fn many_are_welcomed(world: &World) {
    world.many_join(&world.pull, MEMEWORLD, 0..MANY).await;
    soon("everybody is welcomed", async || world.pull.count(Call::Message) == MANY).await;
}

/// It is 1 March, on which who joined on 1 February is reminded; each SMS takes the network so long.
async fn the_day_of_reminders(world: &World, each: Duration) {
    world.pull.on(Call::Message, move |_| Response::Late(each));
    world.set_clock("2031-03-01", "12:00:00").await;
}

on_each_engine! {
    async fn an_unpaid_push_day_is_not_told_at_night(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        world.joined_and_paid("ttmbhatv", TTMBHA, &msisdn).await;
        soon("a welcome", async || world.push.texts_to(&msisdn).len() == 1).await;
        world.set_clock(&later(DAY, 1), "10:00:00").await;
        let id = json!(world.push.subscription(&msisdn, TTMBHA).unwrap().id.to_string());
        let failed = world.push.billing_event(&msisdn, TTMBHA, &id, "b-unpaid", "INSUFFICIENT_FUNDS");
        world.notify(&world.push, &failed).await;
        let day = later(DAY, 2);
        world.set_clock(&day, "00:00:05").await;
        soon("it is suspended", async || world.state(&msisdn, TTMBHA).await == "suspended").await;
        for (n, time) in ["00:01:00", "03:00:00", "07:59:00"].into_iter().enumerate() {
            world.set_clock(&day, time).await;
            is_told(&world, &number(10 + n)).await;
            assert_eq!(world.push.texts_to(&msisdn).len(), 1, "nothing is told at {time}");
        }
        world.set_clock(&day, "08:00:30").await;
        soon("it is told in the morning", async || world.push.texts_to(&msisdn).len() == 2).await;
        let text = world.push.texts_to(&msisdn).remove(1);
        assert!(!text.contains("today"), "the unpaid day was yesterday: {text}");
    }

    async fn every_calendar_month_brings_one_reminder(engine) {
        let world = Setup::new(engine).day("2030-12-30").start().await;
        let numbers = [number(30), number(31)];
        world.joined_and_paid("memeworld", MEMEWORLD, &numbers[0]).await;
        world.set_clock("2030-12-31", "09:00:00").await;
        world.joined_and_paid("memeworld", MEMEWORLD, &numbers[1]).await;
        for days in 0..90 {
            let day = later("2031-01-01", days);
            world.set_clock(&day, "12:00:00").await;
            world.pass().await;
            let month = &day[..7];
            // What falls due late in a month is looked for before the month is over.
            if later(&day, 1)[..7] != *month {
                let is_told = async || numbers.iter().all(|msisdn| told_in(&world.pull, msisdn, month) > 0);
                within(Duration::from_secs(4), is_told).await;
            }
        }
        for msisdn in &numbers {
            let told = ["2031-01", "2031-02", "2031-03"].map(|month| told_in(&world.pull, msisdn, month));
            assert_eq!(told, [1, 1, 1], "reminders in January, February and March");
        }
    }

    async fn a_reminder_waits_for_the_morning(engine) {
        let world = Setup::new(engine).day("2031-02-01").start().await;
        let msisdn = number(1);
        world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        soon("a welcome", async || world.pull.texts_to(&msisdn).len() == 1).await;
        // It has been due since the day before.
        for (n, time) in ["00:01:00", "06:30:00", "07:59:00"].into_iter().enumerate() {
            world.set_clock("2031-03-02", time).await;
            is_told(&world, &number(10 + n)).await;
            assert_eq!(world.pull.texts_to(&msisdn).len(), 1, "nothing is sent at {time}");
        }
        world.set_clock("2031-03-02", "08:00:30").await;
        soon("the reminder", async || world.pull.texts_to(&msisdn).len() == 2).await;
    }

    async fn many_reminders_are_sent_side_by_side(engine) {
        let world = Setup::new(engine).day("2031-02-01").start().await;
        many_are_welcomed(&world).await;
        the_day_of_reminders(&world, Duration::from_millis(100)).await;
        soon("the first reminder", async || world.pull.count(Call::Message) > MANY).await;
        let began = Instant::now();
        let all = within(Duration::from_secs(10), async || world.pull.count(Call::Message) == 2 * MANY).await;
        let sent = world.pull.count(Call::Message) - MANY;
        assert!(all, "{sent} of {MANY} reminders were sent in {} s", began.elapsed().as_secs());
    }

    async fn a_welcome_overtakes_reminders(engine) {
        let world = Setup::new(engine).day("2031-02-01").start().await;
        let msisdn = number(900);
        many_are_welcomed(&world).await;
        world.set_clock("2031-02-27", "12:00:00").await;
        let (page, _) = world.browser("memeworld").join(&msisdn, MEMEWORLD).await;
        the_day_of_reminders(&world, Duration::from_millis(250)).await;
        soon("reminders are under way", async || world.pull.count(Call::Message) > MANY + 3).await;
        world.notify(&world.pull, &world.pull.confirm(&page)).await;
        let reminders = || world.pull.count(Call::Message) - MANY;
        let is_welcome = async || !world.pull.texts_to(&msisdn).is_empty();
        let limit = Instant::now();
        while !is_welcome().await {
            assert!(reminders() < MANY * 3 / 4, "{} of {MANY} reminders came before the welcome", reminders());
            assert!(limit.elapsed() < Duration::from_secs(60), "no welcome");
            rt::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn an_sms_waits_for_the_one_before_it_to_the_same_number(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        // The first attempt of the first SMS fails.
        let is_first = std::sync::atomic::AtomicBool::new(true);
        world.pull.on(Call::Message, move |_| {
            let is_first = is_first.swap(false, std::sync::atomic::Ordering::Relaxed);
            if is_first { Response::Status(503, String::new()) } else { Response::Late(Duration::from_millis(300)) }
        });
        let browser = world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        soon("the first attempt", async || world.pull.count(Call::Message) == 1).await;
        assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
        soon("both SMSes", async || world.pull.count(Call::Message) >= 3).await;
        let sent = world.pull.requests_about(Call::Message, &msisdn);
        assert_eq!(sent[1].text("text"), sent[0].text("text"), "the welcome comes before the goodbye");
        assert_ne!(sent[2].text("text"), sent[0].text("text"));
        assert!(sent[2].at - sent[1].at >= Duration::from_millis(300), "and is answered before it is sent");
    }

    async fn an_sms_that_is_refused_is_kept_as_dead_and_not_sent_again(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        world.pull.on(Call::Message, |_| Response::Status(422, "{\"detail\":\"not on this network\"}".to_owned()));
        let browser = world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        let states = async || {
            let account = world.account(&msisdn).await;
            let messages = account["messages"].as_array().cloned().unwrap_or_default();
            let mut sms: Vec<_> = messages.iter().filter(|one| one["kind"] == "sms").collect();
            sms.sort_by_key(|one| one["id"].as_i64());
            sms.iter().map(|one| one["state"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        soon("the support desk sees it", async || states().await == ["dead"]).await;
        let account = world.account(&msisdn).await;
        let message = &account["messages"][0];
        assert_eq!(message["attempts"], 1, "{message}");
        assert!(message["last_error"].as_str().is_some_and(|error| error.contains("422")), "{message}");
        assert_eq!(message["text"], world.pull.texts_to(&msisdn)[0]);

        world.pull.behave(Call::Message);
        for time in ["10:00:00", "19:00:00"] {
            world.set_clock(DAY, time).await;
        }
        assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
        soon("what is said later is sent", async || states().await == ["dead", "sent"]).await;
        assert_eq!(world.pull.texts_to(&msisdn).len(), 2, "each was sent once");
    }

    async fn welcomes_and_reminders_say_what_the_contract_asks(engine) {
        let world = Setup::new(engine).day("2031-02-01").start().await;
        let msisdn = number(1);
        world.join_at_network(&world.pull, &msisdn, MEMEWORLD).await;
        world.join_at_network(&world.push, &msisdn, TTMBHA).await;
        soon("a welcome to each", async || world.pull.count(Call::Message) + world.push.count(Call::Message) == 2).await;
        names_everything(&world.pull.texts_to(&msisdn)[0], "MEMEWORLD", "080 000 0150");
        names_everything(&world.push.texts_to(&msisdn)[0], "TTMbha TV", "080 000 0152");
        world.set_clock("2031-03-01", "12:00:00").await;
        soon("a reminder of each", async || world.pull.count(Call::Message) + world.push.count(Call::Message) == 4).await;
        names_everything(&world.pull.texts_to(&msisdn)[1], "MEMEWORLD", "080 000 0150");
        names_everything(&world.push.texts_to(&msisdn)[1], "TTMbha TV", "080 000 0152");
    }
}
