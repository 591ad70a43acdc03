//! The work of support on one number: its record, and what support does about it.
//!
//! `record` looks a number up, over all brands; `timeline` writes its history in words. `actions`, `refunds` and `notes` change something, `cases` are complaints to decide,
//! `dossier` is the whole history as a document. `exports` and `erasures` are a person's rights to their data, and `retention` deletes what
//! support no longer needs. Each call is an entry of the audit log before anything else happens; the close of a case is one after the service has confirmed it.

pub(crate) mod actions;
pub(crate) mod cases;
pub(crate) mod dossier;
pub(crate) mod erasures;
pub(crate) mod exports;
pub(crate) mod notes;
pub(crate) mod record;
pub(crate) mod refunds;
mod retention;
mod timeline;

use serde_json::{Value, json};
use service::StaffText;

use crate::{app::App, audit, error::Error, members::Member};

pub(crate) use record::Record;

/// Letters and digits that can be seen.
const MIN_REASON_CHARS: usize = 3;
/// The most that the subscription service accepts.
const MAX_REASON_CHARS: usize = 256;

/// A reason without surrounding blanks.
pub(crate) fn checked_reason(text: &str) -> Result<String, Error> {
    let text = text.trim();
    let letters = languages::compared(text).chars().filter(|c| c.is_alphanumeric()).count();
    match text.chars().count() {
        // Signs that are not seen, and dots, are no reason.
        _ if letters < MIN_REASON_CHARS => Err(Error::Field("reason", StaffText::new("reason-too-short"))),
        count if count > MAX_REASON_CHARS => Err(Error::Field("reason", StaffText::new("reason-too-long"))),
        _ if text.chars().any(char::is_control) => Err(Error::Field("reason", StaffText::new("reason-of-lines"))),
        _ => Ok(text.to_owned()),
    }
}

/// Adds an entry about a number.
pub(crate) async fn record_act(
    app: &App,
    member: &Member,
    record: &Record,
    action: &'static str,
    details: Value,
) -> Result<(), Error> {
    let (member, subject, now) = (member.clone(), record.subject(), app.clock.now());
    app.audited(move |conn| audit::append_of(conn, &member, action, &subject, &details, now)).await
}

/// Adds an entry about an action that another service refused or whose outcome is not known; returns its error.
pub(crate) async fn record_failure(
    app: &App,
    member: &Member,
    record: &Record,
    action: &'static str,
    error: Error,
) -> Error {
    let details = json!({ "action": action, "cause": error.to_string() });
    match record_act(app, member, record, "support.failed", details).await {
        Ok(()) => error,
        Err(error) => error,
    }
}
