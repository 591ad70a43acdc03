//! Leaving: nothing is sent after the acknowledgement, and charges in flight are refunded.

use std::time::{Duration, Instant};

use futures_util::{StreamExt, future::join_all, join, stream};
use serde_json::json;
use testkit::{actix_web::rt, on_each_engine};

use crate::{
    browser::Browser,
    network::{Call, Response},
    service::{DAY, MEMEWORLD, Setup, TestEnv, later, number, wait_for},
};

/// How long a request that was sent before an acknowledgement may be in flight on a busy machine.
const ON_THE_WAY: Duration = Duration::from_millis(100);

/// The network's delay of a charge during a pass.
const SLOW: Duration = Duration::from_millis(400);

/// The pause between two leaves, so that leaves happen during the whole pass.
const BETWEEN_LEAVES: Duration = Duration::from_millis(15);

/// Whether a text says that R3 was, or will be, refunded.
fn mentions_refund(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains("r3") && (text.contains("refund") || text.contains("back"))
}

/// Waits until a number's charge of today is refunded at the network, in the ledger, and by SMS.
async fn wait_for_refund(env: &TestEnv, msisdn: &str) {
    wait_for("the charge is given back at the network", async || env.pull.charged_and_refunded(msisdn) == (600, 300))
        .await;
    let today = env.today();
    let charge = env.rows(&today, msisdn, "charge").await;
    let refunds = env.pull.requests_about(Call::Refund, msisdn);
    assert_eq!(refunds[0].text("charge_key"), charge[0].key);
    wait_for("the refund is a settled row of the ledger", async || {
        let refunds = env.rows(&today, msisdn, "refund").await;
        refunds.len() == 1 && refunds[0].status == "settled" && refunds[0].cents.abs() == 300
    })
    .await;
    wait_for("an SMS reports it", async || env.pull.texts_to(msisdn).iter().any(|text| mentions_refund(text))).await;
    assert_eq!(env.state(msisdn, MEMEWORLD).await, "cancelled");
}

/// A subscriber who leaves with a session, or by STOP.
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

    /// Leaves through one of the replicas; returns the time of the acknowledgement.
    async fn leave(&self, env: &TestEnv, replica: usize) -> Instant {
        match self {
            Self::BySession(_, browser) => assert_eq!(browser.leave(MEMEWORLD).await.status, 200),
            Self::ByStop(msisdn) => {
                let id = format!("stop-{msisdn}");
                let body = env.stop_event(&env.pull, msisdn);
                let body = json!({"svc_id": MEMEWORLD, "event": "stop", "user_msisdn": msisdn, "at": body["at"]});
                let reply = env.send_notification(env.pull.name, &id, &body, env.key(), replica).await;
                assert_eq!(reply.status, 200);
            }
        }
        Instant::now()
    }
}

