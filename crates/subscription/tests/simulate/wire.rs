//! Between the service and the networks: requests, which are checked as they are sent, and notifications.

use actix_web::test::TestRequest;
use chrono::{DateTime, TimeDelta, Timelike, Utc};
use operator::{SmsRequest, soap};
use rand::RngExt;
use reqwest::{Method, Request};
use serde_json::Value;
use service::machine;
use subscription::NoReply;

use crate::{
    network::Network,
    process::Message,
    world::{Event, Purpose, World},
};

/// How long an SMS may still be the answer to what a person did, at night: an hour until the service hears of it, and an hour until it is sent.
const ANSWER: TimeDelta = TimeDelta::minutes(125);

/// A notification on its way.
#[derive(Clone)]
pub struct Note {
    pub network: usize,
    pub id: String,
    pub body: Vec<u8>,
    pub tries: u32,
    /// The person and service of the subscription that it ends, and when that was.
    pub ends: Option<(usize, i32, DateTime<Utc>)>,
}

impl World {
    pub fn hear(&mut self, message: Message) {
        match message {
            Message::Answer(id, answer) => self.answered(id, Some(answer)),
            Message::Request(request, reply) => {
                let name = request.url().path().split('/').nth(1).unwrap_or_default().to_owned();
                let network = self.networks.iter().position(|network| network.name == name).unwrap();
                self.note(format_args!("{} {}", request.method(), request.url().path()));
                self.check_request(&request);
                let manner = self.networks[network].manner(&mut self.rng, machine::now(), &request);
                match (manner.arrives, manner.reply) {
                    (Some(after), then) => {
                        self.later(after, Event::Arrive(network, request, reply, then, manner.status))
                    }
                    (None, Ok(after)) => match manner.status {
                        Some(status) => {
                            let refusal = Network::refusal(&mut self.rng, status);
                            self.later(after, Event::Reply(reply, Ok(refusal)));
                        }
                        // It never answers, and the client gives up before.
                        None => self.later(after, Event::Reply(reply, Err(NoReply::Cut(String::new())))),
                    },
                    (None, Err((after, cause))) => self.later(after, Event::Reply(reply, Err(cause))),
                }
            }
        }
    }

    /// Checks a request at the moment it is sent.
    fn check_request(&mut self, request: &Request) {
        let body = request.body().and_then(|body| body.as_bytes()).unwrap_or_default();
        let path = request.url().path();
        let parlay = path.contains("/services/").then(|| soap::Request::parse(body).expect("a request").0);
        let (charge, sms) = match parlay {
            Some(soap::Request::Charge(charge)) => {
                (Some((charge.msisdn, charge.svc_id, charge.cents, charge.key)), None)
            }
            Some(soap::Request::Sms(sms)) => (None, Some(sms)),
            Some(_) => (None, None),
            None if request.method() == Method::POST && path.ends_with("/charges") => {
                let charge: Value = serde_json::from_slice(body).unwrap();
                let svc_id = i32::try_from(charge["svc_id"].as_i64().unwrap()).unwrap();
                let text = |field: &str| charge[field].as_str().unwrap().to_owned();
                (Some((text("msisdn"), svc_id, charge["cents"].as_i64().unwrap(), text("key"))), None)
            }
            None if path.ends_with("/messages") => {
                let sms: SmsRequest = serde_json::from_slice(body).unwrap();
                if sms.valid_seconds.is_none() {
                    self.fail(&sms.msisdn, "an SMS has no validity");
                }
                (None, Some(sms))
            }
            None => (None, None),
        };
        if let Some((msisdn, svc_id, cents, key)) = charge {
            self.note(format_args!("charge {msisdn} {svc_id} {cents}"));
            self.check_charge((&msisdn, svc_id), cents, &key);
        }
        if let Some(SmsRequest { msisdn, text, .. }) = sms {
            self.note(format_args!("SMS to {msisdn}: {text}"));
            // An SMS that names a free day or smaller amounts has two parts.
            let most = if text.contains("free") || text.contains("airtime") { 306 } else { 160 };
            if !text.is_ascii() || text.len() > most {
                self.fail(&msisdn, format_args!("not one SMS: {text}"));
            }
            let (now, hour) = (self.now(), (self.now() + TimeDelta::hours(2)).hour());
            let acted = self.people.iter().find(|person| person.msisdn == msisdn).and_then(|person| person.acted);
            if !(8..20).contains(&hour) && acted.is_none_or(|acted| now - acted > ANSWER) {
                self.fail(&msisdn, format_args!("an SMS at night that is no answer: {text}"));
            }
        }
    }

