//! Applies an accepted notification to the number's subscriptions, the network subscriptions and the ledger.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
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
        network_clocks,
        notifications::{NotificationHeaders, Outcome, Processed},
        sms::{InboundSms, SmsOutcome},
    },
    joins::{network_events::NetworkEvent, opt_in},
    messages::outbox,
    networks::alarms,
    publishers::announce,
    subscribers::{
        attempts::OptInAttempt, lifecycle::Cause, network_subscriptions::NetworkSubscription, policy::Policy,
        subscriptions::Subscription,
    },
};

/// The number, service and subscription of a notification.
struct Subject<'a> {
    number: &'a str,
    service: &'a NamedService,
    /// The network's own id of the subscription.
    network_ref: Option<&'a str>,
}

impl<'a> Subject<'a> {
    /// `None` where the notification is about no service.
    fn of(notification: &'a Notification) -> Option<Self> {
        let (number, service, network_ref) = match notification {
            Notification::OptIn(event) => (&event.user_msisdn, &event.svc_id, event.network_subscription_id.as_deref()),
            Notification::Subscription(event) | Notification::Billing(BillingEvent { subscription: event, .. }) => {
                (&event.user_msisdn, &event.svc_id, Some(event.subscription_id.as_str()))
            }
            Notification::Stop(event) => (&event.user_msisdn, &event.svc_id, event.network_subscription_id.as_deref()),
            // All of the number's ends.
            Notification::Recycled(event) => (&event.user_msisdn, &NamedService::Unnamed, None),
            Notification::Charge(_) | Notification::Sms(_) | Notification::Receipt(_) => return None,
        };
        Some(Self { number, service, network_ref: network_ref.filter(|network_ref| !network_ref.is_empty()) })
    }
}

const NOT_UNDERSTOOD: &str = "notification_not_understood";

