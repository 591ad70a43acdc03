//! Notifications: what the other side must learn, kept until it has answered.

use brands::Adapter;
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use diesel::prelude::*;
use operator::{
    ChargeEvent, OptInEvent, OptInKind, OptInStatus, ReceiptEvent, SmsEvent, StopEvent, camara::payment_event, soap,
};
use serde::Serialize;
use serde_json::Value;
use service::Clock;
use store::{DbConnection, on_each_backend};
use uuid::Uuid;

use crate::{behaviour::Behaviour, error::Error, misbehaviour::Misbehaviour, schema::notifications};

/// The most undelivered ones that are read at once.
const BATCH: i64 = 200;

/// The longest pause between two attempts, in seconds.
const MAX_PAUSE_SECONDS: i64 = 60;

/// One notification that was not answered with success yet.
#[derive(Queryable)]
pub(crate) struct Undelivered {
    pub id: i64,
    pub webhook_id: String,
    pub network: String,
    pub msisdn: String,
    pub body: String,
    pub attempts: i32,
}

/// One notification that is new.
#[derive(Insertable)]
#[diesel(table_name = notifications)]
pub(crate) struct Notice {
    webhook_id: String,
    network: String,
    msisdn: String,
    body: String,
    attempts: i32,
    /// By the system's clock, as every time of the delivery.
    next_at: NaiveDateTime,
}

impl Notice {
    /// About a number, from its network.
    pub fn new(network: &str, msisdn: &str, body: &Value) -> Self {
        Self::text(network, msisdn, body.to_string())
    }

    /// The same with a body that is written already.
    pub fn text(network: &str, msisdn: &str, body: String) -> Self {
        Self {
            webhook_id: format!("msg_{}", Uuid::new_v4().simple()),
            network: network.to_owned(),
            msisdn: msisdn.to_owned(),
            body,
            attempts: 0,
            next_at: Clock::system_now(),
        }
    }

    /// Sent after this many seconds.
    pub fn after(mut self, seconds: u32) -> Self {
        self.next_at += TimeDelta::seconds(seconds.into());
        self
    }
}

/// Keeps notifications for the sender.
pub(crate) fn put(conn: &mut DbConnection, notices: &[Notice]) -> Result<(), Error> {
    if !notices.is_empty() {
        on_each_backend!(conn, conn => diesel::insert_into(notifications::table).values(notices).execute(conn))?;
    }
    Ok(())
}

/// An event of a network, in the form of its API.
pub(crate) enum Event<'a> {
    OptIn(&'a OptInEvent),
    Stop(&'a StopEvent, &'a Misbehaviour),
    /// Of a number.
    Charge(&'a ChargeEvent, &'a str),
    Sms(&'a SmsEvent),
    /// Of a number.
    Receipt(&'a ReceiptEvent, &'a str),
}

impl Event<'_> {
    /// The body.
    pub fn written(&self, adapter: Adapter) -> Result<String, Error> {
        if adapter == Adapter::Soap {
            match self {
                Self::OptIn(event) if (event.kind, event.status) == (OptInKind::OptIn, OptInStatus::Confirmed) => {
                    return Ok(soap::subscription_added(event));
                }
                // What Parlay X does not define.
                Self::OptIn(_) => {}
                Self::Stop(event, _) => return Ok(soap::subscription_deleted(event)),
                Self::Charge(event, msisdn) => return Ok(soap::charge_completed(event, msisdn)),
                Self::Sms(event) => return Ok(soap::sms_received(event)),
                Self::Receipt(event, msisdn) => return Ok(soap::sms_receipt(event, msisdn)),
            }
        }
        if let (Adapter::Camara, Self::Charge(event, _)) = (adapter, self) {
            let id = format!("event-{}", Uuid::new_v4().simple());
            let payment_id = event.network_ref.as_deref().unwrap_or_default();
            return payment_event(&id, payment_id, event.at).map_err(|error| Error::Unwritable(error.to_string()));
        }
        let body = match self {
            Self::OptIn(event) => body(event)?,
            Self::Stop(event, misbehaviour) => misbehaviour.stop_event(body(event)?),
            Self::Charge(event, _) => body(event)?,
            Self::Sms(event) => body(event)?,
            Self::Receipt(event, _) => body(event)?,
        };
        Ok(body.to_string())
    }
}

