//! Seventy-five days, with month ends, a year's end and a 29 February, at networks that lose, repeat and reorder messages: the ledger matches
//! to the cent.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::{
    network::{Call, Network, Response},
    service::{MEMEWORLD, Setup, TTMBHA, TestEnv, later, number, wait_for},
};

const FIRST: &str = "2031-12-20";
const DAYS: i64 = 75;

/// The subscribers of each network.
const AT_PULL: std::ops::Range<usize> = 0..8;
const AT_PUSH: std::ops::Range<usize> = 8..14;

/// The days of a fortnight on which a subscriber leaves and rejoins.
const LEAVES_ON: i64 = 4;
const RETURNS_ON: i64 = 9;

/// The pull network's response to its nth charge.
fn response_to(n: usize) -> Response {
    match n % 11 {
        3 => Response::Outcome("insufficient_funds"),
        // Charged, and the reply comes after the timeout.
        5 => Response::Delayed(Duration::from_secs(1)),
        7 => Response::Status(503, String::new()),
        9 => Response::NoReply,
        _ => Response::Normal,
    }
}

/// The push network's events of a day, and those that arrive a day later.
fn bill(network: &Network, msisdn: &str, day: &str, n: i64) -> (Vec<Value>, Vec<Value>) {
    let Some(subscription) = network.subscription(msisdn, TTMBHA) else { return Default::default() };
    let event = |billing_ref: &str, result: &str| {
        network.billing_event(
            msisdn,
            TTMBHA,
            &json!(subscription.id.to_string()),
            &format!("{msisdn}-{day}-{billing_ref}"),
            result,
        )
    };
    let (today, tomorrow) = match n % 9 {
        0 => (vec![event("a", "FAILED"), event("a", "SUCCESS")], vec![]),
        1 => {
            // Charged, without a notification.
            event("a", "SUCCESS");
            (vec![], vec![])
        }
        2 => (vec![event("a", "SUCCESS"); 2], vec![]),
        3 => (vec![], vec![event("a", "SUCCESS")]),
        4 => (vec![event("a", "SUCCESS"), event("b", "SUCCESS")], vec![]),
        5 => (vec![event("a", "INSUFFICIENT_FUNDS")], vec![event("b", "PENDING")]),
        _ => (vec![event("a", "SUCCESS")], vec![]),
    };
    (today, tomorrow)
}

async fn leave(env: &TestEnv, network: &Network, svc_id: i64, msisdn: &str) {
    let Some(subscription) = network.subscription(msisdn, svc_id) else { return };
    network.end(msisdn, svc_id);
    let id = json!(subscription.id.to_string());
    let event = if network.name == env.push.name {
        network.subscription_event(msisdn, svc_id, &id, 8)
    } else {
        let mut stop = env.stop_event(network, msisdn);
        stop["svc_id"] = json!(svc_id);
        stop["network_subscription_id"] = id;
        stop
    };
    env.notify(network, &event).await;
}

/// The net amount of each number in the ledger; asserts one settled charge per day.
async fn net_in_ledger(env: &TestEnv) -> BTreeMap<String, i64> {
    let mut net: BTreeMap<String, i64> = BTreeMap::new();
    for days in 0..=DAYS {
        let day = later(FIRST, days);
        let mut charged: BTreeMap<String, usize> = BTreeMap::new();
        for row in env.ledger(&day).await {
            assert!(["settled", "failed"].contains(&row.status.as_str()), "still open: {row:?}");
            if row.status == "settled" {
                let sign = if row.kind == "charge" { 1 } else { -1 };
                *net.entry(row.msisdn.clone()).or_default() += sign * row.cents.abs();
                *charged.entry(row.msisdn).or_default() += usize::from(row.kind == "charge");
            }
        }
        assert!(charged.values().all(|rows| *rows <= 1), "{day}: {charged:?}");
    }
    net
}

on_each_engine! {
    async fn seventy_five_days_match_to_the_cent(engine) {
        let env = Setup::new(engine).day(FIRST).setting("CHARGE_TIMEOUT_MS", "300").start().await;
        for n in AT_PULL {
            env.join_at_network(&env.pull, &number(n), MEMEWORLD).await;
        }
        for n in AT_PUSH {
            env.join_at_network(&env.push, &number(n), TTMBHA).await;
        }
        let requests = AtomicUsize::new(0);
        env.pull.on(Call::Charge, move |_| response_to(requests.fetch_add(1, Ordering::Relaxed)));
        let subscribers = || {
            let at_pull = AT_PULL.map(|n| (&env.pull, MEMEWORLD, n));
            at_pull.chain(AT_PUSH.map(|n| (&env.push, TTMBHA, n)))
        };

        let mut tomorrow: Vec<Value> = Vec::new();
        for days in 0..DAYS {
            let day = later(FIRST, days);
            env.set_clock(&day, "10:00:00").await;
            let mut events = std::mem::take(&mut tomorrow);
            env.pass().await;
            for n in AT_PUSH {
                let (now, late) = bill(&env.push, &number(n), &day, days + i64::try_from(n).unwrap());
                events.extend(now);
                tomorrow.extend(late);
            }
            // Newest first, so that related events arrive in the wrong order.
            for event in events.iter().rev() {
                env.notify(&env.push, event).await;
            }
            for (network, svc_id, n) in subscribers().filter(|(.., n)| i64::try_from(*n).unwrap() == days / 14 % 14) {
                match days % 14 {
                    LEAVES_ON => leave(&env, network, svc_id, &number(n)).await,
                    RETURNS_ON => _ = env.join_at_network(network, &number(n), svc_id).await,
                    _ => {}
                }
            }
            if days % 3 == 0 {
                env.set_clock(&day, "18:00:00").await;
                env.pass().await;
            }
            env.reconcile(&json!({"day": later(&day, -1)})).await;
        }

        env.pull.behave(Call::Charge);
        env.set_clock(&later(FIRST, DAYS), "09:00:00").await;
        for event in &tomorrow {
            env.notify(&env.push, event).await;
        }
        wait_for("every outcome is known", async || {
            let mut open = 0;
            for days in 0..=DAYS {
                let rows = env.ledger(&later(FIRST, days)).await;
                open += rows.iter().filter(|row| ["unknown", "pending"].contains(&row.status.as_str())).count();
            }
            open == 0
        })
        .await;
        env.reconcile(&json!({"day": later(FIRST, DAYS - 1)})).await;
        for days in 0..DAYS {
            let reply = env.reconcile(&json!({"day": later(FIRST, days)})).await;
            let named = reply["differences"].as_array().unwrap();
            // A refunded charge stays on the network's list.
            assert!(named.iter().all(|one| one["type"] == "charged_twice"), "{reply}");
        }
        wait_for("everything that is owed is given back", async || {
            let ours = net_in_ledger(&env).await;
            subscribers().all(|(network, _, n)| {
                let (charged_and_refunded, given_back) = network.charged_and_refunded(&number(n));
                ours.get(&number(n)) == Some(&(charged_and_refunded - given_back))
            })
        })
        .await;
        for (network, _, n) in subscribers() {
            let days = network.net_charges_by_day(&number(n));
            assert!(days.values().all(|cents| [0, 300].contains(cents)), "{}: {days:?}", number(n));
            assert!(days.values().sum::<i64>() > 40 * 300, "{} paid for most days: {days:?}", number(n));
        }
    }
}
