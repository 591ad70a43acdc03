//! The storm: one fault after the other is brought on, taken away again, and it is measured how soon all works.

use std::{rc::Rc, time::Duration};

use serde_json::json;
use tokio::time::{Instant, sleep};

use crate::{
    disk::Disk,
    door::Weather,
    place::Place,
    plan::{Plan, What, Whose},
    probe::Probe,
    tally::{RECOVERY, tell},
    world::World,
};

/// The checks that are made here.
const RECOVERS: &str = "all works within 5 s of a fault's end";
const LIVES: &str = "no process ends by itself";

/// How much longer each piece of a reply of a slow network takes.
const SLOW: Duration = Duration::from_millis(1500);

/// How often the balloon in a full disk is blown up again: whoever is refused gives room back.
const BLOW: Duration = Duration::from_millis(200);

/// How often it is looked whether somebody has ended.
const LOOK: Duration = Duration::from_millis(250);

/// Brings on faults until the time is over.
pub(crate) async fn rage(world: &Rc<World>, plan: Plan, probe: &Probe, until: Instant) -> anyhow::Result<()> {
    for fault in plan {
        // A fault that is begun is also ended and recovered from.
        if Instant::now() + fault.after + fault.lasts + RECOVERY > until {
            break;
        }
        calm(world, fault.after).await?;
        let number = world.tally.begin(fault);
        let began = world.tally.now().as_secs_f64();
        let company = async {
            match fault.with {
                Some(with) => befall(world, probe, with, fault.lasts).await,
                None => Ok(()),
            }
        };
        tokio::try_join!(befall(world, probe, fault.what, fault.lasts), company)?;
        world.tally.end(number);
        let told = format!("{began:7.1} s  {fault} for {:.1} s", world.tally.now().as_secs_f64() - began);
        match probe.recovery().await {
            Ok(after) => {
                world.tally.recovered(number, after);
                tell(&format!("{told}; all works {:.2} s later", after.as_secs_f64()));
            }
            Err(wrong) => {
                tell(&told);
                world.tally.violate(RECOVERS, format!("{fault}: {wrong}"));
            }
        }
    }
    let left = until.saturating_duration_since(Instant::now());
    calm(world, left).await
}

/// Waits while nobody harms anybody; who ends now has ended by itself.
async fn calm(world: &World, lasts: Duration) -> anyhow::Result<()> {
    let until = Instant::now() + lasts;
    loop {
        for place in world.family.places() {
            if let Some(how) = place.ended() {
                world.tally.violate(LIVES, format!("{}: {how}", place.name));
                world.family.bring_up(place).await?;
            }
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        sleep(LOOK.min(left)).await;
    }
}

/// Brings a fault on, and takes it away again; returns when nothing is done to anybody any more.
async fn befall(world: &World, probe: &Probe, what: What, lasts: Duration) -> anyhow::Result<()> {
    let (family, servers) = (&world.family, &world.family.servers);
    match what {
        What::Kill(whose) => {
            let struck = places(world, whose);
            struck.iter().for_each(|place| place.kill());
            sleep(lasts).await;
            for place in struck {
                family.bring_up(&place).await?;
            }
        }
        What::Pause(whose) => {
            let struck = places(world, whose);
            struck.iter().for_each(|place| place.signal("STOP"));
            sleep(lasts).await;
            struck.iter().for_each(|place| place.signal("CONT"));
        }
        What::Postgres(how) => {
            servers.end_postgres(how).await?;
            sleep(lasts).await;
            servers.start_postgres().await?;
        }
        What::PostgresStill => {
            servers.signal_postgres("STOP")?;
            sleep(lasts).await;
            servers.signal_postgres("CONT")?;
        }
        What::Sessions => {
            servers.end_sessions().await?;
        }
        What::RedisGone => {
            servers.kill_redis();
            sleep(lasts).await;
            servers.start_redis().await?;
        }
        What::RedisStill => {
            servers.signal_redis("STOP")?;
            sleep(lasts).await;
            servers.signal_redis("CONT")?;
        }
        What::NetworkSlow => weather(world, Weather::Slow(SLOW), lasts).await,
        What::NetworkRefuses => weather(world, Weather::Refused, lasts).await,
        What::NetworkCut => weather(world, Weather::Cut, lasts).await,
        What::WrongReplies => {
            let wrong = json!({ "wrong_amount": true, "numeric_refs": true, "list": "empty", "sms": "slow", "network": "sandbox-pull" });
            misbehave(world, &wrong, lasts).await;
        }
        What::WrongNotifications => {
            let wrong = json!({ "failed_then_success": true, "stop_svc_id_as_text": true, "network": "sandbox-push" });
            misbehave(world, &wrong, lasts).await;
        }
        What::DatabaseFull => {
            if let Some(disk) = &servers.disk {
                let (filled, ()) = tokio::join!(fill(disk, lasts), probe.press());
                filled?;
                servers.start_postgres().await?;
            }
        }
        What::LogFull => {
            if let Some(disk) = &servers.disk {
                let (filled, ()) = tokio::join!(fill(disk, lasts), use_up_log(world, lasts));
                filled?;
                servers.start_postgres().await?;
            }
        }
        What::NextDay => {
            family.next_day().await?;
            // The network charges those whom it charges by itself; everybody else's day begins by itself.
            let Some(network) = family.network.addr() else { return Ok(()) };
            let day = json!({ "day": family.today().to_string() });
            world.order(&format!("http://{network}/run-day"), &day).await;
        }
    }
    Ok(())
}

fn places(world: &World, whose: Whose) -> Vec<Rc<Place>> {
    let family = &world.family;
    let of = |service: &str| family.replicas.iter().filter(|place| place.program == service).cloned().collect();
    match whose {
        Whose::One(service, replica) => {
            let both: Vec<_> = of(service);
            both.get(replica).cloned().into_iter().collect()
        }
        Whose::Both(service) => of(service),
        Whose::Gateway => vec![family.gateway.clone()],
        Whose::Network => vec![family.network.clone()],
    }
}

async fn weather(world: &World, weather: Weather, lasts: Duration) {
    world.family.set_weather(weather);
    sleep(lasts).await;
    world.family.set_weather(Weather::Fair);
}

/// One network of the sandbox, named by `network`, does these things wrong; a sandbox that is started anew does none.
async fn misbehave(world: &World, wrong: &serde_json::Value, lasts: Duration) {
    let Some(sandbox) = world.family.network.addr() else { return };
    let url = format!("http://{sandbox}/internal/misbehave");
    world.order(&url, wrong).await;
    sleep(lasts).await;
    world.order(&url, &json!({ "network": wrong.get("network") })).await;
}

async fn fill(disk: &Disk, lasts: Duration) -> anyhow::Result<()> {
    let until = Instant::now() + lasts;
    while Instant::now() < until {
        disk.fill().await?;
        sleep(BLOW).await;
    }
    disk.release()
}

/// Has PostgreSQL take new pieces of its log until there are none, for as long as the fault lasts.
async fn use_up_log(world: &World, lasts: Duration) {
    let until = Instant::now() + lasts;
    // The disk is filled first.
    sleep(BLOW).await;
    while Instant::now() < until && world.family.servers.turn_log().await.is_ok() {}
}

/// How PostgreSQL and everybody else come to rest when the storm is over.
pub(crate) async fn settle(world: &World) -> anyhow::Result<()> {
    world.family.set_weather(Weather::Fair);
    world.family.servers.start_postgres().await?;
    world.family.servers.start_redis().await?;
    calm(world, LOOK).await
}
