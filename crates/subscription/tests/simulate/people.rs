//! People: they join, confirm, leave, send STOP and move, in two tabs and at all hours, and remember what was acknowledged.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use actix_web::test::TestRequest;
use chrono::{DateTime, Utc};
use rand::{RngExt, seq::IndexedRandom};
use serde_json::{Value, json};

use crate::{
    process::Answer,
    world::{Event, PEOPLE, Purpose, World, seconds},
};

/// Each service: its id and label.
pub const SERVICES: [(i32, &str); 5] =
    [(148, "mcfunny"), (150, "memeworld"), (151, "diski99"), (152, "ttmbhatv"), (153, "racedaytv")];

/// The services that two networks sell.
pub const SHARED: [i32; 2] = [148, 150];

/// One subscription, as the person and the networks know it.
#[derive(Clone, Default)]
pub struct Membership {
    /// When a leave was acknowledged.
    pub left: Option<DateTime<Utc>>,
    /// When the person last confirmed at the network.
    pub confirmed: Option<DateTime<Utc>>,
    /// Our ids of the opt-ins that the person confirmed.
    pub attempts: BTreeSet<String>,
    pub cookies: BTreeMap<String, String>,
}

pub struct Person {
    pub msisdn: String,
    pub memberships: BTreeMap<i32, Membership>,
    /// The network that the number belongs to, of those that sell a service together.
    pub network: usize,
    /// Airtime in cents, today and yesterday.
    pub funds: i64,
    pub former_funds: i64,
    pub acted: Option<DateTime<Utc>>,
}

impl World {
    /// The network at which a person has a service.
    pub fn network_of(&self, person: usize, svc_id: i32) -> usize {
        match svc_id {
            151 => 2,
            152 | 153 => 1,
            _ => self.people[person].network,
        }
    }

    /// A person, or staff, does something.
    pub fn act(&mut self) {
        if self.rng.random_bool(0.1) {
            return if self.rng.random_bool(0.7) { self.staff() } else { self.edit_brands() };
        }
        let person = self.rng.random_range(0..PEOPLE);
        let (svc_id, _) = *SERVICES.choose(&mut self.rng).unwrap();
        let network = self.network_of(person, svc_id);
        let (now, msisdn) = (self.now(), self.people[person].msisdn.clone());
        self.people[person].acted = Some(now);
        let runs = self.networks[network].running(&msisdn, svc_id).is_some();
        match (runs, self.rng.random_range(0..10)) {
            (false, 0..6) | (true, 0) => {
                let mut body = json!({"msisdn": msisdn, "ext_ref": "simulated", "channel": "WAP", "svc_id": svc_id});
                if SHARED.contains(&svc_id) {
                    body["network"] = json!(self.networks[network].name);
                }
                let request = || TestRequest::post().uri("/api/subscribe").set_json(&body);
                self.visit(person, svc_id, request(), Purpose::Join(person, svc_id));
                if self.rng.random_bool(0.1) {
                    self.visit(person, svc_id, request(), Purpose::Join(person, svc_id));
                }
            }
            (false, 6..8) => self.opt_in_at_network(person, svc_id),
            (_, 8) if SHARED.contains(&svc_id) => self.move_number(person),
            (_, 1..3) => {
                let body = json!({"svc_id": svc_id});
                let request = TestRequest::post().uri("/api/subscribe/unsubscribe").set_json(&body);
                self.visit(person, svc_id, request, Purpose::Leave(person, svc_id));
            }
            (true, 3) => {
                let body = json!({"svc_id": svc_id, "msisdn": msisdn});
                let request = TestRequest::post().uri("/api/subscribe/unsubscribe").set_json(&body);
                self.visit(person, svc_id, request, Purpose::Leave(person, svc_id));
            }
            (true, 4..6) => {
                self.note(format_args!("{msisdn} sends STOP of {svc_id}"));
                if let Some(body) = self.networks[network].stop(&mut self.rng, (&msisdn, svc_id), now) {
                    self.send_note(network, body, Some((person, svc_id, now)));
                }
            }
            _ => {}
        }
    }

    /// By the network's own menu.
    fn opt_in_at_network(&mut self, person: usize, svc_id: i32) {
        let (now, msisdn, network) = (self.now(), self.people[person].msisdn.clone(), self.network_of(person, svc_id));
        let name = self.networks[network].name;
        self.note(format_args!("{msisdn} opts in to {svc_id} at {name}"));
        self.people[person].memberships.get_mut(&svc_id).unwrap().confirmed = Some(now);
        let (_, sent) = self.networks[network].begin(&mut self.rng, (&msisdn, svc_id), None, now);
        for body in sent {
            self.send_note(network, body, None);
        }
    }

    /// The number moves to the other network, with all that it has at this one, which ends it, and may not tell us.
    fn move_number(&mut self, person: usize) {
        let (now, msisdn, from) = (self.now(), self.people[person].msisdn.clone(), self.people[person].network);
        let name = self.networks[from].name;
        self.note(format_args!("{msisdn} moves away from {name}"));
        for svc_id in SHARED {
            let Some(body) = self.networks[from].stop(&mut self.rng, (&msisdn, svc_id), now) else { continue };
            if self.rng.random_bool(0.4) {
                self.send_note(from, body, None);
            }
        }
        self.people[person].network = if from == 0 { 3 } else { 0 };
        let svc_id = *SHARED.choose(&mut self.rng).unwrap();
        if self.rng.random_bool(0.6) {
            self.opt_in_at_network(person, svc_id);
        }
    }

