//! Counters of joins, state changes, charges, refunds, notifications and calls to networks: each is incremented after its transaction is
//! committed, on the replica that made the change.

use std::{collections::BTreeMap, time::Duration};

use chrono::TimeDelta;
use metrics::{counter, gauge, histogram};
use operator::{Charge, Delivery};
use store::after_commit;
use telemetry::names::{
    BILLING_PASS_SECONDS, CHARGES, JOINS, LEFT, NETWORK_CALLS, NETWORK_PAUSED, NOTIFICATION_LAG_SECONDS, NOTIFICATIONS,
    REFUNDS, REVENUE_CENTS, SMS_RECEIPTS, SMS_RECEIVED,
};

use crate::{
    error::Error,
    networks::Failure,
    subscribers::{
        lifecycle::{Cause, State},
        policy::Policy,
    },
};

pub(crate) const PAGE_REQUESTED: &str = "asked";
pub(crate) const ALREADY_ACTIVE: &str = "already_active";
pub(crate) const CHOICE_NEEDED: &str = "choice";
pub(crate) const HELD: &str = "held";
pub(crate) const REFUSED: &str = "refused";
pub(crate) const LIMITED: &str = "limited";
pub(crate) const NETWORK_UNAVAILABLE: &str = "away";
const CONFIRMED: &str = "confirmed";
const DECLINED: &str = "declined";

pub(crate) const CHARGED: &str = "charged";
pub(crate) const NO_AIRTIME: &str = "no_airtime";
pub(crate) const REJECTED: &str = "rejected";
pub(crate) const UNAVAILABLE: &str = "unavailable";
pub(crate) const ACCEPTED: &str = "accepted";
pub(crate) const UNKNOWN: &str = "unknown";
const PARKED: &str = "parked";
const MONTH_LIMIT: &str = "month_limit";
const LEFT_BEFORE: &str = "left";
pub(crate) const UNSENT: &str = "unsent";

/// The outcomes of a charge.
const CHARGE_OUTCOMES: [&str; 11] =
    [CHARGED, NO_AIRTIME, REFUSED, REJECTED, UNAVAILABLE, ACCEPTED, UNKNOWN, PARKED, MONTH_LIMIT, LEFT_BEFORE, UNSENT];

/// The reasons of refunds.
const REFUND_GROUPS: [&str; 5] = ["after_leaving", "twice", "reconcile", "staff", "complaint"];
/// The outcomes of a refund.
const REFUND_OUTCOMES: [&str; 4] = ["asked", "made", "in_part", "refused"];

/// The kinds of calls to a network.
const CALL_KINDS: [&str; 9] = ["charge", "question", "sms", "stop", "refund", "opt_in", "list", "number", "sim_swap"];
/// The outcomes of a call.
const CALL_OUTCOMES: [&str; 4] = ["ok", "failed", "refused", "later"];

/// What SMSes from persons ask for.
const KEYWORDS: [&str; 10] = ["stop", "stop_all", "join", "yes", "no", "help", "why", "refund", "language", "other"];

/// The label of a service id that no brand has.
const NO_SERVICE: &str = "(none)";

/// Initialises each series with zero, so that its first event is an increase.
pub(crate) fn register(policy: &Policy) {
    for brand in policy.brands.iter() {
        let service = brand.service.as_str();
        for outcome in [
            PAGE_REQUESTED,
            ALREADY_ACTIVE,
            CHOICE_NEEDED,
            HELD,
            REFUSED,
            LIMITED,
            NETWORK_UNAVAILABLE,
            CONFIRMED,
            DECLINED,
        ] {
            join(service, outcome, 0);
        }
        for cause in [Cause::Left, Cause::Stopped, Cause::Churned, Cause::UnknownToNetwork, Cause::Lapsed, Cause::Moved]
        {
            counter!(LEFT, "service" => service.to_owned(), "cause" => cause.as_str()).increment(0);
        }
        for outcome in CHARGE_OUTCOMES {
            charge(service, outcome, 0, 0);
        }
    }
    for (network, _) in policy.brands.networks() {
        for outcome in ["applied", "duplicate", "ignored", "not_understood", "rejected"] {
            counter!(NOTIFICATIONS, "network" => network.clone(), "outcome" => outcome).increment(0);
        }
        for (kind, outcome) in pairs(CALL_KINDS, CALL_OUTCOMES) {
            call(&network, kind, outcome, 0);
        }
        for keyword in KEYWORDS {
            sms_with(&network, keyword, 0);
        }
        for delivery in [Delivery::Delivered, Delivery::Failed, Delivery::Expired] {
            receipt(&network, delivery, 0);
        }
        gauge!(NETWORK_PAUSED, "network" => network).set(0);
    }
    for (group, outcome) in pairs(REFUND_GROUPS, REFUND_OUTCOMES) {
        refund(group, outcome, 0);
    }
    // Creating the handles registers them.
    let _ = (histogram!(BILLING_PASS_SECONDS), histogram!(NOTIFICATION_LAG_SECONDS));
}

