//! A network that hangs: it gets few requests, and no other network waits for it.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use serde_json::json;
use testkit::{actix_web::rt, on_each_engine};

use crate::{
    network::{Call, Response},
    service::{DAY, DISKI, MEMEWORLD, Setup, World, later, number, soon, within},
};

/// Subscribers of the network that hangs.
const MANY: usize = 300;

/// How long a test counts the requests to a network that hangs.
const OBSERVED: Duration = Duration::from_secs(14);

/// Begins a pass, and does not wait for its end.
fn begin_pass(world: &World) -> rt::task::JoinHandle<u16> {
    let (client, request) = (world.client(0, "localhost"), json!({"day": world.today()}));
    rt::spawn(async move { client.post_as_admin("/internal/billing/run", &request).await.status })
}

/// Begins a pass, in which these numbers are to be charged at the second network within a few seconds.
async fn the_other_is_charged_in_a_few_seconds(world: &World, numbers: &[String], days: i64) {
    world.set_clock(&later(DAY, days), "09:00:00").await;
    let pass = begin_pass(world);
    let is_done = async || numbers.iter().all(|msisdn| world.other.taken(msisdn) == (300 * (days + 1), 0));
    assert!(within(Duration::from_secs(5), is_done).await, "day {days}: the network that answers waits for the other");
    // The rest of the pass is the other network's; it may still go on.
    within(Duration::from_secs(10), async || pass.is_finished()).await;
}

on_each_engine! {
    async fn a_network_that_hangs_holds_up_no_other(engine) {
        let world = Setup::new(engine).at_other(&[DISKI]).setting("CHARGE_TIMEOUT_MS", "1000").start().await;
        let others: Vec<String> = (MANY..MANY + 5).map(number).collect();
        world.many_join(&world.pull, MEMEWORLD, 0..MANY).await;
        world.many_join(&world.other, DISKI, MANY..MANY + 5).await;
        for call in [Call::Charge, Call::ChargeStatus] {
            world.pull.on(call, |_| Response::Silence);
        }
        // On the second day the first day's charges are unknown, and the network would be asked about each.
        for days in 1..4 {
            the_other_is_charged_in_a_few_seconds(&world, &others, days).await;
        }
    }

    async fn a_network_that_hangs_gets_few_charges_and_few_questions(engine) {
        let world = Setup::new(engine).setting("CHARGE_TIMEOUT_MS", "1000").start().await;
        world.many_join(&world.pull, MEMEWORLD, 0..MANY).await;
        world.pull.on(Call::Charge, |_| Response::Silence);
        world.pull.on(Call::ChargeStatus, |_| Response::Status(503, String::new()));
        let charges = world.pull.count(Call::Charge);
        world.set_clock(&later(DAY, 1), "09:00:00").await;
        begin_pass(&world);
        let began = Instant::now();
        while began.elapsed() < OBSERVED {
            let charges = world.pull.count(Call::Charge) - charges;
            assert!(charges < 200, "{charges} charges were sent in {} s, and none was answered", began.elapsed().as_secs());
            let mut questions: BTreeMap<String, usize> = BTreeMap::new();
            for question in world.pull.requests(Call::ChargeStatus) {
                *questions.entry(question.name).or_default() += 1;
            }
            let most = questions.values().max().copied().unwrap_or_default();
            assert!(most <= 4, "one charge was asked about {most} times in {} s", began.elapsed().as_secs());
            rt::time::sleep(Duration::from_millis(200)).await;
        }
    }

    async fn a_charge_that_stays_unknown_is_asked_about_with_growing_pauses(engine) {
        let world = World::start(engine).await;
        world.pull.on(Call::Charge, |_| Response::Status(200, "<html>Thank you!</html>".to_owned()));
        world.pull.on(Call::ChargeStatus, |_| Response::Status(503, String::new()));
        world.join_at_network(&world.pull, &number(1), MEMEWORLD).await;
        soon("the charge is unknown", async || {
            world.rows(DAY, &number(1), "charge").await.iter().any(|row| row.status == "unknown")
        })
        .await;
        let is_too_often = async || world.pull.count(Call::ChargeStatus) > 4;
        assert!(!within(OBSERVED, is_too_often).await, "more than 4 times in {} s", OBSERVED.as_secs());
    }

    async fn a_pass_over_nothing_answers_soon_while_charges_are_unknown(engine) {
        // However calls fall together, the network is not taken for away: a slow machine asks while it still charges.
        let no_pause = |text: String| {
            text.replace("[network.sandbox-pull]", "[network.sandbox-pull]\nbreaker = { calls = 10000, pause_seconds = 2 }")
        };
        let world = Setup::new(engine).brands(no_pause).setting("CHARGE_TIMEOUT_MS", "2000").start().await;
        world.many_join(&world.pull, MEMEWORLD, 0..MANY).await;
        let day = later(DAY, 1);
        world.set_clock(&day, "09:00:00").await;
        // Every third reply cannot be read.
        world.pull.on(Call::Charge, |request| {
            let digits: u64 = request.msisdn().parse().unwrap();
            if digits.is_multiple_of(3) { Response::Status(200, "<html>".to_owned()) } else { Response::Usual }
        });
        world.pull.on(Call::ChargeStatus, |_| Response::Status(503, String::new()));
        world.pass().await;
        let unknown = world.ledger(&day).await.iter().filter(|row| row.status == "unknown").count();
        assert!(unknown >= 50, "{unknown} charges are unknown");
        for call in [Call::Charge, Call::ChargeStatus] {
            world.pull.on(call, |_| Response::Silence);
        }
        world.set_clock(&day, "13:00:00").await;
        let began = Instant::now();
        world.pass().await;
        let took = began.elapsed();
        assert!(took < Duration::from_secs(5), "a pass over nothing took {took:?} with {unknown} charges unknown");
    }
}
