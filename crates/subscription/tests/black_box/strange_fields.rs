//! Rubbish in each optional field of each kind of event, whatever the adapter: what happened still counts.

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::{
    service::{MEMEWORLD, Setup, TTMBHA, TestEnv, number},
    strange_events::{RUBBISH, rubbish},
    strange_stops::{order, sms_by_soap, with_soap},
};

/// As `RUBBISH`, in an element.
const ELEMENTS: [&str; 8] =
    ["0000-00-00 00:00:00", "2031-03-05 09:00:00+02", "1930460400", "05/03/2031", "null", "", " ", "<x/>"];

/// The optional elements of an order.
const OF_AN_ORDER: [&str; 7] =
    ["spID", "productID", "updateTime", "updateDesc", "effectiveTime", "expiryTime", "extensionInfo"];

/// An event without its optional fields.
type Event = fn(&str) -> Value;

/// The kinds of events that end a subscription, with their optional fields.
const ENDS: [(Event, &[&str]); 4] = [
    (|number| json!({"event": "stop", "user_msisdn": number}), &["svc_id", "network_subscription_id", "at"]),
    (|number| json!({"event": "number_recycled", "user_msisdn": number}), &["svc_id", "network_subscription_id"]),
    (|number| json!({"event": "sms", "user_msisdn": number, "text": "STOP"}), &["id", "to", "at"]),
    (
        |number| json!({"event": "opt_in", "kind": "leave", "status": "confirmed", "user_msisdn": number}),
        &["reference", "subscription_id", "svc_id", "ext_ref", "decided_at", "network_subscription_id"],
    ),
];

/// Each event with each field in each form, to a number of its own that has joined.
async fn all_end(env: &TestEnv) {
    let fields = ENDS.iter().flat_map(|(event, fields)| fields.iter().map(move |field| (*event, *field)));
    let cases = fields.flat_map(|(event, field)| RUBBISH.map(|text| (event, field, text))).enumerate();
    let run = async |(n, (event, field, text)): (usize, (Event, &str, &str))| {
        let msisdn = number(n);
        env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
        let mut event = event(&msisdn);
        event[field] = rubbish(text);
        env.notify(&env.pull, &event).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled", "{event}");
    };
    stream::iter(cases).map(run).buffer_unordered(4).collect::<Vec<_>>().await;
    assert!(!env.alarms().contains(&"notification_not_understood".to_owned()));
}

