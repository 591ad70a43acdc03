//! The queue of one network and kind: claims due messages and records the outcome of attempts.
//!
//! A claim is a lease: if this process dies, another replica claims the message when the lease ends, with the same key. SMSes to one
//! number are sent in order: one waits for earlier ones of the same or a higher priority. Stops and refunds are independent of each
//! other, so that a failing one delays no other.

use std::collections::BTreeSet;

use chrono::{NaiveDateTime, TimeDelta};
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Integer, Nullable, Text, Timestamp},
};
use store::DbConnection;

use crate::{
    error::Error,
    ledger::refunds,
    messages::{
        outbox::{Priority, SMS},
        texts,
    },
    schema::outbox,
    subscribers::policy::Policy,
};

/// The duration of a claim: longer than a network's timeout.
const CLAIM_LEASE: TimeDelta = TimeDelta::seconds(20);

/// The longest pause between two attempts.
const MAX_PAUSE_SECONDS: i64 = 600;

/// How long an urgent SMS may be sent in quiet hours: later it is no reply to the subscriber's action.
const URGENT_LIFE: TimeDelta = TimeDelta::hours(1);

/// The longest stored error, in characters.
const MAX_ERROR_LENGTH: usize = 300;

/// The messages of one kind to one network.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Queue {
    pub network: String,
    pub kind: String,
}

/// A message that this process has claimed.
#[derive(QueryableByName)]
pub(crate) struct ClaimedMessage {
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    #[diesel(sql_type = Text)]
    pub body: String,
    /// Including this one, once it is claimed.
    #[diesel(sql_type = Integer)]
    pub attempts: i32,
    #[diesel(sql_type = Nullable<Timestamp>)]
    pub created_at: Option<NaiveDateTime>,
}

/// The outcome of an attempt.
pub(crate) enum Outcome {
    /// The network accepted the message.
    Delivered,
    /// The network answered a refund with this key.
    Refunded { key: String, outcome: refunds::RefundOutcome },
    /// The network rejects the message for good; with the refund's key if it is a refund.
    Refused { cause: String, refund_key: Option<String> },
    /// The validity of an SMS has ended before a network accepted it. Of a code that is no matter for staff.
    Outdated { needs_staff: bool },
    /// The attempt failed, and a later one may succeed.
    Failed { cause: String },
}

/// An attempt that has ended.
pub(crate) struct Attempt {
    pub id: i64,
    pub attempts: i32,
    pub outcome: Outcome,
}

/// A message that will not be sent any more.
pub(crate) struct DeadMessage {
    pub id: i64,
    pub cause: String,
}

impl Queue {
    /// Every queue with a waiting message, by index lookups that read one row per queue.
    pub fn all(conn: &mut DbConnection) -> Result<Vec<Self>, Error> {
        let waiting = || {
            outbox::table
                .filter(outbox::done_at.is_null().and(outbox::dead_at.is_null()))
                .select((outbox::network, outbox::kind))
                .order((outbox::network, outbox::kind))
        };
        let mut queues = Vec::new();
        let mut next: Option<(String, String)> = waiting().first(conn).optional()?;
        while let Some((network, kind)) = next {
            let of_network = waiting().filter(outbox::network.eq(&network).and(outbox::kind.gt(&kind)));
            next = match of_network.first(conn).optional()? {
                Some(found) => Some(found),
                None => waiting().filter(outbox::network.gt(&network)).first(conn).optional()?,
            };
            queues.push(Self { network, kind });
        }
        Ok(queues)
    }

    /// Whether a message could be claimed.
    pub fn has_due(&self, conn: &mut DbConnection, quiet: bool, now: NaiveDateTime) -> Result<bool, Error> {
        Ok(!self.due(conn, quiet, 1, false, now)?.is_empty())
    }

