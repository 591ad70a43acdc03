//! The checks after the last fault: every subscriber has its acknowledged state, and the ledger equals the network's charges.

use std::{collections::BTreeMap, rc::Rc, time::Duration};

use futures_util::{StreamExt, stream};
use rand::{RngExt, rngs::StdRng};
use serde_json::{Value, json};
use testkit::ADMIN_TOKEN;
use tokio::time::{Instant, sleep};

use crate::{
    browser::CallOutcome,
    reconciliation::DayCharges,
    results::print_line,
    run::Run,
    subscriber::{Subscriber, WriteState},
    visitor::read_video,
};

/// The checks that are made here; the others are made during the run.
const WRITES_KEPT: &str = "every acknowledged write is kept";
const LIKES_COUNTED: &str = "each meme's likes are counted right";
const LEDGER_MATCHES: &str = "the ledger equals the network's list of charges";
const CHARGED_TODAY: &str = "every active subscriber is charged for today once the network works";
const NO_LATE_CHARGE: &str = "no subscriber is charged after leaving";
const NO_UNPAID_ACCESS: &str = "no access without a subscription";
const NO_LOST_SESSION: &str = "no session is lost";
const STATES_MATCH: &str = "service and network agree on active subscriptions";

/// How long ledger and network may take to agree: charges without a known outcome are looked up, outbox messages are delivered.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Time between two polls.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How long access may remain after leaving.
const ACCESS_AFTER_LEAVING: Duration = Duration::from_secs(60);

/// Subscribers that are checked at the same time.
const CONCURRENCY: usize = 8;

/// Memes whose counter is not the number of their likes.
const MISCOUNTED: &str = "SELECT COUNT(*) AS n FROM meme.memes m WHERE m.likes <> (SELECT COUNT(*) FROM meme.likes l WHERE l.meme_id = m.id)";

/// Makes all checks; returns how many charges the network made.
pub(crate) async fn check_all(run: &Rc<Run>, subscribers: &[Subscriber]) -> anyhow::Result<usize> {
    let charges = wait_until_consistent(run, subscribers).await?;
    let miscounted = run.family.servers.number(MISCOUNTED).await?;
    if miscounted > 0 {
        run.results.violate(LIKES_COUNTED, format!("{miscounted} memes have a wrong number of likes"));
    }
    let seconds = run.results.now().as_secs_f64();
    print_line(&format!("{seconds:7.1} s  checking {} subscribers; {}", subscribers.len(), by_network(subscribers)));
    let checks = subscribers.iter().enumerate();
    let checks = checks.map(|(number, subscriber)| check_subscriber(run, subscriber, run.rng(number as u64)));
    stream::iter(checks).buffer_unordered(CONCURRENCY).collect::<Vec<()>>().await;
    Ok(charges)
}

/// How many subscribers joined on each network, for brands that are sold on several.
fn by_network(subscribers: &[Subscriber]) -> String {
    let mut joined: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for subscriber in subscribers.iter().filter(|one| one.joined && one.site.networks.len() > 1) {
        *joined.entry((&subscriber.site.label, &subscriber.network)).or_default() += 1;
    }
    let counts = joined.into_iter().map(|((label, network), count)| format!("{count} joined {label} on {network}"));
    counts.collect::<Vec<_>>().join(", ")
}

/// Waits until ledger and network agree, and records what still differs when the time is over.
async fn wait_until_consistent(run: &Run, subscribers: &[Subscriber]) -> anyhow::Result<usize> {
    let began = Instant::now();
    loop {
        bill(run).await;
        let (charges, found) = disagreements(run, subscribers).await?;
        if found.is_empty() || began.elapsed() > TIMEOUT {
            for (check, what) in found {
                run.results.violate(check, what);
            }
            return Ok(charges);
        }
        if let Some((_, first)) = found.first() {
            let at = run.results.now().as_secs_f64();
            print_line(&format!("{at:7.1} s  {} differences remain, first: {first}", found.len()));
        }
        sleep(POLL_INTERVAL * 3).await;
    }
}

/// Has service and network bill today once more: what a run could not charge while the network failed waits for the day's next run.
async fn bill(run: &Run) {
    let day = json!({ "day": run.family.today().to_string() });
    let billing = format!("{}/internal/billing/run", run.family.internal_url("subscription"));
    run.post_as_admin(&billing, &day).await;
    run.post_as_admin(&format!("{}/run-day", run.family.network.url()), &day).await;
}

