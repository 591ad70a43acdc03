//! The records of a network that follows the contract, and its replies.

use std::collections::BTreeMap;

use chrono::{DateTime, FixedOffset, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::network::{Call, Request};

/// The seconds by which Johannesburg is ahead of UTC, all year.
const JOHANNESBURG: i32 = 2 * 3600;

/// A subscription of the network's own.
#[derive(Clone, Debug)]
pub struct NetworkSubscription {
    pub id: u64,
    pub msisdn: String,
    pub svc_id: i64,
    pub active: bool,
    started_at: DateTime<Utc>,
    ended_at: Option<DateTime<Utc>>,
    /// Our id of the opt-in.
    pub partner_ref: Value,
}

impl NetworkSubscription {
    fn end(&mut self, now: DateTime<Utc>) {
        if self.active {
            self.active = false;
            self.ended_at = Some(now);
        }
    }

    /// Its row in the list of subscriptions.
    fn event(&self) -> Value {
        let text = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Millis, true);
        json!({
            "subscription_id": self.id.to_string(), "user_msisdn": self.msisdn, "svc_id": self.svc_id,
            "status_id": if self.active { 2 } else { 8 }, "created_at": text(self.started_at),
            "updated_at": text(self.ended_at.unwrap_or(self.started_at)), "partner_ref": self.partner_ref,
        })
    }
}

/// The requests, subscriptions, charges and refunds of one network.
#[derive(Default)]
pub struct Records {
    pub requests: Vec<Request>,
    /// By reference.
    pub opt_ins: BTreeMap<String, Value>,
    pub subscriptions: Vec<NetworkSubscription>,
    /// Successful charges, oldest first.
    pub charges: Vec<Value>,
    /// The last failure of a key.
    failures: BTreeMap<String, Value>,
    pub refunds: BTreeMap<String, Value>,
    last_id: u64,
    /// How far the network's clock is ahead of the system's.
    pub ahead: TimeDelta,
}

impl Records {
    pub fn now(&self) -> DateTime<Utc> {
        Utc::now() + self.ahead
    }

    pub fn now_text(&self) -> String {
        self.now().to_rfc3339_opts(SecondsFormat::Millis, true)
    }