    /// Claims up to `limit` due messages, except those in flight in this process. In quiet hours only SMSes that reply to an action of the
    /// subscriber.
    pub fn claim(
        &self,
        conn: &mut DbConnection,
        quiet: bool,
        limit: usize,
        sending: &BTreeSet<i64>,
        now: NaiveDateTime,
    ) -> Result<Vec<ClaimedMessage>, Error> {
        let mut claimed = self.due(conn, quiet, limit + sending.len(), true, now)?;
        // Claims of messages in flight may have expired where the clock was moved.
        claimed.retain(|message| !sending.contains(&message.id));
        claimed.truncate(limit);
        let ids: Vec<i64> = claimed.iter().map(|message| message.id).collect();
        if !ids.is_empty() {
            diesel::update(outbox::table.filter(outbox::id.eq_any(ids)))
                .set((outbox::attempts.eq(outbox::attempts + 1), outbox::next_at.eq(now + CLAIM_LEASE)))
                .execute(conn)?;
        }
        for message in &mut claimed {
            message.attempts = message.attempts.saturating_add(1);
        }
        Ok(claimed)
    }

    /// Due messages, urgent ones first, then in the order of their due times.
    fn due(
        &self,
        conn: &mut DbConnection,
        quiet: bool,
        limit: usize,
        lock: bool,
        now: NaiveDateTime,
    ) -> Result<Vec<ClaimedMessage>, Error> {
        let is_sms = self.kind == SMS;
        let quiet = quiet && is_sms;
        // Written for the indexes `outbox_queue` (the rows) and `outbox_waiting_of_number` (the earlier messages). A scalar subquery is not turned
        // into a join over all waiting rows, and the `+ 0` keeps the planner from the index that starts with the queue's columns.
        let in_order = "AND (message.msisdn = '' OR message.id = (SELECT MIN(earlier.id) FROM outbox AS earlier \
             WHERE earlier.msisdn = message.msisdn AND earlier.network = $1 AND earlier.kind = $2 \
             AND earlier.priority + 0 <= $3 AND earlier.done_at IS NULL AND earlier.dead_at IS NULL))";
        let on_postgres = matches!(conn, DbConnection::Postgres(_));
        let statement = format!(
            "SELECT message.id, message.body, message.attempts, message.created_at FROM outbox AS message \
             WHERE message.network = $1 AND message.kind = $2 AND message.priority = $3 AND message.next_at <= $4 \
             AND message.done_at IS NULL AND message.dead_at IS NULL AND {recent} {in_order} \
             ORDER BY message.next_at, message.id LIMIT $6 {locking}",
            // Both cases bind the parameter.
            recent = if quiet { "message.created_at >= $5" } else { "$5 <= $4" },
            in_order = if is_sms { in_order } else { "" },
            // Replicas that claim concurrently skip each other's rows. SQLite has one writer at a time.
            locking = if lock && on_postgres { "FOR UPDATE OF message SKIP LOCKED" } else { "" },
        );
        let priorities = Priority::ALL.iter().filter(|priority| !quiet || **priority == Priority::Urgent);
        let mut found: Vec<ClaimedMessage> = Vec::new();
        for priority in priorities {
            let remaining = limit.saturating_sub(found.len());
            if remaining == 0 {
                break;
            }
            let more: Vec<ClaimedMessage> = sql_query(&statement)
                .bind::<Text, _>(&self.network)
                .bind::<Text, _>(&self.kind)
                .bind::<Integer, _>(priority.level())
                .bind::<Timestamp, _>(now)
                .bind::<Timestamp, _>(now - URGENT_LIFE)
                .bind::<BigInt, _>(i64::try_from(remaining).unwrap_or(i64::MAX))
                .load(conn)?;
            found.extend(more);
        }
        Ok(found)
    }

