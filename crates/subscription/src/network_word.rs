//! What a network's word does: an answer to an opt-in, a subscription that began or ended, a stop.
//!
//! The same whether the network told us or we asked, and the same in whatever order, and however often, words come: what
//! counts is which of the network's own subscriptions (`holds`) ever began and ended, and an ended one never begins again.

use chrono::NaiveDateTime;
use identity::Msisdn;
use operator::{OptInKind, OptInStatus};
use serde_json::{Value, json};
use store::DbConnection;

use crate::{
    billing::{
        calendar,
        ledger::{self, NewCharge},
    },
    clock::PENDING_LIFE,
    error::Error,
    figures,
    holds::{self, Hold},
    life::{Cause, State},
    outbox,
    subscriptions::Subscription,
    terms::Terms,
    tries::Try,
};

/// What a network says of one number and service, and when it happened.
pub(crate) struct Word<'a> {
    pub terms: &'a Terms,
    pub network: &'a str,
    pub msisdn: &'a Msisdn,
    pub svc_id: i32,
    /// Our own opt-in that it names, if it names one of this number and service.
    pub try_of: Option<&'a Try>,
    /// The network's own id of its subscription, if it names one.
    pub network_ref: Option<&'a str>,
    /// When it happened by the network's clock; a time in the future counts as now.
    pub happened_at: NaiveDateTime,
    /// When the network changed what it tells, where it says so.
    pub updated_at: Option<NaiveDateTime>,
    /// What to keep of it beside the move it causes.
    pub said: Value,
    /// Our clock.
    pub now: NaiveDateTime,
}

