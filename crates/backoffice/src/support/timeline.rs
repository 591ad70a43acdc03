//! A number's history in words: what happened over all brands, newest first.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, Utc};
use serde::Serialize;
use service::StaffText;
use utoipa::ToSchema;

use crate::{
    subscription::{
        Account, Charge, ChargeComplaint, Consent, Event, Message, ReceivedSms, Subscription, SurplusCharge,
    },
    support::refunds::GivenBack,
    texts::written,
};

/// Something that happened to a number.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = TimelineEntry)]
pub(crate) struct Entry {
    #[schema(value_type = String, format = "date-time")]
    at: DateTime<Utc>,
    /// The brand; empty where it concerns none.
    service: String,
    /// "join", "leave", "state", "consent", "session", "charge", "failure", "refund", "complaint" or "message".
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
    /// The cents of a charge that were not given back.
    #[schema(required = true)]
    open_cents: Option<i64>,
    /// How far a charge is given back; null where nothing of it is, or is to be.
    #[schema(required = true)]
    given_back: Option<GivenBack>,
    /// Why a charge was made, in one sentence; empty for everything else.
    why: String,
    /// The id of a consent, and of the consent that allows a charge.
    #[schema(required = true)]
    consent: Option<String>,
    /// The message to send again, where `retryable`.
    #[schema(required = true)]
    message_id: Option<i64>,
    retryable: bool,
}

/// Everything that happened, newest first. `requested`: the charges whose refund is open or waits.
pub(crate) fn entries(account: &Account, requested: &BTreeMap<i64, GivenBack>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = account.messages.iter().map(of_message).collect();
    entries.extend(account.received.iter().map(of_received));
    entries.extend(account.surplus_charges.iter().map(of_surplus_charge));
    for subscription in &account.subscriptions {
        entries.extend(subscription.complaints.iter().map(|complaint| of_complaint(subscription, complaint)));
        entries.extend(subscription.consents.iter().filter_map(|consent| of_session(subscription, consent)));
        entries.extend(subscription.charges.iter().map(|charge| of_charge(subscription, charge, requested)));
        entries.extend(subscription.events.iter().rev().map(|event| of_event(subscription, event)));
        entries.extend(subscription.consents.iter().map(|consent| of_consent(subscription, consent)));
        entries.extend(subscription.consents.iter().filter_map(|consent| of_sim_swap(subscription, consent)));
    }
    // Stable: what happened in one second keeps this order, in which effects are above their causes.
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.at));
    entries
}

/// Facts, a line each, without empty ones.
fn facts<const N: usize>(facts: [(StaffText, &str); N]) -> String {
    let given = facts.into_iter().filter(|(_, value)| !value.is_empty());
    given.map(|(name, value)| fact(name, value)).collect::<Vec<_>>().join("\n")
}

/// A name and its value.
pub(super) fn fact(name: StaffText, value: &str) -> String {
    written(&StaffText::new("fact").with("name", name).with("value", value))
}

/// The price of a consent, and who showed it; empty for an attempt without one.
pub(super) fn price_shown(consent: &Consent) -> String {
    if matches!(consent.kind.as_str(), "verify" | "leave") {
        return String::new();
    }
    written(
        &StaffText::new("price-shown")
            .with("price", rand(consent.price_cents))
            .with("period", consent.period.as_str())
            .with("source", consent.price_source.as_str()),
    )
}

fn of_event(subscription: &Subscription, event: &Event) -> Entry {
    let by = event.made_by.as_deref().unwrap_or_default();
    let (kind, text) = match event.cause.as_str() {
        "joined" => ("join", StaffText::new("event-joined")),
        "confirmed" => ("join", StaffText::new("event-confirmed")),
        "confirmed_unpaid" => ("join", StaffText::new("event-confirmed-unpaid")),
        "left" if !by.is_empty() => ("leave", StaffText::new("event-ended-by").with("name", by)),
        "left" => ("leave", StaffText::new("event-left")),
        "stopped" => ("leave", StaffText::new("event-stopped")),
        "churned" => ("leave", StaffText::new("event-churned")),
        "unknown_to_network" => ("leave", StaffText::new("event-unknown-to-network")),
        "expired" => ("leave", StaffText::new("event-expired")),
        "lapsed" => ("leave", StaffText::new("event-lapsed")),
        "moved" => ("leave", StaffText::new("event-moved")),
        "restored" => ("leave", StaffText::new("event-restored")),
        "recycled" => ("leave", StaffText::new("event-recycled")),
        "unpaid" => ("state", StaffText::new("event-unpaid")),
        "paid" => ("state", StaffText::new("event-paid")),
        "repriced" => ("state", StaffText::new("event-repriced")),
        other => ("state", StaffText::new("event-other").with("state", event.to.as_str()).with("cause", other)),
    };
    let none = written(&StaffText::new("from-none"));
    let from = event.from.as_deref().unwrap_or(&none);
    let moved = written(&StaffText::new("from-to").with("from", from).with("to", event.to.as_str()));
    let detail = facts([
        (StaffText::new("fact-state"), &moved),
        (StaffText::new("fact-by"), by),
        (StaffText::new("fact-reason"), event.reason.as_deref().unwrap_or_default()),
    ]);
    Entry {
        at: event.at.and_utc(),
        service: subscription.service.clone(),
        kind,
        text: written(&text),
        detail,
        ..Entry::default()
    }
}

