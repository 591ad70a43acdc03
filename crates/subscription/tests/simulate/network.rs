//! A mobile network: what it has charged, its subscriptions, and how rudely it behaves. It follows the contract in what it records, and in nothing
//! that it says of it or when.

use std::{collections::BTreeMap, io::Read as _, time::Duration};

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use flate2::{Compression, read::GzEncoder};
use operator::{
    NamedService, OptInEvent, OptInKind, OptInStatus, StopEvent,
    soap::{self, Fault},
};
use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use reqwest::{
    Method, Request, StatusCode,
    header::{HeaderMap, HeaderValue},
};
use serde_json::{Value, json};
use subscription::{NoReply, Reply};

use crate::process::timeout_of;

/// By which interface it is called, and who charges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The contract's own; we request charges.
    Rest,
    /// The contract's own; the network charges by itself.
    Push,
    /// Parlay X; we request charges.
    Soap,
}

/// A charge that the network made.
#[derive(Clone, Debug)]
pub struct Charge {
    pub msisdn: String,
    pub svc_id: i32,
    pub cents: i64,
    pub day: String,
    pub at: DateTime<Utc>,
    pub refunded: i64,
}

/// A subscription at the network.
#[derive(Clone, Debug)]
pub struct Subscribed {
    pub id: u64,
    pub msisdn: String,
    pub svc_id: i32,
    pub began: DateTime<Utc>,
    pub ended: Option<DateTime<Utc>>,
    /// Our id of the opt-in.
    attempt: Option<String>,
}

/// The page on which a person confirms.
#[derive(Clone, Debug)]
pub struct OptIn {
    pub msisdn: String,
    pub svc_id: i32,
    pub kind: OptInKind,
    pub attempt: String,
    status: OptInStatus,
    decided_at: Option<DateTime<Utc>>,
    id: Option<u64>,
}

/// When a request arrives, and what becomes of its reply.
pub struct Manner {
    /// Until the request is processed; none where it never is.
    pub arrives: Option<Duration>,
    /// From then on until the reply.
    pub reply: Result<Duration, (Duration, NoReply)>,
    /// The reply of a network that processes nothing.
    pub status: Option<u16>,
}

/// A network.
pub struct Network {
    pub name: &'static str,
    pub shape: Shape,
    /// How often something goes wrong with a call, out of 1000.
    pub rudeness: u32,
    /// Until then it answers nothing.
    pub away_until: DateTime<Utc>,
    pub opt_ins: BTreeMap<String, OptIn>,
    pub subscriptions: Vec<Subscribed>,
    pub charges: BTreeMap<String, Charge>,
    /// The last failure of a key.
    failures: BTreeMap<String, &'static str>,
    /// Charges that it has accepted and not made yet, by key.
    accepted: BTreeMap<String, Charge>,
    pub refunds: BTreeMap<String, i64>,
    next: u64,
}

/// A notification to be sent, and the kind of its body.
pub type Notification = Vec<u8>;

