//! Announces the first charge after days without one: an SMS with the price and the way to stop goes before it.
//!
//! Whether there is airtime shows only when a charge is tried, so an announcement counts for the tries of a week. Its key has the subscription and
//! the day: it is sent once, whichever pass or replica comes first.

use std::collections::BTreeSet;

use chrono::{Days, NaiveDate, NaiveDateTime};
use diesel::prelude::*;
use store::DbConnection;

use crate::{
    error::Error,
    ledger::{
        periods::{LONGEST, last_paid},
        rows::{CHARGE, SETTLED},
    },
    messages::{outbox, texts, texts::ReminderRecipient},
    schema::ledger,
    subscribers::policy::Policy,
};

/// The days without a charge after which the next one is announced.
const SILENCE: Days = Days::new(3);

/// For how many days of tries an announcement counts.
const ANNOUNCED_DAYS: u64 = 7;

/// A subscription whose charge is due.
pub(crate) struct DueCharge {
    pub recipient: ReminderRecipient,
    /// The first day that could be charged: of the join, or after its free days.
    pub began: NaiveDate,
}

/// Enqueues the announcements that these charges need on a day; returns the subscriptions that are not charged yet, because theirs has not
/// been sent.
pub(crate) fn announce(
    conn: &mut DbConnection,
    policy: &Policy,
    (network, day): (&str, NaiveDate),
    mut due: Vec<DueCharge>,
    now: NaiveDateTime,
) -> Result<BTreeSet<i64>, Error> {
    let silent_since = day - SILENCE;
    due.retain(|due| due.began < silent_since);
    if due.is_empty() || !policy.sends_sms(network) {
        return Ok(BTreeSet::new());
    }
    let ids = |due: &[DueCharge]| due.iter().map(|due| due.recipient.subscription_id).collect::<Vec<_>>();
    // Most have paid yesterday.
    let paid = paid_since(conn, &ids(&due), (silent_since, silent_since), day)?;
    due.retain(|due| !paid.contains(&due.recipient.subscription_id));
    let paid = paid_since(conn, &ids(&due), (silent_since, silent_since - LONGEST), day)?;
    due.retain(|due| !paid.contains(&due.recipient.subscription_id));
    let days = move || (0..ANNOUNCED_DAYS).map(move |back| day - Days::new(back));
    let recipients: Vec<ReminderRecipient> = due.into_iter().map(|due| due.recipient).collect();
    let keys: Vec<String> = recipients.iter().flat_map(|one| days().map(move |day| key(one, day))).collect();
    let known = outbox::sms_by_keys(conn, &keys)?;
    let (mut unsent, mut new) = (BTreeSet::new(), Vec::new());
    for recipient in recipients {
        let mut announcements = days().filter_map(|day| known.get(&key(&recipient, day))).peekable();
        let is_new = announcements.peek().is_none();
        if !announcements.any(|is_sent| *is_sent) {
            unsent.insert(recipient.subscription_id);
        }
        if is_new {
            new.push((key(&recipient, day), recipient));
        }
    }
    texts::announce_charges(conn, policy, network, new, now)?;
    Ok(unsent)
}

/// The key of a subscription's announcement of a day.
fn key(recipient: &ReminderRecipient, day: NaiveDate) -> String {
    format!("charge-resumes-{}-{day}", recipient.subscription_id)
}

/// Those of the subscriptions that have paid for a day from `silent_since` on, by charges before `day` that were made since `first`.
fn paid_since(
    conn: &mut DbConnection,
    subscriptions: &[i64],
    (silent_since, first): (NaiveDate, NaiveDate),
    day: NaiveDate,
) -> Result<BTreeSet<i64>, Error> {
    let charges: Vec<(i64, String, String)> = ledger::table
        .filter(ledger::subscription_id.eq_any(subscriptions).and(ledger::kind.eq(CHARGE)))
        .filter(ledger::day.ge(first.to_string()).and(ledger::day.lt(day.to_string())))
        .filter(ledger::status.eq(SETTLED))
        .select((ledger::subscription_id, ledger::day, ledger::paid_until))
        .load(conn)?;
    let paid = charges
        .into_iter()
        .filter(|(_, first, until)| last_paid(first, until).is_some_and(|last| last >= silent_since));
    Ok(paid.map(|(id, ..)| id).collect())
}
