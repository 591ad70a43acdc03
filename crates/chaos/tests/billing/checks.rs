//! The checks after a run: every promise is kept, and network and ledger match to the cent.

use std::{collections::BTreeMap, time::Duration};

use chrono::NaiveDate;
use reqwest::Method;
use serde_json::{Value, json};
use subscription::lifecycle::{Cause, State, next};
use testkit::ADMIN_TOKEN;

use crate::{
    run::CrashRun,
    subscribers::{Promise, Subscriber},
};

/// How long a comparison of a day may take.
const TIMEOUT: Duration = Duration::from_secs(90);

/// A paid day: number, service, cents.
type Paid = (String, i32, i64);

/// The network's and the ledger's records of one day.
#[derive(Default)]
pub struct Day {
    /// Charges that the network made.
    pub charged: Vec<Paid>,
    settled: Vec<Paid>,
    /// Rows of the ledger that are neither settled nor failed.
    open: Vec<String>,
    /// The number and service of each refund.
    returned: Vec<(String, i32)>,
    /// Refunds by their keys: at the network, in the ledger.
    given_back: [Vec<String>; 2],
}

/// Reads all records of one day; `None` while a process does not answer.
pub async fn read_day(run: &CrashRun, day: NaiveDate) -> Option<Day> {
    let (services, network) = (run.services.url(), run.network.url());
    let listed = run.http.get(&format!("{network}/charges?day={day}")).await?.json();
    let refunds = run.http.get(&format!("{network}/refunds?day={day}")).await?.json();
    let ledger = run.http.get(&format!("{services}/internal/ledger?day={day}")).await?;
    assert_eq!(ledger.status, 200, "{}", ledger.text);
    let mut read = Day::default();
    let integer = |value: &Value| value.as_i64().unwrap();
    for charge in listed.as_array().unwrap() {
        let number = charge["msisdn"].as_str().unwrap().to_owned();
        read.charged.push((number, i32::try_from(integer(&charge["svc_id"])).unwrap(), integer(&charge["cents"])));
    }
    read.given_back[0].extend(refunds.as_array().unwrap().iter().map(|one| one["key"].as_str().unwrap().to_owned()));
    for refund in refunds.as_array().unwrap() {
        let number = refund["msisdn"].as_str().unwrap().to_owned();
        read.returned.push((number, i32::try_from(integer(&refund["svc_id"])).unwrap()));
    }
    for line in ledger.text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [_, _, msisdn, svc_id, of_day, kind, cents, status, key, ..] = fields[..] else {
            panic!("a line {line:?}")
        };
        assert_eq!(of_day, day.to_string());
        match (kind, status) {
            ("charge", "settled") => {
                read.settled.push((msisdn.to_owned(), svc_id.parse().unwrap(), cents.parse().unwrap()));
            }
            ("refund", "settled") => read.given_back[1].push(key.to_owned()),
            (_, "failed") => {}
            _ => read.open.push(line.to_owned()),
        }
    }
    read.charged.sort();
    read.settled.sort();
    read.given_back.iter_mut().for_each(|keys| keys.sort());
    Some(read)
}

impl Day {
    /// Whether the subscriber was charged. A push network may charge until it gets the stop, if it refunds that.
    fn charged(&self, subscriber: &Subscriber) -> bool {
        let charged =
            self.charged.iter().any(|(msisdn, svc_id, _)| (msisdn, svc_id) == (&subscriber.msisdn, &subscriber.svc_id));
        let returned =
            self.returned.iter().any(|(msisdn, svc_id)| (msisdn, svc_id) == (&subscriber.msisdn, &subscriber.svc_id));
        charged && !(subscriber.is_charged_by_its_network() && returned)
    }

    /// The differences between the two, as text.
    fn disagreements(&self, day: NaiveDate) -> Vec<String> {
        let mut found: Vec<String> = self.open.iter().map(|line| format!("{day}: still open: {line}")).collect();
        for (what, list) in [("charged by the network", &self.charged), ("settled in the ledger", &self.settled)] {
            let twice = list.windows(2).filter(|pair| pair[0].0 == pair[1].0 && pair[0].1 == pair[1].1);
            found.extend(twice.map(|pair| format!("{day}: {what} twice: {:?}", pair[0])));
        }
        let mut balance: BTreeMap<&Paid, i64> = BTreeMap::new();
        self.charged.iter().for_each(|paid| *balance.entry(paid).or_default() += 1);
        self.settled.iter().for_each(|paid| *balance.entry(paid).or_default() -= 1);
        for (paid, difference) in balance {
            match difference {
                0 => {}
                1.. => found.push(format!("{day}: charged and not in the ledger: {paid:?}")),
                _ => found.push(format!("{day}: in the ledger and never charged: {paid:?}")),
            }
        }
        found
    }
}

