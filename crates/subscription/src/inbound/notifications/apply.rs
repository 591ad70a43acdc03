//! Applies an accepted notification to the number's subscriptions, the network subscriptions and the ledger.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDateTime, Utc};
use identity::SubscriberId;
use operator::{
    BillingEvent, InvalidNotification, NamedService, Notification, OptInEvent, OptInKind, StopEvent, SubscriptionEvent,
    SubscriptionStatus,
};
use serde_json::{Value, json};
use service::Clock;
use store::DbConnection;

use crate::{
    billing::{
        push::{EventOutcome, PushEvent},
        status_queries,
    },
    error::Error,
    inbound::{
        notifications::{NotificationHeaders, Outcome, Processed},
        sms::{InboundSms, SmsOutcome},
    },
    joins::{network_events::NetworkEvent, opt_in},
    messages::outbox,
    publishers::announce,
    subscribers::{
        attempts::OptInAttempt, lifecycle::Cause, network_subscriptions::NetworkSubscription, policy::Policy,
        subscriptions::Subscription,
    },
};

const NOT_UNDERSTOOD: &str = "notification_not_understood";

/// Whether the notification may end subscriptions.
pub(crate) fn may_end(notification: &Notification) -> bool {
    match notification {
        // A STOP may be among the SMSes.
        Notification::Stop(_) | Notification::Sms(_) => true,
        Notification::OptIn(event) => event.kind == OptInKind::Leave,
        Notification::Subscription(event) => event.status() != SubscriptionStatus::Active,
        Notification::Billing(_) | Notification::Charge(_) | Notification::Receipt(_) => false,
    }
}

impl NotificationHeaders {
    /// Applies the notification, or with no id a row of the network's list of subscriptions.
    pub(crate) fn apply(
        &self,
        conn: &mut DbConnection,
        notification_id: Option<i64>,
        policy: &Policy,
        parsed: Result<Notification, InvalidNotification>,
    ) -> Result<Processed, Error> {
        let flag_for_review =
            |cause: &str| Ok(Processed::of(self.flag_for_review(notification_id, NOT_UNDERSTOOD, cause)));
        let notification = match parsed {
            Ok(notification) => notification,
            Err(error) => return flag_for_review(&error.to_string()),
        };
        let number = match &notification {
            Notification::OptIn(event) => &event.user_msisdn,
            Notification::Subscription(event) => &event.user_msisdn,
            Notification::Billing(event) => &event.subscription.user_msisdn,
            Notification::Stop(event) => &event.user_msisdn,
            // It names no number; the charge's result is requested from the network.
            Notification::Charge(event) => {
                let due = status_queries::make_due(conn, &self.network, event, Clock::system_now())?;
                return Ok(Processed::of(if due > 0 { Outcome::Applied } else { Outcome::Ignored }));
            }
            Notification::Sms(event) => {
                let sms = InboundSms { policy, network: &self.network, event, now: self.received_at };
                return Ok(match sms.apply(conn)? {
                    SmsOutcome::Applied { ended, page_for } => {
                        Processed { outcome: Outcome::Applied, subscriptions: ended, page_for }
                    }
                    SmsOutcome::Duplicate => Processed::of(Outcome::Duplicate),
                    SmsOutcome::Ignored => Processed::of(Outcome::Ignored),
                });
            }
            Notification::Receipt(event) => {
                let Some(delivery) = event.delivery() else {
                    return flag_for_review("it has an unknown status of an SMS");
                };
                let is_new = outbox::record_receipt(conn, &self.network, event, delivery, self.received_at)?;
                return Ok(Processed::of(if is_new { Outcome::Applied } else { Outcome::Ignored }));
            }
        };
        let Ok(msisdn) = SubscriberId::at_network(&policy.brands, &self.network, number) else {
            return flag_for_review("it names no subscriber as its network does");
        };
        if policy.is_test(msisdn.as_str()) {
            return Ok(Processed::of(Outcome::Ignored));
        }
        let services = self.services(conn, policy, &msisdn, &notification)?;
        if services.is_empty() {
            return flag_for_review("it names no service of this network");
        }
        let mut outcome = Outcome::Ignored;
        let mut subscriptions = Vec::new();
        for svc_id in services {
            let handler = EventHandler { headers: self, id: notification_id, policy, msisdn: &msisdn, svc_id };
            let applied = match &notification {
                Notification::OptIn(event) => handler.opt_in(conn, event)?,
                Notification::Subscription(event) => handler.subscription(conn, event)?,
                Notification::Billing(event) => handler.billing(conn, event)?,
                Notification::Stop(event) => handler.stop(conn, event)?,
                Notification::Charge(_) | Notification::Sms(_) | Notification::Receipt(_) => Outcome::Ignored,
            };
            if applied != Outcome::Ignored {
                outcome = applied;
            }
            subscriptions.extend(Subscription::of_number(conn, &msisdn, svc_id)?.map(|subscription| subscription.id));
        }
        Ok(Processed { outcome, subscriptions, page_for: None })
    }

