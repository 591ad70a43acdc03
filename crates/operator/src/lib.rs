//! The wire contract with a mobile network: what we ask it, what it tells us, and how it signs what it tells.
//!
//! Both sides are here, because the subscription service and the operator sandbox speak the same words. Read `requests`
//! (we ask) and `charges`, then `notifications` (the network tells); `signature` proves who told; `untidy` reads numbers and times the
//! way real feeds write them. None of these types prints itself: they carry whole numbers.

mod charges;
mod link;
mod notifications;
mod requests;
mod signature;
mod untidy;

pub use charges::{Charge, ChargeListed, ChargeRequest, ChargeStatus, Refund, RefundRequest, UnreadableRow};
pub use link::next_page;
pub use notifications::{
    Amount, BillingEvent, NamedService, NotUnderstood, Notification, OptInEvent, StopEvent, SubscriptionEvent,
    SubscriptionStatus,
};
pub use requests::{Answer, OptIn, OptInKind, OptInReply, OptInRequest, SmsRequest, StopRequest};
pub use signature::{
    BadSignature, HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, InvalidSecret, NotifyKeys, NotifySecret,
    WINDOW_SECONDS,
};
pub use untidy::JOHANNESBURG;
