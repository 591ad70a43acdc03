//! What operators are told of joins, moves, charges and notifications: counted once a change is committed, on the replica that made it.

use std::{collections::BTreeMap, time::Duration};

use chrono::TimeDelta;
use metrics::{counter, histogram};
use store::after_commit;
use telemetry::names::{
    BILLING_PASS_SECONDS, CHARGES, JOINS, LEFT, NOTIFICATION_LAG_SECONDS, NOTIFICATIONS, REVENUE_CENTS,
};

use crate::{
    billing::{claim::Claimed, settle::Outcome},
    error::Error,
    life::{Cause, State},
    opt_in::OptInPage,
    terms::Terms,
};

const ASKED: &str = "asked";
const ALREADY_ACTIVE: &str = "already_active";
const REFUSED: &str = "refused";
const LIMITED: &str = "limited";
const AWAY: &str = "away";
const CONFIRMED: &str = "confirmed";
const DECLINED: &str = "declined";

const CHARGED: &str = "charged";
const FAILED: &str = "failed";
const UNKNOWN: &str = "unknown";
const UNSENT: &str = "unsent";

/// A service id that no brand has.
const NO_SERVICE: &str = "(none)";

/// Begins each series at nothing, so that its first event is seen as a rise.
pub(crate) fn begin(terms: &Terms) {
    for brand in terms.brands.iter() {
        let service = brand.service.as_str();
        for outcome in [ASKED, ALREADY_ACTIVE, REFUSED, LIMITED, AWAY, CONFIRMED, DECLINED] {
            join(service, outcome, 0);
        }
        for cause in [Cause::Left, Cause::Stopped, Cause::Churned, Cause::Lapsed] {
            counter!(LEFT, "service" => service.to_owned(), "cause" => cause.as_str()).increment(0);
        }
        for outcome in [CHARGED, FAILED, UNKNOWN, UNSENT] {
            charge(service, outcome, 0, 0);
        }
        for outcome in ["applied", "duplicate", "ignored", "not_understood", "rejected"] {
            counter!(NOTIFICATIONS, "network" => brand.network.clone(), "outcome" => outcome).increment(0);
        }
    }
    // The handles alone make them known.
    let _ = (histogram!(BILLING_PASS_SECONDS), histogram!(NOTIFICATION_LAG_SECONDS));
}

/// The name operators know a service by.
pub(crate) fn service(terms: &Terms, svc_id: i32) -> String {
    terms.brand(svc_id).map_or_else(|| NO_SERVICE.to_owned(), |brand| brand.service.clone())
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

/// Somebody asked to join.
pub(crate) fn asked(terms: &Terms, svc_id: i32, page: &Result<Option<OptInPage>, Error>) {
    let outcome = match page {
        Ok(Some(_)) => ASKED,
        Ok(None) => ALREADY_ACTIVE,
        Err(Error::TooManyTries { .. }) => LIMITED,
        Err(Error::NetworkAway(_) | Error::NetworkRefused(_) | Error::Store(_)) => AWAY,
        Err(_) => REFUSED,
    };
    join(&service(terms, svc_id), outcome, 1);
}

/// Somebody said no at the network.
pub(crate) fn declined(terms: &Terms, svc_id: i32) {
    let service = service(terms, svc_id);
    after_commit(move || join(&service, DECLINED, 1));
}

/// A subscription moved.
pub(crate) fn moved(terms: &Terms, svc_id: i32, from: State, to: State, cause: Cause) {
    let service = service(terms, svc_id);
    if cause == Cause::Confirmed {
        after_commit(move || join(&service, CONFIRMED, 1));
    } else if to == State::Cancelled && matches!(from, State::Active | State::Suspended) {
        after_commit(move || counter!(LEFT, "service" => service, "cause" => cause.as_str()).increment(1));
    }
}

/// Charges that we asked for came to these ends.
pub(crate) fn charged<'a>(terms: &Terms, outcomes: impl Iterator<Item = &'a (Claimed, Outcome)>) {
    let mut sums: BTreeMap<(i32, &'static str), (u64, u64)> = BTreeMap::new();
    for (charge, outcome) in outcomes {
        let word = match outcome {
            Outcome::Charged { .. } => CHARGED,
            Outcome::Failed { .. } => FAILED,
            Outcome::Unknown { .. } => UNKNOWN,
            Outcome::Left | Outcome::NotSent | Outcome::Again => UNSENT,
        };
        let sum = sums.entry((charge.svc_id, word)).or_default();
        *sum = (sum.0 + 1, sum.1 + u64::try_from(charge.cents).unwrap_or_default());
    }
    for ((svc_id, word), (times, cents)) in sums {
        let service = service(terms, svc_id);
        after_commit(move || charge(&service, word, times, cents));
    }
}

/// A network told of a charge that it made by itself, of so many cents, or could not make.
pub(crate) fn charged_by_network(terms: &Terms, svc_id: i32, cents: Option<i64>) {
    let service = service(terms, svc_id);
    let word = if cents.is_some() { CHARGED } else { FAILED };
    let cents = cents.and_then(|cents| u64::try_from(cents).ok()).unwrap_or_default();
    after_commit(move || charge(&service, word, 1, cents));
}

/// A billing pass was worked through.
pub(crate) fn pass_took(took: Duration) {
    histogram!(BILLING_PASS_SECONDS).record(took);
}

/// A notification came to this end, `lag` after what it tells had come about. A network's clock that is ahead counts as no lag.
pub(crate) fn notified(network: &str, outcome: &'static str, lag: Option<TimeDelta>) {
    counter!(NOTIFICATIONS, "network" => network.to_owned(), "outcome" => outcome).increment(1);
    if let Some(lag) = lag {
        histogram!(NOTIFICATION_LAG_SECONDS).record(lag.to_std().unwrap_or_default());
    }
}
