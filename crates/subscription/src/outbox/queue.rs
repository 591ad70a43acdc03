//! The queue of one network and kind: what is due is claimed for a while, and what became of it is recorded.
//!
//! A claim is a lease: if this process dies another replica takes the message over when the lease ends, under the same key. SMSes to one
//! number go out in order: one waits while an earlier one of the same or a higher priority does. Stops and refunds are independent
//! of each other, so that one which fails holds up no other.

use std::collections::BTreeSet;

use chrono::{NaiveDateTime, TimeDelta};
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Integer, Nullable, Text, Timestamp},
};
use store::DbConnection;

use super::{Priority, SMS};
use crate::{billing::refund, error::Error, schema::outbox};

/// How long a claim counts: longer than a network may take to answer.
const CLAIM_LEASE: TimeDelta = TimeDelta::seconds(20);

/// The longest pause between two attempts.
const MAX_PAUSE_SECONDS: i64 = 600;

/// After this long an SMS is given up.
const SMS_LIFE: TimeDelta = TimeDelta::hours(24);

/// For how long an urgent SMS may go out in quiet hours: later it is no answer to what the person just did.
const URGENT_LIFE: TimeDelta = TimeDelta::hours(1);

/// The longest cause that is kept, in characters.
const MAX_ERROR_LENGTH: usize = 300;

/// The messages of one kind to one network.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Queue {
    pub network: String,
    pub kind: String,
}

/// A message that this process has claimed.
#[derive(QueryableByName)]
pub(super) struct ClaimedMessage {
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    #[diesel(sql_type = Text)]
    pub body: String,
    /// This one included, once it is claimed.
    #[diesel(sql_type = Integer)]
    pub attempts: i32,
    #[diesel(sql_type = Nullable<Timestamp>)]
    pub created_at: Option<NaiveDateTime>,
}

/// What became of an attempt.
pub(super) enum Outcome {
    /// The network took the message.
    Delivered,
    /// The network says that it made a refund of this key.
    Refunded { key: String, answer: refund::RefundOutcome },
    /// The network will not take the message, however often it is sent; with the refund's key where it is one.
    Refused { cause: String, refund_key: Option<String> },
    /// It did not work, and may work later.
    Failed { cause: String },
}

/// An attempt that has ended.
pub(super) struct Attempt {
    pub id: i64,
    pub attempts: i32,
    pub created_at: Option<NaiveDateTime>,
    pub outcome: Outcome,
}

/// A message that was given up.
pub(super) struct DeadMessage {
    pub id: i64,
    pub cause: String,
}

impl Queue {
    /// Every queue in which a message waits, found without reading more than one row of each.
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

