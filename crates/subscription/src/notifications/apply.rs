//! What a believed notification does: to the number's subscriptions, the network's own ids of them, and the ledger.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDateTime, Utc};
use identity::Msisdn;
use operator::{
    BillingEvent, NamedService, NotUnderstood, Notification, OptInEvent, OptInKind, StopEvent, SubscriptionEvent,
    SubscriptionStatus,
};
use serde_json::{Value, json};
use store::DbConnection;

use super::{Envelope, Outcome};
use crate::{
    billing::push::{Entered, PushEvent},
    error::Error,
    holds::Hold,
    life::Cause,
    network_word::Word,
    subscriptions::Subscription,
    terms::Terms,
    tries::Try,
};

const NOT_UNDERSTOOD: &str = "notification_not_understood";

/// Whether it may end subscriptions.
pub(super) fn may_end(notification: &Notification) -> bool {
    match notification {
        Notification::Stop(_) => true,
        Notification::OptIn(event) => event.kind == OptInKind::Leave,
        Notification::Subscription(event) => event.status() != SubscriptionStatus::Active,
        Notification::Billing(_) => false,
    }
}

impl Envelope {
    /// Does what it says; what became of it, and the subscriptions that it is about.
    pub(super) fn apply(
        &self,
        conn: &mut DbConnection,
        notification_id: i64,
        terms: &Terms,
        told: Result<Notification, NotUnderstood>,
    ) -> Result<(Outcome, Vec<i64>), Error> {
        let set_aside = |cause: &str| Ok((self.set_aside(notification_id, NOT_UNDERSTOOD, cause), Vec::new()));
        let notification = match told {
            Ok(notification) => notification,
            Err(error) => return set_aside(&error.to_string()),
        };
        let number = match &notification {
            Notification::OptIn(event) => &event.user_msisdn,
            Notification::Subscription(event) => &event.user_msisdn,
            Notification::Billing(event) => &event.subscription.user_msisdn,
            Notification::Stop(event) => &event.user_msisdn,
        };
        let Ok(msisdn) = Msisdn::parse(number) else {
            return set_aside("it names no South African mobile number");
        };
        if terms.is_test(msisdn.as_str()) {
            return Ok((Outcome::Ignored, Vec::new()));
        }
        let services = self.services(conn, terms, &msisdn, &notification)?;
        if services.is_empty() {
            return set_aside("it names no service of this network");
        }
        let mut outcome = Outcome::Ignored;
        let mut subscriptions = Vec::new();
        for svc_id in services {
            let teller = Teller { envelope: self, id: notification_id, terms, msisdn: &msisdn, svc_id };
            let applied = match &notification {
                Notification::OptIn(event) => teller.opt_in(conn, event)?,
                Notification::Subscription(event) => teller.subscription(conn, event)?,
                Notification::Billing(event) => teller.billing(conn, event)?,
                Notification::Stop(event) => teller.stop(conn, event)?,
            };
            if applied != Outcome::Ignored {
                outcome = applied;
            }
            subscriptions.extend(Subscription::of_number(conn, &msisdn, svc_id)?.map(|subscription| subscription.id));
        }
        Ok((outcome, subscriptions))
    }

