//! What a believed notification does: to the number's subscription, its holds and its ledger.

use chrono::{DateTime, Utc};
use identity::Msisdn;
use operator::{
    BillingEvent, NotUnderstood, Notification, OptInEvent, StopEvent, SubscriptionEvent, SubscriptionStatus,
};
use serde_json::{Value, json};
use store::DbConnection;

use super::{Envelope, Outcome};
use crate::{
    billing::push, billing_events, error::Error, life::Cause, network_word::Word, subscriptions::Subscription,
    terms::Terms, tries::Try,
};

impl Envelope {
    /// Does what it says.
    pub(super) fn apply(
        &self,
        conn: &mut DbConnection,
        notification_id: i64,
        terms: &Terms,
        told: Result<Notification, NotUnderstood>,
    ) -> Result<Outcome, Error> {
        let notification = match told {
            Ok(notification) => notification,
            Err(error) => return Ok(self.not_understood(notification_id, &error.to_string())),
        };
        let id = |named: &operator::NamedService| match named {
            operator::NamedService::Id(id) => *id,
            _ => 0,
        };
        let (number, svc_id) = match &notification {
            Notification::OptIn(event) => (&event.user_msisdn, event.svc_id),
            Notification::Subscription(event) => (&event.user_msisdn, id(&event.svc_id)),
            Notification::Billing(event) => (&event.subscription.user_msisdn, id(&event.subscription.svc_id)),
            Notification::Stop(event) => (&event.user_msisdn, id(&event.svc_id)),
        };
        let Ok(msisdn) = Msisdn::parse(number) else {
            return Ok(self.not_understood(notification_id, "it names no South African mobile number"));
        };
        // A network speaks for the services it bills, and for no others.
        if terms.brand(svc_id).is_none_or(|brand| brand.network != self.network) {
            return Ok(self.not_understood(notification_id, "it names no service of this network"));
        }
        if terms.is_test(msisdn.as_str()) {
            return Ok(Outcome::Ignored);
        }
        let teller = Teller { envelope: self, id: notification_id, terms, msisdn: &msisdn, svc_id };
        match &notification {
            Notification::OptIn(event) => teller.opt_in(conn, event),
            Notification::Subscription(event) => teller.subscription(conn, event),
            Notification::Billing(event) => teller.billing(conn, event),
            Notification::Stop(event) => teller.stop(conn, event),
        }
    }

    /// Kept, and shouted about; the network is told 200, because sending it again would not make it clearer.
    fn not_understood(&self, id: i64, cause: &str) -> Outcome {
        tracing::error!(
            alarm = "notification_not_understood",
            notification.id = id,
            network.name = self.network,
            cause,
            "a notification was not understood"
        );
        Outcome::NotUnderstood
    }
}

/// One believed notification about one number and service.
struct Teller<'a> {
    envelope: &'a Envelope,
    id: i64,
    terms: &'a Terms,
    msisdn: &'a Msisdn,
    svc_id: i32,
}

impl Teller<'_> {
    fn opt_in(&self, conn: &mut DbConnection, event: &OptInEvent) -> Result<Outcome, Error> {
        let this = self.try_named(conn, event.subscription_id.as_deref())?;
        let said = json!({ "reference": event.reference, "status": event.status, "id": event.network_subscription_id });
        self.word(this.as_ref(), event.network_subscription_id.as_deref(), event.decided_at, said).answered(
            conn,
            event.kind,
            event.status,
            &event.reference,
        )?;
        Ok(Outcome::Applied)
    }

    fn subscription(&self, conn: &mut DbConnection, event: &SubscriptionEvent) -> Result<Outcome, Error> {
        let cause = match event.status() {
            SubscriptionStatus::Active => {
                self.began(conn, event)?;
                return Ok(Outcome::Applied);
            }
            SubscriptionStatus::Churned => Cause::Churned,
            SubscriptionStatus::Cancelled => Cause::Stopped,
            SubscriptionStatus::Unknown(status_id) => {
                return Ok(self.envelope.not_understood(self.id, &format!("it has the unknown status_id {status_id}")));
            }
        };
        let said = json!({ "id": event.subscription_id, "status_id": event.status_id });
        self.word(None, Some(&event.subscription_id), event.updated_at, said).ended(
            conn,
            &event.subscription_id,
            cause,
        )?;
        Ok(Outcome::Applied)
    }

    fn began(&self, conn: &mut DbConnection, event: &SubscriptionEvent) -> Result<(), Error> {
        let this = match self.try_named(conn, event.partner_ref.as_deref())? {
            Some(this) => Some(this),
            // Some networks hand our own id back as theirs.
            None => self.try_named(conn, Some(&event.subscription_id))?,
        };
        let said = json!({ "id": event.subscription_id, "status_id": event.status_id, "ext_ref": event.ext_ref });
        let began_at = event.created_at.or(event.updated_at);
        let word = self.word(this.as_ref(), Some(&event.subscription_id), began_at, said);
        let confirms = match &this {
            Some(this) => this.decide(conn, operator::Answer::Confirmed, word.happened_at)?,
            None => false,
        };
        word.began(conn, &event.subscription_id, confirms)
    }

    fn billing(&self, conn: &mut DbConnection, event: &BillingEvent) -> Result<Outcome, Error> {
        // It may come before the event of the subscription it charged, which it carries with it.
        if event.subscription.status() == SubscriptionStatus::Active {
            self.began(conn, &event.subscription)?;
        }
        let subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.envelope.received_at)?;
        let billed_at = event.billed_at.or(event.subscription.last_billed_at);
        let billed_at = billed_at.map_or(self.envelope.received_at, |at| at.naive_utc());
        let new = billing_events::keep(conn, &self.envelope.network, subscription.id, self.id, event, billed_at)?;
        if !new {
            return Ok(Outcome::Ignored);
        }
        let (network, now) = (&self.envelope.network, self.envelope.received_at);
        push::enter(conn, self.terms, network, &subscription, event, billed_at, now)?;
        Ok(Outcome::Applied)
    }

    fn stop(&self, conn: &mut DbConnection, event: &StopEvent) -> Result<Outcome, Error> {
        let said = json!({ "event": event.event, "id": event.network_subscription_id });
        self.word(None, event.network_subscription_id.as_deref(), event.at, said).stopped(conn)?;
        Ok(Outcome::Applied)
    }

    /// The try of ours that a notification names, if it is one of this number and service.
    fn try_named(&self, conn: &mut DbConnection, id: Option<&str>) -> Result<Option<Try>, Error> {
        let Some(id) = id else { return Ok(None) };
        let found = Try::of_number(conn, id, self.msisdn)?;
        Ok(found.filter(|(_, svc_id)| *svc_id == self.svc_id).map(|(this, _)| this))
    }

    fn word<'a>(
        &'a self,
        try_of: Option<&'a Try>,
        network_ref: Option<&'a str>,
        happened_at: Option<DateTime<Utc>>,
        mut said: Value,
    ) -> Word<'a> {
        if let Some(fields) = said.as_object_mut() {
            fields.insert("notification".to_owned(), self.id.into());
        }
        Word {
            terms: self.terms,
            network: &self.envelope.network,
            msisdn: self.msisdn,
            svc_id: self.svc_id,
            try_of,
            network_ref,
            happened_at: happened_at.map_or(self.envelope.received_at, |at| at.naive_utc()),
            said,
            now: self.envelope.received_at,
        }
    }
}
