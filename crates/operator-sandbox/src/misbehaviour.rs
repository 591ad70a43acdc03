//! `POST /internal/misbehave`: what one network does wrong, for tests. README.md explains each field.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use actix_web::{
    HttpResponse,
    web::{Data, Json},
};
use brands::{Adapter, BillingResult};
use chrono::{DateTime, NaiveDateTime, SecondsFormat, TimeDelta, Utc};
use operator::{ChargeEvent, ChargeStatus};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use service::{Admin, Clock};
use tokio::sync::watch;

use crate::{
    App,
    error::Error,
    failures::Reason,
    notifications::{self, Event, Notice},
};

/// A push network's results: number and name.
const SUCCESS: (i64, &str) = (1, "SUCCESS");
pub(crate) const INSUFFICIENT_FUNDS: (i64, &str) = (2, "INSUFFICIENT_FUNDS");

/// How far ahead of its time a stop is dated: Johannesburg's local time, marked as UTC.
const STOP_AHEAD: TimeDelta = TimeDelta::hours(2);

/// The number of a result other than success and lack of funds.
const OTHER_RESULT: i64 = 9;

/// How far a clock is behind.
const BEHIND: TimeDelta = TimeDelta::minutes(10);

/// Everything that one network does wrong; what is absent is off.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Misbehaviour {
    network: String,
    hang_seconds: u32,
    unavailable: bool,
    pub charge_delay_ms: u32,
    wrong_key: bool,
    wrong_amount: bool,
    wrong_number: bool,
    numeric_refs: bool,
    unknown_outcome: bool,
    accept_seconds: u32,
    garbled: bool,
    pub refuse_all: bool,
    no_airtime_percent: u8,
    pub list: Option<ListFault>,
    pub forget_charges: bool,
    pub refund: Option<RefundFault>,
    pub sms: Option<SmsFault>,
    push_results: Option<String>,
    #[serde(deserialize_with = "present")]
    pub push_amount: Option<Value>,
    pub push_twice: bool,
    pub failed_then_success: bool,
    stop_without_svc_id: bool,
    stop_svc_id_as_text: bool,
    stop_in_future: bool,
    pub new_id_on_rejoin: bool,
    forget_tokens: bool,
    pub wrong_audience: bool,
    pub checks_unavailable: bool,
    charges_per_second: u32,
    pub push_cents: Option<i64>,
    stop_svc_id: Option<Value>,
    times: Option<TimeFault>,
    pub repeat_notifications: bool,
}

/// What is wrong with the list of a day's charges.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ListFault {
    /// The network's charges are missing from it.
    Empty,
    /// Its `Link` names the same page again.
    Endless,
    /// Its last row cannot be read.
    BadRow,
    /// It is answered 500.
    Error,
    /// Its last charge is listed a second time, made at another time.
    Twice,
}

/// How a network writes the times of its notifications.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum TimeFault {
    /// As zeros.
    Rubbish,
    /// As UTC, without the zone.
    Bare,
    /// By a clock that is ten minutes behind.
    Behind,
}

/// What is wrong with refunds.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RefundFault {
    /// They are answered 422.
    Refuse,
    /// A third of the amount is given back.
    Part,
}

/// What is wrong with SMSes to people.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SmsFault {
    /// They are answered 422.
    Refuse,
    /// Each takes 300 ms.
    Slow,
}

/// What each network does wrong at present.
#[derive(Default)]
pub(crate) struct Misbehaviours {
    of_network: watch::Sender<BTreeMap<String, Arc<Misbehaviour>>>,
    /// The network of each charge that was requested while any network misbehaved: a charge that was not made is in no table.
    networks_by_key: Mutex<HashMap<String, String>>,
    /// The second in which a network's charges are counted, and how many there were.
    charges: Mutex<HashMap<String, (i64, u32)>>,
}

/// Replaces everything that a network does wrong.
pub(crate) async fn misbehave(
    _: Admin,
    app: Data<App>,
    misbehaviour: Json<Misbehaviour>,
) -> Result<HttpResponse, Error> {
    let misbehaviour = misbehaviour.into_inner();
    let network = misbehaviour.network.clone();
    app.brands.network(&network).ok_or(Error::UnknownNetwork)?;
    tracing::warn!(network, "what the network does wrong is replaced");
    if misbehaviour.forget_tokens {
        app.payments.forget_tokens();
    }
    app.misbehaviours.of_network.send_modify(|all| {
        all.insert(network, Arc::new(misbehaviour));
    });
    Ok(HttpResponse::NoContent().finish())
}