    /// The services that a notification is about. What ends a subscription counts for every service of the number at this network
    /// where it names none, and also where the brand has moved to another network since.
    fn services(
        &self,
        conn: &mut DbConnection,
        terms: &Terms,
        msisdn: &Msisdn,
        notification: &Notification,
    ) -> Result<Vec<i32>, Error> {
        let named = match notification {
            Notification::OptIn(event) => NamedService::Id(event.svc_id),
            Notification::Subscription(event) => event.svc_id.clone(),
            Notification::Billing(event) => event.subscription.svc_id.clone(),
            Notification::Stop(event) => event.svc_id.clone(),
        };
        let network_ref = match notification {
            Notification::Subscription(event) => Some(event.subscription_id.as_str()),
            Notification::Billing(event) => Some(event.subscription.subscription_id.as_str()),
            Notification::Stop(event) => event.network_subscription_id.as_deref(),
            Notification::OptIn(_) => None,
        };
        let held = Hold::services_at(conn, msisdn, &self.network)?;
        // A network speaks for the services it bills, and for those that it billed when the number joined.
        let is_here = |svc_id: i32| {
            held.contains(&svc_id) || terms.brand(svc_id).is_some_and(|brand| brand.network == self.network)
        };
        let svc_id = match named {
            NamedService::Id(svc_id) => Some(svc_id),
            NamedService::Name(name) => terms
                .brands
                .iter()
                .find(|brand| brand.has_name(&name) || brand.name.eq_ignore_ascii_case(&name))
                .map(|brand| brand.svc_id),
            NamedService::Unnamed => None,
        };
        if let Some(svc_id) = svc_id {
            return Ok(if is_here(svc_id) { vec![svc_id] } else { Vec::new() });
        }
        if let Some(network_ref) = network_ref
            && let Some(svc_id) = Hold::service_of(conn, msisdn, &self.network, network_ref)?
        {
            return Ok(vec![svc_id]);
        }
        if !may_end(notification) {
            return Ok(Vec::new());
        }
        let mut services: BTreeSet<i32> = held.into_iter().collect();
        services.extend(terms.brands.iter().filter(|brand| brand.network == self.network).map(|brand| brand.svc_id));
        Ok(services.into_iter().collect())
    }

    /// Kept, with an alarm; the network is answered 200, because sending it again would not make it clearer.
    fn set_aside(&self, id: i64, alarm: &'static str, cause: &str) -> Outcome {
        tracing::error!(
            alarm,
            notification.id = id,
            network.name = self.network,
            cause,
            "a notification is set aside for a person"
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
                self.began(conn, event, event.updated_at)?;
                return Ok(Outcome::Applied);
            }
            SubscriptionStatus::Churned => Cause::Churned,
            SubscriptionStatus::Cancelled => Cause::Stopped,
            SubscriptionStatus::Unknown(status_id) => {
                return Ok(self.envelope.set_aside(
                    self.id,
                    NOT_UNDERSTOOD,
                    &format!("it has the unknown status_id {status_id}"),
                ));
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

    fn began(
        &self,
        conn: &mut DbConnection,
        event: &SubscriptionEvent,
        updated_at: Option<DateTime<Utc>>,
    ) -> Result<(), Error> {
        let this = match self.try_named(conn, event.partner_ref.as_deref())? {
            Some(this) => Some(this),
            // Some networks hand our own id back as theirs.
            None => self.try_named(conn, Some(&event.subscription_id))?,
        };
        let said = json!({ "id": event.subscription_id, "status_id": event.status_id, "ext_ref": event.ext_ref });
        let began_at = event.created_at.or(event.updated_at);
        let mut word = self.word(this.as_ref(), Some(&event.subscription_id), began_at, said);
        word.updated_at = updated_at.map(|at| self.moment(Some(at)));
        let confirms = match &this {
            Some(this) => this.decide(conn, operator::Answer::Confirmed, word.happened_at)?,
            None => false,
        };
        word.began(conn, &event.subscription_id, confirms)
    }

    fn billing(&self, conn: &mut DbConnection, event: &BillingEvent) -> Result<Outcome, Error> {
        // It may come before the event of the subscription it charged, which it carries with it.
        if event.subscription.status() == SubscriptionStatus::Active {
            self.began(conn, &event.subscription, None)?;
        }
        let subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.envelope.received_at)?;
        let billed_at = event.billed_at.or(event.subscription.last_billed_at);
        let event = PushEvent {
            network: &self.envelope.network,
            notification_id: self.id,
            event,
            billed_at: self.moment(billed_at),
            now: self.envelope.received_at,
        };
        Ok(match event.enter(conn, self.terms, &subscription)? {
            Entered::Applied => Outcome::Applied,
            Entered::Ignored => Outcome::Ignored,
            Entered::SetAside { alarm, cause } => self.envelope.set_aside(self.id, alarm, cause),
        })
    }

    /// A network's time as UTC; one that it does not tell, or that lies in the future, counts as now.
    fn moment(&self, at: Option<DateTime<Utc>>) -> NaiveDateTime {
        at.map_or(self.envelope.received_at, |at| at.naive_utc().min(self.envelope.received_at))
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
            happened_at: self.moment(happened_at),
            updated_at: None,
            said,
            now: self.envelope.received_at,
        }
    }
}
