//! The work of finance: the books of days and months, contract terms, closing a month, and the comparison with the networks' lists.
//!
//! `book` computes: it makes lines of the ledger's sums, with VAT and shares, and adds them up. `terms` has the rates by which it does so,
//! `months` reads a month, open or closed, and closes one; `documents` are its exports; `differences` is the queue of days that do not
//! agree with a network's list, and `assignments` says who looks after which of them. `subscribers` has the joins and leaves of a month's days.
//! `charges` pauses and resumes charges.

pub(crate) mod assignments;
mod book;
pub(crate) mod charges;
pub(crate) mod differences;
pub(crate) mod documents;
mod month;
pub(crate) mod months;
pub(crate) mod subscribers;
pub(crate) mod terms;

use serde_json::Value;

use crate::{app::App, audit, error::Error, members::Member};

/// Adds an entry about the books.
async fn record_act(
    app: &App,
    member: &Member,
    action: &'static str,
    subject: String,
    details: Value,
) -> Result<(), Error> {
    let (member, now) = (member.clone(), app.clock.now());
    app.audited(move |conn| audit::append_of(conn, &member, action, &subject, &details, now)).await
}