impl Misbehaviours {
    /// What this network does wrong.
    pub fn of(&self, network: &str) -> Arc<Misbehaviour> {
        self.of_network.borrow().get(network).cloned().unwrap_or_default()
    }

    /// What those networks do wrong that a call may belong to: one network, or all where none is named.
    pub fn of_call(&self, network: Option<&str>) -> Vec<Arc<Misbehaviour>> {
        match network {
            Some(network) => vec![self.of(network)],
            None => self.of_network.borrow().values().cloned().collect(),
        }
    }

    /// Begins a call of one network, or of one that is not known and may be any: leaves it without an answer, or refuses it.
    pub async fn begin_call(&self, network: Option<&str>) -> Result<(), Error> {
        let all = self.of_call(network);
        if let Some(hangs) = all.iter().find(|one| one.hang_seconds > 0) {
            self.hang(hangs).await;
            return Err(Error::Hung);
        }
        if all.iter().any(|one| one.unavailable) { Err(Error::Unavailable) } else { Ok(()) }
    }

    /// Counts a charge; an error where the network has had as many in this second as it takes.
    pub fn begin_charge(&self, network: &str) -> Result<(), Error> {
        let most = self.of(network).charges_per_second;
        if most == 0 {
            return Ok(());
        }
        let second = Clock::system_now().and_utc().timestamp();
        let mut charges = self.charges.lock().unwrap_or_else(PoisonError::into_inner);
        let (counted_in, count) = charges.entry(network.to_owned()).or_default();
        if *counted_in != second {
            (*counted_in, *count) = (second, 0);
        }
        *count += 1;
        if *count > most { Err(Error::TooMany) } else { Ok(()) }
    }

    /// Waits until the time is over, or until the network no longer hangs.
    async fn hang(&self, misbehaviour: &Misbehaviour) {
        let mut current = self.of_network.subscribe();
        let no_longer_hangs =
            current.wait_for(|all| all.get(&misbehaviour.network).is_none_or(|one| one.hang_seconds == 0));
        // Both ends mean the same: the call is cut.
        let _ = tokio::time::timeout(Duration::from_secs(misbehaviour.hang_seconds.into()), no_longer_hangs).await;
    }

    /// Remembers whose charge this key names, while any network misbehaves.
    pub fn remember(&self, key: &str, network: &str) {
        if !self.of_network.borrow().is_empty() {
            self.networks_by_key().insert(key.to_owned(), network.to_owned());
        }
    }

    /// The network from which the charge of this key was requested.
    pub fn network_of_key(&self, key: &str) -> Option<String> {
        self.networks_by_key().get(key).cloned()
    }

