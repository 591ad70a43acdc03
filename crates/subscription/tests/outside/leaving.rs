//! Leaving: after the acknowledgement nothing is sent, and what was on its way is given back.

use std::time::{Duration, Instant};

use futures_util::{StreamExt, future::join_all, join, stream};
use serde_json::json;
use testkit::{actix_web::rt, on_each_engine};

use crate::{
    browser::Browser,
    network::{Call, Response},
    service::{DAY, MEMEWORLD, Setup, World, later, number, soon},
};

/// How long a request that was sent before an acknowledgement may be on its way to the network on a busy machine.
const ON_THE_WAY: Duration = Duration::from_millis(100);

/// How long the network takes for a charge during a pass.
const SLOW: Duration = Duration::from_millis(400);

/// How long after one person the next one leaves: so that they leave all through the pass.
const BETWEEN_LEAVES: Duration = Duration::from_millis(15);

/// Whether a text says that R3 was, or will be, given back.
fn says_given_back(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains("r3") && (text.contains("refund") || text.contains("back"))
}

/// Waits until a number's charge of today is given back at the network, is a row of the ledger, and was told by SMS.
async fn given_back(world: &World, msisdn: &str) {
    soon("the charge is given back at the network", async || world.pull.taken(msisdn) == (600, 300)).await;
    let today = world.today();
    let charge = world.rows(&today, msisdn, "charge").await;
    let refunds = world.pull.requests_about(Call::Refund, msisdn);
    assert_eq!(refunds[0].text("charge_key"), charge[0].key);
    soon("the refund is a settled row of the ledger", async || {
        let refunds = world.rows(&today, msisdn, "refund").await;
        refunds.len() == 1 && refunds[0].status == "settled" && refunds[0].cents.abs() == 300
    })
    .await;
    soon("an SMS tells it", async || world.pull.texts_to(msisdn).iter().any(|text| says_given_back(text))).await;
    assert_eq!(world.state(msisdn, MEMEWORLD).await, "cancelled");
}

/// One who leaves by a session, or by STOP.
enum Leaver {
    BySession(String, Browser),
    ByStop(String),
}

impl Leaver {
    fn msisdn(&self) -> &str {
        match self {
            Self::BySession(msisdn, _) | Self::ByStop(msisdn) => msisdn,
        }
    }

    /// Leaves through one of the replicas; when that was acknowledged.
    async fn leave(&self, world: &World, replica: usize) -> Instant {
        match self {
            Self::BySession(_, browser) => assert_eq!(browser.leave(MEMEWORLD).await.status, 200),
            Self::ByStop(msisdn) => {
                let id = format!("stop-{msisdn}");
                let body = world.stop_event(&world.pull, msisdn);
                let body = json!({"svc_id": MEMEWORLD, "event": "stop", "user_msisdn": msisdn, "at": body["at"]});
                let reply = world.send_notification(world.pull.name, &id, &body, world.key(), replica).await;
                assert_eq!(reply.status, 200);
            }
        }
        Instant::now()
    }
}