/// Why a charge was made: the consent that allows it.
fn why(subscription: &Subscription, charge: &Charge) -> String {
    let consent = subscription.consents.iter().find(|consent| Some(&consent.id) == charge.consent.as_ref());
    let Some(consent) = consent else { return written(&StaffText::new("why-not-kept")) };
    let how = match consent.kind.as_str() {
        "opt_in" => StaffText::new("why-page").with("site", consent.label.as_str()),
        "sms_join" => StaffText::new("why-sms"),
        "at_network" => StaffText::new("why-network").with("network", consent.network.as_str()),
        _ => StaffText::new("why-confirmed"),
    };
    let at = local(consent.decided_at().unwrap_or(consent.at)).format("%-d %B %Y, %H:%M").to_string();
    let advertisement = match consent.ext_ref.as_str() {
        "" => String::new(),
        name => written(&StaffText::new("why-advertisement").with("name", name)),
    };
    let price = price_shown(consent);
    written(
        &StaffText::new("why-charged")
            .with("how", how)
            .with("advertisement", advertisement)
            .with("at", at)
            .with("price", price),
    )
}

fn of_charge(subscription: &Subscription, charge: &Charge, requested: &BTreeMap<i64, GivenBack>) -> Entry {
    let (open_cents, day) = (subscription.open_cents(charge), day_in_words(&charge.day));
    let request = requested.get(&charge.id).copied();
    let is_charge = charge.kind == "charge";
    let (kind, text) = match (charge.kind.as_str(), charge.status.as_str()) {
        ("refund", "settled") => ("refund", StaffText::new("refund-made")),
        ("refund", "pending") => ("refund", StaffText::new("refund-on-its-way")),
        ("refund", _) => ("refund", StaffText::new("refund-not-made")),
        (_, "settled") => ("charge", StaffText::new("charge-settled").with("day", day)),
        (_, "pending") => ("failure", StaffText::new("charge-pending").with("day", day)),
        (_, "unknown") => ("failure", StaffText::new("charge-unknown").with("day", day)),
        _ => ("failure", StaffText::new("charge-failed").with("day", day)),
    };
    let why = if is_charge { why(subscription, charge) } else { String::new() };
    let refunded = charge.refund_of.map(|id| id.to_string()).unwrap_or_default();
    let detail = facts([
        (StaffText::new("fact-row"), &charge.id.to_string()),
        (StaffText::new("fact-gives-back"), &refunded),
        (StaffText::new("fact-status"), &charge.status),
        (StaffText::new("fact-reason"), &charge.reason),
        (StaffText::new("fact-by"), &charge.made_by),
        (StaffText::new("fact-key"), &charge.key),
        (StaffText::new("fact-network-reference"), charge.network_ref.as_deref().unwrap_or_default()),
    ]);
    Entry {
        at: charge.at.and_utc(),
        service: subscription.service.clone(),
        kind,
        text: written(&text),
        detail,
        cents: Some(charge.cents),
        ledger_id: Some(charge.id),
        refundable: open_cents > 0 && request.is_none(),
        open_cents: is_charge.then_some(open_cents),
        given_back: request.or_else(|| GivenBack::of(subscription, charge)),
        why,
        consent: charge.consent.clone().filter(|_| is_charge),
        ..Entry::default()
    }
}

/// A complaint in words, with its outcome.
pub(crate) fn complaint_text(complaint: &ChargeComplaint) -> String {
    let day = day_in_words(&complaint.day);
    let outcome = match complaint.why.as_str() {
        "again" => StaffText::new("case-again"),
        "earlier" => StaffText::new("case-earlier"),
        "late" => StaffText::new("case-late"),
        "watched" => StaffText::new("case-watched"),
        _ => StaffText::new("complaint-refunded"),
    };
    written(&StaffText::new("complaint-about").with("day", day).with("outcome", outcome))
}

fn of_complaint(subscription: &Subscription, complaint: &ChargeComplaint) -> Entry {
    let case = if complaint.outcome == "case" { complaint.id.to_string() } else { String::new() };
    Entry {
        at: complaint.at.and_utc(),
        service: subscription.service.clone(),
        kind: "complaint",
        text: complaint_text(complaint),
        detail: facts([
            (StaffText::new("fact-case"), &case),
            (StaffText::new("fact-channel"), &complaint.channel),
            (StaffText::new("fact-closed-by"), &complaint.closed_by),
        ]),
        cents: Some(complaint.cents),
        ..Entry::default()
    }
}