/// A notification's body.
pub(crate) fn body<T: Serialize>(event: &T) -> Result<Value, Error> {
    serde_json::to_value(event).map_err(|error| Error::Unwritable(error.to_string()))
}

/// The same body with other types: numbers as strings, times in Johannesburg without a zone.
pub(crate) fn with_variant_types(body: Value) -> Value {
    match body {
        Value::Number(number) => Value::String(number.to_string()),
        Value::String(text) => Value::String(without_zone(&text, operator::JOHANNESBURG).unwrap_or(text)),
        Value::Array(items) => items.into_iter().map(with_variant_types).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, with_variant_types(value))).collect(),
        other => other,
    }
}

/// The same body with its times written in another way.
pub(crate) fn with_times(body: Value, write: &impl Fn(DateTime<Utc>) -> String) -> Value {
    match body {
        Value::String(text) => {
            let time = DateTime::parse_from_rfc3339(&text).ok();
            Value::String(time.map_or(text, |time| write(time.to_utc())))
        }
        Value::Array(items) => items.into_iter().map(|item| with_times(item, write)).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, with_times(value, write))).collect(),
        other => other,
    }
}

fn without_zone(text: &str, zone: Tz) -> Option<String> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    Some(time.with_timezone(&zone).format("%Y-%m-%d %H:%M:%S%.6f").to_string())
}

impl Undelivered {
    /// Notifications that are due, oldest first.
    pub fn due(conn: &mut DbConnection) -> Result<Vec<Self>, Error> {
        Ok(notifications::table
            .filter(notifications::delivered_at.is_null().and(notifications::next_at.le(Clock::system_now())))
            .order((notifications::next_at, notifications::id))
            .limit(BATCH)
            .select((
                notifications::id,
                notifications::webhook_id,
                notifications::network,
                notifications::msisdn,
                notifications::body,
                notifications::attempts,
            ))
            .load(conn)?)
    }

    /// Whether the first answer to it gets lost, so that it is sent again.
    pub fn loses_first_answer(&self) -> bool {
        self.attempts == 0 && Behaviour::of(&self.msisdn) == Behaviour::ReplyLost && self.body.contains("billing_ref")
    }

    /// These were answered with success.
    pub fn delivered(conn: &mut DbConnection, ids: &[i64]) -> Result<(), Error> {
        diesel::update(notifications::table.filter(notifications::id.eq_any(ids)))
            .set(notifications::delivered_at.eq(Clock::system_now()))
            .execute(conn)?;
        Ok(())
    }

    /// It was not answered with success: it is sent again, each time after a longer pause.
    pub fn postpone(&self, conn: &mut DbConnection) -> Result<(), Error> {
        let pause =
            2_i64.checked_pow(self.attempts.unsigned_abs()).map_or(MAX_PAUSE_SECONDS, |s| s.min(MAX_PAUSE_SECONDS));
        diesel::update(notifications::table.find(self.id))
            .set((
                notifications::attempts.eq(self.attempts.saturating_add(1)),
                notifications::next_at.eq(Clock::system_now() + TimeDelta::seconds(pause)),
            ))
            .execute(conn)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_untidy_body_says_the_same_in_other_spellings() {
        let tidy =
            json!({"amount": 300, "at": "2026-11-21T04:00:05Z", "subscription": {"svc_id": 152}, "ext_ref": null});
        let expected = json!({"amount": "300", "at": "2026-11-21 06:00:05.000000", "subscription": {"svc_id": "152"}, "ext_ref": null});
        assert_eq!(with_variant_types(tidy), expected);
    }
}
