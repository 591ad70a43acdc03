//! The outbox: requests to networks, inserted in the transaction that needs them and sent until the network accepts them.
//!
//! This module inserts messages; `queue` claims those that are due and records the outcome of each attempt, `dispatcher` sends them,
//! `history` shows them to customer support, `receipts` records what a network tells of an SMS afterwards. A message waits until it is done (the network accepted it) or dead (the network rejected it,
//! or it is an SMS whose validity has ended); staff look at dead messages.

mod dispatcher;
mod history;
mod queue;
mod receipts;

use std::collections::BTreeMap;

use brands::{Brands, TimeOfDay};
use chrono::{NaiveDateTime, TimeDelta, Timelike};
use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use identity::SubscriberId;
use operator::{RefundRequest, SmsRequest, StopRequest};
use store::DbConnection;

use crate::{
    App,
    error::Error,
    schema::outbox,
    subscribers::{
        calendar, ids::random_token, network_subscriptions::NetworkSubscription, subscriptions::Subscription,
    },
};

pub(crate) use dispatcher::start;
pub(crate) use history::{MessageView, of_number, resend, retry};
pub(crate) use receipts::record_receipt;

/// The kinds of messages.
const SMS: &str = "sms";
const STOP: &str = "stop";
const REFUND: &str = "refund";

/// How long an SMS is worth delivering: one that a page waits for, one about a subscription, and a reminder.
pub(crate) const CODE_VALIDITY: TimeDelta = TimeDelta::minutes(10);
pub(crate) const ANSWER_VALIDITY: TimeDelta = TimeDelta::days(1);
pub(crate) const REMINDER_VALIDITY: TimeDelta = TimeDelta::days(3);

/// The order of messages. In a network's quiet hours only urgent SMSes are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// Stops, refunds, and SMSes that reply to an action of the subscriber.
    Urgent,
    /// SMSes about changes without an action of the subscriber.
    Normal,
    /// Reminders.
    Bulk,
}

impl Priority {
    /// All of them, the first to be sent first.
    const ALL: [Self; 3] = [Self::Urgent, Self::Normal, Self::Bulk];

    /// The value in the table.
    const fn level(self) -> i32 {
        match self {
            Self::Urgent => 0,
            Self::Normal => 1,
            Self::Bulk => 2,
        }
    }
}

/// An SMS to enqueue.
pub(crate) struct Sms {
    pub network: String,
    pub msisdn: String,
    pub svc_id: i32,
    pub text: String,
    pub priority: Priority,
    pub validity: TimeDelta,
    /// The subscription whose current state the text describes; see `drop_outdated`.
    pub state_of: Option<i64>,
}

/// A new row of the outbox, before its first attempt.
#[derive(Insertable)]
#[diesel(table_name = outbox)]
struct NewMessage {
    network: String,
    kind: &'static str,
    body: String,
    attempts: i32,
    next_at: NaiveDateTime,
    msisdn: String,
    priority: i32,
    created_at: NaiveDateTime,
    state_of: Option<i64>,
    /// The key of an SMS, by which a receipt names it.
    message_key: String,
}

impl NewMessage {
    fn urgent<T: serde::Serialize>(
        network: &str,
        kind: &'static str,
        msisdn: &str,
        body: &T,
        now: NaiveDateTime,
    ) -> Result<Self, Error> {
        Ok(Self {
            network: network.to_owned(),
            kind,
            body: json(body)?,
            attempts: 0,
            next_at: now,
            msisdn: msisdn.to_owned(),
            priority: Priority::Urgent.level(),
            created_at: now,
            state_of: None,
            message_key: String::new(),
        })
    }

    fn insert(conn: &mut DbConnection, messages: &[Self]) -> Result<(), Error> {
        match conn {
            DbConnection::Postgres(conn) => {
                diesel::insert_into(outbox::table).values(messages).execute(conn)?;
            }
            // SQLite cannot insert a batch with optional values.
            DbConnection::Sqlite(conn) => {
                for message in messages {
                    diesel::insert_into(outbox::table).values(message).execute(conn)?;
                }
            }
        }
        Ok(())
    }
}

fn json<T: serde::Serialize>(body: &T) -> Result<String, Error> {
    Ok(serde_json::to_string(body).map_err(|error| store::Error::Query(error.to_string()))?)
}

/// Whole seconds; 0 where it is over.
fn seconds(validity: TimeDelta) -> u32 {
    u32::try_from(validity.num_seconds()).unwrap_or_default()
}

/// Enqueues SMSes, in this order.
pub(crate) fn enqueue_sms(conn: &mut DbConnection, messages: Vec<Sms>, now: NaiveDateTime) -> Result<(), Error> {
    enqueue_sms_with_keys(conn, messages.into_iter().map(|sms| (random_token(), sms)), now)
}

/// As `enqueue_sms`, with keys by which `sms_by_keys` finds them. The key makes repeated deliveries one SMS.
pub(crate) fn enqueue_sms_with_keys(
    conn: &mut DbConnection,
    messages: impl Iterator<Item = (String, Sms)>,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let rows = messages.map(|(key, Sms { network, msisdn, svc_id, text, priority, validity, state_of })| {
        let valid_seconds = Some(seconds(validity));
        let request = SmsRequest { key, msisdn, svc_id, text, valid_seconds };
        let row = NewMessage::urgent(&network, SMS, &request.msisdn, &request, now)?;
        Ok(NewMessage { priority: priority.level(), state_of, message_key: request.key, ..row })
    });
    let rows = rows.collect::<Result<Vec<_>, Error>>()?;
    NewMessage::insert(conn, &rows)
}

