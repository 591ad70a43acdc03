//! The charges that push networks report: a settled charge of the ledger for each paid day, a failed one for each unpaid day.

use brands::{BillingResult, Period};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use operator::BillingEvent;
use store::DbConnection;

use crate::{
    billing::{
        refund::{self, RefundReason, SurplusCharge},
        suspend::sync_states,
    },
    error::Error,
    ledger::{
        billing_events::{self, ChargeResult},
        refunds, rows as billing_ledger,
        rows::{CHARGE, FAILED, NetworkCharge, NewCharge, SETTLED, UNKNOWN},
    },
    messages::texts,
    networks::alarms,
    schema::ledger,
    subscribers::{
        calendar, lifecycle::State, metrics, network_subscriptions::NetworkSubscription, policy::Policy,
        subscriptions::Subscription,
    },
};

/// The outcome of a billing event.
pub(crate) enum EventOutcome {
    /// It is in the ledger.
    Applied,
    /// It changes nothing.
    Ignored,
    /// Staff have to look at it.
    NeedsReview {
        /// The name of the alarm.
        alarm: &'static str,
        cause: &'static str,
    },
}

/// A network's clear no.
#[derive(Clone, Copy)]
enum Refusal {
    NoAirtime,
    Other,
}

/// A billing event of one subscription.
pub(crate) struct PushEvent<'a> {
    pub network: &'a str,
    pub notification_id: i64,
    pub event: &'a BillingEvent,
    /// When the network charged; a time in the future is replaced by now.
    pub billed_at: NaiveDateTime,
    pub now: NaiveDateTime,
}