on_each_engine! {
    async fn a_leave_in_the_middle_of_a_pass_is_followed_by_no_charge(engine) {
        let world = Setup::new(engine).replicas(3).start().await;
        // Every third leaves: half of them by their session, half by STOP.
        let joins = (0..300).map(|n| {
            let world = &world;
            async move {
                let msisdn = number(n);
                if n % 6 == 0 {
                    let browser = world.joined("memeworld", MEMEWORLD, &msisdn).await;
                    return Some(Leaver::BySession(msisdn, browser.through(world.client(n / 6, "memeworld"))));
                }
                world.join_at_network(&world.pull, &msisdn, MEMEWORLD).await;
                (n % 6 == 3).then_some(Leaver::ByStop(msisdn))
            }
        });
        let joined: Vec<Option<Leaver>> = stream::iter(joins).buffered(8).collect().await;
        let stayers: Vec<String> = (0..300).filter(|&n| joined[n].is_none()).map(number).collect();
        let leavers: Vec<Leaver> = joined.into_iter().flatten().collect();
        soon("everybody has paid", async || world.settled(DAY).await == 300).await;

        let day = later(DAY, 1);
        world.set_clock(&day, "06:00:00").await;
        world.pull.on(Call::Charge, |_| Response::Late(SLOW));
        let before = world.pull.count(Call::Charge);
        let passes = join_all((0..world.replicas.len()).map(|replica| {
            let client = world.client(replica, "localhost");
            let request = json!({"day": day});
            async move { assert_eq!(client.post_as_admin("/internal/billing/run", &request).await.status, 200) }
        }));
        let leaves = async {
            soon("the pass has begun", async || world.pull.count(Call::Charge) > before).await;
            let leaves = leavers.iter().enumerate().map(|(n, leaver)| {
                let world = &world;
                async move {
                    rt::time::sleep(BETWEEN_LEAVES * u32::try_from(n).unwrap()).await;
                    leaver.leave(world, n).await
                }
            });
            join_all(leaves).await
        };
        let (_, acknowledged) = join!(passes, leaves);

        let mut late = Vec::new();
        for (leaver, acknowledged) in leavers.iter().zip(acknowledged.iter().copied()) {
            let charges = world.pull.requests_about(Call::Charge, leaver.msisdn()).into_iter();
            late.extend(charges.filter_map(|charge| charge.at.checked_duration_since(acknowledged)));
        }
        late.retain(|after| *after > ON_THE_WAY);
        assert!(late.is_empty(), "{} of 100 leavers were charged after the acknowledgement: {late:?}", late.len());
        for msisdn in stayers {
            assert_eq!(world.pull.taken(&msisdn), (600, 0), "one who stayed pays both days");
        }
        // Who left when the day's charge had been made has paid it; whatever was made later is given back.
        soon("no leaver has paid for a day that was charged after the leave", async || {
            leavers.iter().zip(&acknowledged).all(|(leaver, acknowledged)| {
                let (taken, given_back) = world.pull.taken(leaver.msisdn());
                let charges = world.pull.requests_about(Call::Charge, leaver.msisdn());
                let was_made = charges.iter().skip(1).any(|charge| charge.at + SLOW <= *acknowledged);
                taken - given_back == 300 || was_made
            })
        })
        .await;
    }

    async fn a_charge_on_its_way_at_a_leave_is_given_back(engine) {
        let world = World::start(engine).await;
        let (by_session, by_stop) = (number(1), number(2));
        let browser = world.joined_and_paid("memeworld", MEMEWORLD, &by_session).await;
        world.joined_and_paid("memeworld", MEMEWORLD, &by_stop).await;
        world.set_clock(&later(DAY, 1), "09:00:00").await;
        world.pull.on(Call::Charge, |_| Response::Late(Duration::from_secs(2)));
        let before = world.pull.count(Call::Charge);
        let leaves = async {
            soon("both charges are on their way", async || world.pull.count(Call::Charge) == before + 2).await;
            let mut stop = world.stop_event(&world.pull, &by_stop);
            stop["svc_id"] = json!(MEMEWORLD);
            // Side by side: an acknowledgement waits until no charge of its number can be sent any more.
            let (left, ()) = join!(browser.leave(MEMEWORLD), world.notify(&world.pull, &stop));
            assert_eq!(left.json(), json!({"state": "cancelled"}));
        };
        join!(world.pass(), leaves);
        given_back(&world, &by_session).await;
        given_back(&world, &by_stop).await;
    }

    async fn an_unknown_charge_that_settles_after_a_leave_is_given_back(engine) {
        let world = Setup::new(engine).setting("CHARGE_TIMEOUT_MS", "300").start().await;
        let msisdn = number(1);
        let browser = world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        world.set_clock(&later(DAY, 1), "09:00:00").await;
        // The network takes the money, and neither its reply nor any answer about the key arrives.
        world.pull.on(Call::Charge, |_| Response::Late(Duration::from_secs(60)));
        world.pull.on(Call::ChargeStatus, |_| Response::Status(503, String::new()));
        world.pass().await;
        assert_eq!(world.pull.taken(&msisdn), (600, 0));
        assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
        world.pull.behave(Call::ChargeStatus);
        given_back(&world, &msisdn).await;
    }

    async fn a_stop_that_names_the_new_id_of_a_suspended_number_cancels(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        world.set_clock(&later(DAY, 1), "06:00:00").await;
        world.suspend(&msisdn, MEMEWORLD).await;
        let (page, _) = world.browser("memeworld").join(&msisdn, MEMEWORLD).await;
        let confirmed = world.pull.confirm(&page);
        world.notify(&world.pull, &confirmed).await;
        let mut stop = world.stop_event(&world.pull, &msisdn);
        stop["svc_id"] = json!(MEMEWORLD);
        stop["network_subscription_id"] = confirmed["network_subscription_id"].clone();
        world.notify(&world.pull, &stop).await;
        assert_eq!(world.state(&msisdn, MEMEWORLD).await, "cancelled");

        // A charge that was asked for at the join may be on its way still: only what is asked from the next day on counts.
        let day = later(DAY, 3);
        world.set_clock(&day, "09:00:00").await;
        let before = world.pull.requests_about(Call::Charge, &msisdn).len();
        for days in 3..8 {
            world.set_clock(&later(DAY, days), "10:00:00").await;
            world.pass().await;
        }
        assert_eq!(world.pull.requests_about(Call::Charge, &msisdn).len(), before);
        assert_eq!(world.state(&msisdn, MEMEWORLD).await, "cancelled");
    }
}