/// The SMSes with these keys, and whether each has been sent.
pub(crate) fn sms_by_keys(conn: &mut DbConnection, keys: &[String]) -> Result<BTreeMap<String, bool>, Error> {
    let found: Vec<(String, bool)> = outbox::table
        .filter(outbox::message_key.eq_any(keys))
        // Literal SQL, so that the partial index applies.
        .filter(sql::<Bool>("outbox.message_key <> ''"))
        .select((outbox::message_key, outbox::done_at.is_not_null()))
        .load(conn)?;
    Ok(found.into_iter().collect())
}

/// Deletes the unsent SMSes about subscriptions' previous states: a notice that waited for the morning would be outdated. Messages that
/// are being sent, or were tried, stay.
pub(crate) fn drop_outdated<'a>(
    conn: &mut DbConnection,
    subscriptions: impl Iterator<Item = &'a Subscription>,
) -> Result<(), Error> {
    let (numbers, ids): (Vec<&str>, Vec<i64>) = subscriptions.map(|of| (of.msisdn.as_str(), of.id)).unzip();
    let waiting = outbox::table
        .filter(outbox::msisdn.eq_any(numbers).and(outbox::state_of.eq_any(ids)))
        .filter(outbox::done_at.is_null().and(outbox::dead_at.is_null()).and(outbox::attempts.eq(0)));
    diesel::delete(waiting).execute(conn)?;
    Ok(())
}

/// Deletes the SMSes that wait for a number: it is another person's now.
pub(crate) fn drop_unsent(conn: &mut DbConnection, msisdn: &SubscriberId) -> Result<(), Error> {
    let waiting = outbox::table
        .filter(outbox::msisdn.eq(msisdn.as_str()).and(outbox::kind.eq(SMS)))
        .filter(outbox::done_at.is_null().and(outbox::dead_at.is_null()));
    diesel::delete(waiting).execute(conn)?;
    Ok(())
}

/// Enqueues a request to end one of a network's own subscriptions.
pub(crate) fn enqueue_stop(
    conn: &mut DbConnection,
    network: &str,
    network_ref: &str,
    subscription: &Subscription,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let stop = StopRequest {
        msisdn: subscription.msisdn.as_str().to_owned(),
        svc_id: subscription.svc_id,
        network_subscription_id: network_ref.to_owned(),
    };
    NewMessage::insert(conn, &[NewMessage::urgent(network, STOP, &stop.msisdn, &stop, now)?])
}

/// Enqueues a refund; its key makes repeated deliveries one refund.
pub(crate) fn enqueue_refund(
    conn: &mut DbConnection,
    network: &str,
    refund: &RefundRequest,
    now: NaiveDateTime,
) -> Result<(), Error> {
    NewMessage::insert(conn, &[NewMessage::urgent(network, REFUND, &refund.msisdn, refund, now)?])
}

/// Ends a network subscription here and enqueues the stop for the network.
pub(crate) fn end_and_notify_network(
    conn: &mut DbConnection,
    hold: &NetworkSubscription,
    subscription: &Subscription,
    now: NaiveDateTime,
) -> Result<(), Error> {
    hold.end(conn, now)?;
    enqueue_stop(conn, &hold.network, &hold.network_ref, subscription, now)
}

/// Sends a network's waiting stops of a number's subscription immediately. Otherwise it would answer a new confirmation with the
/// subscription that still runs, and end it when the stop arrives.
pub(crate) async fn send_pending_stops(
    app: &App,
    network: &str,
    msisdn: &SubscriberId,
    svc_id: i32,
) -> Result<(), Error> {
    let (name, msisdn) = (network.to_owned(), msisdn.clone());
    for (id, stop) in app.db.run(move |conn| waiting_stops(conn, &name, &msisdn, svc_id)).await? {
        app.networks.operator(network)?.stop(&stop).await?;
        let now = app.clock.now();
        app.db.write(move |conn| queue::mark_done(conn, id, now)).await?;
    }
    Ok(())
}

fn waiting_stops(
    conn: &mut DbConnection,
    network: &str,
    msisdn: &SubscriberId,
    svc_id: i32,
) -> Result<Vec<(i64, StopRequest)>, Error> {
    let waiting: Vec<(i64, String)> = outbox::table
        .filter(outbox::msisdn.eq(msisdn.as_str()).and(outbox::network.eq(network)).and(outbox::kind.eq(STOP)))
        .filter(outbox::done_at.is_null().and(outbox::dead_at.is_null()))
        .order(outbox::id)
        .select((outbox::id, outbox::body))
        .load(conn)?;
    let stops = waiting.into_iter().filter_map(|(id, body)| {
        let stop: StopRequest = serde_json::from_str(&body).ok()?;
        (stop.svc_id == svc_id).then_some((id, stop))
    });
    Ok(stops.collect())
}

/// Whether this is one of a network's quiet hours.
pub(crate) fn is_quiet(brands: &Brands, network: &str, now: NaiveDateTime) -> bool {
    let time = calendar::time_of(now);
    let part = |number: u32| u16::try_from(number).unwrap_or_default();
    let time = TimeOfDay::new(part(time.hour()), part(time.minute()));
    brands.network(network).is_some_and(|network| network.is_quiet(time))
}
