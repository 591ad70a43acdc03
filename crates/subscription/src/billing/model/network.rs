//! A model of the networks: the charges they made, their subscriptions, and their notifications in flight. A subscriber has our name in all of
//! it; a network with tokens writes its own in notifications.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Days, Months, NaiveDate, NaiveDateTime};
use rand::{RngExt, rngs::StdRng};
use serde_json::{Value, json};

use crate::{
    billing::model::simulation::{CAMARA, PUSH},
    ledger::rows::{Outcome, key_of_day},
    subscribers::calendar,
};

/// A charge that the network made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MadeCharge {
    pub network: String,
    pub msisdn: String,
    pub svc_id: i32,
    pub day: String,
    pub cents: i64,
}

impl MadeCharge {
    /// The first day that it does not pay for, at least: a month that begins on the last day of a short one may be longer.
    pub fn paid_until(&self) -> NaiveDate {
        let day: NaiveDate = self.day.parse().unwrap();
        match self.cents {
            // The price of a day, and its parts.
            100 | 200 | 300 => day + Days::new(1),
            1500 => day + Days::new(7),
            5000 => day + Months::new(1),
            other => panic!("{other} cents are the price of no period"),
        }
    }

    /// Whether the other charge is of the same subscription and begins on a later day that this one pays for.
    pub fn pays_for(&self, other: &Self) -> bool {
        let is_same = (&self.msisdn, self.svc_id) == (&other.msisdn, other.svc_id);
        is_same && self.day < other.day && other.day < self.paid_until().to_string()
    }
}

/// A subscription at the network.
pub(crate) struct NetworkSubscription {
    pub id: i64,
    pub began: NaiveDateTime,
    pub running: bool,
}

/// All networks in one.
#[derive(Default)]
pub(crate) struct Network {
    pub charges: BTreeMap<String, MadeCharge>,
    /// By network, subscriber and service.
    pub subscriptions: BTreeMap<(&'static str, String, i32), NetworkSubscription>,
    /// Notifications in flight: network, id, body.
    pub notifications: Vec<(&'static str, String, Value)>,
    /// The charges that a push network made by itself, refunded or not.
    billed: BTreeSet<String>,
    /// The noes that a network can show later: network and key.
    refused: BTreeSet<(&'static str, String)>,
    /// The keys of requests that got no answer: they may still be under way.
    unanswered: BTreeSet<String>,
    /// The charges whose result comes later.
    accepted: BTreeMap<String, MadeCharge>,
    next: i64,
}

/// A subscriber's name in a network's own messages.
fn own_name<'a>(network: &str, msisdn: &'a str) -> &'a str {
    msisdn.strip_prefix(network).and_then(|rest| rest.strip_prefix(':')).unwrap_or(msisdn)
}

impl Network {
    fn number(&mut self) -> i64 {
        self.next += 1;
        self.next
    }

    /// Sends a notification, sometimes twice.
    pub fn enqueue_notification(&mut self, rng: &mut StdRng, network: &'static str, body: Value) {
        let id = format!("m{}", self.number());
        if rng.random_bool(0.2) {
            self.notifications.push((network, id.clone(), body.clone()));
        }
        self.notifications.push((network, id, body));
    }

    /// A subscriber confirms on the network's page, as an attempt of ours or without one. A push network charges at once.
    pub fn confirm(
        &mut self,
        rng: &mut StdRng,
        network: &'static str,
        (msisdn, svc_id): (&str, i32),
        attempt: Option<String>,
        now: NaiveDateTime,
    ) {
        let id = self.number();
        let key = (network, msisdn.to_owned(), svc_id);
        self.subscriptions.insert(key, NetworkSubscription { id, began: now, running: true });
        let at = now.and_utc().to_rfc3339();
        if network != PUSH {
            let body = json!({
                "event": "opt_in", "kind": "opt_in", "reference": format!("r{id}"), "subscription_id": attempt,
                "user_msisdn": own_name(network, msisdn), "svc_id": svc_id, "status": "confirmed", "decided_at": at, "network_subscription_id": id.to_string(),
            });
            self.enqueue_notification(rng, network, body);
        } else {
            let body = subscription_event(id, msisdn, svc_id, 2, (now, now));
            self.enqueue_notification(rng, network, body);
            self.bill(rng, network, msisdn, svc_id, now);
        }
    }

