//! Subscribers who join, confirm, leave and stop during the run, and remember what the service promised.

use std::{rc::Rc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use rand::{RngExt, rngs::StdRng};
use reqwest::{Method, header};
use serde_json::{Value, json};
use testkit::actix_web::rt;

use crate::{http::Reply, run::CrashRun};

/// Labels and services: three of pull networks, two of push networks.
const BRANDS: [(&str, i32); 5] =
    [("memeworld", 150), ("mcfunny", 148), ("diski99", 151), ("ttmbhatv", 152), ("racedaytv", 153)];

/// The services of push networks.
const CHARGED_BY_NETWORK: [i32; 2] = [152, 153];

/// Endings of numbers with a special behaviour of the sandbox, among others.
const ENDINGS: [u32; 6] = [2, 3, 4, 5, 6, 7];

/// A stop at the network ends all that began until a minute after it, however late its notification comes: who said stop in doubt has stopped.
const STOP_DOUBT: TimeDelta = TimeDelta::seconds(70);

/// The interval between two check-sub requests.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// The last acknowledged change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// None, or the last request got no reply.
    None,
    /// The service knows of a confirmation.
    In,
    /// The service or the network acknowledged a leave, on this day.
    Out(i64),
}

/// The state that a subscriber expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExpectedState {
    Out,
    In,
    Unsure,
}

pub struct Subscriber {
    pub msisdn: String,
    pub svc_id: i32,
    pub promise: Promise,
    /// The network's references of this subscriber's opt-in pages.
    pub pages: Vec<String>,
    /// Whether the service has reported this number as active.
    pub was_in: bool,
    label: &'static str,
    expected: ExpectedState,
    /// When the network last had a stop of this subscriber, acknowledged or not.
    stopped_at: Option<DateTime<Utc>>,
    /// The cookie of the session that the last join opened.
    session: Option<String>,
    rng: StdRng,
}

impl Subscriber {
    pub fn new(run: &CrashRun, number: usize) -> Self {
        let (label, svc_id) = BRANDS[number % BRANDS.len()];
        // Every second number has a unique ending; each special ending meets each service.
        let ending = if number.is_multiple_of(2) { 1000 + number as u32 } else { ENDINGS[number / 2 % ENDINGS.len()] };
        Self {
            msisdn: format!("2783{number:03}{ending:04}"),
            svc_id,
            label,
            promise: Promise::None,
            pages: Vec::new(),
            was_in: false,
            expected: ExpectedState::Out,
            stopped_at: None,
            session: None,
            rng: run.rng(1000 + number as u64),
        }
    }

    /// Whether this subscriber's network charges by itself.
    pub fn is_charged_by_its_network(&self) -> bool {
        CHARGED_BY_NETWORK.contains(&self.svc_id)
    }

    /// Performs one random action.
    pub async fn act(&mut self, run: &CrashRun) {
        let days = run.days.read().await;
        match self.expected {
            ExpectedState::Unsure => self.look(run).await,
            ExpectedState::Out => self.join(run, *days).await,
            ExpectedState::In => match self.rng.random_range(0..100) {
                0..12 => self.leave(run, *days).await,
                12..20 => self.send_stop(run, *days).await,
                20..26 => self.leave_by_page(run, *days).await,
                _ => self.look(run).await,
            },
        }
    }

    async fn join(&mut self, run: &CrashRun, days: i64) {
        // A session does not outlive its subscription, nor become valid again with the next one.
        self.session = None;
        let is_in_doubt = self.stopped_at.is_some_and(|at| run.now(days) - at < STOP_DOUBT);
        let body = json!({"msisdn": self.msisdn, "ext_ref": "ad", "channel": "WAP", "svc_id": self.svc_id});
        let Some(reply) = self.ask(run, "/api/subscribe", &body, None).await else { return };
        if reply.status != 200 {
            assert!([429, 503].contains(&reply.status), "a join was answered {}: {}", reply.status, reply.text);
            return;
        }
        let body = reply.json();
        if body["result"] == 2 {
            self.expected = ExpectedState::Unsure;
            return;
        }
        let browser = reply.cookie("browser").unwrap();
        let answer = if self.rng.random_ratio(9, 10) { "confirm" } else { "decline" };
        // The network's acknowledgement is no promise yet: the service's is, once it got the notification.
        self.submit_answer(run, &body["redirectUrl"], answer, Promise::None).await;
        let try_id = body["subscriptionId"].as_str().unwrap();
        let path = format!("/api/subscribe/check-sub?msisdn={}&subscription_id={try_id}", self.msisdn);
        for _ in 0..self.rng.random_range(0..6) {
            rt::time::sleep(CHECK_INTERVAL).await;
            let check = run.http.request(Method::GET, &format!("{}{path}", run.services.url()));
            let check = check.header(header::HOST, self.label).header(header::COOKIE, &browser);
            if let Some(reply) = run.http.send(check).await
                && reply.status == 200
                && reply.json()["result"] == 1
            {
                run.joined.set(run.joined.get() + 1);
                self.session = reply.cookie(&format!("session-{}", self.label));
                self.was_in = true;
                self.promise = if is_in_doubt { Promise::None } else { Promise::In };
                self.expected = ExpectedState::In;
                return;
            }
        }
    }

    /// Answers one of the network's pages.
    async fn submit_answer(&mut self, run: &CrashRun, page: &Value, answer: &str, promise: Promise) {
        let page = page.as_str().unwrap();
        let reference = page.rsplit('/').next().unwrap();
        self.pages.push(reference.to_owned());
        let tapped = run.http.post_form(page, &[("answer", answer)]).await;
        let changes = answer == "confirm" && (promise != Promise::None || !self.msisdn.ends_with("0002"));
        match tapped.map(|reply| reply.status) {
            Some(303) | None if !changes => {}
            Some(303) => {
                self.promise = promise;
                self.expected = if promise == Promise::None { ExpectedState::In } else { ExpectedState::Out };
            }
            Some(status) => panic!("a page answered {status}"),
            None => self.forget_state(),
        }
    }