/// Whether the notification may end subscriptions.
pub(crate) fn may_end(notification: &Notification) -> bool {
    match notification {
        // A STOP may be among the SMSes.
        Notification::Stop(_) | Notification::Recycled(_) | Notification::Sms(_) => true,
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
        match &notification {
            // It names no number; the charge's result is requested from the network.
            Notification::Charge(event) => {
                let due = status_queries::make_due(conn, &self.network, event, Clock::system_now())?;
                return Ok(Processed::of(if due > 0 { Outcome::Applied } else { Outcome::Ignored }));
            }
            Notification::Sms(event) => {
                let clock_offset = network_clocks::offset(conn, &self.network)?;
                let sms = InboundSms { policy, network: &self.network, event, clock_offset, now: self.received_at };
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
            _ => {}
        }
        let Some(subject) = Subject::of(&notification) else { return Ok(Processed::of(Outcome::Ignored)) };
        let named = SubscriberId::at_network(&policy.brands, &self.network, subject.number).ok();
        // Where the number cannot be read, the id of a subscription that ended tells whose it was.
        let owner = match subject.network_ref.filter(|_| named.is_none() && may_end(&notification)) {
            Some(network_ref) => NetworkSubscription::owner_of(conn, &self.network, network_ref)?,
            None => named,
        };
        let Some(msisdn) = owner else { return flag_for_review("it names no subscriber as its network does") };
        if policy.is_test(msisdn.as_str()) {
            return Ok(Processed::of(Outcome::Ignored));
        }
        let services = self.services(conn, policy, &msisdn, (&notification, &subject))?;
        if services.is_empty() {
            return flag_for_review("it names no service of this network");
        }
        let clock_offset = network_clocks::offset(conn, &self.network)?;
        let mut outcome = Outcome::Ignored;
        let mut subscriptions = Vec::new();
        for svc_id in services {
            let handler =
                EventHandler { headers: self, id: notification_id, policy, msisdn: &msisdn, svc_id, clock_offset };
            let applied = match &notification {
                Notification::OptIn(event) => handler.opt_in(conn, event)?,
                Notification::Subscription(event) => handler.subscription(conn, event)?,
                Notification::Billing(event) => handler.billing(conn, event)?,
                Notification::Stop(event) => handler.stop(conn, event)?,
                Notification::Recycled(event) => handler.recycled(conn, event)?,
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
        (notification, subject): (&Notification, &Subject<'_>),
    ) -> Result<Vec<i32>, Error> {
        // An id that we know decides: the network may have a number of its own for the service.
        if let Some(network_ref) = subject.network_ref
            && let Some(svc_id) = NetworkSubscription::service_of(conn, msisdn, &self.network, network_ref)?
        {
            return Ok(vec![svc_id]);
        }
        if let Notification::OptIn(OptInEvent { subscription_id: Some(attempt), .. }) = notification
            && let Some((_, svc_id)) = OptInAttempt::of_number(conn, attempt, msisdn)?
        {
            return Ok(vec![svc_id]);
        }
        let subscribed = NetworkSubscription::services_at(conn, msisdn, &self.network)?;
        // A network may report on services that it bills, or billed when the number joined.
        let is_of_network = |svc_id: i32| {
            subscribed.contains(&svc_id)
                || policy.brand(svc_id).is_some_and(|brand| brand.offer_on(&self.network).is_some())
        };
        let ends = may_end(notification);
        let svc_id = match subject.service {
            // A number that is none of our services' may be the network's own.
            NamedService::Id(svc_id) if ends && policy.brand(*svc_id).is_none() && !subscribed.contains(svc_id) => None,
            NamedService::Id(svc_id) => Some(*svc_id),
            NamedService::Name(name) => policy
                .brands
                .iter()
                .find(|brand| brand.has_name(name) || brand.name.eq_ignore_ascii_case(name))
                .map(|brand| brand.svc_id),
            NamedService::Unnamed => None,
        };
        if let Some(svc_id) = svc_id {
            return Ok(if is_of_network(svc_id) { vec![svc_id] } else { Vec::new() });
        }
        if !ends {
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
            alarm = alarms::daily(alarm, &self.network, self.received_at),
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
    /// What has to be added to the network's times.
    clock_offset: TimeDelta,
}

impl EventHandler<'_> {
    fn opt_in(&self, conn: &mut DbConnection, event: &OptInEvent) -> Result<Outcome, Error> {
        let attempt = self.named_attempt(conn, event.subscription_id.as_deref())?;
        let known = attempt.as_ref().map(|attempt| &attempt.reference);
        let reference = Some(&event.reference).filter(|reference| !reference.is_empty()).or(known);
        let reference = reference.or(event.network_subscription_id.as_ref());
        // Only a start needs a name; that of one without is its time, which a copy has, too.
        let time = event.decided_at.map(|at| at.to_rfc3339());
        let reference = reference.or(time.as_ref()).or(Some(&event.event).filter(|_| event.kind != OptInKind::OptIn));
        let Some(reference) = reference else {
            return Ok(self.headers.flag_for_review(self.id, NOT_UNDERSTOOD, "it names no opt-in"));
        };
        let evidence =
            json!({ "reference": event.reference, "status": event.status, "id": event.network_subscription_id });
        self.network_event(attempt.as_ref(), event.network_subscription_id.as_deref(), event.decided_at, evidence)
            .apply_answer(conn, event.kind, event.status, reference)?;
        Ok(Outcome::Applied)
    }

    fn subscription(&self, conn: &mut DbConnection, event: &SubscriptionEvent) -> Result<Outcome, Error> {
        let cause = match event.status() {
            SubscriptionStatus::Active if event.subscription_id.is_empty() => {
                return Ok(self.headers.flag_for_review(self.id, NOT_UNDERSTOOD, "it does not name what started"));
            }
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
        if event.subscription_id.is_empty() {
            self.network_event(None, None, event.updated_at, evidence).apply_stop(conn)?;
            return Ok(Outcome::Applied);
        }
        let network_event = self.network_event(None, Some(&event.subscription_id), event.updated_at, evidence);
        network_event.apply_end(conn, &event.subscription_id, cause)?;
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
        let starts = event.subscription.status() == SubscriptionStatus::Active;
        if starts && !event.subscription.subscription_id.is_empty() {
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

    /// A network's time by our clock; an absent or future time is replaced by now.
    fn event_time(&self, at: Option<DateTime<Utc>>) -> NaiveDateTime {
        let now = self.headers.received_at;
        at.map_or(now, |at| (at.naive_utc() + self.clock_offset).min(now))
    }

    fn stop(&self, conn: &mut DbConnection, event: &StopEvent) -> Result<Outcome, Error> {
        let evidence = json!({ "event": event.event, "id": event.network_subscription_id });
        self.network_event(None, event.network_subscription_id.as_deref(), event.at, evidence).apply_stop(conn)?;
        Ok(Outcome::Applied)
    }

    fn recycled(&self, conn: &mut DbConnection, event: &StopEvent) -> Result<Outcome, Error> {
        self.network_event(None, None, event.at, json!({ "event": event.event })).apply_recycling(conn)?;
        Ok(Outcome::Applied)
    }

    /// Our attempt that a notification names, if it is of this number and service.
    fn named_attempt(&self, conn: &mut DbConnection, id: Option<&str>) -> Result<Option<OptInAttempt>, Error> {
        let Some(id) = id else { return Ok(None) };
        let found = OptInAttempt::of_number(conn, id, self.msisdn)?;
        let found = match found {
            // The page was requested without a subscriber: the answer is the first that names one.
            None => {
                let named = (self.headers.network.as_str(), id, self.svc_id);
                opt_in::bind(conn, self.policy, named, self.msisdn, self.headers.received_at)?
            }
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
