//! State changes with what follows from them: the SMS, the counters, and the notes of the publisher that the subscriber came from.

use chrono::NaiveDateTime;
use operator::OptInStatus;
use serde_json::Value;
use store::DbConnection;

use crate::{
    error::Error,
    messages::texts,
    publishers::counts::{self, JoinEvent},
    subscribers::{
        attempts::OptInAttempt,
        learned_numbers,
        lifecycle::{Cause, State},
        metrics,
        policy::Policy,
        subscriptions::{Candidate, Subscription, Transition},
    },
};

/// Changes the state of a locked subscription by the transition table of `lifecycle`, and announces it; all in the caller's transaction.
/// Whether it changed.
/// `happened_at` is when the cause happened, which a network may report late.
pub(crate) fn advance(
    conn: &mut DbConnection,
    policy: &Policy,
    subscription: &mut Subscription,
    cause: Cause,
    happened_at: NaiveDateTime,
    evidence: &Value,
    now: NaiveDateTime,
) -> Result<bool, Error> {
    Ok(advance_all(conn, policy, vec![Candidate { subscription, evidence }], cause, happened_at, now)? > 0)
}

/// As `advance`, of many subscriptions in the order of their ids; returns how many changed.
pub(crate) fn advance_all(
    conn: &mut DbConnection,
    policy: &Policy,
    candidates: Vec<Candidate<'_>>,
    cause: Cause,
    happened_at: NaiveDateTime,
    now: NaiveDateTime,
) -> Result<usize, Error> {
    let changed = Subscription::advance(conn, candidates, cause, happened_at, now)?;
    for (subscription, transition) in &changed {
        count(conn, policy, subscription, transition, now)?;
    }
    texts::after_transitions(conn, policy, &changed, now)?;
    Ok(changed.len())
}

/// As `advance`, for a change that the subscriber knows of.
pub(crate) fn advance_without_sms(
    conn: &mut DbConnection,
    policy: &Policy,
    subscription: &mut Subscription,
    cause: Cause,
    happened_at: NaiveDateTime,
    evidence: &Value,
    now: NaiveDateTime,
) -> Result<bool, Error> {
    let changed = Subscription::advance(conn, vec![Candidate { subscription, evidence }], cause, happened_at, now)?;
    for (subscription, transition) in &changed {
        count(conn, policy, subscription, transition, now)?;
    }
    Ok(!changed.is_empty())
}

fn count(
    conn: &mut DbConnection,
    policy: &Policy,
    subscription: &Subscription,
    transition: &Transition<'_>,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let Transition { from, to, cause, happened_at, .. } = *transition;
    let is_left = matches!(from, State::Active | State::Suspended) && matches!(cause, Cause::Left | Cause::Stopped);
    if is_left && happened_at < subscription.since + counts::EARLY {
        counts::note_of_subscription(conn, subscription.id, JoinEvent::LeftEarly, now)?;
    }
    if matches!(cause, Cause::Confirmed | Cause::ConfirmedUnpaid) {
        learned_numbers::give_back(conn, &policy.secret, &subscription.msisdn)?;
    }
    metrics::transitioned(policy, subscription.svc_id, from, to, cause);
    Ok(())
}

/// Records the answer to an attempt, and a confirmed join for its publisher; whether it was the first answer.
pub(crate) fn decide(
    conn: &mut DbConnection,
    attempt: &OptInAttempt,
    answer: OptInStatus,
    at: NaiveDateTime,
) -> Result<bool, Error> {
    let is_first = attempt.decide(conn, answer, at)?;
    if is_first && answer == OptInStatus::Confirmed && attempt.is_join() {
        counts::note_of_attempt(conn, attempt, JoinEvent::Confirmed, at)?;
    }
    Ok(is_first)
}