    /// A person's browser sends a request, from an address of its own.
    pub fn visit(&mut self, person: usize, svc_id: i32, request: TestRequest, purpose: Purpose) {
        let label = SERVICES.iter().find(|service| service.0 == svc_id).unwrap().1;
        let cookies = &self.people[person].memberships[&svc_id].cookies;
        let cookies: Vec<String> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let address = format!("10.{}.{}.{}", self.rng.random::<u8>(), self.rng.random::<u8>(), self.rng.random::<u8>());
        let request = request
            .insert_header(("host", format!("{label}.localhost")))
            .insert_header(("x-forwarded-for", address))
            .insert_header(("cookie", cookies.join("; ")));
        self.call(request, purpose);
    }

    pub fn answered(&mut self, id: u64, answer: Option<Answer>) {
        let Some((_, purpose)) = self.calls.remove(&id) else { return };
        let status = answer.as_ref().map_or(0, |answer| answer.status);
        let body: Value =
            answer.as_ref().and_then(|answer| serde_json::from_slice(&answer.body).ok()).unwrap_or_default();
        match purpose {
            Purpose::Notify(mut note) => {
                if status != 200 {
                    if (400..500).contains(&status) {
                        self.fail("", format_args!("{status} to a signed notification"));
                    }
                    note.tries += 1;
                    let pause = seconds((5_u64 << note.tries.min(9)).min(1800));
                    self.later(pause, Event::Notify(note));
                    return;
                }
                if let Some((person, svc_id, at)) = note.ends {
                    let now = self.now();
                    let membership = self.people[person].memberships.get_mut(&svc_id).unwrap();
                    if membership.confirmed.is_some_and(|confirmed| confirmed <= at) {
                        membership.left = Some(now);
                        let line = format!("{} has left {svc_id}", self.people[person].msisdn);
                        self.note(line);
                    }
                }
            }
            Purpose::Join(person, svc_id) => {
                let line = format!("{} joins {svc_id}: {status} {}", self.people[person].msisdn, body["result"]);
                self.note(line);
                self.keep_cookies(person, svc_id, answer);
                let (Some(page), Some(attempt)) = (body["redirectUrl"].as_str(), body["subscriptionId"].as_str())
                else {
                    return;
                };
                let (reference, attempt) = (page.rsplit('/').next().unwrap().to_owned(), attempt.to_owned());
                let pause = self.pause_of_person();
                let confirms = self.rng.random_bool(0.85);
                self.later(pause, Event::Answer { person, svc_id, reference, confirms });
                for after in [2, 8] {
                    let attempt = attempt.clone();
                    self.later(pause + seconds(after), Event::Check { person, svc_id, attempt });
                }
            }
            Purpose::Check(person, svc_id) => {
                let line = format!("{} checks {svc_id}: {status} {}", self.people[person].msisdn, body["state"]);
                self.note(line);
                self.keep_cookies(person, svc_id, answer);
            }
            Purpose::Leave(person, svc_id) => {
                let msisdn = self.people[person].msisdn.clone();
                self.note(format_args!("{msisdn} leaves {svc_id}: {status} {}", body["state"]));
                if body["state"] == "cancelled" {
                    let now = self.now();
                    self.people[person].memberships.get_mut(&svc_id).unwrap().left = Some(now);
                } else if let Some(page) = body["redirectUrl"].as_str() {
                    let reference = page.rsplit('/').next().unwrap().to_owned();
                    let pause = self.pause_of_person();
                    self.later(pause, Event::Answer { person, svc_id, reference, confirms: true });
                } else if status == 500 {
                    self.fail(&msisdn, "cannot leave");
                }
            }
            Purpose::Staff => self.note(format_args!("staff: {status}")),
        }
    }

    /// Seconds, and sometimes hours.
    fn pause_of_person(&mut self) -> Duration {
        if self.rng.random_bool(0.9) { self.millis(20_000) } else { seconds(self.rng.random_range(60..40_000)) }
    }

    fn keep_cookies(&mut self, person: usize, svc_id: i32, answer: Option<Answer>) {
        let cookies = &mut self.people[person].memberships.get_mut(&svc_id).unwrap().cookies;
        cookies.extend(answer.into_iter().flat_map(|answer| answer.cookies));
    }

    pub fn answer_page(&mut self, person: usize, svc_id: i32, reference: &str, confirms: bool) {
        // The page of a network that the number has left is not shown any more.
        let (now, network) = (self.now(), self.network_of(person, svc_id));
        let Some(page) = self.networks[network].opt_ins.get(reference).cloned() else { return };
        let sent = self.networks[network].decide_page(&mut self.rng, reference, confirms, now);
        if sent.is_empty() {
            return;
        }
        let who = &mut self.people[person];
        who.acted = Some(now);
        let joins = page.kind == operator::OptInKind::OptIn;
        if confirms && joins {
            let membership = who.memberships.get_mut(&svc_id).unwrap();
            membership.confirmed = Some(now);
            membership.attempts.insert(page.attempt);
        }
        let line = format!("{} answers {svc_id} {:?}: {confirms}", who.msisdn, page.kind);
        self.note(line);
        let ends = (confirms && page.kind == operator::OptInKind::Leave).then_some((person, svc_id, now));
        for body in sent {
            self.send_note(network, body, ends);
        }
    }
}
