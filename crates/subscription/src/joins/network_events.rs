//! Applies network events: an answer to an opt-in, a subscription that started or ended, a stop.
//!
//! The result is the same for a notification as for the reply to our own request, and does not depend on the order or number of events:
//! only the start and end of the network's own subscriptions (`network_subscriptions`) count, and an ended one does not restart.

use brands::{NetworkOffer, Parts, Period};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use identity::SubscriberId;
use languages::Language;
use operator::{OptInKind, OptInStatus};
use serde_json::{Value, json};
use store::DbConnection;

use crate::{
    error::Error,
    ledger::{
        periods,
        rows::{self, NewCharge},
    },
    messages::outbox,
    publishers::announce,
    schema::notifications,
    subscribers::{
        attempts::{JOIN_EXPIRY, OptInAttempt, kind_name},
        blocks::Block,
        calendar,
        lifecycle::{Cause, State},
        metrics,
        network_subscriptions::{self, NetworkSubscription},
        policy::Policy,
        subscriptions::{Price, Subscription},
    },
};

/// How far the order of two times is in doubt: who said stop within it has stopped.
pub(crate) const CLOCK_DOUBT: TimeDelta = TimeDelta::minutes(1);

/// An event at a network about one number and service, and when it happened.
pub(crate) struct NetworkEvent<'a> {
    pub policy: &'a Policy,
    pub network: &'a str,
    pub msisdn: &'a SubscriberId,
    pub svc_id: i32,
    /// Our own opt-in attempt, if the event names one of this number and service.
    pub attempt: Option<&'a OptInAttempt>,
    /// The network's own id of its subscription, if the event has one.
    pub network_ref: Option<&'a str>,
    /// When it happened by the network's clock; a time in the future is replaced by now.
    pub happened_at: NaiveDateTime,
    /// When the network last changed the subscription, if it says.
    pub updated_at: Option<NaiveDateTime>,
    /// What is stored with the state change that it causes.
    pub evidence: Value,
    /// Whether the subscriber gets an SMS about a state change.
    pub sends_sms: bool,
    /// Our clock.
    pub now: NaiveDateTime,
}

