//! What networks send: `notifications`, and the SMSes that they pass on (`sms`, which `keywords` reads). `network_clocks` are
//! how far a network's times are off; `catch_up` reads after a restore what networks did since the backup,
//! and `reconfirm` asks the subscribers of networks that cannot tell.

pub(crate) mod catch_up;
pub mod keywords;
pub(crate) mod network_clocks;
pub(crate) mod notifications;
pub(crate) mod reconfirm;
pub(crate) mod sms;