impl Word<'_> {
    /// A person answered an opt-in page.
    pub fn answered(
        &self,
        conn: &mut DbConnection,
        kind: OptInKind,
        answer: OptInStatus,
        reference: &str,
    ) -> Result<(), Error> {
        let news = match self.try_of {
            Some(this) => this.decide(conn, answer, self.happened_at)?,
            None => true,
        };
        if let (Some(this), Some(network_ref), OptInStatus::Confirmed) = (self.try_of, self.network_ref, answer) {
            this.keep_network_ref(conn, network_ref)?;
        }
        if news && (kind, answer) == (OptInKind::OptIn, OptInStatus::Declined) {
            figures::declined(self.terms, self.svc_id);
        }
        match (kind, answer) {
            (OptInKind::OptIn, OptInStatus::Confirmed) => self.began(conn, self.network_ref.unwrap_or(reference), news),
            (OptInKind::Leave, OptInStatus::Confirmed) => self.stopped(conn),
            // A verify proves who holds the phone and moves nothing; a no moves nothing; no answer is no word.
            (OptInKind::Verify, _) | (_, OptInStatus::Declined | OptInStatus::Pending) => Ok(()),
        }
    }

    /// A subscription of the network's runs. `confirms` if a person has newly agreed, and it is not merely told again.
    pub fn began(&self, conn: &mut DbConnection, network_ref: &str, confirms: bool) -> Result<(), Error> {
        let mut subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.now)?;
        match Hold::find(conn, subscription.id, self.network, network_ref)? {
            Some(hold) if hold.ended_at.is_some() => {
                if !self.begins_again(&hold, &subscription, confirms) {
                    return Ok(());
                }
                hold.reopen(conn, self.happened_at)?;
                self.confirm(conn, &mut subscription)
            }
            Some(_) if !confirms => Ok(()),
            Some(_) => self.confirm(conn, &mut subscription),
            None if self.came_too_late(&subscription) => {
                Hold::insert(
                    conn,
                    subscription.id,
                    self.network,
                    network_ref,
                    self.happened_at,
                    Some((self.now, holds::US)),
                )?;
                // The network believes it runs, and would charge for it.
                outbox::put_stop(conn, self.network, network_ref, &subscription, self.now)
            }
            None => {
                Hold::insert(conn, subscription.id, self.network, network_ref, self.happened_at, None)?;
                self.confirm(conn, &mut subscription)
            }
        }
    }

    /// Whether an id that has ended runs again: its person has agreed since, or the network says that it began after it had said
    /// that it ended. A late copy of the first beginning does not.
    fn begins_again(&self, hold: &Hold, subscription: &Subscription, confirms: bool) -> bool {
        let agreed =
            confirms && self.try_of.is_some_and(|this| hold.ended_at.is_none_or(|ended_at| this.created_at > ended_at));
        let told = self.updated_at.is_some_and(|at| {
            hold.was_ended_by_network_before(at) && subscription.leave_said_at.is_none_or(|left_at| left_at < at)
        });
        agreed || told
    }

    /// A person agreed, at the price that the page showed. Where the last day was not paid, access waits for the money.
    fn confirm(&self, conn: &mut DbConnection, subscription: &mut Subscription) -> Result<(), Error> {
        let offer = self.terms.brand(self.svc_id).map(|brand| brand.offer).unwrap_or_default();
        match self.try_of {
            Some(this) => subscription.keep_price(conn, this.price_cents, &this.period)?,
            None => subscription.keep_price(conn, offer.price_cents, offer.period.as_str())?,
        }
        let is_unpaid = ledger::is_last_day_unpaid(conn, subscription.id)?;
        let cause = if is_unpaid { Cause::ConfirmedUnpaid } else { Cause::Confirmed };
        self.advance(conn, subscription, cause)?;
        if let Some(network) = self.terms.charged_by_us(self.msisdn, self.svc_id)
            && matches!(subscription.state, State::Active | State::Suspended)
        {
            let day = calendar::day_of(self.now);
            let key = self.terms.charge_key(self.msisdn.as_str(), self.svc_id, day);
            let price = subscription.price_cents;
            ledger::want_first_charge(
                conn,
                NewCharge::pending(subscription.id, &network, day, (key, price), self.now),
            )?;
        }
        Ok(())
    }

    /// A subscription of the network's has ended, and with it those that it has replaced.
    pub fn ended(&self, conn: &mut DbConnection, network_ref: &str, cause: Cause) -> Result<(), Error> {
        let mut subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.now)?;
        let named = Hold::find(conn, subscription.id, self.network, network_ref)?;
        let begun_by = match &named {
            Some(hold) => {
                hold.end_by_network(conn, self.happened_at)?;
                hold.started_at
            }
            // Its beginning has yet to arrive, and must then find it over.
            None => {
                let (id, at) = (subscription.id, self.happened_at);
                Hold::insert(conn, id, self.network, network_ref, at, Some((at, holds::NETWORK)))?;
                at
            }
        };
        self.end_older(conn, &subscription, begun_by)?;
        self.advance_if_none_runs(conn, &mut subscription, cause)
    }

    /// The person ended everything of this number and service at this network that had begun by then.
    pub fn stopped(&self, conn: &mut DbConnection) -> Result<(), Error> {
        let mut subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.now)?;
        if let Some(network_ref) = self.network_ref {
            subscription.keep_leave(conn, self.happened_at)?;
            return self.ended(conn, network_ref, Cause::Stopped);
        }
        let holds = Hold::all_at(conn, subscription.id, self.network)?;
        let fits = holds.iter().any(|hold| hold.started_at <= self.happened_at);
        let at = if fits { self.happened_at } else { self.now };
        for hold in holds.iter().filter(|hold| hold.ended_at.is_none() && hold.started_at <= at) {
            if fits {
                hold.end_by_network(conn, at)?;
            } else {
                // Where nothing had begun by then it means what runs now: the network's clock is behind, or lacks its zone. But
                // should the stop be older than the yes, the network believes that it runs.
                outbox::end_and_tell(conn, hold, &subscription, at)?;
            }
        }
        subscription.keep_leave(conn, at)?;
        self.advance_if_none_runs(conn, &mut subscription, Cause::Stopped)
    }

    /// Ends what runs at this network since before then: a newer id has replaced it there.
    fn end_older(
        &self,
        conn: &mut DbConnection,
        subscription: &Subscription,
        begun_by: NaiveDateTime,
    ) -> Result<(), Error> {
        let holds = Hold::all_at(conn, subscription.id, self.network)?;
        for hold in holds.iter().filter(|hold| hold.ended_at.is_none() && hold.started_at <= begun_by) {
            outbox::end_and_tell(conn, hold, subscription, self.now)?;
        }
        Ok(())
    }

    fn advance_if_none_runs(
        &self,
        conn: &mut DbConnection,
        subscription: &mut Subscription,
        cause: Cause,
    ) -> Result<(), Error> {
        if Hold::running(conn, subscription.id)?.is_empty() { self.advance(conn, subscription, cause) } else { Ok(()) }
    }

    fn advance(&self, conn: &mut DbConnection, subscription: &mut Subscription, cause: Cause) -> Result<(), Error> {
        let evidence = json!({ "network": self.network, "said": self.said, "try": self.try_of.map(Try::evidence) });
        subscription.advance(conn, self.terms, cause, self.happened_at, &evidence, self.now).map(|_| ())
    }

    /// Whether a yes was given to something that was over by then: before the person left, or to a join that had expired.
    fn came_too_late(&self, subscription: &Subscription) -> bool {
        let expired = self.try_of.is_some_and(|this| self.happened_at > this.created_at + PENDING_LIFE);
        let left_since = subscription.over_since().is_some_and(|left_at| {
            // The network's clock may lag ours; a try that we began after the leaving is newer whatever it says.
            self.happened_at < left_at && self.try_of.is_none_or(|this| this.created_at < left_at)
        });
        expired || left_since
    }
}
