//! The outbox: what networks must still be told, kept in the transaction that made it necessary and sent until the network takes it.
//!
//! Here is what is put in, and what is told of it: `queue` claims the messages that are due and records what became of each, `dispatcher`
//! sends them, `history` shows them to a support desk. A message waits until it is done (the network took it) or dead (the network
//! refused it for good, or an SMS found no network for a day); a person looks at the dead ones.

mod dispatcher;
mod history;
mod queue;

use brands::{Brands, TimeOfDay};
use chrono::{NaiveDateTime, TimeDelta, Timelike};
use diesel::prelude::*;
use identity::Msisdn;
use operator::{RefundRequest, SmsRequest, StopRequest};
use store::DbConnection;

use crate::{
    App, billing::calendar, error::Error, network_subscriptions::NetworkSubscription, opt_in_attempts::random_token,
    schema::outbox, subscriptions::Subscription,
};

pub(crate) use dispatcher::start;
pub(crate) use history::{MessageView, of_number, retry};

/// The kinds of messages.
const SMS: &str = "sms";
const STOP: &str = "stop";
const REFUND: &str = "refund";

/// How long a delivered message is kept.
const DELIVERED_RETENTION: TimeDelta = TimeDelta::days(180);

/// Delivered messages deleted in one transaction.
const DELETE_BATCH_SIZE: i64 = 1000;

/// Which messages go first. In the quiet hours of a network it gets no SMS but urgent ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// Stops, refunds, and SMSes that answer what the person just did.
    Urgent,
    /// What happened to a subscription by itself.
    Normal,
    /// Reminders.
    Bulk,
}

impl Priority {
    /// All of them, the first to be sent first.
    const ALL: [Self; 3] = [Self::Urgent, Self::Normal, Self::Bulk];

    /// As the table has it.
    const fn level(self) -> i32 {
        match self {
            Self::Urgent => 0,
            Self::Normal => 1,
            Self::Bulk => 2,
        }
    }
}

/// An SMS to put in.
pub(crate) struct Sms {
    pub network: String,
    pub msisdn: String,
    pub svc_id: i32,
    pub text: String,
    pub priority: Priority,
    /// The subscription whose present state it tells; see `drop_outdated`.
    pub state_of: Option<i64>,
}

/// A row of the table that nobody has tried to send.
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
        })
    }

    fn insert(conn: &mut DbConnection, messages: &[Self]) -> Result<(), Error> {
        match conn {
            DbConnection::Postgres(conn) => {
                diesel::insert_into(outbox::table).values(messages).execute(conn)?;
            }
            // SQLite takes no batch with values that may be absent.
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

/// Puts in SMSes, in this order.
pub(crate) fn enqueue_sms(conn: &mut DbConnection, messages: Vec<Sms>, now: NaiveDateTime) -> Result<(), Error> {
    let rows = messages.into_iter().map(|Sms { network, msisdn, svc_id, text, priority, state_of }| {
        // The key makes a repeated delivery one SMS.
        let request = SmsRequest { key: random_token(), msisdn, svc_id, text };
        let row = NewMessage::urgent(&network, SMS, &request.msisdn, &request, now)?;
        Ok(NewMessage { priority: priority.level(), state_of, ..row })
    });
    let rows = rows.collect::<Result<Vec<_>, Error>>()?;
    NewMessage::insert(conn, &rows)
}

/// Deletes the SMSes about the state of a subscription that has changed since: a notice that waited for the morning would tell
/// something that is no longer true. One that is being sent, or was tried, stays.
pub(crate) fn drop_outdated(conn: &mut DbConnection, subscription: &Subscription) -> Result<(), Error> {
    let waiting = outbox::table
        .filter(outbox::msisdn.eq(subscription.msisdn.as_str()).and(outbox::state_of.eq(subscription.id)))
        .filter(outbox::done_at.is_null().and(outbox::dead_at.is_null()).and(outbox::attempts.eq(0)));
    diesel::delete(waiting).execute(conn)?;
    Ok(())
}

/// Puts in that one of a network's own subscriptions is to end.
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

/// Puts in that a charge is to be given back; the key makes a repeated delivery one refund.
pub(crate) fn enqueue_refund(
    conn: &mut DbConnection,
    network: &str,
    refund: &RefundRequest,
    now: NaiveDateTime,
) -> Result<(), Error> {
    NewMessage::insert(conn, &[NewMessage::urgent(network, REFUND, &refund.msisdn, refund, now)?])
}

/// Ends a hold here and puts in that the network is to end it too.
pub(crate) fn end_and_notify_network(
    conn: &mut DbConnection,
    hold: &NetworkSubscription,
    subscription: &Subscription,
    now: NaiveDateTime,
) -> Result<(), Error> {
    hold.end(conn, now)?;
    enqueue_stop(conn, &hold.network, &hold.network_ref, subscription, now)
}

/// Sends the stops of a number's subscription that still wait, at once. Without it a network would take a new yes for the
/// subscription it still runs, and end that when the stop arrives.
pub(crate) async fn send_pending_stops(app: &App, msisdn: &Msisdn, svc_id: i32) -> Result<(), Error> {
    let msisdn = msisdn.clone();
    for (id, network, stop) in app.db.run(move |conn| waiting_stops(conn, &msisdn, svc_id)).await? {
        app.networks.operator(&network)?.stop(&stop).await?;
        let now = app.clock.now();
        app.db.write(move |conn| queue::mark_done(conn, id, now)).await?;
    }
    Ok(())
}

fn waiting_stops(
    conn: &mut DbConnection,
    msisdn: &Msisdn,
    svc_id: i32,
) -> Result<Vec<(i64, String, StopRequest)>, Error> {
    let waiting: Vec<(i64, String, String)> = outbox::table
        .filter(outbox::msisdn.eq(msisdn.as_str()).and(outbox::kind.eq(STOP)))
        .filter(outbox::done_at.is_null().and(outbox::dead_at.is_null()))
        .order(outbox::id)
        .select((outbox::id, outbox::network, outbox::body))
        .load(conn)?;
    let stops = waiting.into_iter().filter_map(|(id, network, body)| {
        let stop: StopRequest = serde_json::from_str(&body).ok()?;
        (stop.svc_id == svc_id).then_some((id, network, stop))
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

/// Deletes a page of the messages that were delivered long ago; how many. To be called until it answers 0, each time in a transaction
/// of its own.
pub(crate) fn delete_delivered(conn: &mut DbConnection, now: NaiveDateTime) -> Result<usize, Error> {
    let old: Vec<i64> = outbox::table
        .filter(outbox::done_at.lt(now - DELIVERED_RETENTION))
        .order(outbox::done_at)
        .limit(DELETE_BATCH_SIZE)
        .select(outbox::id)
        .load(conn)?;
    Ok(diesel::delete(outbox::table.filter(outbox::id.eq_any(old))).execute(conn)?)
}