fn pairs<const N: usize, const M: usize>(
    first: [&'static str; N],
    second: [&'static str; M],
) -> impl Iterator<Item = (&'static str, &'static str)> {
    first.into_iter().flat_map(move |one| second.into_iter().map(move |other| (one, other)))
}

/// The `service` label of a service id.
pub(crate) fn service(policy: &Policy, svc_id: i32) -> String {
    policy.brand(svc_id).map_or_else(|| NO_SERVICE.to_owned(), |brand| brand.service.clone())
}

fn join(service: &str, outcome: &'static str, times: u64) {
    counter!(JOINS, "service" => service.to_owned(), "outcome" => outcome).increment(times);
}

fn charge(service: &str, outcome: &'static str, times: u64, cents: u64) {
    counter!(CHARGES, "service" => service.to_owned(), "outcome" => outcome).increment(times);
    if outcome == CHARGED {
        counter!(REVENUE_CENTS, "service" => service.to_owned()).increment(cents);
    }
}

/// Counts a join request by its outcome.
pub(crate) fn join_requested(policy: &Policy, svc_id: i32, outcome: &'static str) {
    join(&service(policy, svc_id), outcome, 1);
}

/// Counts a declined join.
pub(crate) fn declined(policy: &Policy, svc_id: i32) {
    let service = service(policy, svc_id);
    after_commit(move || join(&service, DECLINED, 1));
}

/// Counts a state change.
pub(crate) fn transitioned(policy: &Policy, svc_id: i32, from: State, to: State, cause: Cause) {
    let service = service(policy, svc_id);
    if cause == Cause::Confirmed {
        after_commit(move || join(&service, CONFIRMED, 1));
    } else if to == State::Cancelled && matches!(from, State::Active | State::Suspended) {
        after_commit(move || counter!(LEFT, "service" => service, "cause" => cause.as_str()).increment(1));
    }
}

/// A charge by its outcome, one of `CHARGE_OUTCOMES`.
pub(crate) struct CountedCharge {
    pub svc_id: i32,
    pub outcome: &'static str,
    pub cents: i64,
}

/// Counts the outcomes of our charges.
pub(crate) fn charged(policy: &Policy, charges: impl Iterator<Item = CountedCharge>) {
    let mut sums: BTreeMap<(i32, &'static str), (u64, u64)> = BTreeMap::new();
    for CountedCharge { svc_id, outcome, cents } in charges {
        let sum = sums.entry((svc_id, outcome)).or_default();
        *sum = (sum.0 + 1, sum.1 + u64::try_from(cents).unwrap_or_default());
    }
    for ((svc_id, outcome), (times, cents)) in sums {
        let service = service(policy, svc_id);
        after_commit(move || charge(&service, outcome, times, cents));
    }
}

/// Counts charges that were parked by a bound.
pub(crate) fn parked(policy: &Policy, svc_ids: impl Iterator<Item = i32>) {
    not_sent(policy, svc_ids, PARKED);
}

/// Counts charges that would have exceeded their number's monthly limit.
pub(crate) fn limited(policy: &Policy, svc_ids: impl Iterator<Item = i32>) {
    not_sent(policy, svc_ids, MONTH_LIMIT);
}

fn not_sent(policy: &Policy, svc_ids: impl Iterator<Item = i32>, outcome: &'static str) {
    let mut sums: BTreeMap<i32, u64> = BTreeMap::new();
    for svc_id in svc_ids {
        *sums.entry(svc_id).or_default() += 1;
    }
    for (svc_id, times) in sums {
        let service = service(policy, svc_id);
        after_commit(move || charge(&service, outcome, times, 0));
    }
}

/// Counts a push network's billing event: charged so many cents, or no airtime.
pub(crate) fn charged_by_network(policy: &Policy, svc_id: i32, cents: Option<i64>) {
    let service = service(policy, svc_id);
    let outcome = if cents.is_some() { CHARGED } else { NO_AIRTIME };
    let cents = cents.and_then(|cents| u64::try_from(cents).ok()).unwrap_or_default();
    after_commit(move || charge(&service, outcome, 1, cents));
}

/// Counts a push network's billing event with another clear no than missing airtime.
pub(crate) fn refused_by_network(policy: &Policy, svc_id: i32) {
    let service = service(policy, svc_id);
    after_commit(move || charge(&service, REFUSED, 1, 0));
}

fn refund(group: &'static str, outcome: &'static str, times: u64) {
    counter!(REFUNDS, "reason" => group, "outcome" => outcome).increment(times);
}

/// Counts an outcome of `REFUND_OUTCOMES` for a refund of `REFUND_GROUPS`.
pub(crate) fn refunded(group: &'static str, outcome: &'static str) {
    debug_assert!(REFUND_GROUPS.contains(&group) && REFUND_OUTCOMES.contains(&outcome), "{group} {outcome}");
    after_commit(move || refund(group, outcome, 1));
}

fn call(network: &str, kind: &'static str, outcome: &'static str, times: u64) {
    counter!(NETWORK_CALLS, "network" => network.to_owned(), "kind" => kind, "outcome" => outcome).increment(times);
}

/// Counts a call of one of `CALL_KINDS`.
pub(crate) fn network_call<T>(network: &str, kind: &'static str, answer: &Result<T, Error>) {
    let outcome = match answer {
        Ok(_) => "ok",
        Err(Error::NetworkRejected(_)) => "refused",
        Err(_) => "failed",
    };
    debug_assert!(CALL_KINDS.contains(&kind) && CALL_OUTCOMES.contains(&outcome), "{kind} {outcome}");
    call(network, kind, outcome, 1);
}

/// Counts a call to charge.
pub(crate) fn charge_call(network: &str, reply: &Result<Charge, Failure>) {
    let outcome = match reply {
        Ok(_) => "ok",
        Err(Failure::Rejected(_)) => "refused",
        Err(Failure::Busy(_)) => "later",
        Err(Failure::RetryLater(_) | Failure::Unknown(_)) => "failed",
    };
    call(network, "charge", outcome, 1);
}

/// Records the duration of a billing pass.
pub(crate) fn pass_finished(duration: Duration) {
    histogram!(BILLING_PASS_SECONDS).record(duration);
}

/// Counts an SMS from a person by what it asks for.
pub(crate) fn sms_received(network: &str, keyword: &'static str) {
    debug_assert!(KEYWORDS.contains(&keyword), "{keyword}");
    let network = network.to_owned();
    after_commit(move || sms_with(&network, keyword, 1));
}

fn sms_with(network: &str, keyword: &'static str, number: u64) {
    counter!(SMS_RECEIVED, "network" => network.to_owned(), "keyword" => keyword).increment(number);
}

/// Counts what became of an SMS of ours.
pub(crate) fn sms_receipt(network: &str, delivery: Delivery) {
    let network = network.to_owned();
    after_commit(move || receipt(&network, delivery, 1));
}

fn receipt(network: &str, delivery: Delivery, number: u64) {
    counter!(SMS_RECEIPTS, "network" => network.to_owned(), "status" => delivery.as_str()).increment(number);
}

/// Counts a notification by outcome; `lag` is the time since its event happened. A network's clock that is ahead counts as no lag.
pub(crate) fn notified(network: &str, outcome: &'static str, lag: Option<TimeDelta>) {
    counter!(NOTIFICATIONS, "network" => network.to_owned(), "outcome" => outcome).increment(1);
    if let Some(lag) = lag {
        histogram!(NOTIFICATION_LAG_SECONDS).record(lag.to_std().unwrap_or_default());
    }
}
