//! What a visitor reads who comes back from the network: one sentence about what the record says of the attempt. Pages show it as it is, and
//! conclude nothing themselves.

use brands::Brand;
use chrono::{Datelike, NaiveDate};
use languages::{FluentArgs, Language};
use operator::OptInKind;
use store::DbConnection;

use crate::{
    error::Error,
    joins::check_sub::AttemptState,
    ledger::rows,
    messages::texts::placeholders,
    subscribers::{
        attempts::{OptInAttempt, kind_name},
        lifecycle::State,
        policy::Policy,
        subscriptions::Subscription,
        text::format_rand,
    },
};

/// What the sentence is about.
pub(crate) struct Returned<'a> {
    pub state: AttemptState,
    pub attempt: &'a OptInAttempt,
    pub brand: &'a Brand,
    /// None where the network has yet to name the subscriber.
    pub subscription: Option<&'a Subscription>,
    pub language: Language,
    pub today: NaiveDate,
}

/// Of an attempt that is not known here.
pub(crate) fn of_unknown(language: Language) -> String {
    language.text("return-unknown", &FluentArgs::new())
}

impl Returned<'_> {
    /// The sentence.
    pub fn text(&self, conn: &mut DbConnection, policy: &Policy) -> Result<String, Error> {
        let of_brand = (self.brand, self.attempt.network.as_str());
        let mut filled = placeholders(policy, of_brand, self.attempt.price_cents, &self.attempt.period);
        let is = |kind: OptInKind| self.attempt.kind == kind_name(kind);
        let runs = self.subscription.is_some_and(|now| matches!(now.state, State::Active | State::Suspended));
        let id = match self.state {
            AttemptState::Active if is(OptInKind::OptIn) => {
                self.add_charge(conn, policy, &mut filled)?;
                "return-joined"
            }
            AttemptState::Active => "return-confirmed",
            AttemptState::Waiting => "return-waiting",
            // Where a subscription runs, it goes on being charged.
            AttemptState::Declined if is(OptInKind::OptIn) && !runs => "return-declined",
            AttemptState::Declined => "return-unchanged",
            AttemptState::Ended if is(OptInKind::Leave) => "return-left",
            AttemptState::Ended => "return-ended",
            AttemptState::Unknown => "return-unknown",
        };
        Ok(self.language.text(id, &filled))
    }

    /// What is charged today: `charge` is `some`, `free` or `none`.
    fn add_charge(
        &self,
        conn: &mut DbConnection,
        policy: &Policy,
        filled: &mut FluentArgs<'static>,
    ) -> Result<(), Error> {
        let Some(subscription) = self.subscription else { return Ok(()) };
        let charged = rows::charged_on(conn, subscription.id, self.today)?;
        let first = subscription.free_until.filter(|until| self.today < *until);
        // A push network charges by itself, and tells of it later.
        let by_network = !policy.is_pull(&self.attempt.network);
        let charge = match (charged, first) {
            (cents, _) if cents > 0 => {
                filled.set("amount", format_rand(cents));
                "some"
            }
            (_, Some(_)) => "free",
            (_, None) if by_network => "some",
            (_, None) => "none",
        };
        filled.set("charge", charge);
        let day = first.unwrap_or(self.today);
        filled.set("day", day.day());
        filled.set("month", day.month());
        Ok(())
    }
}