    async fn leave(&mut self, run: &CrashRun, days: i64) {
        let Some(session) = self.session.clone() else { return self.leave_by_page(run, days).await };
        let body = json!({"svc_id": self.svc_id});
        match self.ask(run, "/api/subscribe/unsubscribe", &body, Some(session)).await {
            Some(reply) if reply.status == 200 => {
                assert_eq!(reply.json(), json!({"state": "cancelled"}));
                self.keep_promise(Promise::Out(days));
            }
            Some(reply) if reply.status < 500 => panic!("a leaving was answered {}: {}", reply.status, reply.text),
            _ => self.forget_state(),
        }
    }

    async fn leave_by_page(&mut self, run: &CrashRun, days: i64) {
        let body = json!({"svc_id": self.svc_id, "msisdn": self.msisdn});
        let reply = self.ask(run, "/api/subscribe/unsubscribe", &body, None).await;
        if let Some(reply) = reply.filter(|reply| reply.status == 200) {
            self.submit_answer(run, &reply.json()["redirectUrl"], "confirm", Promise::Out(days)).await;
            self.stopped_at = Some(run.now(days));
        }
    }

    async fn send_stop(&mut self, run: &CrashRun, days: i64) {
        let sms = json!({"msisdn": self.msisdn, "text": "STOP", "svc_id": self.svc_id});
        let reply = run.http.post(&format!("{}/sms", run.network.url()), &sms).await;
        self.stopped_at = Some(run.now(days));
        match reply {
            Some(reply) if reply.status == 200 => self.keep_promise(Promise::Out(days)),
            Some(reply) => panic!("a STOP was answered {}", reply.status),
            None => self.forget_state(),
        }
    }

    /// Reads the state from the service.
    async fn look(&mut self, run: &CrashRun) {
        let url = format!("{}/internal/subscriptions/{}", run.services.url(), self.msisdn);
        let Some(reply) = run.http.get(&url).await.filter(|reply| reply.status == 200) else { return };
        let account = reply.json();
        let held = account["subscriptions"].as_array().unwrap();
        let state = held.iter().find(|one| one["svc_id"] == self.svc_id).and_then(|one| one["state"].as_str());
        self.expected =
            if matches!(state, Some("active" | "suspended")) { ExpectedState::In } else { ExpectedState::Out };
    }

    /// Sends a request to the service as a browser of this subscriber's brand.
    async fn ask(&mut self, run: &CrashRun, path: &str, body: &Value, cookie: Option<String>) -> Option<Reply> {
        let [a, b, c] = self.rng.random::<[u8; 3]>();
        let mut request = run.http.request(Method::POST, &format!("{}{path}", run.services.url()));
        request = request.header(header::HOST, self.label).header("x-forwarded-for", format!("10.{a}.{b}.{c}"));
        if let Some(cookie) = cookie {
            request = request.header(header::COOKIE, cookie);
        }
        run.http.send(request.json(body)).await
    }

    fn keep_promise(&mut self, promise: Promise) {
        self.promise = promise;
        self.expected = ExpectedState::Out;
    }

    /// After a lost reply the change may have been made or not.
    fn forget_state(&mut self) {
        self.promise = Promise::None;
        self.expected = ExpectedState::Unsure;
    }
}

/// Lets some subscribers act, one after the other, until the run is stopped.
pub async fn act_until_stopped(run: Rc<CrashRun>, mut subscribers: Vec<Subscriber>) -> Vec<Subscriber> {
    while !run.is_stopped() {
        let pause = run.pause() / subscribers.len() as u32;
        for subscriber in &mut subscribers {
            subscriber.act(&run).await;
            rt::time::sleep(pause).await;
        }
    }
    subscribers
}

/// The calls of operators: billing passes, the network's own billing, and refunds, until the run is stopped. Returns the keys of the
/// acknowledged refunds.
pub async fn run_operator_calls(run: Rc<CrashRun>) -> Vec<String> {
    let mut rng = run.rng(2000);
    let mut refunded = Vec::new();
    while !run.is_stopped() {
        let (services, network) = (run.services.url(), run.network.url());
        let today = run.day(*run.days.read().await).to_string();
        let day = json!({ "day": today });
        match rng.random_range(0..10) {
            0..6 => drop(run.http.post(&format!("{services}/internal/billing/run"), &day).await),
            6..9 => drop(run.http.post(&format!("{network}/run-day"), &day).await),
            _ => {
                let Some(ledger) = run.http.get(&format!("{services}/internal/ledger?day={today}")).await else {
                    continue;
                };
                let settled: Vec<&str> =
                    ledger.text.lines().filter(|line| line.contains(",charge,300,settled,")).collect();
                if settled.is_empty() {
                    continue;
                }
                let id: i64 = settled[rng.random_range(0..settled.len())].split(',').next().unwrap().parse().unwrap();
                let refund = json!({"ledger_id": id, "reason": "asked for"});
                let reply = run.http.post(&format!("{services}/internal/refund"), &refund).await;
                if let Some(reply) = reply.filter(|reply| reply.status == 200) {
                    refunded.push(reply.json()["key"].as_str().unwrap().to_owned());
                }
            }
        }
        rt::time::sleep(Duration::from_millis(rng.random_range(100..600))).await;
    }
    refunded
}
