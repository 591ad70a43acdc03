//! What push networks say they charged: a settled charge of the ledger for each day that was paid, a failed one for each that was not.

use brands::BillingResult;
use chrono::NaiveDateTime;
use diesel::prelude::*;
use operator::BillingEvent;
use store::DbConnection;

use super::{
    calendar,
    follow::follow,
    ledger::{self as books, CHARGE, FAILED, NetworkCharge, NewCharge, SETTLED, UNKNOWN},
    refund::{self, Ground, SurplusCharge},
};
use crate::{
    billing_events::{self, Word},
    error::Error,
    figures,
    holds::Hold,
    life::State,
    messages,
    schema::ledger,
    subscriptions::Subscription,
    terms::Terms,
};

/// What became of a billing event.
pub(crate) enum Entered {
    /// It is in the ledger.
    Applied,
    /// It changes nothing.
    Ignored,
    /// A person has to look at it.
    SetAside {
        /// The alarm.
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
    /// When the network billed; a time in the future counts as now.
    pub billed_at: NaiveDateTime,
    pub now: NaiveDateTime,
}

impl PushEvent<'_> {
    /// Enters it into the ledger, and lets the locked subscription follow.
    ///
    /// The last word on a `billing_ref` counts. A charge of another amount than the person consented to, and a result that the
    /// network never explained, are set aside. A second charge of a day, and one that was made after the subscription had ended,
    /// are given back at once.
    pub fn enter(&self, conn: &mut DbConnection, terms: &Terms, subscription: &Subscription) -> Result<Entered, Error> {
        let meaning =
            terms.brands.network(self.network).and_then(|network| network.billing_result(&self.event.result_name));
        let entered = match meaning {
            None => {
                return Ok(Entered::SetAside { alarm: "result_unknown", cause: "it has an unknown result_name" });
            }
            Some(BillingResult::Pending) => Entered::Ignored,
            Some(BillingResult::Refunded) => self.refunded(conn)?,
            Some(BillingResult::Charged) if !self.event.amount.is_cents(subscription.price_cents) => {
                return Ok(Entered::SetAside {
                    alarm: "amount_unexpected",
                    cause: "its amount is not what the person consented to",
                });
            }
            Some(BillingResult::Charged) => match self.keep(conn, subscription, Word::Charged)? {
                true => self.charged(conn, terms, subscription)?,
                false => Entered::Ignored,
            },
            Some(BillingResult::NoAirtime) => self.failed(conn, terms, subscription, Refusal::NoAirtime)?,
            Some(BillingResult::Refused) => self.failed(conn, terms, subscription, Refusal::Other)?,
        };
        follow(conn, terms, [subscription.id], self.now)?;
        Ok(entered)
    }

    fn keep(&self, conn: &mut DbConnection, subscription: &Subscription, word: Word) -> Result<bool, Error> {
        let event = billing_events::New {
            network: self.network,
            billing_ref: &self.event.billing_ref,
            subscription_id: subscription.id,
            notification_id: self.notification_id,
            cents: subscription.price_cents,
            billed_at: self.billed_at,
        };
        billing_events::keep(conn, &event, word)
    }