/// How many charges there are, and every difference between ledger, network and subscribers.
async fn disagreements(run: &Run, subscribers: &[Subscriber]) -> anyhow::Result<(usize, Vec<(&'static str, String)>)> {
    let (mut found, mut days, mut charges) = (Vec::new(), Vec::new(), 0);
    for day in run.family.days() {
        let charges_of_day = DayCharges::read(run, day).await?;
        found.extend(charges_of_day.disagreements(day).into_iter().map(|what| (LEDGER_MATCHES, what)));
        found.extend(
            charges_of_day
                .unknown_numbers(subscribers)
                .into_iter()
                .map(|number| (LEDGER_MATCHES, format!("{day}: charged, and no subscriber: {number}"))),
        );
        charges += charges_of_day.charges();
        days.push((day, charges_of_day));
    }
    let refunds = DayCharges::refund_disagreements(days.iter().map(|(_, charges)| charges));
    found.extend(refunds.into_iter().map(|what| (LEDGER_MATCHES, what)));
    for subscriber in subscribers {
        found.extend(contradictions(run, subscriber, &days).await?);
    }
    Ok((charges, found))
}

/// What the service and the network say of one subscriber that contradicts its acknowledged state.
async fn contradictions(
    run: &Run,
    subscriber: &Subscriber,
    days: &[(chrono::NaiveDate, DayCharges)],
) -> anyhow::Result<Vec<(&'static str, String)>> {
    let (services, network) = (run.family.internal_url("subscription"), run.family.network.url());
    let url = format!("{services}/internal/subscriptions/{}", subscriber.msisdn);
    let account = run.http.get(&url).bearer_auth(ADMIN_TOKEN).send().await?;
    let account: Value = account.json().await?;
    let found_subscription = account.get("subscriptions").and_then(Value::as_array).and_then(|found_subscription| {
        found_subscription
            .iter()
            .find(|one| one.get("svc_id").and_then(Value::as_i64) == Some(i64::from(subscriber.site.svc_id)))
    });
    let state = found_subscription.and_then(|one| one.get("state")).and_then(Value::as_str).unwrap_or("none");
    let is_subscribed = matches!(state, "active" | "suspended");
    let mut runs = false;
    for page in &subscriber.pages {
        let page: Value = serde_json::from_str(&run.get_as_admin(&format!("{network}/opt-ins/{page}")).await?)?;
        runs |= page.get("active").is_some_and(|active| active == true);
    }
    let mut found = Vec::new();
    if is_subscribed != runs {
        let there = if runs { "active" } else { "over" };
        found.push((STATES_MATCH, format!("{} is {state} here, and {there} at the network", subscriber.msisdn)));
    }
    if is_subscribed && subscriber.confirmed == WriteState::NotSent {
        found.push((NO_UNPAID_ACCESS, format!("{} never confirmed, and is {state}", subscriber.msisdn)));
    }
    if state != "active" && subscriber.confirmed == WriteState::Acknowledged && subscriber.left == WriteState::NotSent {
        found.push((WRITES_KEPT, format!("{} has confirmed at the network, and is {state}", subscriber.msisdn)));
    }
    let mut paid_days = days.iter().rev().take(subscriber.days);
    if state == "active" && !paid_days.any(|(_, charges)| charges.has_charge_of(subscriber)) {
        found.push((CHARGED_TODAY, format!("{} is active, and was not charged for today", subscriber.msisdn)));
    }
    if is_subscribed && subscriber.left == WriteState::Acknowledged {
        found.push((WRITES_KEPT, format!("{} has left, and is {state}", subscriber.msisdn)));
    }
    if let Some((_, day)) = subscriber.left_at {
        let after = days.iter().skip(day).filter(|(_, charges)| charges.charged_without_refund(subscriber));
        found.extend(
            after.map(|(day, _)| (NO_LATE_CHARGE, format!("{} left before {day} and paid for it", subscriber.msisdn))),
        );
    }
    Ok(found)
}

/// Checks what a subscriber's browser gets now.
async fn check_subscriber(run: &Rc<Run>, subscriber: &Subscriber, mut rng: StdRng) {
    let results = &run.results;
    // A subscriber that has left has no access to its own items.
    if let Some(path) =
        subscriber.own_items_path().filter(|_| subscriber.joined && subscriber.left == WriteState::NotSent)
    {
        match subscriber.browser.get(&path).await {
            CallOutcome::Reply(reply) if reply.status == 200 => {
                let lost_writes = subscriber.lost_writes(&reply.json());
                lost_writes
                    .into_iter()
                    .for_each(|what| results.violate(WRITES_KEPT, format!("{}: {what}", subscriber.msisdn)));
            }
            CallOutcome::Reply(reply) => {
                results.violate(NO_LOST_SESSION, format!("{}: {path}: {}", subscriber.msisdn, reply.summary()))
            }
            CallOutcome::Unavailable | CallOutcome::Failed => {
                results.violate(WRITES_KEPT, format!("{}: {path} has no reply", subscriber.msisdn));
            }
        }
    }
    let should = match (subscriber.joined, subscriber.left) {
        (true, WriteState::NotSent) => Some("active"),
        (true, WriteState::Acknowledged) => Some("cancelled"),
        _ => None,
    };
    if let Some(should) = should {
        let reply = subscriber.browser.get("/api/subscribe/me").await.reply();
        let state = reply.as_ref().and_then(|reply| reply.json().get("state")?.as_str().map(str::to_owned));
        if state.as_deref() != Some(should) {
            results.violate(NO_LOST_SESSION, format!("{} should be {should}, and is {state:?}", subscriber.msisdn));
        }
    }
    if subscriber.left == WriteState::Unacknowledged {
        return;
    }
    let Some((address, from, to)) = subscriber.pick_video_range(&mut rng) else { return };
    if subscriber.joined && subscriber.left == WriteState::NotSent {
        let reply = subscriber.browser.get_range(&address, from, to).await.reply();
        let right = reply.is_some_and(|reply| {
            reply.status == 206 && read_video(run, &address, from, to).is_some_and(|bytes| bytes == reply.bytes)
        });
        if !right {
            results.violate(NO_LOST_SESSION, format!("{} is active, and does not get {address}", subscriber.msisdn));
        }
        return;
    }
    // Access may remain for a while after leaving; a number that never joined has none.
    let until = subscriber.left_at.map(|(at, _)| at + ACCESS_AFTER_LEAVING);
    loop {
        let from = rng.random_range(0..=to);
        match subscriber.browser.get_range(&address, from, to).await.reply().map(|reply| reply.status) {
            Some(401 | 403) => return,
            Some(206) if until.is_some_and(|until| Instant::now() < until) => sleep(POLL_INTERVAL).await,
            status => {
                let example = format!("{} has no subscription, and {address} answers {status:?}", subscriber.msisdn);
                return results.violate(NO_UNPAID_ACCESS, example);
            }
        }
    }
}
