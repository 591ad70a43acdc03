//! What is sent through networks: `texts` are the SMSes to subscribers, `reminders` those of each month, and `outbox` keeps every message until
//! its network has accepted it.

pub(crate) mod outbox;
pub(crate) mod reminders;
pub(crate) mod texts;