    /// Claims up to `limit` messages that are due, but none that this process is sending already. In quiet hours only SMSes that
    /// answer what the person just did.
    pub fn claim(
        &self,
        conn: &mut DbConnection,
        quiet: bool,
        limit: usize,
        sending: &BTreeSet<i64>,
        now: NaiveDateTime,
    ) -> Result<Vec<ClaimedMessage>, Error> {
        let mut claimed = self.due(conn, quiet, limit + sending.len(), true, now)?;
        // The lease of one that is being sent is over where the clock was moved.
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

    /// The messages that are due, urgent ones first, then in the order in which they became due.
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
        // Written for `outbox_queue` (the rows) and `outbox_waiting_of_number` (the earlier messages). A subquery for one value is never
        // turned into a join that would read every waiting row, and a sum keeps the planner from the index that begins with the queue.
        let in_order = "AND (message.msisdn = '' OR message.id = (SELECT MIN(earlier.id) FROM outbox AS earlier \
             WHERE earlier.msisdn = message.msisdn AND earlier.network = $1 AND earlier.kind = $2 \
             AND earlier.priority + 0 <= $3 AND earlier.done_at IS NULL AND earlier.dead_at IS NULL))";
        let on_postgres = matches!(conn, DbConnection::Postgres(_));
        let statement = format!(
            "SELECT message.id, message.body, message.attempts, message.created_at FROM outbox AS message \
             WHERE message.network = $1 AND message.kind = $2 AND message.priority = $3 AND message.next_at <= $4 \
             AND message.done_at IS NULL AND message.dead_at IS NULL AND {recent} {in_order} \
             ORDER BY message.next_at, message.id LIMIT $6 {locking}",
            // The parameter is there in both cases.
            recent = if quiet { "message.created_at >= $5" } else { "$5 <= $4" },
            in_order = if is_sms { in_order } else { "" },
            // Another replica that claims at the same time takes other rows. SQLite has one writer at a time.
            locking = if lock && on_postgres { "FOR UPDATE OF message SKIP LOCKED" } else { "" },
        );
        let priorities = Priority::ALL.iter().filter(|priority| !quiet || **priority == Priority::Urgent);
        let mut found: Vec<ClaimedMessage> = Vec::new();
        for priority in priorities {
            let room = limit.saturating_sub(found.len());
            if room == 0 {
                break;
            }
            let more: Vec<ClaimedMessage> = sql_query(&statement)
                .bind::<Text, _>(&self.network)
                .bind::<Text, _>(&self.kind)
                .bind::<Integer, _>(priority.level())
                .bind::<Timestamp, _>(now)
                .bind::<Timestamp, _>(now - URGENT_LIFE)
                .bind::<BigInt, _>(i64::try_from(room).unwrap_or(i64::MAX))
                .load(conn)?;
            found.extend(more);
        }
        Ok(found)
    }

    /// Records what became of an attempt; the message if that was its end.
    pub fn record(
        &self,
        conn: &mut DbConnection,
        attempt: &Attempt,
        now: NaiveDateTime,
    ) -> Result<Option<DeadMessage>, Error> {
        match &attempt.outcome {
            Outcome::Delivered => mark_done(conn, attempt.id, now).map(|()| None),
            Outcome::Refunded { key, answer } => {
                mark_done(conn, attempt.id, now)?;
                refund::record_outcome(conn, &self.network, key, answer, now).map(|()| None)
            }
            Outcome::Refused { cause, refund_key } => {
                let dead = self.give_up(conn, attempt, cause, now)?;
                if let Some(key) = refund_key.as_ref().filter(|_| dead.is_some()) {
                    let answer = refund::RefundOutcome::Rejected { cause: cause.clone() };
                    refund::record_outcome(conn, &self.network, key, &answer, now)?;
                }
                Ok(dead)
            }
            Outcome::Failed { cause } => {
                let is_old = attempt.created_at.is_some_and(|created_at| now >= created_at + SMS_LIFE);
                if self.kind == SMS && is_old {
                    return self.give_up(conn, attempt, cause, now);
                }
                self.postpone(conn, attempt, cause, now).map(|()| None)
            }
        }
    }

    /// Gives a message up, unless its lease was lost to another replica.
    fn give_up(
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

    /// Tries again later: after 1, 2, 4 … seconds, and never more than ten minutes.
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
            // What waits behind it is not due before it, and must not be looked at by every claim until then.
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

/// Records that the network took a message.
pub(super) fn mark_done(conn: &mut DbConnection, id: i64, now: NaiveDateTime) -> Result<(), Error> {
    diesel::update(outbox::table.find(id))
        .filter(outbox::done_at.is_null())
        .set((outbox::done_at.eq(now), outbox::dead_at.eq(None::<NaiveDateTime>), outbox::last_error.eq("")))
        .execute(conn)?;
    Ok(())
}

/// The pause after so many attempts.
fn pause_after(attempts: i32) -> TimeDelta {
    let doublings = attempts.saturating_sub(1).unsigned_abs();
    let seconds = 2_i64.checked_pow(doublings).map_or(MAX_PAUSE_SECONDS, |seconds| seconds.min(MAX_PAUSE_SECONDS));
    TimeDelta::seconds(seconds)
}
