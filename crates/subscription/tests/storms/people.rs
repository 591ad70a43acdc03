//! People who join, confirm, leave and stop while everything dies around them, and remember what they were promised.

use std::{rc::Rc, time::Duration};

use rand::{RngExt, rngs::StdRng};
use reqwest::{Method, header};
use serde_json::{Value, json};
use testkit::actix_web::rt;

use crate::{storm::Storm, wire::Reply};

/// Labels and services: three that we charge for, two whose network charges by itself.
const BRANDS: [(&str, i32); 5] =
    [("memeworld", 150), ("mcfunny", 148), ("diski99", 151), ("ttmbhatv", 152), ("racedaytv", 153)];

/// The two.
const CHARGED_BY_NETWORK: [i32; 2] = [152, 153];

/// Endings that mean something to the network, among others that do not.
const ENDINGS: [u32; 6] = [2, 3, 4, 5, 6, 7];

/// How long a browser waits before it asks again whether the network has confirmed.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// The last thing of which a person was told that it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Nothing yet, or something was asked and never answered.
    None,
    /// The service knows of a yes.
    In,
    /// The service or the network took a leaving, on this day.
    Out(i64),
}

/// What a person takes themselves for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Belief {
    Out,
    In,
    Unsure,
}

pub struct Person {
    pub msisdn: String,
    pub svc_id: i32,
    pub promise: Promise,
    /// The network's names of the pages this person got.
    pub pages: Vec<String>,
    /// Whether the service said that this person is a subscriber.
    pub was_in: bool,
    label: &'static str,
    belief: Belief,
    /// The cookie of the session that the last join opened.
    session: Option<String>,
    dice: StdRng,
}

impl Person {
    pub fn new(storm: &Storm, number: usize) -> Self {
        let (label, svc_id) = BRANDS[number % BRANDS.len()];
        // Every second person is one with an ending of its own; each ending meets each service.
        let ending = if number.is_multiple_of(2) { 1000 + number as u32 } else { ENDINGS[number / 2 % ENDINGS.len()] };
        Self {
            msisdn: format!("2783{number:03}{ending:04}"),
            svc_id,
            label,
            promise: Promise::None,
            pages: Vec::new(),
            was_in: false,
            belief: Belief::Out,
            session: None,
            dice: storm.dice(1000 + number as u64),
        }
    }

    /// Whether the network charges this person's service by itself.
    pub fn is_charged_by_its_network(&self) -> bool {
        CHARGED_BY_NETWORK.contains(&self.svc_id)
    }

    /// One thing a person may do now.
    pub async fn act(&mut self, storm: &Storm) {
        let days = storm.days.read().await;
        match self.belief {
            Belief::Unsure => self.look(storm).await,
            Belief::Out => self.join(storm).await,
            Belief::In => match self.dice.random_range(0..100) {
                0..12 => self.leave(storm, *days).await,
                12..20 => self.send_stop(storm, *days).await,
                20..26 => self.leave_by_page(storm, *days).await,
                _ => self.look(storm).await,
            },
        }
    }

    async fn join(&mut self, storm: &Storm) {
        // A session does not outlive its subscription, nor come back with the next one.
        self.session = None;
        let body = json!({"msisdn": self.msisdn, "ext_ref": "ad", "channel": "WAP", "svc_id": self.svc_id});
        let Some(reply) = self.ask(storm, "/api/subscribe", &body, None).await else { return };
        if reply.status != 200 {
            assert!([429, 503].contains(&reply.status), "a join was answered {}: {}", reply.status, reply.text);
            return;
        }
        let body = reply.json();
        if body["result"] == 2 {
            self.belief = Belief::Unsure;
            return;
        }
        let browser = reply.cookie("browser").unwrap();
        let answer = if self.dice.random_ratio(9, 10) { "confirm" } else { "decline" };
        // That the network took it promises nothing yet: the service does, once it has heard.
        self.tap(storm, &body["redirectUrl"], answer, Promise::None).await;
        let try_id = body["subscriptionId"].as_str().unwrap();
        let path = format!("/api/subscribe/check-sub?msisdn={}&subscription_id={try_id}", self.msisdn);
        for _ in 0..self.dice.random_range(0..6) {
            rt::time::sleep(LOOK_AGAIN).await;
            let check = storm.wire.request(Method::GET, &format!("{}{path}", storm.services.url()));
            let check = check.header(header::HOST, self.label).header(header::COOKIE, &browser);
            if let Some(reply) = storm.wire.send(check).await
                && reply.status == 200
                && reply.json()["result"] == 1
            {
                storm.joined.set(storm.joined.get() + 1);
                self.session = reply.cookie(&format!("session-{}", self.label));
                self.was_in = true;
                self.promise = Promise::In;
                self.belief = Belief::In;
                return;
            }
        }
    }

    /// Answers one of the network's pages.
    async fn tap(&mut self, storm: &Storm, page: &Value, answer: &str, promise: Promise) {
        let page = page.as_str().unwrap();
        let reference = page.rsplit('/').next().unwrap();
        self.pages.push(reference.to_owned());
        let tapped = storm.wire.post_form(page, &[("answer", answer)]).await;
        let changes = answer == "confirm" && (promise != Promise::None || !self.msisdn.ends_with("0002"));
        match tapped.map(|reply| reply.status) {
            Some(303) | None if !changes => {}
            Some(303) => {
                self.promise = promise;
                self.belief = if promise == Promise::None { Belief::In } else { Belief::Out };
            }
            Some(status) => panic!("a page answered {status}"),
            None => self.lose_track(),
        }
    }

