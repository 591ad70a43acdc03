//! The messages of a number for customer support, and the retry of dead ones.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::SubscriberId;
use operator::{RefundRequest, SmsRequest};
use serde::Serialize;
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    error::Error,
    ledger::rows::FAILED,
    messages::outbox::{ANSWER_VALIDITY, Priority, REFUND, SMS, Sms},
    schema::{ledger, outbox},
};

/// A message about a number, to the subscriber or to a network.
#[derive(Serialize, ToSchema)]
pub(crate) struct MessageView {
    pub id: i64,
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub at: NaiveDateTime,
    /// "sms", "stop" or "refund".
    pub kind: String,
    pub network: String,
    /// The text of an SMS.
    #[schema(required = true)]
    pub text: Option<String>,
    /// "waiting", "sent" or "dead".
    pub state: &'static str,
    pub attempts: i32,
    /// The error of the last attempt; empty after a success.
    pub last_error: String,
    /// What the network told of a sent SMS: "delivered", "failed" or "expired"; null where it has told nothing.
    #[schema(required = true)]
    pub delivery: Option<String>,
    /// The network's reason for a failure.
    pub delivery_reason: String,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = outbox)]
struct Row {
    id: i64,
    network: String,
    kind: String,
    body: String,
    attempts: i32,
    next_at: NaiveDateTime,
    done_at: Option<NaiveDateTime>,
    created_at: Option<NaiveDateTime>,
    dead_at: Option<NaiveDateTime>,
    last_error: String,
    delivery: String,
    delivery_reason: String,
}

impl From<Row> for MessageView {
    fn from(row: Row) -> Self {
        let text = (row.kind == SMS).then(|| serde_json::from_str::<SmsRequest>(&row.body).ok()).flatten();
        let state = match (row.done_at, row.dead_at) {
            (Some(_), _) => "sent",
            (None, Some(_)) => "dead",
            (None, None) => "waiting",
        };
        Self {
            id: row.id,
            at: row.created_at.or(row.done_at).unwrap_or(row.next_at),
            kind: row.kind,
            network: row.network,
            text: text.map(|sms| sms.text),
            state,
            attempts: row.attempts,
            last_error: row.last_error,
            delivery: Some(row.delivery).filter(|delivery| !delivery.is_empty()),
            delivery_reason: row.delivery_reason,
        }
    }
}

/// The newest messages about a number, newest first.
pub(crate) fn of_number(conn: &mut DbConnection, msisdn: &SubscriberId, limit: i64) -> Result<Vec<MessageView>, Error> {
    let rows: Vec<Row> = outbox::table
        .filter(outbox::msisdn.eq(msisdn.as_str()))
        .order(outbox::id.desc())
        .limit(limit)
        .select(Row::as_select())
        .load(conn)?;
    Ok(rows.into_iter().map(MessageView::from).collect())
}

/// Queues a dead message again. A refund that the ledger has as failed is not sent again: the charge has to be refunded again, which
/// enters a new refund.
pub(crate) fn retry(conn: &mut DbConnection, id: i64, now: NaiveDateTime) -> Result<MessageView, Error> {
    let dead = || outbox::table.filter(outbox::id.eq(id).and(outbox::dead_at.is_not_null()));
    let row: Option<Row> = dead().select(Row::as_select()).first(conn).optional()?;
    let Some(row) = row else { return Err(Error::Store(store::Error::NotFound)) };
    if row.kind == REFUND
        && let Ok(refund) = serde_json::from_str::<RefundRequest>(&row.body)
    {
        let entered = ledger::table
            .filter(ledger::network.eq(&row.network).and(ledger::charge_key.eq(&refund.key)))
            .select(ledger::status);
        let entered: Vec<String> = entered.load(conn)?;
        if !entered.is_empty() && entered.iter().all(|status| status == FAILED) {
            return Err(Error::RefundFailed);
        }
    }
    if row.kind == SMS {
        // Its validity begins again. At night it waits, as a copy does.
        let again = (outbox::created_at.eq(now), outbox::priority.eq(Priority::Normal.level()));
        diesel::update(dead()).set(again).execute(conn)?;
    }
    diesel::update(dead())
        .set((outbox::dead_at.eq(None::<NaiveDateTime>), outbox::next_at.eq(now), outbox::attempts.eq(0)))
        .execute(conn)?;
    Ok(Row { dead_at: None, attempts: 0, ..row }.into())
}

/// Queues a copy of an SMS that was sent. The copy is no reply to an action of the subscriber: at night it waits.
pub(crate) fn resend(conn: &mut DbConnection, id: i64, now: NaiveDateTime) -> Result<MessageView, Error> {
    let row: Option<Row> = outbox::table.find(id).select(Row::as_select()).first(conn).optional()?;
    let row = row.ok_or(Error::Store(store::Error::NotFound))?;
    if row.kind != SMS || row.done_at.is_none() {
        return Err(Error::NotResendable);
    }
    let Ok(SmsRequest { msisdn, svc_id, text, .. }) = serde_json::from_str(&row.body) else {
        return Err(Error::NotResendable);
    };
    let newest = |conn: &mut DbConnection| -> Result<Option<Row>, Error> {
        let waiting: Vec<Row> = outbox::table
            .filter(outbox::msisdn.eq(&msisdn).and(outbox::network.eq(&row.network)).and(outbox::kind.eq(SMS)))
            .filter(outbox::done_at.is_null().and(outbox::dead_at.is_null()))
            .order(outbox::id.desc())
            .select(Row::as_select())
            .load(conn)?;
        let is_copy = |row: &Row| serde_json::from_str::<SmsRequest>(&row.body).is_ok_and(|sms| sms.text == text);
        Ok(waiting.into_iter().find(is_copy))
    };
    if let Some(waiting) = newest(conn)? {
        return Ok(waiting.into());
    }
    let (network, msisdn, text) = (row.network.clone(), msisdn.clone(), text.clone());
    let copy =
        Sms { network, msisdn, svc_id, text, priority: Priority::Normal, validity: ANSWER_VALIDITY, state_of: None };
    super::enqueue_sms(conn, vec![copy], now)?;
    newest(conn)?.map(MessageView::from).ok_or(Error::Store(store::Error::NotFound))
}
