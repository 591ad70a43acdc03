//! What a SOAP network says: its replies and its notifications, in XML.

use operator::{
    ChargeStatus, Notification,
    soap::{Notice, Response},
};
use serde_json::{Value, json};

use crate::notifications::to_json;

target!("soap", 15000, holds);

fn holds(input: &[u8]) {
    if let Ok(notification) = Notice::parse(input) {
        // It is also a notification of the contract, with the same meaning.
        let json = to_json(&notification);
        let again = Notification::parse(&serde_json::to_vec(&json).unwrap());
        assert_eq!(to_json(&again.unwrap_or_else(|error| panic!("{error}: {json}"))), json);
    }
    if let Ok(response) = Response::parse(input) {
        let xml = response.to_xml().unwrap();
        let again = Response::parse(xml.as_bytes()).unwrap_or_else(|error| panic!("{error}: {xml}"));
        assert_eq!(meaning(again), meaning(response), "a second parse differs: {xml}");
    }
}

/// What is read from a reply.
fn meaning(response: Response) -> Value {
    let code = response.code().map(str::to_owned);
    let read = match response {
        Response::RequestOptIn(reply) => reply.page().map(|page| json!(page)).ok(),
        Response::QueryOptIn(reply) => reply.opt_in().map(|opt_in| json!(opt_in)).ok(),
        Response::StopSubscription(_) | Response::SendSms(_) => None,
        Response::ChargeSubscriber(reply) | Response::QueryCharge(reply) => {
            let charge = reply.charge(ChargeStatus::Charged).ok();
            if let Some(charge) = &charge {
                assert!(!charge.key.is_empty() && !charge.key.contains(char::is_control), "{}", charge.key);
                assert!(charge.cents.is_none_or(|cents| cents >= 0));
            }
            charge.map(|charge| json!(charge))
        }
        Response::RefundCharge(reply) => reply.refund().map(|refund| json!(refund)).ok(),
        Response::ListCharges(list) => {
            let rows = list.charges.into_iter().map(|row| match row.listed() {
                Ok(charge) => {
                    assert!(charge.cents > 0 && (charge.at.is_empty() || charge.charged_at().is_some()));
                    json!(charge)
                }
                Err(row) => json!(format!("{row:?}")),
            });
            Some(Value::Array(rows.collect()))
        }
        Response::Fault(fault) => Some(json!(fault.is_of_request())),
    };
    json!([code, read])
}

#[test]
fn corpus_has_every_kind_of_message() {
    let corpus = crate::corpora::inputs("soap");
    let replies = corpus.iter().filter_map(|input| Response::parse(input).ok());
    let notices = corpus.iter().filter_map(|input| Notice::parse(input).ok());
    let kinds: std::collections::HashSet<_> = replies.map(|reply| std::mem::discriminant(&reply)).collect();
    let events: std::collections::HashSet<_> = notices.map(|notice| std::mem::discriminant(&notice)).collect();
    assert_eq!((kinds.len(), events.len()), (9, 3));
}
