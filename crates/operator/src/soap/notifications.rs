//! What a network reports by itself: DataSync's orders, and SmsNotification.

use chrono::{DateTime, SecondsFormat, Utc};

use super::{
    DATA_SYNC, Malformed, SMS_NOTIFICATION,
    element::Element,
    envelope::{Envelope, message, write},
    requests::{named_parameter, tel, user_id},
};
use crate::{
    ChargeEvent, Delivery, NamedService, Notification, OptInEvent, OptInKind, OptInStatus, ReceiptEvent, SmsEvent,
    StopEvent, in_zone, lenient,
};

/// Of the sender, where it names each message: Parlay X's own correlator names the agreement to send any.
const HEADER: &str = "http://www.huawei.com.cn/schema/common/v2_1";

/// `updateType`.
enum Update {
    Add,
    Delete,
    Change,
}

impl Update {
    /// By its number, else by its description.
    fn of(order: &Element) -> Result<Self, Malformed> {
        let number = order.readable(&["updateType"]).and_then(|text| lenient::integer_of::<i64>(&text));
        let word = order.readable(&["updateDesc"]).map(|text| lenient::word(&text)).unwrap_or_default();
        match (number, word.get(..3)) {
            (Some(1), _) => Ok(Self::Add),
            (Some(2), _) => Ok(Self::Delete),
            (Some(3), _) => Ok(Self::Change),
            (_, Some("add")) => Ok(Self::Add),
            (_, Some("del")) => Ok(Self::Delete),
            _ => Err(Malformed),
        }
    }
}

/// Parses an envelope, as the contract's notification.
pub fn parse_notification(xml: &[u8]) -> Result<Notification, Malformed> {
    let envelope = Envelope::parse(xml)?;
    let content = &envelope.content;
    match content.name.as_str() {
        "syncOrderRelation" => order(content),
        "notifySmsReception" => Ok(Notification::Sms(SmsEvent {
            event: "sms".to_owned(),
            id: envelope.header("traceUniqueID"),
            user_msisdn: content.readable(&["senderAddress"]).ok_or(Malformed)?,
            to: content.readable(&["smsServiceActivationNumber"]).as_deref().and_then(lenient::short_code_of),
            // The text stands in an element of the same name as the SMS.
            text: content.written(&["message", "message"]),
            at: content.readable(&["dateTime"]).as_deref().and_then(lenient::time_of),
        })),
        "notifySmsDeliveryReceipt" => Ok(Notification::Receipt(ReceiptEvent {
            event: "sms_receipt".to_owned(),
            key: content.readable(&["correlator"]).ok_or(Malformed)?,
            status: match content.readable(&["deliveryStatus", "deliveryStatus"]).ok_or(Malformed)?.as_str() {
                "DeliveredToTerminal" => Delivery::Delivered.as_str().to_owned(),
                "DeliveryImpossible" => Delivery::Failed.as_str().to_owned(),
                other => other.to_owned(),
            },
            reason: None,
            at: None,
        })),
        _ => Err(Malformed),
    }
}

/// What cannot be read counts as absent, so that no end of a subscription is lost.
fn order(order: &Element) -> Result<Notification, Malformed> {
    let extension = |name: &str| {
        let items = &order.find("extensionInfo")?.children;
        items.iter().find(|item| item.readable(&["key"]).is_some_and(|key| key == name))?.readable(&["value"])
    };
    let number = order.readable(&["userID", "ID"]).or_else(|| order.readable(&["userID"]));
    let service = order.readable(&["serviceID"]).or_else(|| order.readable(&["productID"]));
    let svc_id = service.map_or(NamedService::Unnamed, NamedService::of);
    // DataSync's times are UTC.
    let at = order.readable(&["updateTime"]).and_then(|text| in_zone(chrono_tz::UTC, || lenient::time_of(&text)));
    let network_subscription_id = extension("orderKey");
    Ok(match Update::of(order)? {
        Update::Add => Notification::OptIn(OptInEvent {
            event: "opt_in".to_owned(),
            kind: OptInKind::OptIn,
            reference: extension("traceUniqueID").unwrap_or_default(),
            subscription_id: extension("transactionID"),
            user_msisdn: number.ok_or(Malformed)?,
            svc_id,
            ext_ref: None,
            status: OptInStatus::Confirmed,
            decided_at: at,
            network_subscription_id,
        }),
        Update::Delete if number.is_none() && network_subscription_id.is_none() => return Err(Malformed),
        Update::Delete => Notification::Stop(StopEvent {
            event: "stop".to_owned(),
            user_msisdn: number.unwrap_or_default(),
            svc_id,
            network_subscription_id,
            at,
        }),
        // Of a subscription that we charge, only a charge of ours can change anything: its result is there.
        Update::Change => {
            let (key, network_ref) = (extension("transactionID"), extension("traceUniqueID"));
            Notification::Charge(ChargeEvent { event: "charge".to_owned(), key, network_ref, at })
        }
    })
}

