//! What a Parlay X network says: its replies and its notifications, in XML.

use operator::{
    Notification, SmsRequest, StopRequest,
    soap::{Reply, Request, parse_notification},
};
use serde_json::{Value, json};

use crate::notifications::to_json;

target!("soap", 15000, holds);

fn holds(input: &[u8]) {
    if let Ok(notification) = parse_notification(input) {
        // It is also a notification of the contract, with the same meaning.
        let json = to_json(&notification);
        let again = Notification::parse(&serde_json::to_vec(&json).unwrap());
        assert_eq!(to_json(&again.unwrap_or_else(|error| panic!("{error}: {json}"))), json);
    }
    if let Ok((request, _)) = Request::parse(input) {
        let xml = request.to_xml(None);
        let (again, _) = Request::parse(xml.as_bytes()).unwrap_or_else(|error| panic!("{error}: {xml}"));
        assert_eq!(meaning(&again), meaning(&request), "a second parse differs: {xml}");
    }
    for request in requests() {
        if let Ok(Reply::Fault(fault)) = Reply::parse(input, &request) {
            let Ok(Reply::Fault(again)) = Reply::parse(fault.to_xml().as_bytes(), &request) else {
                panic!("{fault:?}")
            };
            assert_eq!(again.is_of_request(), fault.is_of_request(), "{fault:?}");
        }
    }
}

/// What is asked for.
fn meaning(request: &Request) -> Value {
    match request {
        Request::Charge(charge) => json!(charge),
        Request::Refund(refund) => json!(refund),
        Request::Stop(stop) => json!(stop),
        Request::Sms(sms) => json!(sms),
    }
}

/// One whose reply has a result, and one whose reply has none.
fn requests() -> [Request; 2] {
    let msisdn = "27812345678".to_owned();
    let network_subscription_id = "7".to_owned();
    [
        Request::Stop(StopRequest { msisdn: msisdn.clone(), svc_id: 150, network_subscription_id }),
        Request::Sms(SmsRequest {
            key: "k".to_owned(),
            msisdn,
            svc_id: 150,
            text: "text".to_owned(),
            valid_seconds: None,
        }),
    ]
}

#[test]
fn corpus_has_every_kind_of_message() {
    let corpus = crate::corpora::inputs("soap");
    let calls = corpus.iter().filter_map(|input| Request::parse(input).ok());
    let notices = corpus.iter().filter_map(|input| parse_notification(input).ok());
    let [stop, _] = requests();
    let replies = corpus.iter().filter_map(|input| Reply::parse(input, &stop).ok());
    let calls: std::collections::HashSet<_> = calls.map(|(call, _)| std::mem::discriminant(&call)).collect();
    let events: std::collections::HashSet<_> = notices.map(|notice| std::mem::discriminant(&notice)).collect();
    let replies: std::collections::HashSet<_> = replies.map(|reply| std::mem::discriminant(&reply)).collect();
    assert_eq!((calls.len(), events.len(), replies.len()), (4, 5, 2));
}
