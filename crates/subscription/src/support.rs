//! What staff read and order about a number: the `account`, the `cases`, the `consent_document`, `personal_data`; and the day at a glance, `overview` with
//! its `backlog`.

pub(crate) mod account;
pub(crate) mod backlog;
pub(crate) mod cases;
pub(crate) mod consent_document;
pub(crate) mod overview;
pub mod personal_data;