fn of_consent(subscription: &Subscription, consent: &Consent) -> Entry {
    let page = match consent.kind.as_str() {
        "opt_in" => StaffText::new("page-join"),
        "verify" => StaffText::new("page-verify"),
        "at_network" => StaffText::new("page-network"),
        "sms_join" => StaffText::new("page-sms"),
        _ => StaffText::new("page-leave"),
    };
    let answered_at = consent.decided_at().map(|at| local(at).format(service::timestamp::FORMAT).to_string());
    let answered_at = answered_at.unwrap_or_default();
    let answer = match consent.status.as_str() {
        "confirmed" => StaffText::new("answer-confirmed"),
        "declined" => StaffText::new("answer-declined"),
        _ => StaffText::new("answer-none"),
    };
    let detail = facts([
        (StaffText::new("fact-words"), &consent.wording),
        (StaffText::new("fact-language"), &consent.language()),
        (StaffText::new("fact-hash"), &consent.wording_hash),
        (StaffText::new("fact-price"), &price_shown(consent)),
        (StaffText::new("fact-terms"), &consent.terms_version),
        (StaffText::new("fact-answered"), &answered_at),
        (StaffText::new("fact-page"), &consent.page),
        (StaffText::new("fact-address"), &consent.address),
        (StaffText::new("fact-browser"), &consent.agent),
        (StaffText::new("fact-advertisement"), &consent.ext_ref),
        (StaffText::new("fact-network"), &consent.network),
        (StaffText::new("fact-network-reference"), &consent.reference),
    ]);
    Entry {
        at: consent.at.and_utc(),
        service: subscription.service.clone(),
        kind: "consent",
        text: written(&StaffText::new("page-and-answer").with("page", page).with("answer", answer)),
        detail,
        consent: Some(consent.id.clone()),
        ..Entry::default()
    }
}

fn of_session(subscription: &Subscription, consent: &Consent) -> Option<Entry> {
    Some(Entry {
        at: consent.opened_at()?.and_utc(),
        service: subscription.service.clone(),
        kind: "session",
        text: written(&StaffText::new("session-opened").with("site", consent.label.as_str())),
        detail: facts([
            (StaffText::new("fact-address"), &consent.address),
            (StaffText::new("fact-browser"), &consent.agent),
        ]),
        ..Entry::default()
    })
}

fn of_sim_swap(subscription: &Subscription, consent: &Consent) -> Option<Entry> {
    consent.sim_swapped.then(|| Entry {
        at: consent.at.and_utc(),
        service: subscription.service.clone(),
        kind: "state",
        text: written(&StaffText::new("sim-changed")),
        detail: facts([
            (StaffText::new("fact-network"), &consent.network),
            (StaffText::new("fact-address"), &consent.address),
            (StaffText::new("fact-browser"), &consent.agent),
        ]),
        ..Entry::default()
    })
}

fn of_surplus_charge(charge: &SurplusCharge) -> Entry {
    Entry {
        at: charge.at.and_utc(),
        kind: "charge",
        text: written(&StaffText::new("charged-twice").with("day", day_in_words(&charge.day))),
        detail: facts([(StaffText::new("fact-network"), &charge.network), (StaffText::new("fact-key"), &charge.key)]),
        cents: Some(charge.cents),
        ..Entry::default()
    }
}

fn of_message(message: &Message) -> Entry {
    let text = match (message.kind.as_str(), &message.text) {
        ("sms", Some(text)) => text.clone(),
        ("stop", _) => written(&StaffText::new("request-stop")),
        ("refund", _) => written(&StaffText::new("request-refund")),
        (kind, _) => kind.to_owned(),
    };
    let state = message.progress();
    let retryable = message.can_be_sent_again();
    Entry {
        at: message.at.and_utc(),
        kind: "message",
        text: written(&StaffText::new("message-and-state").with("text", text.as_str()).with("state", state.as_str())),
        detail: facts([
            (StaffText::new("fact-text"), &text),
            (StaffText::new("fact-state"), &state),
            (StaffText::new("fact-error"), &message.last_error),
        ]),
        message_id: retryable.then_some(message.id),
        retryable,
        ..Entry::default()
    }
}

fn of_received(sms: &ReceivedSms) -> Entry {
    Entry {
        at: sms.at.and_utc(),
        kind: "message",
        text: written(&StaffText::new("sms-received").with("text", sms.text.as_str())),
        detail: facts([
            (StaffText::new("fact-text"), &sms.text),
            (StaffText::new("fact-to"), &sms.to),
            (StaffText::new("fact-keyword"), &sms.keyword),
        ]),
        ..Entry::default()
    }
}

/// Johannesburg's time of one in UTC.
pub(super) fn local(at: NaiveDateTime) -> NaiveDateTime {
    at + TimeDelta::hours(2)
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