/// The reply to a notification that was kept, whatever it says.
pub fn acknowledgement(xml: &[u8]) -> Option<String> {
    let content = Envelope::parse(xml).ok()?.content;
    let (interface, fields) = match content.name.as_str() {
        "syncOrderRelation" => {
            (DATA_SYNC, vec![Element::text("result", "0"), Element::text("resultDescription", "OK")])
        }
        "notifySmsReception" | "notifySmsDeliveryReceipt" => (SMS_NOTIFICATION, Vec::new()),
        _ => return None,
    };
    Some(write(&interface, [], message(&format!("{}Response", content.name), fields)))
}

/// `syncOrderRelation` that adds a subscription.
pub fn subscription_added(event: &OptInEvent) -> String {
    let ids = [
        ("orderKey", event.network_subscription_id.as_deref()),
        ("transactionID", event.subscription_id.as_deref()),
        ("traceUniqueID", Some(event.reference.as_str())),
    ];
    write_order(("1", "Addition"), &event.user_msisdn, &event.svc_id, event.decided_at, &ids)
}

/// `syncOrderRelation` that deletes a subscription.
pub fn subscription_deleted(event: &StopEvent) -> String {
    let ids = [("orderKey", event.network_subscription_id.as_deref())];
    write_order(("2", "Deletion"), &event.user_msisdn, &event.svc_id, event.at, &ids)
}

/// `syncOrderRelation` that names a charge whose result is there.
pub fn charge_completed(event: &ChargeEvent, msisdn: &str) -> String {
    let ids = [("transactionID", event.key.as_deref()), ("traceUniqueID", event.network_ref.as_deref())];
    write_order(("3", "Update"), msisdn, &NamedService::Unnamed, event.at, &ids)
}

fn write_order(
    (update_type, update_desc): (&str, &str),
    msisdn: &str,
    service: &NamedService,
    at: Option<DateTime<Utc>>,
    ids: &[(&str, Option<&str>)],
) -> String {
    let service = service.text().unwrap_or_default();
    let at = at.map(|at| at.format("%Y%m%d%H%M%S").to_string()).unwrap_or_default();
    let items = ids.iter().filter_map(|(key, value)| Some(named_parameter("item", key, (*value)?)));
    let fields = [
        user_id(msisdn),
        Element::text("spID", "spaza"),
        Element::text("productID", &service),
        Element::text("serviceID", &service),
        Element::text("serviceList", &service),
        Element::text("updateType", update_type),
        Element::text("updateTime", &at),
        Element::text("updateDesc", update_desc),
        Element::text("effectiveTime", &at),
        Element::text("expiryTime", "20991231235959"),
        Element::new("extensionInfo", items),
    ];
    write(&DATA_SYNC, [], message("syncOrderRelation", fields))
}

/// `notifySmsReception`.
pub fn sms_received(event: &SmsEvent) -> String {
    let id = event
        .id
        .iter()
        .map(|id| Element::new("NotifySOAPHeader", [Element::text("traceUniqueID", id)]).with("xmlns", HEADER));
    let at = event.at.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true)).unwrap_or_default();
    let sms = [
        Element::text("message", &event.text),
        Element::text("senderAddress", tel(&event.user_msisdn)),
        Element::text("smsServiceActivationNumber", event.to.as_deref().unwrap_or_default()),
        Element::text("dateTime", at),
    ];
    let fields = [Element::text("correlator", "spaza"), Element::new("message", sms)];
    write(&SMS_NOTIFICATION, id, message("notifySmsReception", fields))
}