    pub fn today(&self) -> String {
        let zone = FixedOffset::east_opt(JOHANNESBURG).unwrap();
        self.now().with_timezone(&zone).date_naive().to_string()
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    pub fn begin(&mut self, msisdn: &str, svc_id: i64) -> u64 {
        self.end(msisdn, svc_id);
        let id = self.next_id();
        self.subscriptions.push(NetworkSubscription {
            id,
            msisdn: msisdn.to_owned(),
            svc_id,
            active: true,
            started_at: self.now(),
            ended_at: None,
            partner_ref: Value::Null,
        });
        id
    }

    pub fn end(&mut self, msisdn: &str, svc_id: i64) {
        let now = self.now();
        let of_number = self.subscriptions.iter_mut().filter(|one| one.msisdn == msisdn && one.svc_id == svc_id);
        of_number.for_each(|one| one.end(now));
    }

    fn is_active(&self, id: &Value) -> bool {
        self.subscriptions.iter().any(|one| one.active && *id == json!(one.id.to_string()))
    }

    pub fn charge(&mut self, request: &Value) -> Value {
        let mut charge = request.clone();
        charge["outcome"] = json!("charged");
        charge["network_ref"] = json!(format!("n-{}", self.next_id()));
        charge["at"] = json!(self.now_text());
        charge
    }

    /// Handles a request by the contract: status, body and Link header.
    pub fn handle(&mut self, request: &Request, base: &str) -> (u16, Value, Option<String>) {
        let ok = |answer: Value| (200, answer, None);
        match request.call {
            Call::OptIn => {
                let reference = format!("opt-in-{}", self.next_id());
                let mut opt_in = request.body.clone();
                opt_in["status"] = json!("pending");
                self.opt_ins.insert(reference.clone(), opt_in);
                let page = format!("{base}/page/{reference}");
                (201, json!({"reference": reference, "redirect_url": page}), None)
            }
            Call::OptInStatus => match self.opt_ins.get(&request.name) {
                Some(opt_in) => ok(json!({
                    "reference": request.name, "kind": opt_in["kind"], "status": opt_in["status"],
                    "decided_at": opt_in["decided_at"], "network_subscription_id": opt_in["network_subscription_id"],
                    "active": self.is_active(&opt_in["network_subscription_id"]),
                })),
                None => (404, json!({}), None),
            },
            Call::Charge => ok(self.charge_once(&request.body)),
            Call::ChargeStatus => match self.charge_status(&request.name) {
                Some(charge) => ok(charge),
                None => (404, json!({}), None),
            },
            Call::ChargeList => self.list(&request.query),
            Call::SubscriptionList => self.subscription_list(&request.query),
            Call::Stop => {
                let id = request.text("network_subscription_id").to_owned();
                let now = self.now();
                let named = self.subscriptions.iter_mut().filter(|one| one.id.to_string() == id);
                named.for_each(|one| one.end(now));
                ok(json!({}))
            }
            Call::Message => ok(json!({})),
            Call::Refund => self.refund(&request.body),
        }
    }

    fn charge_status(&self, key: &str) -> Option<Value> {
        let charge = self.charges.iter().find(|charge| charge["key"] == key);
        charge.or_else(|| self.failures.get(key)).cloned()
    }

    fn charge_once(&mut self, request: &Value) -> Value {
        if let Some(charge) = self.charges.iter().find(|charge| charge["key"] == request["key"]) {
            return charge.clone();
        }
        let is_subscribed = |one: &&NetworkSubscription| {
            request["msisdn"] == json!(one.msisdn) && request["svc_id"] == json!(one.svc_id)
        };
        if !self.subscriptions.iter().filter(is_subscribed).any(|one| one.active) {
            return self.fail(request, "refused");
        }
        let charge = self.charge(request);
        self.charges.push(charge.clone());
        charge
    }

    pub fn fail(&mut self, request: &Value, outcome: &str) -> Value {
        let mut failure = request.clone();
        failure["outcome"] = json!(outcome);
        failure["network_ref"] = Value::Null;
        failure["at"] = json!(self.now_text());
        self.failures.insert(request["key"].as_str().unwrap_or_default().to_owned(), failure.clone());
        failure
    }

    fn list(&self, query: &BTreeMap<String, String>) -> (u16, Value, Option<String>) {
        let number = |name: &str, without: usize| query.get(name).and_then(|n| n.parse().ok()).unwrap_or(without);
        let (limit, after) = (number("limit", usize::MAX), number("after", 0));
        let day = query.get("day").cloned().unwrap_or_default();
        let of_day: Vec<&Value> = self.charges.iter().filter(|charge| charge["day"] == json!(day)).collect();
        let page = of_day.iter().skip(after).take(limit).map(|charge| {
            let at: DateTime<Utc> = charge["at"].as_str().unwrap().parse().unwrap();
            json!({
                "msisdn": charge["msisdn"], "svc_id": charge["svc_id"], "cents": charge["cents"],
                "key": charge["key"], "day": day, "at": at.format("%Y-%m-%d %H:%M:%S").to_string(),
            })
        });
        let page: Vec<Value> = page.collect();
        let last = after + page.len();
        let next = format!("</charges?day={day}&limit={limit}&after={last}>; rel=\"next\"");
        (200, json!(page), (last < of_day.len()).then_some(next))
    }

    fn subscription_list(&self, query: &BTreeMap<String, String>) -> (u16, Value, Option<String>) {
        let since: DateTime<Utc> = query["since"].parse().unwrap();
        let limit: usize = query["limit"].parse().unwrap();
        let after = query.get("after").map_or(0, |after| after.parse().unwrap());
        let changed =
            self.subscriptions.iter().filter(|one| one.started_at.max(one.ended_at.unwrap_or_default()) >= since);
        let changed: Vec<Value> = changed.filter(|one| one.id > after).map(NetworkSubscription::event).collect();
        let page: Vec<Value> = changed.iter().take(limit).cloned().collect();
        let last = page.last().map(|event| event["subscription_id"].as_str().unwrap().to_owned()).unwrap_or_default();
        let next = format!("</subscriptions?since={}&limit={limit}&after={last}>; rel=\"next\"", query["since"]);
        (200, json!(page), (page.len() < changed.len()).then_some(next))
    }

    fn refund(&mut self, request: &Value) -> (u16, Value, Option<String>) {
        let key = request["key"].as_str().unwrap_or_default();
        if let Some(refund) = self.refunds.get(key) {
            return (200, refund.clone(), None);
        }
        let Some(charge) = self.charges.iter().find(|charge| charge["key"] == request["charge_key"]) else {
            return (404, json!({}), None);
        };
        if request["cents"].as_i64() > charge["cents"].as_i64() {
            return (422, json!({}), None);
        }
        let mut refund = request.clone();
        refund["network_ref"] = json!(format!("r-{}", self.next_id()));
        refund["at"] = json!(self.now_text());
        self.refunds.insert(key.to_owned(), refund.clone());
        (200, refund, None)
    }
}