pub fn text_of(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Johannesburg's day.
pub fn day_of(at: DateTime<Utc>) -> String {
    (at + TimeDelta::hours(2)).date_naive().to_string()
}

fn not_sent() -> NoReply {
    NoReply::NotSent("simulated".to_owned())
}

fn cut() -> NoReply {
    NoReply::Cut("simulated".to_owned())
}

fn ok(body: &Value) -> (StatusCode, String) {
    (StatusCode::OK, body.to_string())
}

impl Network {
    pub fn new(name: &'static str, shape: Shape, rudeness: u32) -> Self {
        Self {
            name,
            shape,
            rudeness,
            away_until: DateTime::UNIX_EPOCH,
            opt_ins: BTreeMap::new(),
            subscriptions: Vec::new(),
            charges: BTreeMap::new(),
            failures: BTreeMap::new(),
            accepted: BTreeMap::new(),
            refunds: BTreeMap::new(),
            next: 0,
        }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub fn is_rude(&self, rng: &mut StdRng) -> bool {
        rng.random_range(0..1000) < self.rudeness
    }

    /// How it treats a request.
    pub fn manner(&self, rng: &mut StdRng, now: DateTime<Utc>, request: &Request) -> Manner {
        let millis = |rng: &mut StdRng, most: u64| Duration::from_millis(rng.random_range(1..most));
        let arrives = Some(millis(rng, 300));
        let polite = Manner { arrives, reply: Ok(millis(rng, 300)), status: None };
        if now < self.away_until {
            let refuses = rng.random_bool(0.5);
            let reply = if refuses { not_sent() } else { cut() };
            return Manner { arrives: None, reply: Err((millis(rng, 9000), reply)), status: None };
        }
        if !self.is_rude(rng) {
            return polite;
        }
        let late = timeout_of(request) + Duration::from_millis(200);
        match rng.random_range(0..9) {
            0 => Manner { arrives: None, reply: Err((millis(rng, 900), not_sent())), ..polite },
            1 => Manner { arrives: None, reply: Ok(late), ..polite },
            2 => Manner { reply: Ok(late), ..polite },
            // Charged after the client has given up.
            3 => Manner { arrives: Some(millis(rng, 8000)), reply: Ok(millis(rng, 3000)), ..polite },
            4 => Manner { reply: Err((millis(rng, 500), cut())), ..polite },
            5 => Manner { arrives: None, status: [429, 503].choose(rng).copied(), ..polite },
            6 => Manner { arrives: None, status: [500, 502, 302, 408].choose(rng).copied(), ..polite },
            7 => Manner { status: [500, 502, 504].choose(rng).copied(), ..polite },
            _ => Manner { reply: Ok(millis(rng, 4000)), ..polite },
        }
    }

    /// The reply of a network that says only this status.
    pub fn refusal(rng: &mut StdRng, status: u16) -> Reply {
        let mut headers = HeaderMap::new();
        if matches!(status, 429 | 503) && rng.random_bool(0.5) {
            headers.insert("retry-after", HeaderValue::from(rng.random_range(1..4)));
        }
        let status = StatusCode::from_u16(status).unwrap();
        Reply { status, headers, body: Ok("<html>busy</html>".into()) }
    }

    /// Processes a request. `funds`: the airtime of a number, in cents.
    pub fn process(
        &mut self,
        rng: &mut StdRng,
        request: &Request,
        now: DateTime<Utc>,
        funds: &dyn Fn(&str) -> i64,
    ) -> Reply {
        let body = request.body().and_then(|body| body.as_bytes()).unwrap_or_default();
        let path = request.url().path().to_owned();
        let (status, mut text) = if path.contains("/services/") {
            self.parlay_x(rng, body, now, funds)
        } else {
            let fields = serde_json::from_slice(body).unwrap_or_default();
            self.contract(rng, request, &fields, now, funds)
        };
        let mut headers = HeaderMap::new();
        let mut bytes = Vec::new();
        if self.is_rude(rng) && !path.contains("/services/") {
            text = format!("\u{feff}{text}");
            if rng.random_bool(0.5) {
                headers.insert("content-encoding", HeaderValue::from_static("gzip"));
                GzEncoder::new(text.as_bytes(), Compression::fast()).read_to_end(&mut bytes).unwrap();
            }
        }
        Reply { status, headers, body: Ok(if bytes.is_empty() { text.into() } else { bytes.into() }) }
    }

    fn contract(
        &mut self,
        rng: &mut StdRng,
        request: &Request,
        body: &Value,
        now: DateTime<Utc>,
        funds: &dyn Fn(&str) -> i64,
    ) -> (StatusCode, String) {
        let text = |field: &str| body[field].as_str().unwrap_or_default().to_owned();
        let path: Vec<&str> = request.url().path().trim_matches('/').split('/').skip(1).collect();
        let query: BTreeMap<String, String> = request.url().query_pairs().into_owned().collect();
        match (request.method(), path.as_slice()) {
            (&Method::POST, ["opt-ins"]) => {
                let number = self.number();
                let reference = format!("{}-page-{number}", self.name);
                let kind = serde_json::from_value(body["kind"].clone()).unwrap();
                let opt_in = OptIn {
                    msisdn: text("msisdn"),
                    svc_id: i32::try_from(body["svc_id"].as_i64().unwrap()).unwrap(),
                    kind,
                    attempt: text("subscription_id"),
                    status: OptInStatus::Pending,
                    decided_at: None,
                    id: None,
                };
                self.opt_ins.insert(reference.clone(), opt_in);
                ok(&json!({"reference": reference, "redirect_url": format!("http://{}/page/{reference}", self.name)}))
            }
            (&Method::GET, ["opt-ins", reference]) => match self.opt_ins.get(*reference) {
                Some(opt_in) => ok(&json!({
                    "reference": reference, "kind": opt_in.kind, "status": opt_in.status,
                    "decided_at": opt_in.decided_at.map(text_of), "network_subscription_id": opt_in.id,
                    "active": self.subscriptions.iter().any(|one| Some(one.id) == opt_in.id && one.ended.is_none()),
                })),
                None => (StatusCode::NOT_FOUND, String::new()),
            },
            (&Method::POST, ["stops"]) => {
                let id = text("network_subscription_id");
                self.end(|one| one.id.to_string() == id, now);
                ok(&json!({}))
            }
            (&Method::POST, ["messages"]) => ok(&json!({})),
            (&Method::POST, ["charges"]) => {
                let charge = Charge {
                    msisdn: text("msisdn"),
                    svc_id: i32::try_from(body["svc_id"].as_i64().unwrap()).unwrap(),
                    cents: body["cents"].as_i64().unwrap(),
                    day: text("day"),
                    at: now,
                    refunded: 0,
                };
                let outcome = self.charge(rng, &text("key"), charge, funds);
                let mut answer = json!({"key": text("key"), "outcome": outcome});
                if rng.random_bool(0.7) {
                    answer["cents"] =
                        if rng.random_bool(0.5) { body["cents"].clone() } else { json!(body["cents"].to_string()) };
                    answer["network_ref"] = json!(format!("n-{}", text("key")));
                }
                ok(&answer)
            }
            (&Method::GET, ["charges", key]) => match self.status_of(key) {
                Some(outcome) => ok(&json!({"key": key, "outcome": outcome})),
                None => (StatusCode::NOT_FOUND, String::new()),
            },
            (&Method::GET, ["charges"]) => {
                let day = query.get("day").cloned().unwrap_or_default();
                let rows = self.charges.iter().filter(|(_, charge)| charge.day == day).map(|(key, charge)| {
                    json!({
                        "msisdn": charge.msisdn, "svc_id": charge.svc_id, "cents": charge.cents, "key": key, "day": day,
                        "at": charge.at.format("%Y-%m-%d %H:%M:%S").to_string(),
                    })
                });
                ok(&rows.collect())
            }
            (&Method::GET, ["subscriptions"]) => {
                let since: DateTime<Utc> = query["since"].parse().unwrap();
                let changed = self.subscriptions.iter().filter(|one| one.ended.unwrap_or(one.began) >= since);
                let rows = changed.map(|one| {
                    json!({
                        "subscription_id": one.id.to_string(), "user_msisdn": one.msisdn, "svc_id": one.svc_id,
                        "status_id": if one.ended.is_none() { 2 } else { 8 }, "created_at": text_of(one.began),
                        "updated_at": text_of(one.ended.unwrap_or(one.began)), "partner_ref": one.attempt,
                    })
                });
                ok(&rows.collect())
            }
            (&Method::POST, ["refunds"]) => {
                let cents = body["cents"].as_i64().unwrap();
                if self.refund(&text("key"), &text("charge_key"), cents) {
                    ok(&json!({"key": text("key"), "cents": cents}))
                } else {
                    (StatusCode::NOT_FOUND, String::new())
                }
            }
            (method, path) => panic!("{} has no {method} {path:?}", self.name),
        }
    }

    fn parlay_x(
        &mut self,
        rng: &mut StdRng,
        body: &[u8],
        now: DateTime<Utc>,
        funds: &dyn Fn(&str) -> i64,
    ) -> (StatusCode, String) {
        let (request, _) = soap::Request::parse(body).expect("a Parlay X request");
        let fault = match &request {
            soap::Request::Charge(charge) => {
                let made = Charge {
                    msisdn: charge.msisdn.clone(),
                    svc_id: charge.svc_id,
                    cents: charge.cents,
                    day: charge.day.clone(),
                    at: now,
                    refunded: 0,
                };
                match self.charge(rng, &charge.key, made, funds) {
                    "charged" => None,
                    "insufficient_funds" => Some("SVC0270"),
                    "refused" => Some("POL0002"),
                    _ => Some("SVC0001"),
                }
            }
            soap::Request::Refund(refund) => {
                let known = self.refund(&refund.key, &refund.charge_key, refund.cents);
                (!known).then_some("SVC0002")
            }
            soap::Request::Stop(stop) => {
                self.end(|one| one.id.to_string() == stop.network_subscription_id, now);
                None
            }
            soap::Request::Sms(_) => None,
        };
        match fault {
            Some(code) => (StatusCode::INTERNAL_SERVER_ERROR, Fault::new(code, "no").to_xml()),
            None => (StatusCode::OK, soap::Reply::done(&request)),
        }
    }

    fn status_of(&self, key: &str) -> Option<&'static str> {
        if self.charges.contains_key(key) {
            return Some("charged");
        }
        if self.accepted.contains_key(key) {
            return Some("accepted");
        }
        self.failures.get(key).copied()
    }

    /// Charges a key once.
    fn charge(&mut self, rng: &mut StdRng, key: &str, charge: Charge, funds: &dyn Fn(&str) -> i64) -> &'static str {
        if let Some(known @ ("charged" | "accepted")) = self.status_of(key) {
            return known;
        }
        // Of a day in parts, one amount is charged.
        let is_other = |other: &&String| *other != key && of_day(other) == of_day(key);
        if let Some(other) = self.charges.keys().chain(self.accepted.keys()).find(is_other) {
            panic!("{key} is sent, although {other} was charged, or may be");
        }
        let subscribed =
            |one: &&Subscribed| one.ended.is_none() && one.msisdn == charge.msisdn && one.svc_id == charge.svc_id;
        let outcome = match self.subscriptions.iter().find(subscribed) {
            None => "refused",
            Some(_) if funds(&charge.msisdn) < charge.cents => "insufficient_funds",
            Some(_) if self.is_rude(rng) => {
                self.accepted.insert(key.to_owned(), charge);
                return "accepted";
            }
            Some(_) => {
                self.charges.insert(key.to_owned(), charge);
                return "charged";
            }
        };
        self.failures.insert(key.to_owned(), outcome);
        outcome
    }

    /// Decides about charges that it had accepted.
    pub fn decide(&mut self, rng: &mut StdRng, all: bool) {
        for (key, charge) in std::mem::take(&mut self.accepted) {
            match rng.random_range(0..4) {
                0 if !all => _ = self.accepted.insert(key, charge),
                1 => _ = self.failures.insert(key, "cancelled"),
                _ => _ = self.charges.insert(key, charge),
            }
        }
    }

    fn refund(&mut self, key: &str, charge_key: &str, cents: i64) -> bool {
        if self.refunds.contains_key(key) {
            return true;
        }
        let Some(charge) = self.charges.get_mut(charge_key) else { return false };
        charge.refunded += cents;
        self.refunds.insert(key.to_owned(), cents);
        true
    }

    /// Ends running subscriptions.
    fn end(&mut self, which: impl Fn(&Subscribed) -> bool, now: DateTime<Utc>) {
        for one in self.subscriptions.iter_mut().filter(|one| one.ended.is_none() && which(one)) {
            one.ended = Some(now);
        }
    }

    pub fn running(&self, msisdn: &str, svc_id: i32) -> Option<&Subscribed> {
        self.subscriptions.iter().find(|one| one.ended.is_none() && one.msisdn == msisdn && one.svc_id == svc_id)
    }

    /// A person begins at the network; the notification of it.
    pub fn begin(
        &mut self,
        rng: &mut StdRng,
        (msisdn, svc_id): (&str, i32),
        attempt: Option<String>,
        now: DateTime<Utc>,
    ) -> (u64, Vec<Notification>) {
        self.end(|one| one.msisdn == msisdn && one.svc_id == svc_id, now);
        let id = self.number();
        let subscribed =
            Subscribed { id, msisdn: msisdn.to_owned(), svc_id, began: now, ended: None, attempt: attempt.clone() };
        self.subscriptions.push(subscribed);
        let event = OptInEvent {
            event: "opt_in".to_owned(),
            kind: OptInKind::OptIn,
            reference: format!("at-network-{id}"),
            subscription_id: attempt.clone(),
            user_msisdn: spelled(rng, msisdn),
            svc_id: NamedService::Id(svc_id),
            ext_ref: None,
            status: OptInStatus::Confirmed,
            decided_at: Some(now),
            network_subscription_id: Some(id.to_string()),
        };
        let body = match self.shape {
            Shape::Rest => serde_json::to_vec(&event).unwrap(),
            Shape::Soap => soap::subscription_added(&event).into_bytes(),
            Shape::Push => {
                let mut event = self.subscription_event(rng, (id, msisdn, svc_id), 2, (now, now));
                event["partner_ref"] = json!(attempt);
                event.to_string().into_bytes()
            }
        };
        let mut all = vec![body];
        if self.shape == Shape::Push {
            all.extend(self.bill(rng, (msisdn, svc_id), now, true));
        }
        (id, all)
    }

    /// The person's answer on a page.
    pub fn decide_page(
        &mut self,
        rng: &mut StdRng,
        reference: &str,
        confirms: bool,
        now: DateTime<Utc>,
    ) -> Vec<Notification> {
        let Some(mut page) = self.opt_ins.get(reference).cloned() else { return Vec::new() };
        if page.status != OptInStatus::Pending {
            return Vec::new();
        }
        page.status = if confirms { OptInStatus::Confirmed } else { OptInStatus::Declined };
        page.decided_at = Some(now);
        let mut sent = Vec::new();
        match page.kind {
            OptInKind::OptIn if confirms => {
                let (id, all) = self.begin(rng, (&page.msisdn, page.svc_id), Some(page.attempt.clone()), now);
                page.id = Some(id);
                sent = all;
            }
            kind => {
                if confirms && kind == OptInKind::Leave {
                    self.end(|one| one.msisdn == page.msisdn && one.svc_id == page.svc_id, now);
                }
                let event = json!({
                    "event": "opt_in", "kind": kind, "reference": reference, "subscription_id": page.attempt,
                    "user_msisdn": spelled(rng, &page.msisdn), "svc_id": page.svc_id, "status": page.status,
                    "decided_at": text_of(now),
                });
                sent.push(event.to_string().into_bytes());
            }
        }
        self.opt_ins.insert(reference.to_owned(), page);
        sent
    }

    /// A person sends STOP to the network; of one service, or of all. None where nothing was running.
    pub fn stop(
        &mut self,
        rng: &mut StdRng,
        (msisdn, svc_id): (&str, i32),
        now: DateTime<Utc>,
    ) -> Option<Notification> {
        let subscribed = self.running(msisdn, svc_id)?.clone();
        self.end(|one| one.id == subscribed.id, now);
        let event = StopEvent {
            event: (*["stop", "STOP", "unsubscribed", "optOut"].choose(rng).unwrap()).to_owned(),
            user_msisdn: spelled(rng, msisdn),
            svc_id: NamedService::Id(svc_id),
            network_subscription_id: rng.random_bool(0.8).then(|| subscribed.id.to_string()),
            at: Some(now),
        };
        Some(match self.shape {
            Shape::Rest => serde_json::to_vec(&event).unwrap(),
            Shape::Soap => soap::subscription_deleted(&event).into_bytes(),
            Shape::Push => {
                let status = if rng.random_bool(0.5) { 8 } else { 4 };
                let named = (subscribed.id, msisdn, svc_id);
                self.subscription_event(rng, named, status, (subscribed.began, now)).to_string().into_bytes()
            }
        })
    }

    fn subscription_event(
        &self,
        rng: &mut StdRng,
        (id, msisdn, svc_id): (u64, &str, i32),
        status_id: i64,
        (began, now): (DateTime<Utc>, DateTime<Utc>),
    ) -> Value {
        let svc_id = if rng.random_bool(0.5) { json!(svc_id) } else { json!(svc_id.to_string()) };
        json!({
            "subscription_id": id, "user_msisdn": spelled(rng, msisdn), "svc_id": svc_id, "status_id": status_id,
            "billing_rate": 300, "billing_cycle": "DAILY", "created_at": text_of(began), "updated_at": text_of(now),
        })
    }

    /// A push network charges a subscription for today, or has no airtime to charge. A rude one may charge a day twice.
    pub fn bill(
        &mut self,
        rng: &mut StdRng,
        (msisdn, svc_id): (&str, i32),
        now: DateTime<Utc>,
        has_funds: bool,
    ) -> Option<Notification> {
        let subscribed = self.running(msisdn, svc_id)?.clone();
        let day = day_of(now);
        let is_same = |charge: &Charge| charge.msisdn == msisdn && charge.svc_id == svc_id && charge.day == day;
        if self.charges.values().any(is_same) && !self.is_rude(rng) {
            return None;
        }
        let billing_ref = format!("b-{}", self.number());
        if has_funds {
            let charge = Charge { msisdn: msisdn.to_owned(), svc_id, cents: 300, day, at: now, refunded: 0 };
            self.charges.insert(billing_ref.clone(), charge);
        }
        let subscription =
            self.subscription_event(rng, (subscribed.id, msisdn, svc_id), 2, (subscribed.began, subscribed.began));
        let amount = [json!(300), json!("300"), json!(300.0)].choose(rng).unwrap().clone();
        let result = if has_funds { "SUCCESS" } else { "INSUFFICIENT_FUNDS" };
        let event = json!({
            "amount": amount, "billing_ref": billing_ref, "result_id": 1, "result_name": result,
            "billed_at": text_of(now), "subscription": subscription,
        });
        Some(event.to_string().into_bytes())
    }
}

/// A number as networks write it.
fn spelled(rng: &mut StdRng, msisdn: &str) -> String {
    let rest = &msisdn[2..];
    match rng.random_range(0..4) {
        0 => format!("+{msisdn}"),
        1 => format!("0{rest}"),
        2 => format!("tel:+27{rest}"),
        _ => msisdn.to_owned(),
    }
}

/// The key of a day's charge without the amount of a part.
fn of_day(key: &str) -> &str {
    key.split('.').next().unwrap()
}
