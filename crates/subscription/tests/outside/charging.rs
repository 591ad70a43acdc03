//! Charging a pull network's subscribers: only a clear no is a no, only a reply that names our charge settles it, nobody is free for ever.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Engine, on_each_engine};

use crate::{
    network::{Call, Response},
    service::{DAY, MEMEWORLD, Setup, World, later, number, soon, within},
};

/// Those who pay every day.
const PAYERS: usize = 20;

/// The three passes of a day.
const PASSES: [&str; 3] = ["10:00:00", "13:00:00", "18:00:00"];

/// How long a test looks whether something happens that must not.
const A_WHILE: Duration = Duration::from_secs(2);

/// Twenty numbers join, are welcomed and pay their first day.
async fn payers_join(world: &World) {
    world.many_join(&world.pull, MEMEWORLD, 0..PAYERS).await;
    soon("everybody is welcomed", async || world.pull.count(Call::Message) == PAYERS).await;
}

/// The passes of a day on which the network does not answer, and the morning after: nobody is suspended, and nobody is told to top up.
async fn a_day_without_answers(world: &World, day: &str) {
    let numbers: Vec<String> = (0..PAYERS).map(number).collect();
    let told_before: Vec<Vec<String>> = numbers.iter().map(|msisdn| world.pull.texts_to(msisdn)).collect();
    for time in PASSES {
        world.set_clock(day, time).await;
        world.pass().await;
        // The service asks what became of charges that were not answered; it may also wait with it.
        within(Duration::from_secs(4), async || world.ledger(day).await.iter().all(|row| row.status != "unknown"))
            .await;
    }
    world.set_clock(&later(day, 1), "09:00:00").await;
    let suspends = async || {
        for msisdn in &numbers {
            if world.state(msisdn, MEMEWORLD).await != "active" {
                return true;
            }
        }
        false
    };
    assert!(!within(A_WHILE, suspends).await, "a network that does not answer suspends nobody");
    let told: Vec<Vec<String>> = numbers.iter().map(|msisdn| world.pull.texts_to(msisdn)).collect();
    assert_eq!(told, told_before, "nobody is told of it");
}

/// The network answers again: everybody pays today, and nobody the day without answers.
async fn a_day_with_answers(world: &World) {
    world.pull.behave(Call::Charge);
    world.pull.behave(Call::ChargeStatus);
    let today = world.today();
    soon("everybody has paid today", async || {
        world.pass().await;
        world.settled(&today).await == PAYERS
    })
    .await;
    for n in 0..PAYERS {
        assert_eq!(world.pull.taken(&number(n)), (600, 0), "an unpaid day is never charged later");
    }
}

/// A day on which every reply about a charge is changed in this way: the charge is not settled.
async fn settles_nothing(engine: Engine, change: fn(&mut Value)) {
    let world = World::start(engine).await;
    let msisdn = number(1);
    world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
    let day = later(DAY, 1);
    world.set_clock(&day, "09:00:00").await;
    world.pull.on(Call::Charge, move |_| Response::Changed(change));
    world.pull.on(Call::ChargeStatus, move |_| Response::Changed(change));
    world.pass().await;
    assert!(world.pull.requests_about(Call::Charge, &msisdn).len() >= 2, "the day's charge was sent");
    let settles = async || world.settled(&day).await > 0;
    assert!(!within(A_WHILE, settles).await, "a reply about another charge settles nothing");
    assert_eq!(world.month_spend(&msisdn).await, 300);
}

/// Ten days on which a number without airtime joins again, after leaving or without: after the first it is at no look active.
async fn ten_days_without_airtime(world: &World, msisdn: &str, leaves: bool) {
    for days in 0..10 {
        let day = later(DAY, days);
        let is_active = async || world.state(msisdn, MEMEWORLD).await == "active";
        if days > 0 {
            world.set_clock(&day, "09:00:00").await;
            soon("a day that ends unpaid suspends", async || !is_active().await).await;
        }
        if leaves && days > 0 {
            let mut stop = world.stop_event(&world.pull, msisdn);
            stop["svc_id"] = json!(MEMEWORLD);
            world.notify(&world.pull, &stop).await;
        }
        let charges = || world.pull.requests_about(Call::Charge, msisdn).len();
        let before = charges();
        let (page, _) = world.browser("memeworld").join(msisdn, MEMEWORLD).await;
        world.notify(&world.pull, &world.pull.confirm(&page)).await;
        let look = async |when: &str| {
            assert!(days == 0 || !is_active().await, "day {}, {when}: active, and R0 paid", days + 1);
        };
        look("right after the join").await;
        within(Duration::from_secs(1), async || charges() > before).await;
        look("after the first charge").await;
        for time in ["13:00:00", "18:00:00", "19:00:00"] {
            world.set_clock(&day, time).await;
            world.pass().await;
            look(time).await;
        }
    }
    assert_eq!(world.pull.taken(msisdn), (0, 0));
}

