//! The identity of a visitor: a South African mobile number or a network's token, and the signed session that proves it.
//!
//! `msisdn` parses numbers into one canonical form; `subscriber_id` is a number or a token in its place; `session` signs and verifies session tokens; `subscriber` is the
//! extractor for handlers that need a session; `enrichment` reads the number or token that a mobile network adds to a request.

mod enrichment;
mod msisdn;
mod session;
mod subscriber;
mod subscriber_id;

pub use enrichment::{Enrichment, EnrichmentHeader};
pub use msisdn::{InvalidMsisdn, Msisdn};
pub use service::InvalidKey;
pub use session::{SESSION_LIFETIME_SECONDS, Session, SessionMinter, SessionVerifier};
pub use subscriber::{Site, Subscriber, cookie_name, site_of};
pub use subscriber_id::{SubscriberId, Token};