    /// The services that a notification is about. An end without a service applies to every service of the number at this network, including
    /// brands that have moved to another network since.
    fn services(
        &self,
        conn: &mut DbConnection,
        policy: &Policy,
        msisdn: &SubscriberId,
        notification: &Notification,
    ) -> Result<Vec<i32>, Error> {
        let named = match notification {
            Notification::OptIn(event) => NamedService::Id(event.svc_id),
            Notification::Subscription(event) => event.svc_id.clone(),
            Notification::Billing(event) => event.subscription.svc_id.clone(),
            Notification::Stop(event) => event.svc_id.clone(),
            Notification::Charge(_) | Notification::Sms(_) | Notification::Receipt(_) => NamedService::Unnamed,
        };
        let network_ref = match notification {
            Notification::Subscription(event) => Some(event.subscription_id.as_str()),
            Notification::Billing(event) => Some(event.subscription.subscription_id.as_str()),
            Notification::Stop(event) => event.network_subscription_id.as_deref(),
            Notification::OptIn(_) | Notification::Charge(_) | Notification::Sms(_) | Notification::Receipt(_) => None,
        };
        let subscribed = NetworkSubscription::services_at(conn, msisdn, &self.network)?;
        // A network may report on services that it bills, or billed when the number joined.
        let is_of_network = |svc_id: i32| {
            subscribed.contains(&svc_id)
                || policy.brand(svc_id).is_some_and(|brand| brand.offer_on(&self.network).is_some())
        };
        let svc_id = match named {
            NamedService::Id(svc_id) => Some(svc_id),
            NamedService::Name(name) => policy
                .brands
                .iter()
                .find(|brand| brand.has_name(&name) || brand.name.eq_ignore_ascii_case(&name))
                .map(|brand| brand.svc_id),
            NamedService::Unnamed => None,
        };
        if let Some(svc_id) = svc_id {
            return Ok(if is_of_network(svc_id) { vec![svc_id] } else { Vec::new() });
        }
        if let Some(network_ref) = network_ref
            && let Some(svc_id) = NetworkSubscription::service_of(conn, msisdn, &self.network, network_ref)?
        {
            return Ok(vec![svc_id]);
        }
        if !may_end(notification) {
            return Ok(Vec::new());
        }
        let mut services: BTreeSet<i32> = subscribed.into_iter().collect();
        services.extend(
            policy.brands.iter().filter(|brand| brand.offer_on(&self.network).is_some()).map(|brand| brand.svc_id),
        );
        Ok(services.into_iter().collect())
    }

    /// Stores it with an alarm; the network gets a 200, because a retry would be as unreadable.
    fn flag_for_review(&self, id: Option<i64>, alarm: &'static str, cause: &str) -> Outcome {
        tracing::error!(
            alarm,
            notification.id = id,
            network.name = self.network,
            cause,
            "a notification is set aside for review"
        );
        Outcome::NotUnderstood
    }
}

/// One accepted notification about one number and service.
struct EventHandler<'a> {
    headers: &'a NotificationHeaders,
    /// Its row; none for a row of a network's list.
    id: Option<i64>,
    policy: &'a Policy,
    msisdn: &'a SubscriberId,
    svc_id: i32,
}