    /// Records an attempt; returns the message if it is dead now.
    pub fn record(
        &self,
        conn: &mut DbConnection,
        policy: &Policy,
        attempt: &Attempt,
        now: NaiveDateTime,
    ) -> Result<Option<DeadMessage>, Error> {
        match &attempt.outcome {
            Outcome::Delivered => mark_done(conn, attempt.id, now).map(|()| None),
            Outcome::Refunded { key, outcome } => {
                mark_done(conn, attempt.id, now)?;
                texts::record_refund(conn, policy, (&self.network, key), outcome, now).map(|()| None)
            }
            Outcome::Refused { cause, refund_key } => {
                let dead = self.mark_dead(conn, attempt, cause, now)?;
                if let Some(key) = refund_key.as_ref().filter(|_| dead.is_some()) {
                    let outcome = refunds::RefundOutcome::Rejected { cause: cause.clone() };
                    texts::record_refund(conn, policy, (&self.network, key), &outcome, now)?;
                }
                Ok(dead)
            }
            Outcome::Outdated { needs_staff } => {
                let dead = self.mark_dead(conn, attempt, "its validity has ended", now)?;
                Ok(dead.filter(|_| *needs_staff))
            }
            Outcome::Failed { cause } => self.postpone(conn, attempt, cause, now).map(|()| None),
        }
    }

    /// Marks a message as dead, unless another replica has claimed it since.
    fn mark_dead(
        &self,
        conn: &mut DbConnection,
        attempt: &Attempt,
        cause: &str,
        now: NaiveDateTime,
    ) -> Result<Option<DeadMessage>, Error> {
        let cause: String = cause.chars().take(MAX_ERROR_LENGTH).collect();
        let ended = diesel::update(outbox::table.find(attempt.id))
            .filter(outbox::attempts.eq(attempt.attempts).and(outbox::done_at.is_null()).and(outbox::dead_at.is_null()))
            .set((outbox::dead_at.eq(now), outbox::last_error.eq(&cause)))
            .execute(conn)?;
        Ok((ended > 0).then_some(DeadMessage { id: attempt.id, cause }))
    }

    /// Schedules the next attempt: after 1, 2, 4 … seconds, at most ten minutes.
    fn postpone(
        &self,
        conn: &mut DbConnection,
        attempt: &Attempt,
        cause: &str,
        now: NaiveDateTime,
    ) -> Result<(), Error> {
        let cause: String = cause.chars().take(MAX_ERROR_LENGTH).collect();
        let next_at = now + pause_after(attempt.attempts);
        let postponed = diesel::update(outbox::table.find(attempt.id))
            .filter(outbox::attempts.eq(attempt.attempts).and(outbox::done_at.is_null()).and(outbox::dead_at.is_null()))
            .set((outbox::next_at.eq(next_at), outbox::last_error.eq(cause)))
            .execute(conn)?;
        if postponed > 0 && self.kind == SMS {
            // Later messages of the number are due no earlier, so that claims need not look at them until then.
            let (msisdn, priority): (String, i32) =
                outbox::table.find(attempt.id).select((outbox::msisdn, outbox::priority)).first(conn)?;
            let behind = outbox::table
                .filter(outbox::msisdn.eq(&msisdn).and(outbox::network.eq(&self.network)).and(outbox::kind.eq(SMS)))
                .filter(outbox::done_at.is_null().and(outbox::dead_at.is_null()).and(outbox::msisdn.ne("")))
                .filter(outbox::id.gt(attempt.id).and(outbox::priority.ge(priority)).and(outbox::next_at.lt(next_at)));
            diesel::update(behind).set(outbox::next_at.eq(next_at)).execute(conn)?;
        }
        Ok(())
    }
}

/// Records that the network accepted a message.
pub(crate) fn mark_done(conn: &mut DbConnection, id: i64, now: NaiveDateTime) -> Result<(), Error> {
    diesel::update(outbox::table.find(id))
        .filter(outbox::done_at.is_null())
        .set((outbox::done_at.eq(now), outbox::dead_at.eq(None::<NaiveDateTime>), outbox::last_error.eq("")))
        .execute(conn)?;
    Ok(())
}

/// The pause after this many attempts.
fn pause_after(attempts: i32) -> TimeDelta {
    let doublings = attempts.saturating_sub(1).unsigned_abs();
    let seconds = 2_i64.checked_pow(doublings).map_or(MAX_PAUSE_SECONDS, |seconds| seconds.min(MAX_PAUSE_SECONDS));
    TimeDelta::seconds(seconds)
}
