//! Injects one fault after the other, ends it, and measures how soon everything works again.

use std::{rc::Rc, time::Duration};

use serde_json::json;
use tokio::time::{Instant, sleep};

use crate::{
    disk::Disk,
    fault_proxy::LinkFault,
    managed_process::ManagedProcess,
    plan::{Fault, FaultKind, Target},
    probe::Probe,
    results::print_line,
    run::Run,
};

/// The checks that are made here.
const RECOVERS: &str = "everything works soon after a fault's end";
const NO_EXIT: &str = "no process ends by itself";
const PAUSES: &str = "no charge is made in a pause, and each that waits is made soon after it";

/// How soon a pause holds on every replica.
const PAUSE_BOUND: Duration = Duration::from_secs(5);

/// How long a network that was away may be charged no more, before a pause begins.
const NETWORK_BACK: Duration = Duration::from_secs(60);

/// Charges of the networks that do not charge by themselves.
const CHARGES: &str = "SELECT COUNT(*) AS n FROM operator_sandbox.charges WHERE network <> 'sandbox-push'";

/// How long a slow network delays each chunk of a reply.
const SLOW: Duration = Duration::from_millis(1500);

/// How often a full disk is filled again: a write that fails frees space.
const REFILL_INTERVAL: Duration = Duration::from_millis(200);

/// How often the processes are checked for exits.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Injects the plan's faults until the time is over.
pub(crate) async fn run_plan(
    run: &Rc<Run>,
    plan: impl Iterator<Item = Fault>,
    probe: &Probe,
    until: Instant,
) -> anyhow::Result<()> {
    for fault in plan {
        // No fault begins that could not also end and be recovered from.
        if Instant::now() + fault.after + fault.duration + run.recovery > until {
            break;
        }
        watch_for_exits(run, fault.after).await?;
        let number = run.results.fault_began(fault);
        let began = run.results.now().as_secs_f64();
        let concurrent = async {
            match fault.concurrent {
                Some(kind) => inject(run, probe, kind, fault.duration).await,
                None => Ok(()),
            }
        };
        tokio::try_join!(inject(run, probe, fault.kind, fault.duration), concurrent)?;
        run.results.fault_ended(number);
        let line = format!("{began:7.1} s  {fault} for {:.1} s", run.results.now().as_secs_f64() - began);
        match probe.recovery(run.recovery).await {
            Ok(after) => {
                run.results.fault_recovered(number, after);
                print_line(&format!("{line}; everything works {:.2} s later", after.as_secs_f64()));
            }
            Err(cause) => {
                print_line(&line);
                run.results.violate(RECOVERS, format!("{fault}: {cause}"));
            }
        }
    }
    let left = until.saturating_duration_since(Instant::now());
    watch_for_exits(run, left).await
}