    fn networks_by_key(&self) -> std::sync::MutexGuard<'_, HashMap<String, String>> {
        self.networks_by_key.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Misbehaviour {
    /// Why this network makes no charge of a number. Which numbers have no airtime, the two digits before the last tell.
    pub fn refusal_of(&self, msisdn: &str) -> Option<Reason> {
        let digits = msisdn.len().checked_sub(3).and_then(|at| msisdn.get(at..at + 2)?.parse::<u8>().ok());
        if self.refuse_all {
            return Some(Reason::Refused);
        }
        digits.filter(|digits| *digits < self.no_airtime_percent).map(|_| Reason::InsufficientFunds)
    }

    /// The reply about a charge, as this network tells it.
    pub fn charge_reply(&self, charge: &operator::Charge, now: NaiveDateTime) -> operator::Charge {
        let mut reply = charge.clone();
        let result_at = charge.at.map(|at| at.naive_utc() + TimeDelta::seconds(self.accept_seconds.into()));
        if self.accept_seconds > 0 && result_at.is_some_and(|result_at| now < result_at) {
            reply.outcome = ChargeStatus::Accepted;
        }
        if self.unknown_outcome && reply.outcome == ChargeStatus::Charged {
            reply.outcome = ChargeStatus::Unknown;
        }
        if self.wrong_key {
            reply.key.push_str("-other");
        }
        if self.wrong_amount {
            reply.cents = reply.cents.map(|cents| cents.saturating_add(1));
        }
        if self.wrong_number {
            reply.msisdn = reply.msisdn.map(|msisdn| another_number(&msisdn));
        }
        reply
    }

    /// The same as the contract's JSON.
    pub fn charge_json(&self, reply: &operator::Charge) -> Result<Value, Error> {
        notifications::body(reply).map(|reply| self.with_refs(reply))
    }

    /// A reply that cannot be read, where this network sends such replies.
    pub fn garbled_reply(&self) -> Option<HttpResponse> {
        self.garbled.then(|| HttpResponse::Ok().content_type("text/html").body("<html><body>Thank you!</bo"))
    }

    /// Sends a notification that the result of an accepted charge is there, once it is.
    pub fn result_notice(
        &self,
        (network, adapter): (&str, Adapter),
        msisdn: &str,
        charge: &operator::Charge,
    ) -> Result<Notice, Error> {
        let event = ChargeEvent {
            event: "charge".to_owned(),
            key: Some(charge.key.clone()),
            network_ref: charge.network_ref.clone(),
            at: charge.at.map(|at| at + TimeDelta::seconds(self.accept_seconds.into())),
        };
        let body = Event::Charge(&event, msisdn).written(adapter)?;
        Ok(Notice::text(network, msisdn, body).after(self.accept_seconds))
    }

    /// A reply whose `network_ref` is a number, where this network writes it so.
    pub fn with_refs(&self, mut reply: Value) -> Value {
        let number = reply
            .get("network_ref")
            .and_then(Value::as_str)
            .and_then(|text| text.rsplit('-').next()?.parse::<i64>().ok());
        if let (true, Some(number)) = (self.numeric_refs, number) {
            set(&mut reply, "network_ref", json!(number));
        }
        reply
    }

    /// A push network's result in the place of success, and whether the person is charged: where `brands.toml` says so.
    pub fn push_result(&self, app: &App) -> ((i64, &str), bool) {
        let Some(name) = self.push_results.as_deref() else { return (SUCCESS, true) };
        let meaning = app.brands.network(&self.network).and_then(|network| network.billing_result(name));
        let id = match name {
            "SUCCESS" => SUCCESS.0,
            "INSUFFICIENT_FUNDS" => INSUFFICIENT_FUNDS.0,
            _ => OTHER_RESULT,
        };
        ((id, name), meaning == Some(BillingResult::Charged))
    }

    /// The time that a stop reports for itself.
    pub fn stop_time(&self, now: NaiveDateTime) -> NaiveDateTime {
        if self.stop_in_future { now + STOP_AHEAD } else { now }
    }

    /// An event about a stop, as this network writes it.
    pub fn stop_event(&self, mut event: Value) -> Value {
        if let (true, Some(svc_id)) = (self.stop_svc_id_as_text, event.get("svc_id").map(Value::to_string)) {
            set(&mut event, "svc_id", json!(svc_id));
        }
        if let Some(svc_id) = &self.stop_svc_id {
            set(&mut event, "svc_id", svc_id.clone());
        }
        if let (true, Some(fields)) = (self.stop_without_svc_id, event.as_object_mut()) {
            fields.remove("svc_id");
        }
        event
    }
}

impl Misbehaviour {
    /// A notification's body, as this network writes its times. XML stays.
    pub fn with_times(&self, body: &str) -> String {
        let (Some(times), Ok(json)) = (self.times, serde_json::from_str::<Value>(body)) else { return body.to_owned() };
        let write = |at: DateTime<Utc>| match times {
            TimeFault::Rubbish => "0000-00-00 00:00:00".to_owned(),
            TimeFault::Bare => at.format("%Y-%m-%d %H:%M:%S").to_string(),
            TimeFault::Behind => (at - BEHIND).to_rfc3339_opts(SecondsFormat::Secs, true),
        };
        notifications::with_times(json, &write).to_string()
    }
}

/// The number whose last digit is one more.
fn another_number(msisdn: &str) -> String {
    let mut digits = msisdn.to_owned();
    let last = digits.pop().and_then(|digit| digit.to_digit(10)).unwrap_or_default();
    format!("{digits}{}", (last + 1) % 10)
}

/// Sets a field of an object.
pub(crate) fn set(object: &mut Value, field: &str, value: Value) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(field.to_owned(), value);
    }
}

/// Also null counts as present.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
