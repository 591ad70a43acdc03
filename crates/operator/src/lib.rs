//! The wire contract with a mobile network: our requests, its notifications, and how it signs them.
//!
//! Both sides are here, because the subscription service and the operator sandbox share these types. Read `requests` and `charges`
//! (our requests), then `notifications` (the network's webhooks); `signature` verifies their sender; `soap` has the Parlay X
//! interfaces, with `username_token` for their header; `lenient` deserialises numbers
//! and times in the formats that networks really send, `amount` amounts, `encoding` bytes. None of these types implements `Display` or is logged: they carry
//! unmasked numbers.

mod amount;
pub mod camara;
mod charges;
mod encoding;
mod lenient;
mod link;
mod notifications;
mod requests;
mod signature;
pub mod soap;
mod username_token;

pub use amount::Amount;
pub use charges::{Charge, ChargeRequest, ChargeStatus, ListedCharge, Refund, RefundRequest, UnreadableRow};
pub use encoding::json_text;
pub use lenient::{JOHANNESBURG, in_zone};
pub use link::next_page;
pub use notifications::{
    BillingEvent, ChargeEvent, Delivery, InvalidNotification, NamedService, Notification, OptInEvent, ReceiptEvent,
    SmsEvent, StopEvent, SubscriptionEvent, SubscriptionStatus,
};
pub use requests::{OptIn, OptInKind, OptInReply, OptInRequest, OptInStatus, SmsRequest, StopRequest};
pub use signature::{
    BadSignature, HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, InvalidSecret, NotifyKeys, NotifySecret,
    WINDOW_SECONDS,
};
pub use username_token::{BadToken, Credentials, InvalidCredentials, UsernameToken};