on_each_engine! {
    async fn leave_during_a_pass_is_followed_by_no_charge(engine) {
        let env = Setup::new(engine).replicas(3).start().await;
        // Every third number leaves: half of them with a session, half by STOP.
        let joins = (0..300).map(|n| {
            let env = &env;
            async move {
                let msisdn = number(n);
                if n % 6 == 0 {
                    let browser = env.joined("memeworld", MEMEWORLD, &msisdn).await;
                    return Some(Leaver::BySession(msisdn, browser.through(env.client(n / 6, "memeworld"))));
                }
                env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
                (n % 6 == 3).then_some(Leaver::ByStop(msisdn))
            }
        });
        let joined: Vec<Option<Leaver>> = stream::iter(joins).buffered(8).collect().await;
        let stayers: Vec<String> = (0..300).filter(|&n| joined[n].is_none()).map(number).collect();
        let leavers: Vec<Leaver> = joined.into_iter().flatten().collect();
        wait_for("every number has paid", async || env.settled(DAY).await == 300).await;

        let day = later(DAY, 1);
        env.set_clock(&day, "06:00:00").await;
        env.pull.on(Call::Charge, |_| Response::Delayed(SLOW));
        let before = env.pull.count(Call::Charge);
        let passes = join_all((0..env.replicas.len()).map(|replica| {
            let client = env.client(replica, "localhost");
            let request = json!({"day": day});
            async move { assert_eq!(client.post_as_admin("/internal/billing/run", &request).await.status, 200) }
        }));
        let leaves = async {
            wait_for("the pass has begun", async || env.pull.count(Call::Charge) > before).await;
            let leaves = leavers.iter().enumerate().map(|(n, leaver)| {
                let env = &env;
                async move {
                    rt::time::sleep(BETWEEN_LEAVES * u32::try_from(n).unwrap()).await;
                    leaver.leave(env, n).await
                }
            });
            join_all(leaves).await
        };
        let (_, acknowledged) = join!(passes, leaves);

        let mut late = Vec::new();
        for (leaver, acknowledged) in leavers.iter().zip(acknowledged.iter().copied()) {
            let charges = env.pull.requests_about(Call::Charge, leaver.msisdn()).into_iter();
            late.extend(charges.filter_map(|charge| charge.at.checked_duration_since(acknowledged)));
        }
        late.retain(|after| *after > ON_THE_WAY);
        assert!(late.is_empty(), "{} of 100 leavers were charged after the acknowledgement: {late:?}", late.len());
        for msisdn in stayers {
            assert_eq!(env.pull.charged_and_refunded(&msisdn), (600, 0), "one who stayed pays both days");
        }
        // Numbers that left after the day's charge have paid it; later charges are refunded.
        wait_for("no leaver has paid for a day that was charged after the leave", async || {
            leavers.iter().zip(&acknowledged).all(|(leaver, acknowledged)| {
                let (charged_and_refunded, wait_for_refund) = env.pull.charged_and_refunded(leaver.msisdn());
                let charges = env.pull.requests_about(Call::Charge, leaver.msisdn());
                let was_made = charges.iter().skip(1).any(|charge| charge.at + SLOW <= *acknowledged);
                charged_and_refunded - wait_for_refund == 300 || was_made
            })
        })
        .await;
    }

    async fn charge_in_flight_during_leave_is_refunded(engine) {
        let env = TestEnv::start(engine).await;
        let (by_session, by_stop) = (number(1), number(2));
        let browser = env.joined_and_paid("memeworld", MEMEWORLD, &by_session).await;
        env.joined_and_paid("memeworld", MEMEWORLD, &by_stop).await;
        env.set_clock(&later(DAY, 1), "09:00:00").await;
        env.pull.on(Call::Charge, |_| Response::Delayed(Duration::from_secs(2)));
        let before = env.pull.count(Call::Charge);
        let leaves = async {
            wait_for("both charges are on their way", async || env.pull.count(Call::Charge) == before + 2).await;
            let mut stop = env.stop_event(&env.pull, &by_stop);
            stop["svc_id"] = json!(MEMEWORLD);
            // Concurrently: an acknowledgement waits until no charge of its number can be sent any more.
            let (left, ()) = join!(browser.leave(MEMEWORLD), env.notify(&env.pull, &stop));
            assert_eq!(left.json(), json!({"state": "cancelled"}));
        };
        join!(env.pass(), leaves);
        wait_for_refund(&env, &by_session).await;
        wait_for_refund(&env, &by_stop).await;
    }

    async fn unknown_charge_that_settles_after_leave_is_refunded(engine) {
        let env = Setup::new(engine).setting("CHARGE_TIMEOUT_MS", "300").start().await;
        let msisdn = number(1);
        let browser = env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        env.set_clock(&later(DAY, 1), "09:00:00").await;
        // The network makes the charge, but neither its reply nor any status reply arrives.
        env.pull.on(Call::Charge, |_| Response::Delayed(Duration::from_secs(60)));
        env.pull.on(Call::ChargeStatus, |_| Response::Status(503, String::new()));
        env.pass().await;
        assert_eq!(env.pull.charged_and_refunded(&msisdn), (600, 0));
        assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
        env.pull.behave(Call::ChargeStatus);
        wait_for_refund(&env, &msisdn).await;
    }

    async fn stop_with_new_id_of_suspended_number_cancels(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        env.set_clock(&later(DAY, 1), "06:00:00").await;
        env.suspend(&msisdn, MEMEWORLD).await;
        let (page, _) = env.browser("memeworld").join(&msisdn, MEMEWORLD).await;
        let confirmed = env.pull.confirm(&page);
        env.notify(&env.pull, &confirmed).await;
        let mut stop = env.stop_event(&env.pull, &msisdn);
        stop["svc_id"] = json!(MEMEWORLD);
        stop["network_subscription_id"] = confirmed["network_subscription_id"].clone();
        env.notify(&env.pull, &stop).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled");

        // A charge of the join may still be in flight: only charges from the next day on count.
        let day = later(DAY, 3);
        env.set_clock(&day, "09:00:00").await;
        let before = env.pull.requests_about(Call::Charge, &msisdn).len();
        for days in 3..8 {
            env.set_clock(&later(DAY, days), "10:00:00").await;
            env.pass().await;
        }
        assert_eq!(env.pull.requests_about(Call::Charge, &msisdn).len(), before);
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled");
    }
}
