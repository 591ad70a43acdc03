//! Who is asking: a South African mobile number, and the signed session that proves it.
//!
//! `msisdn` turns what people type into one spelling; `session` signs and verifies; `subscriber` is the extractor that
//! handlers take as proof; `enrichment` is what a mobile network says by itself.

mod enrichment;
mod msisdn;
mod session;
mod subscriber;

pub use enrichment::{Enrichment, EnrichmentHeader};
pub use msisdn::{InvalidMsisdn, Msisdn};
pub use session::{InvalidKey, SESSION_LIFE_SECONDS, Session, SessionMinter, SessionVerifier};
pub use subscriber::{Site, Subscriber, cookie_name, site_of};
