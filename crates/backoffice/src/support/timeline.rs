//! A number's history in words: what happened over all brands, newest first.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::subscription::{Account, Charge, Consent, Event, Message, ReceivedSms, Subscription, SurplusCharge};

/// Something that happened to a number.
#[derive(Default, Serialize, ToSchema)]
pub(crate) struct Entry {
    #[schema(value_type = String, format = "date-time")]
    at: DateTime<Utc>,
    /// The brand; empty where it concerns none.
    service: String,
    /// "join", "leave", "state", "consent", "session", "charge", "failure", "refund" or "message".
    kind: &'static str,
    text: String,
    /// Further facts.
    detail: String,
    #[schema(required = true)]
    cents: Option<i64>,
    /// The charge to give back, where `refundable`.
    #[schema(required = true)]
    ledger_id: Option<i64>,
    refundable: bool,
    /// The message to send again, where `retryable`.
    #[schema(required = true)]
    message_id: Option<i64>,
    retryable: bool,
}

/// Everything that happened, newest first.
pub(crate) fn entries(account: &Account) -> Vec<Entry> {
    let mut entries: Vec<Entry> = account.messages.iter().map(of_message).collect();
    entries.extend(account.received.iter().map(of_received));
    entries.extend(account.surplus_charges.iter().map(of_surplus_charge));
    for subscription in &account.subscriptions {
        entries.extend(subscription.consents.iter().filter_map(|consent| of_session(subscription, consent)));
        entries.extend(subscription.charges.iter().map(|charge| of_charge(subscription, charge)));
        entries.extend(subscription.events.iter().rev().map(|event| of_event(subscription, event)));
        entries.extend(subscription.consents.iter().map(|consent| of_consent(subscription, consent)));
        entries.extend(subscription.consents.iter().filter_map(|consent| of_sim_swap(subscription, consent)));
    }
    // Stable: what happened in one second keeps this order, in which effects are above their causes.
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.at));
    entries
}

/// Facts, a line each, without empty ones.
fn facts(facts: &[(&str, &str)]) -> String {
    let given = facts.iter().filter(|(_, value)| !value.is_empty());
    given.map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join("\n")
}

fn of_event(subscription: &Subscription, event: &Event) -> Entry {
    let by = event.made_by.as_deref().unwrap_or_default();
    let (kind, text) = match event.cause.as_str() {
        "joined" => ("join", "Asked to join".to_owned()),
        "confirmed" => ("join", "Joined: the network confirmed".to_owned()),
        "confirmed_unpaid" => ("join", "Joined again: access waits for the first payment".to_owned()),
        "left" if !by.is_empty() => ("leave", format!("Ended by {by}")),
        "left" => ("leave", "Left on the site".to_owned()),
        "stopped" => ("leave", "Left at the network: STOP, its page or its call centre".to_owned()),
        "churned" => ("leave", "Ended by the network".to_owned()),
        "unknown_to_network" => ("leave", "Ended: the network has no such subscription".to_owned()),
        "expired" => ("leave", "The join expired without an answer".to_owned()),
        "lapsed" => ("leave", "Ended: nothing was charged for 30 days".to_owned()),
        "moved" => ("leave", "Ended: the number belongs to another network".to_owned()),
        "unpaid" => ("state", "Paused: a day was not paid".to_owned()),
        "paid" => ("state", "Active again: a day was paid".to_owned()),
        other => ("state", format!("{} ({other})", event.to)),
    };
    let from = event.from.as_deref().unwrap_or("none");
    let detail = facts(&[
        ("State", &format!("{from} to {}", event.to)),
        ("By", by),
        ("Reason", event.reason.as_deref().unwrap_or_default()),
    ]);
    Entry { at: event.at.and_utc(), service: subscription.service.clone(), kind, text, detail, ..Entry::default() }
}

fn of_charge(subscription: &Subscription, charge: &Charge) -> Entry {
    let (refundable, day) = (subscription.is_refundable(charge), day_in_words(&charge.day));
    let (kind, text) = match (charge.kind.as_str(), charge.status.as_str()) {
        ("refund", "settled") => ("refund", "Given back".to_owned()),
        ("refund", "pending") => ("refund", "Refund on its way to the network".to_owned()),
        ("refund", _) => ("refund", "Refund refused by the network".to_owned()),
        (_, "settled") => ("charge", format!("For {day}")),
        (_, "pending") => ("failure", format!("Not charged yet for {day}")),
        (_, "unknown") => ("failure", format!("Outcome not known yet for {day}")),
        _ => ("failure", format!("Not charged for {day}")),
    };
    let detail = facts(&[
        ("Ledger row", &charge.id.to_string()),
        ("Status", &charge.status),
        ("Reason", &charge.reason),
        ("By", &charge.made_by),
        ("Key", &charge.key),
        ("The network's reference", charge.network_ref.as_deref().unwrap_or_default()),
    ]);
    Entry {
        at: charge.at.and_utc(),
        service: subscription.service.clone(),
        kind,
        text,
        detail,
        cents: Some(charge.cents),
        ledger_id: Some(charge.id),
        refundable,
        ..Entry::default()
    }
}

