//! STOPs of networks that write them in other ways, with other ids, or by other clocks: what is answered 200 has stopped.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::{
    network::Call,
    service::{DAY, DISKI, MEMEWORLD, Setup, TTMBHA, TestEnv, later, number, wait_for},
};

/// An opt-in at the network that does not name the network's own id.
async fn join_without_id(env: &TestEnv, msisdn: &str, svc_id: i64, at: &str) {
    let id = env.pull.begin(msisdn, svc_id);
    let joined = json!({
        "event": "opt_in", "kind": "opt_in", "reference": format!("ref-{id}"), "subscription_id": null,
        "user_msisdn": msisdn, "svc_id": svc_id, "status": "confirmed", "decided_at": at,
    });
    env.notify(&env.pull, &joined).await;
    assert_eq!(env.state(msisdn, svc_id).await, "active");
}

fn text(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Without a zone.
fn bare(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M:%S").to_string()
}

/// An SMS to the short code.
fn sms(msisdn: &str, words: &str, at: DateTime<Utc>) -> Value {
    json!({"event": "sms", "id": format!("{msisdn}-{words}-{at}"), "user_msisdn": msisdn, "to": "31222", "text": words, "at": text(at)})
}

async fn is_not_charged_again(env: &TestEnv, msisdn: &str) {
    let before = env.pull.requests_about(Call::Charge, msisdn).len();
    env.set_clock(&later(DAY, 1), "09:00:00").await;
    env.pass().await;
    assert_eq!(env.pull.requests_about(Call::Charge, msisdn).len(), before, "charged after the STOP");
}

pub fn with_soap(text: String) -> String {
    text.replacen("adapter = \"rest\"", "adapter = \"soap\"\nreceipts = false", 1)
}

/// An order of DataSync: 1 adds a subscription, 2 deletes it.
pub fn order(update: &str, (head, header): (&str, &str), number: &str, fields: &str) -> String {
    format!(
        "{head}<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" \
         xmlns:b=\"http://www.csapi.org/schema/parlayx/data/sync/v1_0/local\">{header}<s:Body><b:syncOrderRelation><b:userID><ID>{number}</ID>\
         <type>0</type></b:userID><b:updateType>{update}</b:updateType>{fields}</b:syncOrderRelation></s:Body></s:Envelope>"
    )
}

/// An SMS as a Parlay X platform passes it on; `fields` are further ones of its message.
pub fn sms_by_soap(number: &str, text: &str, fields: &str) -> String {
    format!(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>\
         <n:notifySmsReception xmlns:n=\"http://www.csapi.org/schema/parlayx/sms/notification/v2_2/local\"><n:correlator>1</n:correlator>\
         <n:message><message>{text}</message><senderAddress>tel:{number}</senderAddress>{fields}</n:message></n:notifySmsReception>\
         </s:Body></s:Envelope>"
    )
}

fn deleted(head: &str, header: &str, number: &str, fields: &str) -> String {
    order("\n 2 ", (head, header), number, fields)
}

on_each_engine! {
    async fn stop_with_known_id_and_another_service_number_ends_it(engine) {
        let env = TestEnv::start(engine).await;
        for (n, svc_id) in [json!(88123), json!("88123"), json!(0), json!(-1)].into_iter().enumerate() {
            let msisdn = number(n);
            let id = env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
            let mut stop = env.stop_event(&env.pull, &msisdn);
            stop["svc_id"] = svc_id.clone();
            stop["network_subscription_id"] = json!(id);
            env.notify(&env.pull, &stop).await;
            assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled", "{svc_id}");
        }
        // The id names the subscriber whose number cannot be read.
        let msisdn = number(10);
        let id = env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
        env.notify(&env.pull, &json!({"event": "stop", "user_msisdn": "hidden", "network_subscription_id": id})).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled");
        is_not_charged_again(&env, &number(0)).await;
    }

    async fn stop_that_first_names_the_id_ends_it_whatever_the_clock(engine) {
        let env = TestEnv::start(engine).await;
        let now = env.pull.now();
        let behind = |time: TimeDelta| text(now - time);
        for (n, at) in [behind(TimeDelta::minutes(3)), bare(now), behind(TimeDelta::zero())].into_iter().enumerate() {
            let msisdn = number(n);
            join_without_id(&env, &msisdn, MEMEWORLD, &text(now)).await;
            let mut stop = env.stop_event(&env.pull, &msisdn);
            stop["at"] = json!(at);
            stop["network_subscription_id"] = json!(format!("first-named-{n}"));
            env.notify(&env.pull, &stop).await;
            assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled", "{at}");
        }
        is_not_charged_again(&env, &number(0)).await;
    }

    async fn clock_that_is_behind_is_measured_and_corrected(engine) {
        let env = TestEnv::start(engine).await;
        let behind = TimeDelta::minutes(10);
        let now = || env.pull.now() - behind;
        for n in 20..26 {
            join_without_id(&env, &number(n), MEMEWORLD, &text(now())).await;
        }
        wait_for("the alarm", async || env.alarms().contains(&"network_clock".to_owned())).await;
        // An earlier subscription of the number has ended: the STOP is for the one that began after it.
        let msisdn = number(1);
        let first = env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
        let mut stop = env.stop_event(&env.pull, &msisdn);
        stop["at"] = json!(text(now()));
        stop["network_subscription_id"] = json!(first);
        env.notify(&env.pull, &stop).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled");
        env.set_clock(DAY, "10:00:00").await;
        join_without_id(&env, &msisdn, MEMEWORLD, &text(now())).await;
        env.set_clock(DAY, "10:03:00").await;
        let mut stop = env.stop_event(&env.pull, &msisdn);
        stop["at"] = json!(text(now()));
        env.notify(&env.pull, &stop).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled");
    }

    async fn time_without_zone_is_read_by_the_zone_of_the_network(engine) {
        let in_utc = |text: String| text.replacen("adapter = \"rest\"", "adapter = \"rest\"\ntime_zone = \"UTC\"", 1);
        let env = Setup::new(engine).brands(in_utc).start().await;
        let msisdn = number(1);
        env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
        let mut stop = env.stop_event(&env.pull, &msisdn);
        stop["at"] = json!(bare(env.pull.now()));
        env.notify(&env.pull, &stop).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled");
        let account = env.account(&msisdn).await;
        let left = account["subscriptions"][0]["events"].as_array().unwrap().last().unwrap()["at"].clone();
        assert!(left.as_str().unwrap().contains("07:00"), "{account}");
        assert!(!env.alarms().contains(&"network_clock".to_owned()));
    }

    async fn stop_all_by_sms_ends_each_service_whatever_the_clock(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
        env.set_clock(DAY, "10:00:00").await;
        env.join_at_network(&env.pull, &msisdn, DISKI).await;
        env.set_clock(DAY, "10:01:00").await;
        env.notify(&env.pull, &sms(&msisdn, "STOP ALL", env.pull.now() - TimeDelta::minutes(3))).await;
        for svc_id in [MEMEWORLD, DISKI] {
            assert_eq!(env.state(&msisdn, svc_id).await, "cancelled", "{svc_id}");
        }
        is_not_charged_again(&env, &msisdn).await;
    }

    async fn stop_by_sms_in_odd_letters_and_phrases_ends_it(engine) {
        let env = TestEnv::start(engine).await;
        let words = testkit::corpus("keywords").into_iter().filter(|(_, keyword)| keyword == "stop");
        for (n, (words, _)) in words.enumerate() {
            let msisdn = number(n);
            env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
            env.notify(&env.pull, &sms(&msisdn, &words, env.pull.now())).await;
            assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled", "{words}");
        }
    }

    async fn yes_counts_where_the_clock_of_the_network_is_behind(engine) {
        let env = TestEnv::start(engine).await;
        let behind = || env.pull.now() - TimeDelta::minutes(10);
        for n in 10..15 {
            env.notify(&env.pull, &sms(&number(n), "HELP", behind())).await;
        }
        let msisdn = number(1);
        env.notify(&env.pull, &sms(&msisdn, "JOIN memeworld", behind())).await;
        env.notify(&env.pull, &sms(&msisdn, "YES", behind())).await;
        wait_for("the page", async || env.pull.texts_to(&msisdn).iter().any(|text| text.contains("confirm here"))).await;
    }

    async fn stop_as_list_of_one_or_with_mark_or_as_float_ends_it(engine) {
        let env = TestEnv::start(engine).await;
        let utf16 = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
        let forms: [fn(&str) -> String; 10] = [
            |number| format!("{{\"event\":\"Opt-Out\",\"user_msisdn\":\"{number}\"}}"),
            |number| format!("{{\"event\":\"subscription.cancelled_by_user\",\"user_msisdn\":\"{number}\"}}"),
            |number| format!("{{\"event\":\"UNSUBSCRIPTION_CONFIRMED\",\"user_msisdn\":\"{number}\"}}"),
            |number| format!("\u{feff}{{\"event\":\"stop\",\"user_msisdn\":\"{number}\"}}"),
            |number| format!("[{{\"event\":\"stop\",\"user_msisdn\":{number}}}]"),
            |number| format!("{{\"event\":\"stop\",\"user_msisdn\":{number}.0}}"),
            |number| format!("{{\"event\":\"unsubscribe\",\"user_msisdn\":\"tel:+{number}\"}}"),
            |number| format!("{{\"event\":\"stop\",\"user_msisdn\":\"\u{202a}+{number}\u{202c}\"}}"),
            |number| format!("{{\"status_id\":\"8.0\",\"user_msisdn\":\"{number}\"}}"),
            |number| format!("{{\"event\":\"opt_in\",\"kind\":\" Leave \",\"status\":\"CONFIRMED\",\"user_msisdn\":\"{number}\"}}"),
        ];
        // A letter of Western Europe, in one byte.
        let latin = number(100);
        env.join_at_network(&env.pull, &latin, MEMEWORLD).await;
        let body = format!("{{\"event\":\"stop\",\"user_msisdn\":\"{latin}\",\"note\":\"caf");
        env.notify_raw(&env.pull, [body.as_bytes(), b"\xe9\"}"].concat()).await;
        assert_eq!(env.state(&latin, MEMEWORLD).await, "cancelled");
        for (n, form) in forms.iter().enumerate() {
            for (m, is_wide) in [false, true].into_iter().enumerate() {
                let msisdn = number(2 * n + m);
                env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
                let body = form(&msisdn);
                let bytes = if is_wide { utf16(&body) } else { body.clone().into_bytes() };
                env.notify_raw(&env.pull, bytes).await;
                assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled", "{body}, in two bytes: {is_wide}");
            }
        }
    }

    async fn soap_stop_with_other_headers_encodings_and_numbers_ends_it(engine) {
        let env = Setup::new(engine).brands(with_soap).setting("NETWORK_CREDENTIALS", "wasp:secret").start().await;
        let security = "<s:Header><wsse:Security xmlns:wsse=\"urn:wsse\"><wsse:BinarySecurityToken>MIIB</wsse:BinarySecurityToken></wsse:Security></s:Header>";
        let utf16 = |text: &str| -> Vec<u8> {
            [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
        };
        let latin = |text: &str| -> Vec<u8> { text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect() };
        type Form<'a> = Box<dyn Fn(&str) -> Vec<u8> + 'a>;
        let cafe = "<b:updateDesc>caf\u{e9}</b:updateDesc>";
        let forms: [Form; 7] = [
            Box::new(|number| deleted("", security, number, "").into_bytes()),
            Box::new(|number| deleted("", "", &format!("\n tel:+{number} "), "").into_bytes()),
            Box::new(|number| latin(&deleted("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>", "", number, cafe))),
            Box::new(|number| latin(&deleted("", "", number, cafe))),
            Box::new(|number| utf16(&deleted("<?xml version=\"1.0\" encoding=\"UTF-16\"?>", "", number, ""))),
            Box::new(|number| deleted("", "", number, "<b:updateTime>00000000000000</b:updateTime><b:serviceID>88123</b:serviceID>").into_bytes()),
            Box::new(|number| order("", ("", ""), number, "<b:updateDesc>Deletion</b:updateDesc><b:spID><x/></b:spID>").into_bytes()),
        ];
        for (n, form) in forms.iter().enumerate() {
            let msisdn = number(n);
            let fields = format!("<b:serviceID> 150 </b:serviceID><b:extensionInfo><item><key>traceUniqueID</key><value>r{n}</value></item></b:extensionInfo>");
            let joined = order("1", ("", ""), &msisdn, &fields);
            env.notify_raw(&env.pull, joined.into_bytes()).await;
            assert_eq!(env.state(&msisdn, MEMEWORLD).await, "active", "form {n}");
            env.notify_raw(&env.pull, form(&msisdn)).await;
            assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled", "form {n}");
        }
    }

    async fn names_of_subscribers_and_adapter_cannot_change_while_they_run(engine) {
        let env = Setup::new(engine).setting("NETWORK_CREDENTIALS", "wasp:secret").start().await;
        let msisdn = number(1);
        env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
        env.change_brands("[network.sandbox-pull]\n", "[network.sandbox-pull]\nsubscribers = \"token\"\n");
        tokio::time::sleep(std::time::Duration::from_secs(5)).await;
        env.notify(&env.pull, &env.stop_event(&env.pull, &msisdn)).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled", "the previous table stays in force");

        env.join_at_network(&env.push, &msisdn, TTMBHA).await;
        env.change_brands("adapter = \"datasync\"", "adapter = \"rest\"");
        tokio::time::sleep(std::time::Duration::from_secs(5)).await;
        env.pass().await;
        assert_eq!(env.push.requests(Call::Charge).len(), 0, "a network that charges by itself is not asked to");
    }

    async fn brand_with_subscriptions_cannot_be_removed(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let browser = env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        env.write_brands(&[], |text| {
            let parts: Vec<&str> = text.split("\n[[brand]]\n").filter(|brand| !brand.contains("svc_id = 150")).collect();
            parts.join("\n[[brand]]\n")
        });
        tokio::time::sleep(std::time::Duration::from_secs(5)).await;
        assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled");
    }
}