impl EventHandler<'_> {
    fn opt_in(&self, conn: &mut DbConnection, event: &OptInEvent) -> Result<Outcome, Error> {
        let attempt = self.named_attempt(conn, event.subscription_id.as_deref())?;
        let evidence =
            json!({ "reference": event.reference, "status": event.status, "id": event.network_subscription_id });
        self.network_event(attempt.as_ref(), event.network_subscription_id.as_deref(), event.decided_at, evidence)
            .apply_answer(conn, event.kind, event.status, &event.reference)?;
        Ok(Outcome::Applied)
    }

    fn subscription(&self, conn: &mut DbConnection, event: &SubscriptionEvent) -> Result<Outcome, Error> {
        let cause = match event.status() {
            SubscriptionStatus::Active => {
                self.apply_start(conn, event, event.updated_at, None)?;
                return Ok(Outcome::Applied);
            }
            SubscriptionStatus::Churned => Cause::Churned,
            SubscriptionStatus::Cancelled => Cause::Stopped,
            SubscriptionStatus::Unknown(status_id) => {
                return Ok(self.headers.flag_for_review(
                    self.id,
                    NOT_UNDERSTOOD,
                    &format!("it has the unknown status_id {status_id}"),
                ));
            }
        };
        let evidence = json!({ "id": event.subscription_id, "status_id": event.status_id });
        self.network_event(None, Some(&event.subscription_id), event.updated_at, evidence).apply_end(
            conn,
            &event.subscription_id,
            cause,
        )?;
        Ok(Outcome::Applied)
    }

    fn apply_start(
        &self,
        conn: &mut DbConnection,
        event: &SubscriptionEvent,
        updated_at: Option<DateTime<Utc>>,
        billed_at: Option<DateTime<Utc>>,
    ) -> Result<(), Error> {
        let attempt = match self.named_attempt(conn, event.partner_ref.as_deref())? {
            Some(attempt) => Some(attempt),
            // Some networks return our own id as theirs.
            None => self.named_attempt(conn, Some(&event.subscription_id))?,
        };
        let evidence = json!({ "id": event.subscription_id, "status_id": event.status_id, "ext_ref": event.ext_ref });
        // Without a time of its own, it had begun when it was charged: what a leave has ended since does not begin again by a late event.
        let began_at = event.created_at.or(event.updated_at).or(event.last_billed_at).or(billed_at);
        let mut network_event = self.network_event(attempt.as_ref(), Some(&event.subscription_id), began_at, evidence);
        network_event.updated_at = updated_at.map(|at| self.event_time(Some(at)));
        let confirms = match &attempt {
            Some(attempt) => {
                announce::decide(conn, attempt, operator::OptInStatus::Confirmed, network_event.happened_at)?
            }
            None => false,
        };
        network_event.apply_start(conn, &event.subscription_id, confirms)
    }

    fn billing(&self, conn: &mut DbConnection, event: &BillingEvent) -> Result<Outcome, Error> {
        let Some(notification_id) = self.id else { return Ok(Outcome::Ignored) };
        // It may arrive before the event of its subscription, which it contains.
        if event.subscription.status() == SubscriptionStatus::Active {
            self.apply_start(conn, &event.subscription, None, event.billed_at)?;
        }
        let subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.headers.received_at)?;
        let billed_at = event.billed_at.or(event.subscription.last_billed_at);
        let event = PushEvent {
            network: &self.headers.network,
            notification_id,
            event,
            billed_at: self.event_time(billed_at),
            now: self.headers.received_at,
        };
        Ok(match event.apply(conn, self.policy, &subscription)? {
            EventOutcome::Applied => Outcome::Applied,
            EventOutcome::Ignored => Outcome::Ignored,
            EventOutcome::NeedsReview { alarm, cause } => self.headers.flag_for_review(self.id, alarm, cause),
        })
    }

    /// A network's time as UTC; an absent or future time is replaced by now.
    fn event_time(&self, at: Option<DateTime<Utc>>) -> NaiveDateTime {
        at.map_or(self.headers.received_at, |at| at.naive_utc().min(self.headers.received_at))
    }

    fn stop(&self, conn: &mut DbConnection, event: &StopEvent) -> Result<Outcome, Error> {
        let evidence = json!({ "event": event.event, "id": event.network_subscription_id });
        self.network_event(None, event.network_subscription_id.as_deref(), event.at, evidence).apply_stop(conn)?;
        Ok(Outcome::Applied)
    }

    /// Our attempt that a notification names, if it is of this number and service.
    fn named_attempt(&self, conn: &mut DbConnection, id: Option<&str>) -> Result<Option<OptInAttempt>, Error> {
        let Some(id) = id else { return Ok(None) };
        let found = OptInAttempt::of_number(conn, id, self.msisdn)?;
        let found = match found {
            // The page was requested without a token: the answer is the first that names one.
            None => opt_in::bind(conn, self.policy, (id, self.svc_id), self.msisdn, self.headers.received_at)?,
            found => found.filter(|(_, svc_id)| *svc_id == self.svc_id).map(|(attempt, _)| attempt),
        };
        Ok(found)
    }

    fn network_event<'a>(
        &'a self,
        attempt: Option<&'a OptInAttempt>,
        network_ref: Option<&'a str>,
        happened_at: Option<DateTime<Utc>>,
        mut evidence: Value,
    ) -> NetworkEvent<'a> {
        if let Some(fields) = evidence.as_object_mut() {
            fields.insert("notification".to_owned(), self.id.into());
        }
        NetworkEvent {
            policy: self.policy,
            network: &self.headers.network,
            msisdn: self.msisdn,
            svc_id: self.svc_id,
            attempt,
            network_ref,
            happened_at: self.event_time(happened_at),
            updated_at: None,
            evidence,
            sends_sms: self.headers.sends_sms,
            now: self.headers.received_at,
        }
    }
}