fn of_consent(subscription: &Subscription, consent: &Consent) -> Entry {
    let page = match consent.kind.as_str() {
        "opt_in" => "Join page",
        "verify" => "Page to verify the number",
        _ => "Page to leave",
    };
    let answer = match consent.status.as_str() {
        "confirmed" => "confirmed at the network",
        "declined" => "declined at the network",
        _ => "no answer",
    };
    let detail = facts(&[
        ("Words shown", &consent.wording),
        ("SHA-256 of the words", &consent.wording_hash),
        ("Price shown", &format!("{} a {}", rand(consent.price_cents), consent.period)),
        ("Terms", &consent.terms_version),
        ("Answered", consent.decided_at.as_deref().unwrap_or_default()),
        ("Page", &consent.page),
        ("Address", &consent.address),
        ("Browser", &consent.agent),
        ("Advertisement", &consent.ext_ref),
        ("Network", &consent.network),
        ("The network's reference", &consent.reference),
    ]);
    Entry {
        at: consent.at.and_utc(),
        service: subscription.service.clone(),
        kind: "consent",
        text: format!("{page}: {answer}"),
        detail,
        ..Entry::default()
    }
}

fn of_session(subscription: &Subscription, consent: &Consent) -> Option<Entry> {
    let at = NaiveDateTime::parse_from_str(consent.opened_at.as_deref()?, service::timestamp::FORMAT).ok()?;
    Some(Entry {
        at: at.and_utc(),
        service: subscription.service.clone(),
        kind: "session",
        text: format!("Session opened on {}", consent.label),
        detail: facts(&[("Address", &consent.address), ("Browser", &consent.agent)]),
        ..Entry::default()
    })
}

fn of_sim_swap(subscription: &Subscription, consent: &Consent) -> Option<Entry> {
    consent.sim_swapped.then(|| Entry {
        at: consent.at.and_utc(),
        service: subscription.service.clone(),
        kind: "state",
        text: "The SIM of this number was changed shortly before, its network says".to_owned(),
        detail: facts(&[("Network", &consent.network), ("Address", &consent.address), ("Browser", &consent.agent)]),
        ..Entry::default()
    })
}

fn of_surplus_charge(charge: &SurplusCharge) -> Entry {
    Entry {
        at: charge.at.and_utc(),
        kind: "charge",
        text: format!("Charged twice for {}: given back by itself", day_in_words(&charge.day)),
        detail: facts(&[("Network", &charge.network), ("Key", &charge.key)]),
        cents: Some(charge.cents),
        ..Entry::default()
    }
}

fn of_message(message: &Message) -> Entry {
    let text = match (message.kind.as_str(), &message.text) {
        ("sms", Some(text)) => text.clone(),
        ("stop", _) => "Request to the network: stop".to_owned(),
        ("refund", _) => "Request to the network: pay back".to_owned(),
        (kind, _) => kind.to_owned(),
    };
    let state = message.progress();
    let retryable = message.can_be_sent_again();
    Entry {
        at: message.at.and_utc(),
        kind: "message",
        text: format!("{text} ({state})"),
        detail: facts(&[("Text", &text), ("State", &state), ("Error", &message.last_error)]),
        message_id: retryable.then_some(message.id),
        retryable,
        ..Entry::default()
    }
}

fn of_received(sms: &ReceivedSms) -> Entry {
    Entry {
        at: sms.at.and_utc(),
        kind: "message",
        text: format!("SMS from the number: {}", sms.text),
        detail: facts(&[("Text", &sms.text), ("To", &sms.to), ("Understood as", &sms.keyword)]),
        ..Entry::default()
    }
}

/// `3 November 2026`.
fn day_in_words(day: &str) -> String {
    day.parse::<NaiveDate>().map_or_else(|_| day.to_owned(), |date| date.format("%-d %B %Y").to_string())
}

/// `R3`, or `R3.50` with cents.
pub(crate) fn rand(cents: i64) -> String {
    match cents % 100 {
        0 => format!("R{}", cents / 100),
        rest => format!("R{}.{rest:02}", cents / 100),
    }
}