    /// A charge is for a person who is in, of an amount that this person has agreed to, and for no free day.
    fn check_charge(&self, (msisdn, svc_id): (&str, i32), cents: i64, key: &str) {
        let Some(person) = self.people.iter().find(|person| person.msisdn == msisdn) else {
            self.fail(msisdn, "a stranger is charged");
        };
        let membership = &person.memberships[&svc_id];
        let Some(confirmed) = membership.confirmed else { self.fail(msisdn, "charged without a consent") };
        if membership.left.is_some_and(|left| confirmed <= left) {
            self.fail(msisdn, format_args!("a charge of {svc_id} is sent after an acknowledged leave"));
        }
        let consents = self.rows(&format!(
            "SELECT t.kind || ';' || t.id || ';' || c.price_cents || ';' || c.parts || ';' || (l.day < s.free_until) AS line \
             FROM ledger l JOIN subscriptions s ON s.id = l.subscription_id JOIN consents c ON c.id = l.consent_id JOIN tries t ON t.id = c.attempt \
             WHERE l.charge_key = '{key}' AND l.kind = 'charge'"
        ));
        let [consent] = consents.as_slice() else {
            self.fail(msisdn, format_args!("{key} has the consents {consents:?}"))
        };
        let [kind, attempt, price, parts, is_free] = consent.split(';').collect::<Vec<_>>()[..] else {
            panic!("{consent}")
        };
        if !std::iter::once(price).chain(parts.split(',')).any(|amount| amount == cents.to_string()) {
            self.fail(msisdn, format_args!("{cents} cents are none of the amounts {price} {parts}"));
        }
        if kind == "opt_in" && !membership.attempts.contains(attempt) {
            self.fail(msisdn, format_args!("{attempt} was not confirmed"));
        }
        if is_free == "1" {
            self.fail(msisdn, format_args!("{svc_id} is charged on a free day"));
        }
    }

    /// Sends a notification some time later, perhaps twice, perhaps under another id.
    pub fn send_note(&mut self, network: usize, body: Vec<u8>, ends: Option<(usize, i32, DateTime<Utc>)>) {
        self.count += 1;
        let note = Note { network, id: format!("m-{}", self.count), body, tries: 0, ends };
        let is_rude = self.networks[network].is_rude(&mut self.rng);
        let most = if is_rude { 20_000_000 } else { 2_000 };
        if is_rude && self.rng.random_bool(0.5) {
            let mut copy = note.clone();
            if self.rng.random_bool(0.5) {
                copy.id.push_str("-again");
            }
            let after = self.millis(60_000);
            self.later(after, Event::Notify(copy));
        }
        let after = self.millis(most);
        self.later(after, Event::Notify(note));
    }

    pub fn notify(&mut self, note: Note) {
        let timestamp = self.now().timestamp();
        let name = self.networks[note.network].name;
        self.note(format_args!("{name} sends {} {}", note.id, String::from_utf8_lossy(&note.body)));
        let request = TestRequest::post()
            .uri(&format!("/api/subscribe/notify/{name}"))
            .insert_header(("webhook-id", note.id.clone()))
            .insert_header(("webhook-timestamp", timestamp))
            .insert_header(("webhook-signature", self.secret.sign(&note.id, timestamp, &note.body)))
            .set_payload(note.body.clone());
        self.call(request, Purpose::Notify(note));
    }
}