on_each_engine! {
    async fn rubbish_in_optional_fields_loses_no_end(engine) {
        all_end(&TestEnv::start(engine).await).await;
    }

    async fn rubbish_in_optional_fields_loses_no_end_at_a_camara_network(engine) {
        let camara = |text: String| text.replacen("adapter = \"rest\"", "adapter = \"camara\"", 1);
        let env = Setup::new(engine).brands(camara).setting("NETWORK_CREDENTIALS", "wasp:secret").start().await;
        all_end(&env).await;
    }

    async fn rubbish_in_optional_fields_of_a_start_loses_none(engine) {
        let env = TestEnv::start(engine).await;
        let fields = ["reference", "subscription_id", "ext_ref", "decided_at", "network_subscription_id"];
        let cases = fields.into_iter().flat_map(|field| RUBBISH.map(|text| (field, text)));
        for (n, (field, text)) in cases.enumerate() {
            let msisdn = number(n);
            env.pull.begin(&msisdn, MEMEWORLD);
            let mut event = json!({
                "event": "opt_in", "kind": "opt_in", "status": "confirmed", "user_msisdn": msisdn, "svc_id": MEMEWORLD,
                "reference": format!("r-{n}"), "decided_at": env.pull.now().to_rfc3339(),
            });
            event[field] = rubbish(text);
            env.notify(&env.pull, &event).await;
            assert_eq!(env.state(&msisdn, MEMEWORLD).await, "active", "{event}");
            // What was left does not begin again by a copy.
            env.notify(&env.pull, &env.stop_event(&env.pull, &msisdn)).await;
            env.notify(&env.pull, &event).await;
            assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled", "{event}");
        }
    }

    async fn rubbish_in_optional_fields_of_a_paid_charge_settles_it(engine) {
        let env = TestEnv::start(engine).await;
        let cases = ["result_id", "billed_at"].into_iter().flat_map(|field| RUBBISH.map(|text| (field, text)));
        for (n, (field, text)) in cases.enumerate() {
            let msisdn = number(n);
            let id = json!(env.join_at_network(&env.push, &msisdn, TTMBHA).await);
            let mut paid = env.push.billing_event(&msisdn, TTMBHA, &id, &format!("b-{n}"), "SUCCESS");
            paid[field] = rubbish(text);
            env.notify(&env.push, &paid).await;
            assert_eq!(env.month_spend(&msisdn).await, 300, "{paid}");
        }
    }

    async fn rubbish_in_optional_fields_of_results_and_receipts_is_understood(engine) {
        let env = TestEnv::start(engine).await;
        let (result, receipt) =
            (json!({"event": "charge", "key": "k"}), json!({"event": "sms_receipt", "key": "k", "status": "delivered"}));
        for (event, fields) in [(result, ["network_ref", "at"]), (receipt, ["reason", "at"])] {
            for (field, text) in fields.into_iter().flat_map(|field| RUBBISH.map(|text| (field, text))) {
                let mut event = event.clone();
                event[field] = rubbish(text);
                env.notify(&env.pull, &event).await;
                assert!(env.alarms().is_empty(), "{event}: {:?}", env.alarms());
            }
        }
    }

    async fn rubbish_in_optional_elements_loses_no_order_and_no_sms(engine) {
        let env = Setup::new(engine).brands(with_soap).setting("NETWORK_CREDENTIALS", "wasp:secret").start().await;
        let fields = OF_AN_ORDER.iter().chain(&["serviceID"]).chain(&["dateTime", "smsServiceActivationNumber"]);
        let cases = fields.flat_map(|field| ELEMENTS.map(|text| (*field, text))).enumerate();
        let run = async |(n, (field, text)): (usize, (&str, &str))| {
            let msisdn = number(n);
            let field_of = |named: &str| if named == field { format!("<b:{field}>{text}</b:{field}>") } else { String::new() };
            let id = format!("<b:extensionInfo><item><key>traceUniqueID</key><value>r{n}</value></item></b:extensionInfo>");
            let all: String = OF_AN_ORDER
                .iter()
                .map(|one| match *one {
                    // A start is named by an id or by its time.
                    "updateTime" if field != "updateTime" => "<b:updateTime>20310305070000</b:updateTime>".to_owned(),
                    "extensionInfo" if field != "extensionInfo" => id.clone(),
                    one => field_of(one),
                })
                .collect();
            let joined = order("1", ("", ""), &msisdn, &format!("<b:serviceID>150</b:serviceID>{all}"));
            env.notify_raw(&env.pull, joined.into_bytes()).await;
            assert_eq!(env.state(&msisdn, MEMEWORLD).await, "active", "{field}: {text}");
            // The result of a charge is there.
            let changed = order("3", ("", ""), &msisdn, &format!("{}{all}", field_of("serviceID")));
            env.notify_raw(&env.pull, changed.into_bytes()).await;
            assert!(!env.alarms().contains(&"notification_not_understood".to_owned()), "{field}: {text}");
            let ended = if ["dateTime", "smsServiceActivationNumber"].contains(&field) {
                sms_by_soap(&msisdn, "STOP", &format!("<{field}>{text}</{field}>"))
            } else {
                order("2", ("", ""), &msisdn, &format!("{}{all}", field_of("serviceID")))
            };
            env.notify_raw(&env.pull, ended.into_bytes()).await;
            assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled", "{field}: {text}");
        };
        stream::iter(cases).map(run).buffer_unordered(4).collect::<Vec<_>>().await;
    }
}