impl NetworkEvent<'_> {
    /// Applies an answer to an opt-in page.
    pub fn apply_answer(
        &self,
        conn: &mut DbConnection,
        kind: OptInKind,
        answer: OptInStatus,
        reference: &str,
    ) -> Result<(), Error> {
        // An answer that names no attempt of ours may be a copy of an earlier one.
        let is_new = match self.attempt {
            Some(attempt) => announce::decide(conn, attempt, answer, self.happened_at)?,
            None => false,
        };
        if let (Some(attempt), Some(network_ref), OptInStatus::Confirmed) = (self.attempt, self.network_ref, answer) {
            attempt.record_network_ref(conn, network_ref)?;
        }
        if is_new && (kind, answer) == (OptInKind::OptIn, OptInStatus::Declined) {
            metrics::declined(self.policy, self.svc_id);
        }
        match (kind, answer) {
            (OptInKind::OptIn, OptInStatus::Confirmed) => {
                self.apply_start(conn, self.network_ref.unwrap_or(reference), is_new)
            }
            (OptInKind::Leave, OptInStatus::Confirmed) => self.apply_stop(conn),
            // A verification changes no state, and neither does a declined or pending opt-in.
            (OptInKind::Verify, _) | (_, OptInStatus::Declined | OptInStatus::Pending) => Ok(()),
        }
    }

    /// Applies that a subscription runs at the network. `confirms` where the subscriber has newly confirmed, false for a repeated event.
    pub fn apply_start(&self, conn: &mut DbConnection, network_ref: &str, confirms: bool) -> Result<(), Error> {
        let mut subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.now)?;
        let runs = matches!(subscription.state, State::Active | State::Suspended);
        // A blocked number, or one that was confirmed at another network since.
        let is_refused = match runs {
            true => self.has_moved_since(conn, &subscription)?,
            false => Block::of_number(conn, self.msisdn)?.is_some(),
        };
        match NetworkSubscription::find(conn, subscription.id, self.network, network_ref)? {
            Some(existing) if existing.ended_at.is_some() => {
                if !self.restarts(&existing, &subscription, confirms) {
                    return Ok(());
                }
                if is_refused {
                    return outbox::enqueue_stop(conn, self.network, network_ref, &subscription, self.now);
                }
                existing.reopen(conn, self.happened_at)?;
                self.confirm(conn, &mut subscription, confirms)
            }
            Some(_) if !confirms => Ok(()),
            Some(_) => self.confirm(conn, &mut subscription, confirms),
            None if is_refused || self.is_too_late(&subscription) => {
                NetworkSubscription::insert(
                    conn,
                    subscription.id,
                    self.network,
                    network_ref,
                    self.happened_at,
                    Some((self.now, network_subscriptions::OUR_SERVICE)),
                )?;
                // The network has an active subscription, and would charge for it.
                outbox::enqueue_stop(conn, self.network, network_ref, &subscription, self.now)
            }
            None => {
                NetworkSubscription::insert(conn, subscription.id, self.network, network_ref, self.happened_at, None)?;
                self.confirm(conn, &mut subscription, confirms)
            }
        }
    }

    /// Whether an ended id restarts: its subscriber has confirmed since, or the network reports a start after its own end. A late copy of
    /// the first start does not restart it.
    fn restarts(&self, existing: &NetworkSubscription, subscription: &Subscription, confirms: bool) -> bool {
        let agreed = confirms
            && self
                .attempt
                .is_some_and(|attempt| existing.ended_at.is_none_or(|ended_at| attempt.created_at > ended_at));
        let restarted_later = self.updated_at.is_some_and(|at| {
            existing.was_ended_by_network_before(at)
                && subscription.leave_requested_at.is_none_or(|left_at| left_at < at)
        });
        agreed || restarted_later
    }

    /// Confirms. Where the last day was not paid, access waits for the payment.
    ///
    /// What is charged changes only by a new consent: the answer to an attempt of ours, or the network's own opt-in of a subscriber without a
    /// running subscription. `confirms` as in `apply_start`.
    fn confirm(&self, conn: &mut DbConnection, subscription: &mut Subscription, confirms: bool) -> Result<(), Error> {
        let is_proof = confirms || !matches!(subscription.state, State::Active | State::Suspended);
        if is_proof && subscription.is_abandoned(conn, self.now)? {
            self.begin_anew(conn, subscription, Cause::Lapsed)?;
        }
        let runs = matches!(subscription.state, State::Active | State::Suspended);
        let (price_before, period_before) = (subscription.price_cents, subscription.period.clone());
        match self.attempt {
            _ if runs && !(confirms && self.is_newest_consent(conn, subscription)?) => {}
            Some(attempt) => {
                let language = Language::parse(&attempt.language).unwrap_or(Language::ENGLISH);
                let parts = Parts::parse(&attempt.parts);
                let price = Price { cents: attempt.price_cents, period: &attempt.period, parts };
                subscription.record_consent(conn, (price, language), (&attempt.id, self.now))?;
                subscription.start_free_days(conn, attempt.free_days, calendar::day_of(self.now))?;
            }
            None => self.record_offer(conn, subscription)?,
        }
        let is_repriced =
            runs && (price_before, period_before.as_str()) != (subscription.price_cents, &subscription.period);
        self.move_here(conn, subscription)?;
        let is_unpaid = rows::is_last_day_unpaid(conn, subscription, calendar::day_of(self.now))?;
        let cause = if is_unpaid { Cause::ConfirmedUnpaid } else { Cause::Confirmed };
        // A change of state has an SMS with the price.
        if !self.advance(conn, subscription, cause)? && is_repriced {
            self.advance(conn, subscription, Cause::Repriced)?;
        }
        if self.policy.requests_charges(self.msisdn, self.network)
            && matches!(subscription.state, State::Active | State::Suspended)
        {
            self.enqueue_first_charge(conn, subscription)?;
        }
        Ok(())
    }

    /// Ends what the former owner of the number has left, without an SMS to the new one, and begins anew.
    fn begin_anew(&self, conn: &mut DbConnection, subscription: &mut Subscription, cause: Cause) -> Result<(), Error> {
        let (at, evidence) = (self.happened_at, json!({ "network": self.network, "said": self.evidence }));
        announce::advance_without_sms(conn, self.policy, subscription, cause, at, &evidence, self.now)?;
        outbox::drop_outdated(conn, std::iter::once(&*subscription))?;
        let paid = rows::paid(conn, subscription.id)?;
        subscription.begin_anew(conn, paid, self.now)
    }

    /// Applies that the network has given the number to another person: what runs ends, and the number begins anew.
    pub fn apply_recycling(&self, conn: &mut DbConnection) -> Result<(), Error> {
        let Some(found) = Subscription::of_number(conn, self.msisdn, self.svc_id)? else { return Ok(()) };
        let Some(mut subscription) = Subscription::lock_by_id(conn, found.id)? else { return Ok(()) };
        // A copy of the same news, or news from before this person's proof.
        let is_known = subscription.person_since.is_some_and(|since| self.happened_at <= since);
        let began_since =
            matches!(subscription.state, State::Active | State::Suspended) && self.happened_at < subscription.since;
        if is_known || began_since || subscription.state == State::New {
            return Ok(());
        }
        for existing in NetworkSubscription::running(conn, subscription.id)? {
            outbox::end_and_notify_network(conn, &existing, &subscription, self.now)?;
        }
        subscription.record_leave_request(conn, self.happened_at)?;
        outbox::drop_unsent(conn, self.msisdn)?;
        self.begin_anew(conn, &mut subscription, Cause::Recycled)
    }

    /// What the network wrote: its notification, or what was read of its reply.
    fn words(&self, conn: &mut DbConnection) -> Result<String, Error> {
        let body: Option<String> = match self.evidence.get("notification").and_then(Value::as_i64) {
            Some(id) => notifications::table.find(id).select(notifications::body).first(conn).optional()?,
            None => None,
        };
        Ok(body.unwrap_or_else(|| self.evidence.to_string()))
    }

    /// Records the offer at this network, and the network's words, as the consent of a subscriber who has subscribed at the network itself.
    fn record_offer(&self, conn: &mut DbConnection, subscription: &mut Subscription) -> Result<(), Error> {
        let brand = self.policy.brand(self.svc_id);
        let here = brand.as_ref().and_then(|brand| brand.offer_on(self.network)).map(NetworkOffer::offer);
        let offer = here.or_else(|| brand.map(|brand| brand.offer)).unwrap_or_default();
        let language = subscription.language;
        // No page of ours has shown smaller amounts.
        let price = Price { cents: offer.price_cents, period: offer.period.as_str(), parts: Parts::default() };
        let (words, network_ref) = (self.words(conn)?, self.network_ref.unwrap_or_default());
        let report = (self.network, network_ref, words.as_str());
        let at = (self.happened_at, self.now);
        let attempt = OptInAttempt::record_at_network(conn, self.policy, subscription, price, report, at)?;
        subscription.record_consent(conn, (price, language), (&attempt, self.now))?;
        let today = calendar::day_of(self.now);
        if self.policy.is_pull(self.network) && subscription.first_charge(conn, offer.free_days, today)?.is_some() {
            subscription.start_free_days(conn, offer.free_days, today)?;
        }
        Ok(())
    }

    /// Whether the answer is to an attempt of ours, and no younger one was confirmed before it.
    fn is_newest_consent(&self, conn: &mut DbConnection, subscription: &Subscription) -> Result<bool, Error> {
        let Some(attempt) = self.attempt else { return Ok(false) };
        let last = OptInAttempt::last_confirmed(conn, subscription.id, kind_name(OptInKind::OptIn))?;
        Ok(last.is_none_or(|last| last.created_at <= attempt.created_at))
    }

    /// Enters today's charge, unless today is free, or belongs to a week or a month that is paid.
    fn enqueue_first_charge(&self, conn: &mut DbConnection, subscription: &Subscription) -> Result<(), Error> {
        let day = calendar::day_of(self.now);
        if subscription.is_free(day) {
            return Ok(());
        }
        let is_paid = subscription.had_long_period && periods::paid_until(conn, subscription.id, day)?.is_some();
        // A period of a newer release is not charged here.
        let Some(period) = Period::parse(&subscription.period).filter(|_| !is_paid) else { return Ok(()) };
        let key = self.policy.charge_key(self.msisdn.as_str(), self.svc_id, day);
        let charge = NewCharge::pending(
            subscription.with_consent(),
            self.network,
            day,
            (key, subscription.price_cents),
            self.now,
        );
        let began_on = calendar::day_of_month(subscription.since);
        rows::enqueue_first_charge(conn, charge.for_period(period, day, began_on))
    }

    /// Records that this network bills the subscription from now on; what still runs at another network ends there, so that no two networks
    /// charge for one day.
    fn move_here(&self, conn: &mut DbConnection, subscription: &mut Subscription) -> Result<(), Error> {
        for existing in NetworkSubscription::running(conn, subscription.id)? {
            if existing.network != self.network {
                outbox::end_and_notify_network(conn, &existing, subscription, self.now)?;
            }
        }
        subscription.record_network(conn, self.network)
    }

    /// Whether the subscription was confirmed at another network after this confirmation, which arrives late.
    fn has_moved_since(&self, conn: &mut DbConnection, subscription: &Subscription) -> Result<bool, Error> {
        if !subscription.runs_elsewhere(self.network) {
            return Ok(false);
        }
        let running = NetworkSubscription::running(conn, subscription.id)?;
        Ok(running.iter().any(|other| other.network != self.network && other.started_at > self.happened_at))
    }

    /// Applies that a subscription ended at the network, and with it those that it replaced.
    pub fn apply_end(&self, conn: &mut DbConnection, network_ref: &str, cause: Cause) -> Result<(), Error> {
        let mut subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.now)?;
        let named = NetworkSubscription::find(conn, subscription.id, self.network, network_ref)?;
        let started_by = match &named {
            Some(existing) => {
                existing.end_by_network(conn, self.happened_at)?;
                existing.started_at
            }
            // The event of its start arrives later, and must then find it ended.
            None => {
                let (id, at) = (subscription.id, self.happened_at);
                NetworkSubscription::insert(
                    conn,
                    id,
                    self.network,
                    network_ref,
                    at,
                    Some((at, network_subscriptions::NETWORK)),
                )?;
                at
            }
        };
        self.end_older(conn, &subscription, started_by)?;
        self.advance_if_none_is_active(conn, &mut subscription, cause)
    }

    /// Applies a STOP of everything of this number and service at this network that had started by then.
    pub fn apply_stop(&self, conn: &mut DbConnection) -> Result<(), Error> {
        let mut subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.now)?;
        // The number has moved to another network since: this one ends what it still has, and the subscriber has asked for nothing there.
        if subscription.runs_elsewhere(self.network) {
            for existing in NetworkSubscription::all_at(conn, subscription.id, self.network)? {
                existing.end_by_network(conn, self.happened_at)?;
            }
            return Ok(());
        }
        let known = match self.network_ref {
            Some(network_ref) => NetworkSubscription::find(conn, subscription.id, self.network, network_ref)?,
            None => None,
        };
        // An id that we know decides, whatever the time.
        if let Some(known) = known {
            subscription.record_leave_request(conn, self.happened_at)?;
            return self.apply_end(conn, &known.network_ref, Cause::Stopped);
        }
        let network_subscriptions = NetworkSubscription::all_at(conn, subscription.id, self.network)?;
        let started_by = self.happened_at + CLOCK_DOUBT;
        let is_dated = network_subscriptions.iter().any(|existing| existing.started_at <= started_by);
        let at = if is_dated { self.happened_at } else { self.now };
        let running = network_subscriptions.iter().filter(|existing| existing.ended_at.is_none());
        for existing in running.filter(|existing| !is_dated || existing.started_at <= started_by) {
            if is_dated && existing.started_at <= self.happened_at {
                existing.end_by_network(conn, at)?;
            } else {
                // Where nothing had started by then, the STOP is for what runs now: the network's clock is behind, or its time lacks the zone.
                // But if the STOP really is older than the start, the network's subscription still runs.
                outbox::end_and_notify_network(conn, existing, &subscription, at)?;
            }
        }
        if let Some(network_ref) = self.network_ref {
            // The event of its start arrives later, and must then find it ended.
            let ended = Some((at, network_subscriptions::NETWORK));
            NetworkSubscription::insert(conn, subscription.id, self.network, network_ref, at, ended)?;
        }
        subscription.record_leave_request(conn, at)?;
        self.advance_if_none_is_active(conn, &mut subscription, Cause::Stopped)
    }

    /// Ends the network subscriptions that started by then: a newer id has replaced them at the network.
    fn end_older(
        &self,
        conn: &mut DbConnection,
        subscription: &Subscription,
        started_by: NaiveDateTime,
    ) -> Result<(), Error> {
        let network_subscriptions = NetworkSubscription::all_at(conn, subscription.id, self.network)?;
        for existing in network_subscriptions
            .iter()
            .filter(|existing| existing.ended_at.is_none() && existing.started_at <= started_by)
        {
            outbox::end_and_notify_network(conn, existing, subscription, self.now)?;
        }
        Ok(())
    }

    fn advance_if_none_is_active(
        &self,
        conn: &mut DbConnection,
        subscription: &mut Subscription,
        cause: Cause,
    ) -> Result<(), Error> {
        if NetworkSubscription::running(conn, subscription.id)?.is_empty() {
            self.advance(conn, subscription, cause)?;
        }
        Ok(())
    }

    fn advance(&self, conn: &mut DbConnection, subscription: &mut Subscription, cause: Cause) -> Result<bool, Error> {
        let evidence =
            json!({ "network": self.network, "said": self.evidence, "try": self.attempt.map(OptInAttempt::evidence) });
        if self.sends_sms {
            announce::advance(conn, self.policy, subscription, cause, self.happened_at, &evidence, self.now)
        } else {
            announce::advance_without_sms(conn, self.policy, subscription, cause, self.happened_at, &evidence, self.now)
        }
    }

    /// Whether the confirmation is for something that was over by then: a leave came later, or the join had expired.
    fn is_too_late(&self, subscription: &Subscription) -> bool {
        let expired = self.attempt.is_some_and(|attempt| self.happened_at > attempt.created_at + JOIN_EXPIRY);
        let overtakes = |left_at| match self.attempt {
            Some(attempt) => attempt.is_overtaken_by(left_at, Some(self.happened_at)),
            None => self.happened_at <= left_at,
        };
        expired || subscription.ended_or_left_at().is_some_and(overtakes)
    }
}