on_each_engine! {
    async fn a_day_of_timeouts_suspends_nobody(engine) {
        let world = Setup::new(engine).setting("CHARGE_TIMEOUT_MS", "300").start().await;
        payers_join(&world).await;
        world.pull.on(Call::Charge, |_| Response::Silence);
        a_day_without_answers(&world, &later(DAY, 1)).await;
        a_day_with_answers(&world).await;
    }

    async fn a_day_of_503s_suspends_nobody(engine) {
        let short_pause = |text: String| {
            text.replace("[network.sandbox-pull]", "[network.sandbox-pull]\nbreaker = { calls = 20, pause_seconds = 2 }")
        };
        let world = Setup::new(engine).brands(short_pause).start().await;
        payers_join(&world).await;
        for call in [Call::Charge, Call::ChargeStatus] {
            world.pull.on(call, |_| Response::Status(503, String::new()));
        }
        a_day_without_answers(&world, &later(DAY, 1)).await;
        a_day_with_answers(&world).await;
    }

    async fn a_day_of_500s_suspends_nobody(engine) {
        let world = World::start(engine).await;
        payers_join(&world).await;
        world.pull.on(Call::Charge, |_| Response::Status(500, "<html>Internal Server Error</html>".to_owned()));
        a_day_without_answers(&world, &later(DAY, 1)).await;
        a_day_with_answers(&world).await;
    }

    async fn a_day_of_unknown_outcomes_suspends_nobody(engine) {
        let world = World::start(engine).await;
        payers_join(&world).await;
        world.pull.on(Call::Charge, |_| Response::Outcome("barred_by_nightly_batch"));
        a_day_without_answers(&world, &later(DAY, 1)).await;
    }

    async fn a_day_of_refused_connections_suspends_nobody(engine) {
        let world = World::start(engine).await;
        payers_join(&world).await;
        world.pull.stop().await;
        a_day_without_answers(&world, &later(DAY, 1)).await;
    }

    async fn a_refusal_of_a_subscription_that_the_network_does_not_know_ends_it(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        world.pull.end(&msisdn, MEMEWORLD);
        let day = later(DAY, 1);
        world.set_clock(&day, "09:00:00").await;
        world.pass().await;
        soon("it is cancelled", async || world.state(&msisdn, MEMEWORLD).await == "cancelled").await;
        let before = world.pull.requests_about(Call::Charge, &msisdn).len();
        world.set_clock(&later(DAY, 2), "09:00:00").await;
        world.pass().await;
        assert_eq!(world.pull.requests_about(Call::Charge, &msisdn).len(), before, "it is charged no more");
        assert!(world.pull.texts_to(&msisdn).iter().all(|text| !text.to_lowercase().contains("top up")));
    }

    async fn a_reply_that_names_another_key_settles_nothing(engine) {
        settles_nothing(engine, |reply| reply["key"] = json!("2031-03-06-150-another")).await;
    }

    async fn a_reply_that_names_another_amount_settles_nothing(engine) {
        settles_nothing(engine, |reply| reply["cents"] = json!(30_000)).await;
    }

    async fn a_reply_that_names_another_number_settles_nothing(engine) {
        settles_nothing(engine, |reply| reply["msisdn"] = json!(number(99))).await;
    }

    async fn a_network_ref_that_is_a_number_settles(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        let change: fn(&mut Value) = |reply| reply["network_ref"] = json!(20_310_305_000_001_u64);
        world.pull.on(Call::Charge, move |_| Response::Changed(change));
        world.pull.on(Call::ChargeStatus, move |_| Response::Changed(change));
        world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        assert_eq!(world.rows(DAY, &msisdn, "charge").await[0].network_ref, "20310305000001");
    }

    async fn a_number_without_airtime_that_joins_again_every_day_is_not_active(engine) {
        let world = World::start(engine).await;
        world.pull.on(Call::Charge, |_| Response::Outcome("insufficient_funds"));
        ten_days_without_airtime(&world, &number(1), false).await;
    }

    async fn a_number_without_airtime_that_leaves_and_joins_every_day_is_not_active(engine) {
        let world = World::start(engine).await;
        world.pull.on(Call::Charge, |_| Response::Outcome("insufficient_funds"));
        ten_days_without_airtime(&world, &number(1), true).await;
    }

    async fn a_day_of_one_failed_pass_suspends_and_a_paid_day_restores(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        world.pull.on(Call::Charge, |_| Response::Outcome("insufficient_funds"));
        let (page, _) = world.browser("memeworld").join(&msisdn, MEMEWORLD).await;
        world.notify(&world.pull, &world.pull.confirm(&page)).await;
        soon("the first charge", async || world.pull.count(Call::Charge) > 0).await;
        world.set_clock(DAY, "13:00:00").await;
        world.pass().await;
        world.set_clock(&later(DAY, 1), "09:00:00").await;
        soon("it is suspended", async || world.state(&msisdn, MEMEWORLD).await == "suspended").await;
        world.pass().await;
        assert_eq!(world.state(&msisdn, MEMEWORLD).await, "suspended");
        world.pull.behave(Call::Charge);
        world.set_clock(&later(DAY, 2), "09:00:00").await;
        world.pass().await;
        soon("it is active", async || world.state(&msisdn, MEMEWORLD).await == "active").await;
        assert_eq!(world.pull.taken(&msisdn), (300, 0));
    }
}