/// Everything that is wrong, as text; empty after a successful run.
pub async fn disagreements(
    run: &CrashRun,
    days: &[NaiveDate],
    subscribers: &[Subscriber],
    refunded: &[String],
) -> Vec<String> {
    let mut found = Vec::new();
    let mut read = Vec::new();
    for day in days {
        match read_day(run, *day).await {
            Some(checks) => read.push((*day, checks)),
            None => return vec!["a process does not answer".to_owned()],
        }
    }
    // The network lists refunds by the day of their charge, the ledger by the day they were made.
    let mut refunds: BTreeMap<&str, i64> = BTreeMap::new();
    for (day, checks) in &read {
        found.extend(checks.disagreements(*day));
        checks.given_back[0].iter().for_each(|key| *refunds.entry(key).or_default() += 1);
        checks.given_back[1].iter().for_each(|key| *refunds.entry(key).or_default() -= 1);
    }
    let differing = refunds.iter().filter(|(_, difference)| **difference != 0);
    found.extend(
        differing.map(|(key, difference)| format!("refund {key}: {difference} more at the network than in the ledger")),
    );
    for key in refunded {
        if !read.iter().any(|(_, checks)| checks.given_back[0].contains(key)) {
            found.push(format!("a refund that was promised was not made: {key}"));
        }
    }
    for subscriber in subscribers {
        match broken_promises(run, subscriber, &read).await {
            Some(broken) => found.extend(
                broken.into_iter().map(|what| format!("{} at {}: {what}", subscriber.msisdn, subscriber.svc_id)),
            ),
            None => found.push("a process does not answer".to_owned()),
        }
    }
    found
}

async fn broken_promises(run: &CrashRun, subscriber: &Subscriber, read: &[(NaiveDate, Day)]) -> Option<Vec<String>> {
    let (services, network) = (run.services.url(), run.network.url());
    let mut runs = false;
    for page in &subscriber.pages {
        runs |= run.http.get(&format!("{network}/opt-ins/{page}")).await?.json()["active"] == true;
    }
    let account = run.http.get(&format!("{services}/internal/subscriptions/{}", subscriber.msisdn)).await?.json();
    let held = account["subscriptions"].as_array()?.iter().find(|one| one["svc_id"] == subscriber.svc_id);
    let state = held.and_then(|one| one["state"].as_str()).unwrap_or("none").to_owned();
    let is_in = matches!(state.as_str(), "active" | "suspended");
    let mut broken = Vec::new();
    if is_in != runs {
        broken.push(format!("is {state} here, and {} at the network", if runs { "runs" } else { "is over" }));
    }
    match subscriber.promise {
        Promise::In if !is_in => broken.push(format!("was acknowledged as active, and is {state}")),
        Promise::Out(_) if is_in => broken.push(format!("was acknowledged as left, and is {state}")),
        Promise::Out(days) => {
            let left_on = run.day(days);
            let after = read.iter().filter(|(day, _)| *day > left_on);
            let paid = after.filter(|(_, checks)| checks.charged(subscriber));
            broken.extend(paid.map(|(day, _)| format!("left on {left_on} and was charged on {day}")));
        }
        Promise::In | Promise::None => {}
    }
    let events = held.and_then(|one| one["events"].as_array().cloned()).unwrap_or_default();
    if subscriber.was_in && !events.iter().any(|event| event["cause"] == Cause::Confirmed.as_str()) {
        broken.push("was reported as active, without a confirmed event".to_owned());
    }
    broken.extend(history_faults(&events));
    Some(broken)
}

/// Checks that every state change starts from the last state and is in the transition table.
fn history_faults(events: &[Value]) -> Vec<String> {
    let mut stands = State::New;
    let mut faults = Vec::new();
    for event in events {
        let word = |field: &str| event[field].as_str().unwrap_or_default();
        let cause = Cause::ALL.into_iter().find(|cause| cause.as_str() == word("cause"));
        let from = State::parse(word("from")).unwrap_or(State::New);
        let to = cause.and_then(|cause| next(from, cause));
        if from != stands || to.map(State::as_str) != Some(word("to")) {
            faults.push(format!(
                "moved from {} by {} to {}, and stood at {}",
                word("from"),
                word("cause"),
                word("to"),
                stands.as_str()
            ));
        }
        stands = to.unwrap_or(stands);
    }
    faults
}

/// The differences found by reconciliation; none are expected. Waits until the heartbeat of a dead process has timed out.
pub async fn reconcile(run: &CrashRun, day: NaiveDate) -> Value {
    let url = format!("{}/internal/reconcile", run.services.url());
    let request = run.http.request(Method::POST, &url).bearer_auth(ADMIN_TOKEN).json(&json!({"day": day.to_string()}));
    let reply = run.http.send(request.timeout(TIMEOUT)).await.expect("an answer");
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()["differences"].clone()
}
