//! What a network's word does: an answer to an opt-in, a subscription that began or ended, a stop.
//!
//! The same whether the network told us or we asked, and the same in whatever order, and however often, words come: what
//! counts is which of the network's own subscriptions (`holds`) ever began and ended, and an ended one never begins again.

use chrono::NaiveDateTime;
use identity::Msisdn;
use operator::{Answer, OptInKind};
use serde_json::{Value, json};
use store::DbConnection;

use crate::{
    clock::PENDING_LIFE, error::Error, figures, holds::Hold, life::Cause, outbox, subscriptions::Subscription,
    terms::Terms, tries::Try,
};

/// Who speaks, of whom, and when it happened.
pub(crate) struct Word<'a> {
    pub terms: &'a Terms,
    pub network: &'a str,
    pub msisdn: &'a Msisdn,
    pub svc_id: i32,
    /// Our own try that the word names, if it names one of this number and service.
    pub try_of: Option<&'a Try>,
    /// The network's own id of its subscription, if the word names one.
    pub network_ref: Option<&'a str>,
    /// When what is told happened, by the network's clock.
    pub happened_at: NaiveDateTime,
    /// What to keep of the word beside the move it causes.
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
        answer: Answer,
        reference: &str,
    ) -> Result<(), Error> {
        let news = match self.try_of {
            Some(this) => this.decide(conn, answer, self.happened_at)?,
            None => true,
        };
        if news && (kind, answer) == (OptInKind::OptIn, Answer::Declined) {
            figures::declined(self.terms, self.svc_id);
        }
        match (kind, answer) {
            (OptInKind::OptIn, Answer::Confirmed) => self.began(conn, self.network_ref.unwrap_or(reference), news),
            (OptInKind::Leave, Answer::Confirmed) => self.stopped(conn),
            // A verify proves who holds the phone and moves nothing; a no moves nothing; no answer is no word.
            (OptInKind::Verify, _) | (_, Answer::Declined | Answer::Pending) => Ok(()),
        }
    }

    /// A subscription of the network's runs. `confirms` if a person has newly agreed, and it is not merely told again.
    pub fn began(&self, conn: &mut DbConnection, network_ref: &str, confirms: bool) -> Result<(), Error> {
        let mut subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.now)?;
        match Hold::find(conn, subscription.id, self.network, network_ref)? {
            Some(hold) if hold.ended_at.is_some() => Ok(()),
            Some(_) if !confirms => Ok(()),
            Some(_) => self.advance(conn, &mut subscription, Cause::Confirmed),
            None if self.came_too_late(&subscription) => {
                Hold::insert(conn, subscription.id, self.network, network_ref, self.happened_at, Some(self.now))?;
                // The network believes it runs, and would charge for it.
                outbox::put_stop(conn, self.network, network_ref, &subscription, self.now)
            }
            None => {
                Hold::insert(conn, subscription.id, self.network, network_ref, self.happened_at, None)?;
                self.advance(conn, &mut subscription, Cause::Confirmed)
            }
        }
    }

    /// A subscription of the network's has ended.
    pub fn ended(&self, conn: &mut DbConnection, network_ref: &str, cause: Cause) -> Result<(), Error> {
        let mut subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.now)?;
        match Hold::find(conn, subscription.id, self.network, network_ref)? {
            Some(hold) => hold.end(conn, self.happened_at)?,
            // Its beginning has yet to arrive, and must then find it over.
            None => {
                Hold::insert(
                    conn,
                    subscription.id,
                    self.network,
                    network_ref,
                    self.happened_at,
                    Some(self.happened_at),
                )?;
            }
        }
        self.advance_if_none_runs(conn, &mut subscription, cause)
    }

    /// The person ended everything of this number and service that had begun by then.
    pub fn stopped(&self, conn: &mut DbConnection) -> Result<(), Error> {
        if let Some(network_ref) = self.network_ref {
            return self.ended(conn, network_ref, Cause::Stopped);
        }
        let mut subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.now)?;
        for hold in Hold::running(conn, subscription.id, Some(self.happened_at))? {
            hold.end(conn, self.happened_at)?;
        }
        subscription.keep_leave(conn, self.happened_at)?;
        self.advance_if_none_runs(conn, &mut subscription, Cause::Stopped)
    }

    fn advance_if_none_runs(
        &self,
        conn: &mut DbConnection,
        subscription: &mut Subscription,
        cause: Cause,
    ) -> Result<(), Error> {
        if Hold::running(conn, subscription.id, None)?.is_empty() {
            self.advance(conn, subscription, cause)
        } else {
            Ok(())
        }
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
