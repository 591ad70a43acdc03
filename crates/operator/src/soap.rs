//! A WASP's SOAP 1.1 billing: requests, replies and notifications in XML, and the WS-Security header that names the caller.
//!
//! Both sides are here, as for the contract's JSON. Amounts are in rand with two decimals, times are RFC 3339, and a reply's outcome is a
//! result code whose meaning is a setting of the network (`brands.toml`). Elements are read by their local names, whatever their prefix.

mod envelope;
mod fields;
mod notifications;
mod requests;
mod responses;

pub use notifications::{ChargeCompleted, Notice, OptInAnswered, SmsReceipt, SmsReceived, SubscriptionStopped};
pub use requests::{
    ChargeSubscriber, ListCharges, QueryCharge, QueryOptIn, RefundCharge, Request, RequestOptIn, SendSms,
    StopSubscription,
};
pub use responses::{ChargeList, ChargeResult, ChargeRow, Done, Fault, OptInAnswer, OptInPage, RefundResult, Response};

/// The namespace of the messages, and the start of each `SOAPAction`.
pub const NAMESPACE: &str = "urn:wasp:billing:1";

/// XML that is no message of this API, or has an unreadable field. Does not quote the text, which may contain a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a message of the SOAP API")]
pub struct Malformed;