impl PushEvent<'_> {
    /// Applies it to the ledger, and to the state of the locked subscription.
    ///
    /// The last result of a `billing_ref` counts. A charge of less than the agreed price, and a result without a known meaning, are set aside
    /// for staff. A second charge of a day, one from after the subscription's end, one of a subscription that ended without any consent, and what
    /// exceeds the price are refunded immediately.
    pub fn apply(
        &self,
        conn: &mut DbConnection,
        policy: &Policy,
        subscription: &Subscription,
    ) -> Result<EventOutcome, Error> {
        let meaning =
            policy.brands.network(self.network).and_then(|network| network.billing_result(&self.event.result_name));
        let outcome = match meaning {
            None | Some(BillingResult::Rejected | BillingResult::NotFound) => {
                return Ok(EventOutcome::NeedsReview {
                    alarm: "result_unknown",
                    cause: "it has an unknown result_name",
                });
            }
            Some(BillingResult::Pending | BillingResult::RetryLater) => EventOutcome::Ignored,
            Some(BillingResult::Refunded) => self.apply_refunded(conn, subscription)?,
            Some(BillingResult::Charged) => match self.charged(subscription) {
                None => {
                    return Ok(EventOutcome::NeedsReview {
                        alarm: "amount_unexpected",
                        cause: "its amount is not what the person consented to",
                    });
                }
                Some(cents) if self.record(conn, subscription, ChargeResult::Charged, cents)? => {
                    self.apply_charged(conn, policy, subscription, cents)?
                }
                Some(_) => EventOutcome::Ignored,
            },
            Some(BillingResult::NoAirtime) => self.apply_failed(conn, policy, subscription, Refusal::NoAirtime)?,
            Some(BillingResult::Refused) => self.apply_failed(conn, policy, subscription, Refusal::Other)?,
        };
        sync_states(conn, policy, [subscription.id], self.now)?;
        Ok(outcome)
    }

    /// What the network took: the agreed price, or more, which is given back. `None` where the amount is less, or its spelling has two
    /// meanings.
    fn charged(&self, subscription: &Subscription) -> Option<i64> {
        let (amount, agreed) = (&self.event.amount, subscription.price_cents);
        if amount.is_cents(agreed) { Some(agreed) } else { amount.cents().filter(|cents| *cents > agreed) }
    }

    fn record(
        &self,
        conn: &mut DbConnection,
        subscription: &Subscription,
        result: ChargeResult,
        cents: i64,
    ) -> Result<bool, Error> {
        let event = billing_events::NewBillingEvent {
            network: self.network,
            billing_ref: &self.event.billing_ref,
            subscription_id: subscription.id,
            notification_id: self.notification_id,
            cents,
            billed_at: self.billed_at,
        };
        billing_events::upsert(conn, &event, result)
    }

    fn apply_charged(
        &self,
        conn: &mut DbConnection,
        policy: &Policy,
        subscription: &Subscription,
        cents: i64,
    ) -> Result<EventOutcome, Error> {
        let key = self.event.billing_ref.as_str();
        let day = calendar::day_of(self.billed_at);
        // The network bills by its own cycle; this is for how long we take the subscription to be paid.
        let period = Period::parse(&subscription.period).unwrap_or(Period::Day);
        let charge = NetworkCharge { key, cents, reason: "" };
        match self.charge_of_day(conn, subscription)? {
            None => {
                let new = NewCharge {
                    status: SETTLED,
                    network_ref: Some(key.to_owned()),
                    attempts: 1,
                    ..NewCharge::pending(
                        subscription.with_consent(),
                        self.network,
                        day,
                        (key.to_owned(), cents),
                        self.now,
                    )
                    .for_period(period, day, calendar::day_of_month(subscription.since))
                };
                if NewCharge::insert(conn, &[new])? == 0 {
                    return Ok(EventOutcome::NeedsReview {
                        alarm: "charge_not_entered",
                        cause: "it charges a day that is no longer kept, or under the reference of another charge",
                    });
                }
            }
            Some((_, status, known)) if status == SETTLED => {
                if known != key {
                    let surplus = SurplusCharge {
                        network: self.network,
                        key,
                        charge_key: key,
                        network_ref: None,
                        msisdn: subscription.msisdn.as_str(),
                        svc_id: subscription.svc_id,
                        day: &day.to_string(),
                        cents,
                    };
                    refund::refund_surplus(conn, &surplus, self.now)?;
                }
                return Ok(EventOutcome::Applied);
            }
            Some((id, ..)) => {
                billing_ledger::settle_by_network(conn, (id, &day.to_string()), &charge, self.now)?;
            }
        }
        metrics::charged_by_network(policy, subscription.svc_id, Some(cents));
        let day = day.to_string();
        let of_key = ledger::table.filter(ledger::network.eq(self.network).and(ledger::charge_key.eq(key)));
        let id: i64 = of_key.filter(ledger::day.eq(&day)).select(ledger::id).first(conn)?;
        if self.was_charged_after_end(conn, subscription)? {
            tracing::error!(
                alarm = alarms::daily("charged_after_leaving", self.network, self.now),
                subscription.id = subscription.id,
                network.name = self.network,
                "a network charged a subscription that had ended; the charge is refunded"
            );
            let refund_reason =
                RefundReason { reason: "charged after leaving", made_by: refunds::BILLING, network_charged: true };
            refund::refund_charge(conn, (id, &day), &refund_reason, self.now)?;
            texts::charge_refunded(conn, policy, subscription, cents, self.now)?;
        } else {
            refund::refund_excess(conn, policy, subscription, (id, &day), cents, self.now)?;
        }
        Ok(EventOutcome::Applied)
    }

    fn apply_failed(
        &self,
        conn: &mut DbConnection,
        policy: &Policy,
        subscription: &Subscription,
        refusal: Refusal,
    ) -> Result<EventOutcome, Error> {
        let reason = match refusal {
            Refusal::NoAirtime => "insufficient funds",
            Refusal::Other => "the network refused it",
        };
        if !self.record(conn, subscription, ChargeResult::Failed, subscription.price_cents)? {
            return Ok(EventOutcome::Ignored);
        }
        match self.charge_of_day(conn, subscription)? {
            None => {
                let (key, day) = (self.event.billing_ref.clone(), calendar::day_of(self.billed_at));
                let price = subscription.price_cents;
                let new = NewCharge {
                    status: FAILED,
                    network_ref: Some(key.clone()),
                    attempts: 1,
                    failures: 1,
                    reason: reason.to_owned(),
                    ..NewCharge::pending(subscription.with_consent(), self.network, day, (key, price), self.now)
                };
                NewCharge::insert(conn, &[new])?;
            }
            Some((_, status, _)) if status == SETTLED || status == UNKNOWN => {}
            Some((id, ..)) => {
                let day = calendar::day_of(self.billed_at).to_string();
                billing_ledger::fail_by_network(conn, (id, &day), reason, self.now)?;
            }
        }
        match refusal {
            Refusal::NoAirtime => metrics::charged_by_network(policy, subscription.svc_id, None),
            Refusal::Other => metrics::refused_by_network(policy, subscription.svc_id),
        }
        Ok(EventOutcome::Applied)
    }

    /// Records that the network refunded a charge by itself.
    fn apply_refunded(&self, conn: &mut DbConnection, subscription: &Subscription) -> Result<EventOutcome, Error> {
        // The event does not have the charge's day: every month of this subscription is read.
        let charge: Option<(i64, String)> = ledger::table
            .filter(ledger::subscription_id.eq(subscription.id))
            .filter(ledger::network.eq(self.network).and(ledger::charge_key.eq(&self.event.billing_ref)))
            .filter(ledger::kind.eq(CHARGE).and(ledger::status.eq(SETTLED)))
            .select((ledger::id, ledger::day))
            .first(conn)
            .optional()?;
        let Some((id, day)) = charge else { return Ok(EventOutcome::Ignored) };
        let refund_reason =
            RefundReason { reason: "given back by the network", made_by: refunds::NETWORK, network_charged: false };
        refund::refund_charge(conn, (id, &day), &refund_reason, self.now)?;
        Ok(EventOutcome::Applied)
    }

    /// The charge of the event's day: its id, status and key.
    fn charge_of_day(
        &self,
        conn: &mut DbConnection,
        subscription: &Subscription,
    ) -> Result<Option<(i64, String, String)>, Error> {
        let day = calendar::day_of(self.billed_at).to_string();
        Ok(ledger::table
            .filter(ledger::subscription_id.eq(subscription.id))
            .filter(ledger::day.eq(day).and(ledger::kind.eq(CHARGE)))
            .select((ledger::id, ledger::status, ledger::charge_key))
            .first(conn)
            .optional()?)
    }

    /// Whether a charge was made after its subscription had ended, even if the subscriber has joined again since.
    fn was_charged_after_end(&self, conn: &mut DbConnection, subscription: &Subscription) -> Result<bool, Error> {
        let is_over = |ended_at: Option<NaiveDateTime>| ended_at.is_some_and(|ended_at| self.billed_at > ended_at);
        // One without a consent began and ended at the network before we heard of it: nothing was open to the person.
        if subscription.state == State::Cancelled
            && (is_over(subscription.left_at) || subscription.consent_id.is_none())
        {
            return Ok(true);
        }
        // A charge without a time may have been made before the end.
        let has_time = self.event.billed_at.or(self.event.subscription.last_billed_at).is_some();
        let charged =
            NetworkSubscription::find(conn, subscription.id, self.network, &self.event.subscription.subscription_id)?;
        Ok(has_time && charged.is_some_and(|hold| is_over(hold.ended_at)))
    }
}
