//! All SMSes to subscribers, in the language in which each agreed (the texts are in `crates/languages`).
//!
//! Each names the service and the helpline; the welcome and the reminder also the words "subscription service", the provider, the price
//! with VAT and how to stop. They keep to the GSM alphabet and, with the usual names, to the 160 characters of one SMS; the welcome and the
//! consent of an offer with a free day or smaller amounts have two parts, because they say these, too.

use std::collections::BTreeSet;

use brands::Brand;
use chrono::{Datelike, NaiveDate, NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use identity::SubscriberId;
use languages::{FluentArgs, Language};
use serde_json::Value;
use store::DbConnection;

use crate::{
    error::Error,
    ledger::refunds::{self, RefundOutcome, RefundedInPart},
    messages::outbox::{self, ANSWER_VALIDITY, CODE_VALIDITY, Priority, REMINDER_VALIDITY, Sms},
    schema::{events, subscriptions},
    subscribers::{
        agreement::Terms,
        calendar,
        lifecycle::{Cause, State},
        policy::Policy,
        subscriptions::{Subscription, Transition},
        text::format_rand,
    },
};

/// How long an SMS counts as a reply to an action of the subscriber.
const RECENT: TimeDelta = TimeDelta::hours(1);

/// A subscription that gets a reminder, or the announcement of a charge.
#[derive(Clone, Queryable)]
pub(crate) struct ReminderRecipient {
    pub subscription_id: i64,
    pub msisdn: String,
    pub svc_id: i32,
    pub price_cents: i64,
    pub period: String,
    pub language: String,
}

/// Enqueues the SMSes that follow state changes, where there are any. Unsent SMSes about the previous states are deleted.
pub(crate) fn after_transitions(
    conn: &mut DbConnection,
    policy: &Policy,
    changed: &[(&Subscription, Transition<'_>)],
    now: NaiveDateTime,
) -> Result<(), Error> {
    if changed.is_empty() {
        return Ok(());
    }
    outbox::drop_outdated(conn, changed.iter().map(|(subscription, _)| *subscription))?;
    let paid = changed.iter().filter(|(_, transition)| transition.cause == Cause::Paid);
    let welcomed = waited_for_first_payment(conn, &paid.map(|(subscription, _)| *subscription).collect::<Vec<_>>())?;
    let messages = changed.iter().filter_map(|(subscription, transition)| {
        after_transition(policy, subscription, transition, welcomed.contains(&subscription.id), now)
    });
    enqueue(conn, policy, messages.collect(), now)
}

/// The SMS that follows a state change, if there is one. `is_first_payment`: a payment for which it has waited since its join.
fn after_transition(
    policy: &Policy,
    subscription: &Subscription,
    transition: &Transition<'_>,
    is_first_payment: bool,
    now: NaiveDateTime,
) -> Option<Sms> {
    let brand = policy.brand(subscription.svc_id)?;
    let network = policy.network_of(&subscription.network, subscription.svc_id)?;
    let mut placeholders = placeholders(policy, (&brand, &network), subscription.price_cents, &subscription.period);
    let id = match (transition.from, transition.to, transition.cause) {
        (State::Suspended, State::Active, Cause::Paid) if is_first_payment => "welcome",
        (_, State::Active, Cause::Confirmed) => "welcome",
        (_, _, Cause::Repriced) => "repriced",
        (_, State::Suspended, Cause::Unpaid) => {
            let day = day_of(transition);
            placeholders.set("day", day.day());
            placeholders.set("month", day.month());
            "paused"
        }
        (_, State::Suspended, _) => "payment-under-way",
        (State::Active | State::Suspended, State::Cancelled, Cause::Lapsed) => "lapsed",
        (State::Active | State::Suspended, State::Cancelled, Cause::Churned | Cause::UnknownToNetwork) => {
            "ended-by-network"
        }
        // Its network no longer reaches the number, whose owner may be joining again.
        (_, State::Cancelled, Cause::Moved) => return None,
        (State::Active | State::Suspended, State::Cancelled, _) => "left",
        _ => return None,
    };
    let mut text = subscription.language.text(id, &placeholders);
    if matches!(id, "welcome" | "payment-under-way" | "repriced") {
        let terms = Terms::of_subscription(subscription, calendar::day_of(now));
        text = terms.after(text, subscription.language, subscription.price_cents);
    }
    let is_subscriber_action =
        matches!(transition.cause, Cause::Confirmed | Cause::ConfirmedUnpaid | Cause::Left | Cause::Stopped);
    // A reply at night is for a subscriber who is awake, not for one whose network notifies us hours later.
    let is_recent = is_subscriber_action && now - transition.happened_at <= RECENT;
    Some(Sms {
        network,
        msisdn: subscription.msisdn.as_str().to_owned(),
        svc_id: subscription.svc_id,
        text,
        priority: if is_recent { Priority::Urgent } else { Priority::Normal },
        validity: ANSWER_VALIDITY,
        // A welcome and a goodbye stay true after the next state change; "access is closed" does not.
        state_of: (transition.to == State::Suspended).then_some(subscription.id),
    })
}

/// Enqueues the SMS that a charge in flight during the leave is refunded.
pub(crate) fn charge_refunded(
    conn: &mut DbConnection,
    policy: &Policy,
    subscription: &Subscription,
    cents: i64,
    now: NaiveDateTime,
) -> Result<(), Error> {
    about_money(conn, policy, subscription, ("refunded", cents, &[]), now)
}

/// Enqueues the SMS that a network took more than was agreed to, and that the excess is given back.
pub(crate) fn overcharged(
    conn: &mut DbConnection,
    policy: &Policy,
    subscription: &Subscription,
    charged: i64,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let agreed = subscription.price_cents;
    let amounts = [("taken", charged), ("excess", charged - agreed)];
    about_money(conn, policy, subscription, ("overcharged", agreed, &amounts), now)
}

/// Records a network's reply to a refund, and enqueues the SMS that it gave back less than was asked for.
pub(crate) fn record_refund(
    conn: &mut DbConnection,
    policy: &Policy,
    (network, key): (&str, &str),
    outcome: &RefundOutcome,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let in_part = refunds::record_outcome(conn, network, key, outcome, now)?;
    let Some(RefundedInPart { subscription_id, charge_day, made, requested }) = in_part else { return Ok(()) };
    let Some(subscription) = Subscription::lock_by_id(conn, subscription_id)? else { return Ok(()) };
    if !subscription.is_of_person(&charge_day) {
        return Ok(());
    }
    let amounts = [("made", made), ("taken", requested), ("owed", requested - made)];
    about_money(conn, policy, &subscription, ("refunded-in-part", requested, &amounts), now)
}

/// Enqueues an SMS about a charge, with amounts of this text alone.
fn about_money(
    conn: &mut DbConnection,
    policy: &Policy,
    subscription: &Subscription,
    (id, cents, amounts): (&str, i64, &[(&'static str, i64)]),
    now: NaiveDateTime,
) -> Result<(), Error> {
    let Some(brand) = policy.brand(subscription.svc_id) else { return Ok(()) };
    let Some(network) = policy.network_of(&subscription.network, subscription.svc_id) else { return Ok(()) };
    let mut placeholders = placeholders(policy, (&brand, &network), cents, &subscription.period);
    for (name, cents) in amounts {
        placeholders.set(*name, format_rand(*cents));
    }
    let sms = Sms {
        network,
        msisdn: subscription.msisdn.as_str().to_owned(),
        svc_id: subscription.svc_id,
        text: subscription.language.text(id, &placeholders),
        priority: Priority::Normal,
        validity: ANSWER_VALIDITY,
        state_of: None,
    };
    enqueue(conn, policy, vec![sms], now)
}

/// Enqueues a month's reminder for each of these subscriptions of a network.
pub(crate) fn enqueue_reminders(
    conn: &mut DbConnection,
    policy: &Policy,
    network: &str,
    recipients: Vec<ReminderRecipient>,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let messages = recipients.into_iter().filter_map(|recipient| recipient.sms(policy, network, "reminder"));
    enqueue(conn, policy, messages.collect(), now)
}

/// Enqueues the announcement of a charge for each of these subscriptions of a network, under its key.
pub(crate) fn announce_charges(
    conn: &mut DbConnection,
    policy: &Policy,
    network: &str,
    recipients: Vec<(String, ReminderRecipient)>,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let keyed =
        |(key, recipient): (String, ReminderRecipient)| Some((key, recipient.sms(policy, network, "charge-resumes")?));
    outbox::enqueue_sms_with_keys(conn, recipients.into_iter().filter_map(keyed), now)
}

impl ReminderRecipient {
    /// The SMS of this id, which names the price.
    fn sms(self, policy: &Policy, network: &str, id: &str) -> Option<Sms> {
        let Self { subscription_id, msisdn, svc_id, price_cents, period, language } = self;
        let brand = policy.brand(svc_id)?;
        let language = Language::parse(&language).unwrap_or(Language::ENGLISH);
        let text = language.text(id, &placeholders(policy, (&brand, network), price_cents, &period));
        let (network, state_of) = (network.to_owned(), Some(subscription_id));
        let (priority, validity) = (Priority::Bulk, REMINDER_VALIDITY);
        Some(Sms { network, msisdn, svc_id, text, priority, validity, state_of })
    }
}

/// Enqueues SMSes, except for subscribers whose network delivers none to tokens.
fn enqueue(conn: &mut DbConnection, policy: &Policy, mut messages: Vec<Sms>, now: NaiveDateTime) -> Result<(), Error> {
    messages.retain(|sms| policy.sends_sms(&sms.network));
    outbox::enqueue_sms(conn, messages, now)
}

/// A reply to an SMS from a number.
pub(crate) struct SmsReply<'a> {
    /// The network that has passed the SMS on.
    pub network: &'a str,
    pub msisdn: &'a SubscriberId,
    pub brand: &'a Brand,
    /// Cents and period.
    pub price: (i64, &'a str),
    /// Those of an offer that the SMS is the consent to.
    pub terms: Terms,
    pub language: Language,
    /// The text's id.
    pub id: &'static str,
    /// Whether the person wrote just now, and may get the reply at night.
    pub is_recent: bool,
}

impl SmsReply<'_> {
    /// The SMS to enqueue.
    pub fn sms(&self, policy: &Policy) -> Sms {
        self.sms_with(policy, &[])
    }

    /// As `sms`, with placeholders of this text alone.
    pub fn sms_with(&self, policy: &Policy, own: &[(&'static str, String)]) -> Sms {
        let (cents, period) = self.price;
        let mut placeholders = placeholders(policy, (self.brand, self.network), cents, period);
        for (name, value) in own {
            placeholders.set(*name, value.clone());
        }
        Sms {
            network: self.network.to_owned(),
            msisdn: self.msisdn.as_str().to_owned(),
            svc_id: self.brand.svc_id,
            text: self.terms.after(self.language.text(self.id, &placeholders), self.language, cents),
            priority: if self.is_recent { Priority::Urgent } else { Priority::Normal },
            // A page waits for the reply to these.
            validity: match self.id {
                "sms-join-page" | "sms-verify" | "sms-leave" => CODE_VALIDITY,
                _ => ANSWER_VALIDITY,
            },
            state_of: None,
        }
    }
}

/// The placeholders of every SMS about a brand at a network and a price.
pub(crate) fn placeholders(
    policy: &Policy,
    (brand, network): (&Brand, &str),
    cents: i64,
    period: &str,
) -> FluentArgs<'static> {
    let stop_number = policy.brands.network(network).and_then(|network| network.stop_number.clone());
    FluentArgs::from_iter([
        ("name", brand.name.clone()),
        ("provider", policy.brands.provider().to_owned()),
        ("amount", format_rand(cents)),
        ("period", period.to_owned()),
        ("stop_number", stop_number.unwrap_or_else(|| "none".to_owned())),
        ("helpline", brand.helpline.clone()),
    ])
}

/// Those of these subscriptions that have been suspended since their join, so that they have no welcome yet.
fn waited_for_first_payment(conn: &mut DbConnection, paid: &[&Subscription]) -> Result<BTreeSet<i64>, Error> {
    let Some(first) = paid.iter().map(|subscription| subscription.since).min() else { return Ok(BTreeSet::new()) };
    let ids = paid.iter().map(|subscription| subscription.id);
    let last_cause = events::table
        .filter(events::subscription_id.eq(subscriptions::id).and(events::to_state.eq(State::Suspended.as_str())))
        // The first of them names the months.
        .filter(events::at.ge(subscriptions::since).and(events::at.ge(first)))
        .order(events::id.desc())
        .select(events::cause)
        .limit(1)
        .single_value();
    let causes: Vec<(i64, Option<String>)> = subscriptions::table
        .filter(subscriptions::id.eq_any(ids))
        .select((subscriptions::id, last_cause))
        .load(conn)?;
    let waited =
        causes.into_iter().filter(|(_, cause)| cause.as_ref().is_some_and(|cause| cause != Cause::Unpaid.as_str()));
    Ok(waited.map(|(id, _)| id).collect())
}

/// The unpaid day, which is over where the network reports late.
fn day_of(transition: &Transition<'_>) -> NaiveDate {
    let day = transition.evidence.get("day").and_then(Value::as_str).and_then(|day| day.parse().ok());
    day.unwrap_or_else(|| calendar::day_of(transition.happened_at))
}

#[cfg(test)]
mod tests {
    use brands::Parts;
    use diesel::{Connection, SqliteConnection};
    use operator::SmsRequest;
    use serde_json::json;

    use super::*;
    use crate::{
        schema::outbox as table,
        subscribers::{policy::ChargeSecret, subscriptions::Price},
    };

    struct Fixture {
        conn: DbConnection,
        policy: Policy,
        subscription: Subscription,
    }

    fn at(text: &str) -> NaiveDateTime {
        NaiveDateTime::parse_from_str(text, service::timestamp::FORMAT).unwrap()
    }

    fn fixture() -> Fixture {
        let mut conn = DbConnection::Sqlite(SqliteConnection::establish(":memory:").unwrap());
        store::migrate(&mut conn, crate::NAME, crate::MIGRATIONS).unwrap();
        let secret = ChargeSecret::new(b"dev-notify").unwrap();
        let policy = Policy { brands: testkit::brands(), secret, test_msisdn: None };
        let msisdn = SubscriberId::parse("27821234567").unwrap();
        let subscription = Subscription::lock(&mut conn, &msisdn, 150, at("2026-11-01 08:00:00")).unwrap();
        Fixture { conn, policy, subscription }
    }

    impl Fixture {
        /// The text and priority of the SMS after a state change.
        fn sms_after(&mut self, from: State, to: State, cause: Cause, evidence: &Value) -> Option<(String, i32)> {
            let now = at("2026-11-30 02:00:00");
            diesel::delete(table::table).execute(&mut self.conn).unwrap();
            let transition = Transition { from, to, cause, happened_at: now, evidence };
            after_transitions(&mut self.conn, &self.policy, &[(&self.subscription, transition)], now).unwrap();
            let (body, priority): (String, i32) =
                table::table.select((table::body, table::priority)).first(&mut self.conn).optional().unwrap()?;
            let text = serde_json::from_str::<SmsRequest>(&body).unwrap().text;
            assert!(text.is_ascii() && text.len() <= 160, "{} characters: {text}", text.len());
            Some((text, priority))
        }
    }

    impl Fixture {
        /// The text of the SMS after a confirmation on 30 November.
        fn welcome(&mut self) -> String {
            diesel::delete(table::table).execute(&mut self.conn).unwrap();
            let now = at("2026-11-30 02:00:00");
            let transition = Transition {
                from: State::Pending,
                to: State::Active,
                cause: Cause::Confirmed,
                happened_at: now,
                evidence: &Value::Null,
            };
            after_transitions(&mut self.conn, &self.policy, &[(&self.subscription, transition)], now).unwrap();
            let body: String = table::table.select(table::body).first(&mut self.conn).unwrap();
            serde_json::from_str::<SmsRequest>(&body).unwrap().text
        }
    }

    /// Every message that is an SMS.
    const SMSES: [&str; 33] = [
        "welcome",
        "reminder",
        "charge-resumes",
        "paused",
        "payment-under-way",
        "lapsed",
        "ended-by-network",
        "left",
        "refunded",
        "repriced",
        "overcharged",
        "refunded-in-part",
        "sms-help",
        "sms-none",
        "sms-language",
        "sms-join",
        "sms-verify",
        "sms-leave",
        "sms-join-page",
        "sms-code-missing",
        "sms-already",
        "sms-not-here",
        "sms-blocked",
        "sms-declined",
        "sms-later",
        "sms-which",
        "sms-which-yes",
        "sms-page",
        "sms-why",
        "sms-refunded",
        "sms-case",
        "sms-no-charge",
        "sms-which-refund",
    ];

    fn assert_has_required_parts(text: &str, brand: &Brand) {
        for part in ["subscription service", "Spaza", "R", &brand.name, "STOP", "31222", &brand.helpline] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn welcome_names_price_provider_service_stop_and_help() {
        let mut fixture = fixture();
        let (text, priority) =
            fixture.sms_after(State::Pending, State::Active, Cause::Confirmed, &Value::Null).unwrap();
        assert_has_required_parts(&text, &fixture.policy.brand(150).unwrap());
        assert!(text.contains("R3/day incl. VAT") && text.contains("SMS STOP to 31222"), "{text}");
        assert_eq!(priority, 0);
    }

    #[test]
    fn every_sms_of_every_language_fits_into_one_part() {
        let Fixture { policy, .. } = fixture();
        for language in Language::all() {
            let mut texts = Vec::new();
            for brand in policy.brands.iter() {
                for (cents, period) in [(300, "day"), (2150, "month")] {
                    let mut placeholders = placeholders(&policy, (&brand, &brand.network), cents, period);
                    placeholders.set("day", 28);
                    placeholders.set("month", 12);
                    placeholders.set("link", "https://network.example/opt-in/0123456789");
                    for name in ["taken", "excess", "made", "owed"] {
                        placeholders.set(name, "R3000.50");
                    }
                    placeholders.set("date", language.text("date", &placeholders));
                    placeholders.set("agreed", "28/12/2026");
                    placeholders.set("by", "network");
                    placeholders.set("case", "1000000");
                    placeholders.set("names", "MC Funny, MEMEWORLD, diski99, TTMbha TV, Raceday TV");
                    for id in SMSES {
                        let text = language.text(id, &placeholders);
                        assert!(text.is_ascii(), "an SMS with other letters has parts of 70 characters: {text}");
                        assert!(text.len() <= 160, "{} characters in {}: {text}", text.len(), language.code());
                        if (brand.svc_id, cents) == (150, 300) {
                            texts.push(text);
                        }
                    }
                    assert_has_required_parts(&language.text("reminder", &placeholders), &brand);
                    assert_has_required_parts(&language.text("welcome", &placeholders), &brand);
                    assert_has_required_parts(&language.text("sms-help", &placeholders), &brand);
                    assert_has_required_parts(&language.text("sms-join", &placeholders), &brand);
                }
            }
            insta::assert_json_snapshot!(format!("smses_{}", language.code()), texts);
        }
    }

    #[test]
    fn welcome_names_the_first_charge_and_the_smaller_amounts_in_two_parts() {
        let mut fixture = fixture();
        let parts = Parts::try_from(vec![300, 200, 100]).unwrap();
        for language in Language::all() {
            let price = Price { cents: 300, period: "day", parts };
            fixture
                .subscription
                .record_consent(&mut fixture.conn, (price, language), ("attempt", at("2026-11-30 02:00:00")))
                .unwrap();
            fixture.subscription.free_until = Some("2026-12-01".parse().unwrap());
            let welcome = fixture.welcome();
            assert_has_required_parts(&welcome, &fixture.policy.brand(150).unwrap());
            // Two parts of 153 characters.
            assert!(welcome.is_ascii() && welcome.len() <= 306, "{} characters: {welcome}", welcome.len());
            assert!(["R3", "R2", "R1"].iter().all(|amount| welcome.contains(amount)), "{welcome}");
            let date = language.text("date", &FluentArgs::from_iter([("day", 1), ("month", 12)]));
            assert!(welcome.contains(&date), "{date}: {welcome}");
            // The day is over.
            fixture.subscription.free_until = Some("2026-11-30".parse().unwrap());
            assert!(!fixture.welcome().contains(&date));
        }
    }

    #[test]
    fn sms_is_in_the_language_of_the_consent() {
        let mut fixture = fixture();
        let zulu = Language::parse("zu").unwrap();
        let price = Price { cents: 300, period: "day", parts: Parts::default() };
        fixture
            .subscription
            .record_consent(&mut fixture.conn, (price, zulu), ("another", at("2026-11-30 02:00:00")))
            .unwrap();
        let number = fixture.subscription.msisdn.clone();
        fixture.subscription = Subscription::of_number(&mut fixture.conn, &number, 150).unwrap().unwrap();
        let (text, _) = fixture.sms_after(State::Pending, State::Active, Cause::Confirmed, &Value::Null).unwrap();
        assert!(text.starts_with("Siyakwamukela ku-MEMEWORLD"), "{text}");
    }

    #[test]
    fn unpaid_sms_names_the_day_and_is_not_urgent() {
        let evidence = json!({"ledger": 1, "day": "2026-11-29"});
        let (text, priority) = fixture().sms_after(State::Active, State::Suspended, Cause::Unpaid, &evidence).unwrap();
        assert!(text.contains("on 29 November") && !text.contains("today"), "{text}");
        assert_eq!(priority, 1);
    }

    #[test]
    fn unpaid_join_gets_its_welcome_with_the_first_payment() {
        let mut fixture = fixture();
        let entered = |fixture: &mut Fixture, cause: Cause| {
            diesel::insert_into(events::table)
                .values((
                    events::subscription_id.eq(fixture.subscription.id),
                    events::at.eq(at("2026-11-30 01:00:00")),
                    events::to_state.eq("suspended"),
                    events::cause.eq(cause.as_str()),
                    events::evidence.eq("null"),
                ))
                .execute(&mut fixture.conn)
                .unwrap();
        };
        let (text, priority) =
            fixture.sms_after(State::Cancelled, State::Suspended, Cause::ConfirmedUnpaid, &Value::Null).unwrap();
        assert!(text.contains("once it is paid") && text.contains("R3/day incl. VAT"), "{text}");
        assert_eq!(priority, 0);
        entered(&mut fixture, Cause::ConfirmedUnpaid);
        let (text, priority) = fixture.sms_after(State::Suspended, State::Active, Cause::Paid, &Value::Null).unwrap();
        assert_has_required_parts(&text, &fixture.policy.brand(150).unwrap());
        assert_eq!(priority, 1, "the payment is nothing that the person just did");
        entered(&mut fixture, Cause::Unpaid);
        assert_eq!(fixture.sms_after(State::Suspended, State::Active, Cause::Paid, &Value::Null), None);
    }

    #[test]
    fn end_sms_names_who_ended_the_subscription() {
        let mut fixture = fixture();
        for (cause, part, expected) in [
            (Cause::Left, "You have left MEMEWORLD", 0),
            (Cause::Stopped, "You have left MEMEWORLD", 0),
            (Cause::Churned, "Your network has ended", 1),
            (Cause::Lapsed, "30 days", 1),
        ] {
            let (text, priority) = fixture.sms_after(State::Suspended, State::Cancelled, cause, &Value::Null).unwrap();
            assert!(text.contains(part) && text.contains("not be charged again"), "{text}");
            assert_eq!(priority, expected, "{cause:?}");
        }
        assert_eq!(fixture.sms_after(State::Pending, State::Cancelled, Cause::Expired, &Value::Null), None);
    }

    #[test]
    fn after_transitions_deletes_unsent_sms_about_the_old_state() {
        let mut fixture = fixture();
        let now = at("2026-11-30 22:30:00");
        let paused = Transition {
            from: State::Active,
            to: State::Suspended,
            cause: Cause::Unpaid,
            happened_at: now,
            evidence: &Value::Null,
        };
        after_transitions(&mut fixture.conn, &fixture.policy, &[(&fixture.subscription, paused)], now).unwrap();
        charge_refunded(&mut fixture.conn, &fixture.policy, &fixture.subscription, 300, now).unwrap();
        let paid = Transition {
            from: State::Suspended,
            to: State::Active,
            cause: Cause::Paid,
            happened_at: now,
            evidence: &Value::Null,
        };
        after_transitions(&mut fixture.conn, &fixture.policy, &[(&fixture.subscription, paid)], now).unwrap();
        let bodies: Vec<String> = table::table.select(table::body).load(&mut fixture.conn).unwrap();
        assert_eq!(bodies.len(), 1);
        assert!(bodies[0].contains("given back"), "{bodies:?}");
        assert_eq!(subscriptions::table.count().get_result::<i64>(&mut fixture.conn).unwrap(), 1);
    }

    #[test]
    fn format_rand_writes_cents_only_if_there_are_any() {
        assert_eq!(
            (format_rand(300).as_str(), format_rand(350).as_str(), format_rand(305).as_str()),
            ("R3", "R3.50", "R3.05")
        );
    }
}