/// `notifySmsDeliveryReceipt`.
pub fn sms_receipt(event: &ReceiptEvent, msisdn: &str) -> String {
    let is_delivered = event.delivery() == Some(Delivery::Delivered);
    let status = if is_delivered { "DeliveredToTerminal" } else { "DeliveryImpossible" };
    let fields = [Element::text("address", tel(msisdn)), Element::text("deliveryStatus", status)];
    let fields = [Element::text("correlator", &event.key), Element::new("deliveryStatus", fields)];
    write(&SMS_NOTIFICATION, [], message("notifySmsDeliveryReceipt", fields))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soap::envelope::envelope;

    fn order(update: &str, fields: &str) -> String {
        let user = "<userID><ID>tel:+27812345678</ID><type>0</type></userID>";
        envelope(&format!("<ns1:syncOrderRelation xmlns:ns1=\"x\">{user}{update}{fields}</ns1:syncOrderRelation>"))
    }

    #[test]
    fn sms_keeps_its_id_and_every_character() {
        let id = Some("504".to_owned());
        let (event, text) = ("sms".to_owned(), " stop & go\n".to_owned());
        let sms = SmsEvent { event, id, user_msisdn: "27812345678".to_owned(), to: None, text, at: None };
        let again = parse_notification(sms_received(&sms).as_bytes());
        assert!(matches!(again, Ok(Notification::Sms(again)) if again.text == sms.text && again.id == sms.id));
    }

    #[test]
    fn receipt_is_written_and_read_again() {
        for (status, delivery) in [
            ("DeliveredToTerminal", Some(Delivery::Delivered)),
            ("DeliveryImpossible", Some(Delivery::Failed)),
            ("DeliveredToNetwork", None),
        ] {
            let read = |xml: &str| match parse_notification(xml.as_bytes()) {
                Ok(Notification::Receipt(event)) => event,
                _ => panic!("{xml}"),
            };
            let state = format!("<deliveryStatus><address/><deliveryStatus>{status}</deliveryStatus></deliveryStatus>");
            let body =
                format!("<notifySmsDeliveryReceipt><correlator>k</correlator>{state}</notifySmsDeliveryReceipt>");
            let event = read(&envelope(&body));
            assert_eq!((event.key.as_str(), event.delivery()), ("k", delivery));
            if delivery.is_some() {
                assert_eq!(read(&sms_receipt(&event, "27812345678")).delivery(), delivery);
            }
        }
    }

    #[test]
    fn acknowledgement_is_the_response_of_the_message() {
        for (name, part) in [
            (
                "syncOrderRelation",
                "data/sync/v1_0/local\"><soapenv:Body><m:syncOrderRelationResponse><m:result>0</m:result>",
            ),
            ("notifySmsReception", "<m:notifySmsReceptionResponse/>"),
            ("notifySmsDeliveryReceipt", "<m:notifySmsDeliveryReceiptResponse/>"),
        ] {
            let reply = acknowledgement(envelope(&format!("<x:{name}/>")).as_bytes()).unwrap();
            assert!(reply.contains(part), "{reply}");
        }
        assert!(acknowledgement(envelope("<Party/>").as_bytes()).is_none() && acknowledgement(b"{}").is_none());
    }

    #[test]
    fn parse_rejects_what_is_no_message_without_quoting_it() {
        for body in [
            "",
            "27812345678",
            "<syncOrderRelation/>",
            "<syncOrderRelation><updateType>2</updateType></syncOrderRelation>",
            "<syncOrderRelation><updateType>1</updateType></syncOrderRelation>",
            "<Party><ID>27812345678</ID></Party>",
            // XML has no such characters.
            "<syncOrderRelation><userID><ID>278123\u{1}45678</ID></userID><updateType>2</updateType></syncOrderRelation>",
            "<syncOrderRelation><userID><ID>278123&#0;45678</ID></userID><updateType>2</updateType></syncOrderRelation>",
            "<syncOrderRelation><userID>&number;</userID><updateType>2</updateType></syncOrderRelation>",
            "<a><b></a></b>",
        ] {
            let error = parse_notification(envelope(body).as_bytes()).err().unwrap_or_else(|| panic!("{body}"));
            assert!(!error.to_string().contains("812345678"));
        }
        // Entities are not expanded, and no document is deep.
        let bomb = format!(
            "<!DOCTYPE x [<!ENTITY number \"27812345678\">]>{}",
            order("<updateType>2</updateType>", "<serviceID>&number;</serviceID>")
        );
        assert!(parse_notification(bomb.as_bytes()).is_err());
        assert!(parse_notification(envelope(&"<a>".repeat(100_000)).as_bytes()).is_err());
        assert!(parse_notification(&[0, 159, 146, 150]).is_err());
    }
}