    /// A subscriber sends STOP to the network, or we send it a stop.
    pub fn end(&mut self, rng: &mut StdRng, network: &'static str, msisdn: &str, svc_id: i32, now: NaiveDateTime) {
        let Some(subscription) = self
            .subscriptions
            .get_mut(&(network, msisdn.to_owned(), svc_id))
            .filter(|subscription| subscription.running)
        else {
            return;
        };
        subscription.running = false;
        let (id, began) = (subscription.id, subscription.began);
        let body = if network != PUSH {
            let svc_id = if rng.random_bool(0.5) { json!(svc_id) } else { json!(svc_id.to_string()) };
            json!({
                "event": "stop", "user_msisdn": own_name(network, msisdn), "svc_id": svc_id, "network_subscription_id": id.to_string(),
                "at": now.and_utc().to_rfc3339(),
            })
        } else {
            subscription_event(id, msisdn, svc_id, if rng.random_bool(0.5) { 8 } else { 4 }, (began, now))
        };
        self.enqueue_notification(rng, network, body);
    }

    /// A subscriber sends STOP without a service to a pull network: all services end there.
    pub fn end_all(&mut self, rng: &mut StdRng, network: &'static str, msisdn: &str, now: NaiveDateTime) {
        let of_subscriber = self.subscriptions.iter_mut().filter(|((at, name, _), _)| *at == network && name == msisdn);
        of_subscriber.for_each(|(_, subscription)| subscription.running = false);
        let at = now.and_utc().to_rfc3339();
        let body = json!({ "event": "stop", "user_msisdn": own_name(network, msisdn), "at": at });
        self.enqueue_notification(rng, network, body);
    }

    /// A push network charges a subscriber's day and notifies it: some days twice, some first as failed, some with results that are neither a
    /// success nor a clear no.
    pub fn bill(&mut self, rng: &mut StdRng, network: &'static str, msisdn: &str, svc_id: i32, now: NaiveDateTime) {
        let Some(subscription) =
            self.subscriptions.get(&(network, msisdn.to_owned(), svc_id)).filter(|subscription| subscription.running)
        else {
            return;
        };
        let (id, began, day) = (subscription.id, subscription.began, calendar::day_of(now).to_string());
        let key = format!("push-{day}-{svc_id}-{msisdn}");
        if self.billed.contains(&key) {
            return;
        }
        let separate_attempt = format!("{key}-{}", self.number());
        let results: Vec<(String, &str)> = match rng.random_range(0..100) {
            0..50 => vec![(key, "SUCCESS")],
            50..56 => vec![(key.clone(), "SUCCESS"), (format!("{key}-again"), "SUCCESS")],
            56..66 => vec![(key.clone(), "FAILED"), (key, "SUCCESS")],
            66..90 => vec![(separate_attempt, "INSUFFICIENT_FUNDS")],
            90..94 => vec![(separate_attempt, "PENDING")],
            94..97 => vec![(separate_attempt, "GRACE")],
            _ => vec![(separate_attempt, "NEVER_EXPLAINED")],
        };
        for (billing_ref, result_name) in results {
            if result_name == "SUCCESS" {
                let (network, msisdn) = (network.to_owned(), msisdn.to_owned());
                let charge = MadeCharge { network, msisdn, svc_id, day: day.clone(), cents: 300 };
                self.billed.insert(billing_ref.clone());
                self.charges.insert(billing_ref.clone(), charge);
            }
            let body = json!({
                "amount": 300, "billing_ref": billing_ref, "result_name": result_name,
                "billed_at": now.and_utc().to_rfc3339(), "subscription": subscription_event(id, msisdn, svc_id, 2, (began, now)),
            });
            self.enqueue_notification(rng, network, body);
        }
    }