    fn charged(&self, conn: &mut DbConnection, terms: &Terms, subscription: &Subscription) -> Result<Entered, Error> {
        let key = self.event.billing_ref.as_str();
        let day = calendar::day_of(self.billed_at);
        let cents = subscription.price_cents;
        let charge = NetworkCharge { key, cents, reason: "" };
        match self.of_day(conn, subscription)? {
            None => {
                let new = NewCharge {
                    status: SETTLED,
                    network_ref: Some(key.to_owned()),
                    attempts: 1,
                    ..NewCharge::pending(subscription.id, self.network, day, (key.to_owned(), cents), self.now)
                };
                NewCharge::insert(conn, &[new])?;
            }
            Some((_, status, known)) if status == SETTLED => {
                if known != key {
                    let surplus = SurplusCharge {
                        network: self.network,
                        key,
                        msisdn: subscription.msisdn.as_str(),
                        svc_id: subscription.svc_id,
                        day: &day.to_string(),
                        cents,
                    };
                    refund::give_back_surplus(conn, &surplus, self.now)?;
                }
                return Ok(Entered::Applied);
            }
            Some((id, ..)) => {
                books::settle_by_network(conn, id, &charge, self.now)?;
            }
        }
        figures::charged_by_network(terms, subscription.svc_id, Some(cents));
        if self.is_after_the_end(conn, subscription)? {
            tracing::error!(
                alarm = "charged_after_leaving",
                subscription.id = subscription.id,
                network.name = self.network,
                "a network charged a subscription that had ended; the charge is given back"
            );
            let of_key = ledger::table.filter(ledger::network.eq(self.network).and(ledger::charge_key.eq(key)));
            let id = of_key.select(ledger::id).first(conn)?;
            let ground = Ground { reason: "charged after leaving", made_by: refund::BILLING, took_money: true };
            refund::give_back(conn, id, &ground, self.now)?;
            messages::given_back(conn, terms, subscription, cents, self.now)?;
        }
        Ok(Entered::Applied)
    }

    fn failed(
        &self,
        conn: &mut DbConnection,
        terms: &Terms,
        subscription: &Subscription,
        why: Refusal,
    ) -> Result<Entered, Error> {
        let reason = match why {
            Refusal::NoAirtime => "insufficient funds",
            Refusal::Other => "the network refused it",
        };
        if !self.keep(conn, subscription, Word::Failed)? {
            return Ok(Entered::Ignored);
        }
        match self.of_day(conn, subscription)? {
            None => {
                let (key, day) = (self.event.billing_ref.clone(), calendar::day_of(self.billed_at));
                let price = subscription.price_cents;
                let new = NewCharge {
                    status: FAILED,
                    network_ref: Some(key.clone()),
                    attempts: 1,
                    failures: 1,
                    reason: reason.to_owned(),
                    ..NewCharge::pending(subscription.id, self.network, day, (key, price), self.now)
                };
                NewCharge::insert(conn, &[new])?;
            }
            Some((_, status, _)) if status == SETTLED || status == UNKNOWN => {}
            Some((id, ..)) => books::fail_by_network(conn, id, reason, self.now)?,
        }
        match why {
            Refusal::NoAirtime => figures::charged_by_network(terms, subscription.svc_id, None),
            Refusal::Other => figures::refused_by_network(terms, subscription.svc_id),
        }
        Ok(Entered::Applied)
    }

    /// The network has given a charge back by itself.
    fn refunded(&self, conn: &mut DbConnection) -> Result<Entered, Error> {
        let charge: Option<i64> = ledger::table
            .filter(ledger::network.eq(self.network).and(ledger::charge_key.eq(&self.event.billing_ref)))
            .filter(ledger::kind.eq(CHARGE).and(ledger::status.eq(SETTLED)))
            .select(ledger::id)
            .first(conn)
            .optional()?;
        let Some(id) = charge else { return Ok(Entered::Ignored) };
        let ground = Ground { reason: "given back by the network", made_by: refund::NETWORK, took_money: false };
        refund::give_back(conn, id, &ground, self.now)?;
        Ok(Entered::Applied)
    }

    /// The charge of the event's day: its id, status and key.
    fn of_day(
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

    /// Whether a charge was made when its subscription had ended, also where its person has joined again since.
    fn is_after_the_end(&self, conn: &mut DbConnection, subscription: &Subscription) -> Result<bool, Error> {
        let is_over = |ended_at: Option<NaiveDateTime>| ended_at.is_some_and(|ended_at| self.billed_at > ended_at);
        if subscription.state == State::Cancelled && is_over(subscription.left_at) {
            return Ok(true);
        }
        // Where the network does not say when it was, it may have been before.
        let tells_when = self.event.billed_at.or(self.event.subscription.last_billed_at).is_some();
        let charged = Hold::find(conn, subscription.id, self.network, &self.event.subscription.subscription_id)?;
        Ok(tells_when && charged.is_some_and(|hold| is_over(hold.ended_at)))
    }
}
