//! What a CAMARA network says: payments, refunds, errors and events, in JSON.

use operator::{
    Notification,
    camara::{ErrorInfo, Expected, IdToken, Payment, Refund, parse_notification},
};
use serde_json::{Value, json};

use crate::notifications::to_json;

target!("camara", 15000, holds);

fn holds(input: &[u8]) {
    if let Ok(notification) = parse_notification(input) {
        // It is also a notification of the contract, with the same meaning.
        let json = to_json(&notification);
        let again = Notification::parse(&serde_json::to_vec(&json).unwrap());
        assert_eq!(to_json(&again.unwrap_or_else(|error| panic!("{error}: {json}"))), json);
    }
    if let Ok(payment) = Payment::parse(input) {
        let written = serde_json::to_vec(&payment).unwrap();
        let again = Payment::parse(&written).unwrap_or_else(|error| panic!("{error}: {written:?}"));
        assert_eq!(meaning(&again), meaning(&payment), "a second parse differs");
    }
    for payment in Payment::page(input).into_iter().flatten() {
        if let Ok(Some(Ok(charge))) = payment.map(|payment| payment.listed("2026-11-21")) {
            assert!(charge.cents > 0 && (charge.at.is_empty() || charge.charged_at().is_some()));
        }
    }
    if let Ok(refund) = serde_json::from_slice::<Refund>(input) {
        let refund = refund.refund();
        assert!(!refund.key.is_empty() && refund.cents.is_none_or(|cents| cents >= 0));
    }
    if let Ok(text) = std::str::from_utf8(input)
        && let Ok(token) = IdToken::of_endpoint(text)
    {
        // Random claims answer no request of ours.
        let expected = Expected { issuer: "https://network.example", client: "spaza", nonce: "a-nonce-of-our-own" };
        assert!(!token.is_for(&expected, 1_780_000_000));
    }
}

/// What is read from a payment.
fn meaning(payment: &Payment) -> Value {
    let charge = payment.charge();
    for text in [&charge.key, &payment.payment_id] {
        assert!(!text.is_empty() && !text.contains(char::is_control), "{text}");
    }
    assert!(charge.cents.is_some_and(|cents| cents >= 0));
    json!([charge, payment.correlator()])
}

#[test]
fn corpus_has_every_kind_of_message() {
    let corpus = crate::corpora::inputs("camara");
    let count = |is_read: &dyn Fn(&[u8]) -> bool| corpus.iter().filter(|input| is_read(input)).count();
    assert!(count(&|input| Payment::parse(input).is_ok()) >= 4);
    assert!(count(&|input| Payment::page(input).is_ok_and(|rows| rows.iter().any(Result::is_err))) >= 1);
    assert!(count(&|input| serde_json::from_slice::<Refund>(input).is_ok()) >= 2);
    assert!(count(&|input| serde_json::from_slice::<ErrorInfo>(input).is_ok_and(|it| it.is_known_correlator())) >= 1);
    assert!(count(&|input| matches!(parse_notification(input), Ok(Notification::Charge(_)))) >= 1);
    assert!(count(&|input| matches!(parse_notification(input), Ok(Notification::Stop(_)))) >= 1);
}
