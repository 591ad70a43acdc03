//! The public Parlay X interfaces, as South African platforms speak them over SOAP 1.1: AmountCharging and SendSms towards the network,
//! SubscribeManage for the end of a subscription, and DataSync and SmsNotification from it.
//!
//! Both sides are here, as for the contract's JSON, and both read elements by their local names, whatever their prefix and order. Amounts are in
//! rand with two decimals. What Parlay X does not define (pages, status queries, lists of a day) are the contract's calls.

mod element;
mod envelope;
mod notifications;
mod replies;
mod requests;

pub use element::Element;
pub use notifications::{
    acknowledgement, charge_completed, parse_notification, sms_receipt, sms_received, subscription_added,
    subscription_deleted,
};
pub use replies::{Fault, Reply};
pub use requests::{Request, content_of, token_of};

/// One of the interfaces.
#[derive(Clone, Copy)]
pub struct Interface {
    /// Its name.
    pub name: &'static str,
    /// Where it is below a network's base URL; empty where the network calls us.
    pub path: &'static str,
    /// Of its messages.
    pub namespace: &'static str,
}

const AMOUNT_CHARGING: Interface = Interface {
    name: "AmountCharging",
    path: "/AmountChargingService/services/AmountCharging",
    namespace: "http://www.csapi.org/schema/parlayx/payment/amount_charging/v2_1/local",
};
const SUBSCRIBE_MANAGE: Interface = Interface {
    name: "SubscribeManage",
    path: "/SubscribeManageService/services/SubscribeManage",
    namespace: "http://www.csapi.org/schema/parlayx/subscribe/manage/v1_0/local",
};
const SEND_SMS: Interface = Interface {
    name: "SendSms",
    path: "/SendSmsService/services/SendSms",
    namespace: "http://www.csapi.org/schema/parlayx/sms/send/v2_2/local",
};
/// From a network: changes of subscriptions.
pub const DATA_SYNC: Interface =
    Interface { name: "DataSync", path: "", namespace: "http://www.csapi.org/schema/parlayx/data/sync/v1_0/local" };
/// From a network: SMSes and what became of ours.
pub const SMS_NOTIFICATION: Interface = Interface {
    name: "SmsNotification",
    path: "",
    namespace: "http://www.csapi.org/schema/parlayx/sms/notification/v2_2/local",
};

/// XML that is no message of these interfaces, or lacks what it needs. Does not quote the text, which may contain a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a message of the Parlay X interfaces")]
pub struct Malformed;