    /// A charge arrives: returns the outcome that its sender sees.
    pub fn charge(&mut self, rng: &mut StdRng, network: &'static str, key: &str, charge: MadeCharge) -> Outcome {
        let charged = Outcome::Charged { network_ref: Some(format!("ref-{key}")) };
        if let Some(made) = self.charges.get(key).or_else(|| self.accepted.get(key)) {
            assert_eq!(made.network, network, "{key} is sent to a second network");
            return if self.charges.contains_key(key) { charged } else { Outcome::Accepted };
        }
        let is_other = |other: &&String| other.as_str() != key && key_of_day(other) == key_of_day(key);
        let other = self.charges.keys().chain(&self.unanswered).chain(self.accepted.keys()).find(is_other);
        assert!(other.is_none(), "{key} is sent, although {other:?} was charged, or may be");
        if !self.runs(network, &charge.msisdn, charge.svc_id) {
            return Outcome::NotSubscribed;
        }
        if network == CAMARA && rng.random_bool(0.3) {
            self.accepted.insert(key.to_owned(), charge);
            // Its reply may be lost, too.
            return if rng.random_bool(0.8) {
                Outcome::Accepted
            } else {
                Outcome::Unknown { reason: "no answer in time" }
            };
        }
        match rng.random_range(0..100) {
            0..50 => {
                self.charges.insert(key.to_owned(), charge);
                charged
            }
            50..75 => {
                // What CAMARA refuses at once is no payment, and cannot be found later.
                if network != CAMARA {
                    self.refused.insert((network, key.to_owned()));
                }
                // The reply may be lost: then its key is queried.
                if rng.random_bool(0.8) {
                    Outcome::NoAirtime
                } else {
                    Outcome::Unknown { reason: "the connection was cut" }
                }
            }
            75..82 => Outcome::Unavailable { reason: "the network said later" },
            82..92 => {
                self.charges.insert(key.to_owned(), charge);
                Outcome::Unknown { reason: "the connection was cut" }
            }
            _ => {
                self.unanswered.insert(key.to_owned());
                Outcome::Unknown { reason: "no answer in time" }
            }
        }
    }

    /// Whether the network has an active subscription.
    pub fn runs(&self, network: &str, msisdn: &str, svc_id: i32) -> bool {
        let mut running = self.subscriptions.iter().filter(|(_, subscription)| subscription.running);
        running.any(|((at, name, of), _)| *at == network && name == msisdn && *of == svc_id)
    }

    /// The reply to a status query. What was accepted may have its result by now, and has it in the end.
    pub fn charge_status(
        &mut self,
        rng: &mut StdRng,
        network: &'static str,
        key: &str,
        is_end: bool,
    ) -> Option<Outcome> {
        if self.accepted.get(key).is_some_and(|charge| charge.network == network) {
            if !is_end && rng.random_bool(0.4) {
                return Some(Outcome::Accepted);
            }
            let charge = self.accepted.remove(key)?;
            if rng.random_bool(0.5) {
                self.charges.insert(key.to_owned(), charge);
            } else {
                self.refused.insert((network, key.to_owned()));
            }
        }
        if self.charges.get(key).is_some_and(|charge| charge.network == network) {
            return Some(Outcome::Charged { network_ref: Some(format!("ref-{key}")) });
        }
        self.refused.contains(&(network, key.to_owned())).then_some(Outcome::NoAirtime)
    }
}

fn subscription_event(
    id: i64,
    msisdn: &str,
    svc_id: i32,
    status_id: i32,
    (began, now): (NaiveDateTime, NaiveDateTime),
) -> Value {
    let [began, now] = [began, now].map(|at| at.and_utc().to_rfc3339());
    json!({
        "subscription_id": id, "user_msisdn": msisdn, "svc_id": svc_id, "status_id": status_id, "created_at": began,
        "updated_at": now,
    })
}