/// Waits without a fault; a process that exits now was not killed, which violates a check.
async fn watch_for_exits(run: &Run, duration: Duration) -> anyhow::Result<()> {
    let until = Instant::now() + duration;
    loop {
        for process in run.family.processes() {
            if let Some(status) = process.exit_status() {
                run.results.violate(NO_EXIT, format!("{}: {status}", process.name));
                run.family.bring_up(process).await?;
            }
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        sleep(POLL_INTERVAL.min(left)).await;
    }
}

/// Injects a fault and returns when it has ended.
async fn inject(run: &Run, probe: &Probe, kind: FaultKind, duration: Duration) -> anyhow::Result<()> {
    let (family, servers) = (&run.family, &run.family.servers);
    match kind {
        FaultKind::Kill(target) => {
            let killed = processes(run, target);
            killed.iter().for_each(|process| process.kill());
            sleep(duration).await;
            for process in killed {
                family.bring_up(&process).await?;
            }
        }
        FaultKind::Pause(target) => {
            let paused = processes(run, target);
            paused.iter().for_each(|process| process.signal("STOP"));
            sleep(duration).await;
            paused.iter().for_each(|process| process.signal("CONT"));
        }
        FaultKind::ShutDownPostgres(mode) => {
            servers.shut_down_postgres(mode).await?;
            sleep(duration).await;
            servers.start_postgres().await?;
        }
        FaultKind::PausePostgres => {
            servers.signal_postgres("STOP")?;
            sleep(duration).await;
            servers.signal_postgres("CONT")?;
        }
        FaultKind::TerminateSessions => {
            servers.terminate_sessions().await?;
        }
        FaultKind::KillRedis => {
            servers.kill_redis();
            sleep(duration).await;
            servers.start_redis().await?;
        }
        FaultKind::PauseRedis => {
            servers.signal_redis("STOP")?;
            sleep(duration).await;
            servers.signal_redis("CONT")?;
        }
        FaultKind::SlowNetwork => inject_link_fault(run, LinkFault::Slow(SLOW), duration).await,
        FaultKind::RefuseNetwork => inject_link_fault(run, LinkFault::Refused, duration).await,
        FaultKind::CutNetwork => inject_link_fault(run, LinkFault::Cut, duration).await,
        FaultKind::WrongReplies => {
            let misbehaviour = json!({ "wrong_amount": true, "numeric_refs": true, "list": "empty", "sms": "slow", "network": "sandbox-pull" });
            misbehave(run, &misbehaviour, duration).await;
        }
        FaultKind::WrongNotifications => {
            let misbehaviour =
                json!({ "failed_then_success": true, "stop_svc_id_as_text": true, "network": "sandbox-push" });
            misbehave(run, &misbehaviour, duration).await;
        }
        FaultKind::FillDatabaseDisk => {
            if let Some(disk) = &servers.disk {
                let (filled, ()) = tokio::join!(fill_disk(disk, duration), probe.rewrite_likes());
                filled?;
                servers.start_postgres().await?;
            }
        }
        FaultKind::FillWalDisk => {
            if let Some(disk) = &servers.disk {
                let (filled, ()) = tokio::join!(fill_disk(disk, duration), switch_wal_until_full(run, duration));
                filled?;
                servers.start_postgres().await?;
            }
        }
        FaultKind::PauseCharges => pause_charges(run, probe, duration).await?,
        FaultKind::NextDay => {
            family.next_day().await?;
            // The push network charges on request only; the scheduler of the subscription service runs by its own clock.
            let Some(network) = family.network.addr() else { return Ok(()) };
            let day = json!({ "day": family.today().to_string() });
            run.post_as_admin(&format!("http://{network}/run-day"), &day).await;
        }
    }
    Ok(())
}

/// Staff pause all charges for `duration` and resume them, while visitors join.
async fn pause_charges(run: &Run, probe: &Probe, duration: Duration) -> anyhow::Result<()> {
    let servers = &run.family.servers;
    let waiting = format!(
        "SELECT COUNT(*) AS n FROM subscription.ledger WHERE day = '{}' AND kind = 'charge' AND status = 'pending' AND attempts = 0",
        run.family.today()
    );
    // A network that an earlier fault has kept away is charged again half a minute later.
    charged_within(run, &waiting, NETWORK_BACK).await?;
    if !probe.change_charges("pause").await {
        run.results.violate(PAUSES, "staff could not pause charges".to_owned());
    }
    sleep(PAUSE_BOUND).await;
    let before = servers.number(CHARGES).await?;
    sleep(duration).await;
    let made = servers.number(CHARGES).await? - before;
    if made != 0 {
        run.results.violate(PAUSES, format!("{made} charges were made in a pause"));
    }
    let last = servers.number("SELECT COALESCE(MAX(id), 0) AS n FROM subscription.ledger").await?;
    let waited = format!("{waiting} AND id <= {last}");
    let charges = servers.number(&waited).await?;
    if !probe.change_charges("resume").await {
        run.results.violate(PAUSES, "staff could not resume charges".to_owned());
    }
    if !charged_within(run, &waited, run.recovery).await? {
        run.results.violate(PAUSES, format!("{} of {charges} charges still wait", servers.number(&waited).await?));
    }
    Ok(())
}

/// Whether no row waits for its first request any more, at some time within `longest`.
async fn charged_within(run: &Run, waiting: &str, longest: Duration) -> anyhow::Result<bool> {
    let until = Instant::now() + longest;
    while Instant::now() < until {
        if run.family.servers.number(waiting).await? == 0 {
            return Ok(true);
        }
        sleep(POLL_INTERVAL).await;
    }
    Ok(false)
}

fn processes(run: &Run, target: Target) -> Vec<Rc<ManagedProcess>> {
    let family = &run.family;
    let replicas =
        |service: &str| family.replicas.iter().filter(|process| process.program == service).cloned().collect();
    match target {
        Target::Replica(service, replica) => {
            let both: Vec<_> = replicas(service);
            both.get(replica).cloned().into_iter().collect()
        }
        Target::BothReplicas(service) => replicas(service),
        Target::Gateway => vec![family.gateway.clone()],
        Target::Network => vec![family.network.clone()],
        Target::BackOffice => vec![family.backoffice.clone()],
    }
}

async fn inject_link_fault(run: &Run, fault: LinkFault, duration: Duration) {
    run.family.set_link_fault(fault);
    sleep(duration).await;
    run.family.set_link_fault(LinkFault::None);
}

/// Has the sandbox's network that `misbehaviour` names misbehave; a sandbox that is restarted meanwhile no longer misbehaves.
async fn misbehave(run: &Run, misbehaviour: &serde_json::Value, duration: Duration) {
    let Some(sandbox) = run.family.network.addr() else { return };
    let url = format!("http://{sandbox}/internal/misbehave");
    run.post_as_admin(&url, misbehaviour).await;
    sleep(duration).await;
    run.post_as_admin(&url, &json!({ "network": misbehaviour.get("network") })).await;
}

async fn fill_disk(disk: &Disk, duration: Duration) -> anyhow::Result<()> {
    let until = Instant::now() + duration;
    while Instant::now() < until {
        disk.fill().await?;
        sleep(REFILL_INTERVAL).await;
    }
    disk.free()
}

/// Has PostgreSQL switch to new WAL segments until it cannot create one, for as long as the fault lasts.
async fn switch_wal_until_full(run: &Run, duration: Duration) {
    let until = Instant::now() + duration;
    // The disk is filled first.
    sleep(REFILL_INTERVAL).await;
    while Instant::now() < until && run.family.servers.switch_wal().await.is_ok() {}
}

/// Ends what is left of all faults, so that the checks after the run find every process up.
pub(crate) async fn end_all_faults(run: &Run) -> anyhow::Result<()> {
    run.family.set_link_fault(LinkFault::None);
    run.family.servers.start_postgres().await?;
    run.family.servers.start_redis().await?;
    watch_for_exits(run, POLL_INTERVAL).await
}
