//! What a network says: its notifications and their signatures, and its replies to what we ask.

use std::sync::LazyLock;

use operator::{
    Charge, ListedCharge, Notification, NotifySecret, OptIn, OptInReply, Refund, WINDOW_SECONDS, next_page,
};
use serde_json::Value;

target!("notifications", 15000, holds);

static SECRET: LazyLock<NotifySecret> =
    LazyLock::new(|| NotifySecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap());

const NOW: i64 = 1_795_233_605;

fn holds(input: &[u8]) {
    understood(input);
    signed(input);
    replies(input);
}

fn understood(body: &[u8]) {
    match Notification::parse(body) {
        Ok(notification) => {
            if let Some(at) = notification.happened_at() {
                assert!((1970..=9999).contains(&chrono::Datelike::year(&at)), "{at}");
            }
            let json = to_json(&notification);
            let again = Notification::parse(&serde_json::to_vec(&json).unwrap());
            let again = again.unwrap_or_else(|error| panic!("{error}: {json}"));
            assert_eq!(to_json(&again), json, "a second parse differs");
        }
        Err(error) => {
            let words = error.to_string();
            let digits = body.split(|byte| !byte.is_ascii_digit()).filter(|run| run.len() >= 7);
            for run in digits.filter_map(|run| std::str::from_utf8(run).ok()) {
                assert!(!words.contains(run), "{words} quotes {run}");
            }
        }
    }
}

/// A notification as its network would write it, and its kind.
pub fn to_json(notification: &Notification) -> Value {
    match notification {
        Notification::OptIn(event) => serde_json::to_value(event),
        Notification::Subscription(event) => serde_json::to_value(event),
        Notification::Billing(event) => serde_json::to_value(event),
        Notification::Stop(event) | Notification::Recycled(event) => serde_json::to_value(event),
        Notification::Charge(event) => serde_json::to_value(event),
        Notification::Sms(event) => serde_json::to_value(event),
        Notification::Receipt(event) => serde_json::to_value(event),
    }
    .unwrap()
}

fn signed(body: &[u8]) {
    let sent = NOW.to_string();
    let signature = SECRET.sign("msg_1", NOW, body);
    let check = |signatures: &str, body: &[u8], now| SECRET.verify("msg_1", &sent, signatures, body, now);
    assert_eq!(check(&signature, body, NOW + WINDOW_SECONDS), Ok(()));
    assert!(check(&signature, body, NOW + WINDOW_SECONDS + 1).is_err());
    assert!(check(&signature, &[body, b" "].concat(), NOW).is_err());
    if let Ok(text) = std::str::from_utf8(body) {
        assert_eq!(
            check(&format!("{text} {signature}"), body, NOW),
            Ok(()),
            "ours is refused behind another signature"
        );
        assert!(check(text, b"{}", NOW).is_err(), "a guessed signature is accepted");
        assert!(SECRET.verify(text, text, &signature, b"{}", NOW).is_err());
        if let Ok(secret) = NotifySecret::parse(text) {
            assert_eq!(secret.verify(text, &sent, &secret.sign(text, NOW, body), body, NOW), Ok(()));
        }
    }
}

fn replies(body: &[u8]) {
    same_again::<Charge>(body);
    same_again::<Refund>(body);
    same_again::<OptIn>(body);
    same_again::<OptInReply>(body);
    same_again::<Vec<ListedCharge>>(body);
    for charge in serde_json::from_slice::<Vec<ListedCharge>>(body).unwrap_or_default() {
        let second = chrono::TimeDelta::seconds(1);
        assert!(charge.charged_at().is_none_or(|at| at.checked_add_signed(second).is_some()), "{}", charge.at);
    }
    // As a network's base address is followed by it.
    if let Some(next) = std::str::from_utf8(body).ok().and_then(|link| next_page(link, "/charges")) {
        assert!(next.starts_with("/charges"), "{next}");
        if let Ok(url) = url::Url::parse(&format!("http://network.example{next}")) {
            assert_eq!(url.host_str(), Some("network.example"), "{next}");
        }
    }
}

/// A reply that was understood means the same when it is written down and read again.
fn same_again<T: serde::de::DeserializeOwned + serde::Serialize>(body: &[u8]) {
    let Ok(reply) = serde_json::from_slice::<T>(body) else { return };
    let written = serde_json::to_value(&reply).unwrap();
    let again: T = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(serde_json::to_value(&again).unwrap(), written);
}

#[test]
fn corpus_has_every_kind_of_notification() {
    let corpus = crate::corpora::inputs("notifications");
    let kinds: std::collections::HashSet<_> = corpus
        .iter()
        .filter_map(|input| Notification::parse(input).ok())
        .map(|notification| std::mem::discriminant(&notification))
        .collect();
    assert_eq!(kinds.len(), 5);
}