    async fn leave(&mut self, storm: &Storm, days: i64) {
        let Some(session) = self.session.clone() else { return self.leave_by_page(storm, days).await };
        let body = json!({"svc_id": self.svc_id});
        match self.ask(storm, "/api/subscribe/unsubscribe", &body, Some(session)).await {
            Some(reply) if reply.status == 200 => {
                assert_eq!(reply.json(), json!({"state": "cancelled"}));
                self.keep_promise(Promise::Out(days));
            }
            Some(reply) if reply.status < 500 => panic!("a leaving was answered {}: {}", reply.status, reply.text),
            _ => self.lose_track(),
        }
    }

    async fn leave_by_page(&mut self, storm: &Storm, days: i64) {
        let body = json!({"svc_id": self.svc_id, "msisdn": self.msisdn});
        let reply = self.ask(storm, "/api/subscribe/unsubscribe", &body, None).await;
        if let Some(reply) = reply.filter(|reply| reply.status == 200) {
            self.tap(storm, &reply.json()["redirectUrl"], "confirm", Promise::Out(days)).await;
        }
    }

    async fn send_stop(&mut self, storm: &Storm, days: i64) {
        let sms = json!({"msisdn": self.msisdn, "text": "STOP", "svc_id": self.svc_id});
        match storm.wire.post(&format!("{}/sms", storm.network.url()), &sms).await {
            Some(reply) if reply.status == 200 => self.keep_promise(Promise::Out(days)),
            Some(reply) => panic!("a STOP was answered {}", reply.status),
            None => self.lose_track(),
        }
    }

    /// Looks how the service sees this person.
    async fn look(&mut self, storm: &Storm) {
        let url = format!("{}/internal/subscriptions/{}", storm.services.url(), self.msisdn);
        let Some(reply) = storm.wire.get(&url).await.filter(|reply| reply.status == 200) else { return };
        let account = reply.json();
        let held = account["subscriptions"].as_array().unwrap();
        let state = held.iter().find(|one| one["svc_id"] == self.svc_id).and_then(|one| one["state"].as_str());
        self.belief = if matches!(state, Some("active" | "suspended")) { Belief::In } else { Belief::Out };
    }

    /// Asks the service as a browser of this person's brand.
    async fn ask(&mut self, storm: &Storm, path: &str, body: &Value, cookie: Option<String>) -> Option<Reply> {
        let [a, b, c] = self.dice.random::<[u8; 3]>();
        let mut request = storm.wire.request(Method::POST, &format!("{}{path}", storm.services.url()));
        request = request.header(header::HOST, self.label).header("x-forwarded-for", format!("10.{a}.{b}.{c}"));
        if let Some(cookie) = cookie {
            request = request.header(header::COOKIE, cookie);
        }
        storm.wire.send(request.json(body)).await
    }

    fn keep_promise(&mut self, promise: Promise) {
        self.promise = promise;
        self.belief = Belief::Out;
    }

    /// It may have been done or not.
    fn lose_track(&mut self) {
        self.promise = Promise::None;
        self.belief = Belief::Unsure;
    }
}

/// Lets some people act, one after the other, until the storm is over.
pub async fn live(storm: Rc<Storm>, mut people: Vec<Person>) -> Vec<Person> {
    while !storm.is_over() {
        let breath = storm.pause() / people.len() as u32;
        for person in &mut people {
            person.act(&storm).await;
            rt::time::sleep(breath).await;
        }
    }
    people
}

/// The operators' day: billing passes, the network's own billing, and refunds, until the storm is over. The refunds that
/// were promised, by their keys.
pub async fn operate(storm: Rc<Storm>) -> Vec<String> {
    let mut dice = storm.dice(2000);
    let mut refunded = Vec::new();
    while !storm.is_over() {
        let (services, network) = (storm.services.url(), storm.network.url());
        let today = storm.day(*storm.days.read().await).to_string();
        let day = json!({ "day": today });
        match dice.random_range(0..10) {
            0..6 => drop(storm.wire.post(&format!("{services}/internal/billing/run"), &day).await),
            6..9 => drop(storm.wire.post(&format!("{network}/run-day"), &day).await),
            _ => {
                let Some(ledger) = storm.wire.get(&format!("{services}/internal/ledger?day={today}")).await else {
                    continue;
                };
                let settled: Vec<&str> =
                    ledger.text.lines().filter(|line| line.contains(",charge,300,settled,")).collect();
                if settled.is_empty() {
                    continue;
                }
                let id: i64 = settled[dice.random_range(0..settled.len())].split(',').next().unwrap().parse().unwrap();
                let refund = json!({"ledger_id": id, "reason": "asked for"});
                let reply = storm.wire.post(&format!("{services}/internal/refund"), &refund).await;
                if let Some(reply) = reply.filter(|reply| reply.status == 200) {
                    refunded.push(reply.json()["key"].as_str().unwrap().to_owned());
                }
            }
        }
        rt::time::sleep(Duration::from_millis(dice.random_range(100..600))).await;
    }
    refunded
}
