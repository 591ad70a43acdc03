//! Inserts the ledger rows of a day: one for every subscription that is due.

use brands::Period;
use chrono::{NaiveDate, NaiveDateTime};
use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use store::DbConnection;

use crate::{
    billing::announcements::{self, DueCharge},
    error::Error,
    ledger::{periods::EarlierCharges, rows::NewCharge},
    messages::texts::ReminderRecipient,
    schema::subscriptions,
    subscribers::{calendar, policy::Policy},
};

/// Rows inserted in one transaction. A connection keeps the memory of its largest statement, and each row has fifteen values.
const PAGE: i64 = 500;

/// A subscription that may be due.
#[derive(Queryable)]
struct Due {
    recipient: ReminderRecipient,
    began_on: i32,
    had_long_period: bool,
    consent_id: Option<i64>,
    since: NaiveDateTime,
    free_until: String,
}

/// Inserts the rows of one page of a network's subscriptions with ids above `after`; the last id read, `None` for an empty page.
pub(crate) fn insert_page(
    conn: &mut DbConnection,
    policy: &Policy,
    network: &str,
    day: NaiveDate,
    after: i64,
    now: NaiveDateTime,
) -> Result<Option<i64>, Error> {
    let page: Vec<Due> = subscriptions::table
        // Literal SQL, so that the partial index applies.
        .filter(sql::<Bool>("subscriptions.state IN ('active', 'suspended')"))
        .filter(subscriptions::network.eq(network).and(subscriptions::id.gt(after)))
        // A free day has no row.
        .filter(subscriptions::free_until.le(day.to_string()))
        .order(subscriptions::id)
        .limit(PAGE)
        .select((
            (
                subscriptions::id,
                subscriptions::msisdn,
                subscriptions::svc_id,
                subscriptions::price_cents,
                subscriptions::period,
                subscriptions::language,
            ),
            subscriptions::reminder_day,
            subscriptions::had_long_period,
            subscriptions::consent_id,
            subscriptions::since,
            subscriptions::free_until,
        ))
        .load(conn)?;
    let last = page.last().map(|due| due.recipient.subscription_id);
    let with_periods = page.iter().filter(|due| due.had_long_period).map(|due| due.recipient.subscription_id);
    let with_periods: Vec<i64> = with_periods.collect();
    let earlier = EarlierCharges::before(conn, &with_periods, day)?;
    let mut charges = Vec::with_capacity(page.len());
    let mut due = Vec::new();
    for Due { recipient, began_on, consent_id, since, free_until, .. } in page {
        let ReminderRecipient { subscription_id: id, msisdn, svc_id, price_cents, period, .. } = &recipient;
        let (id, svc_id) = (*id, *svc_id);
        // A period of a newer release is not charged here.
        let Some(period) = Period::parse(period) else { continue };
        let is_due = !earlier.paid.contains(&id) && !earlier.open.contains(&id);
        // Without a brand there is no site that the subscriber could watch.
        if is_due && policy.brand(svc_id).is_some() && !policy.is_test(msisdn) {
            let key = policy.charge_key(msisdn, svc_id, day);
            let charge = NewCharge::pending((id, consent_id), network, day, (key, *price_cents), now);
            charges.push(charge.for_period(period, day, began_on));
            let began = calendar::day_of(since);
            let began = free_until.parse().map_or(began, |until| began.max(until));
            due.push(DueCharge { recipient, began });
        }
    }
    let held = announcements::announce(conn, policy, (network, day), due, now)?;
    charges.retain(|charge| !held.contains(&charge.subscription_id));
    // Rows of an earlier pass of the day stay unchanged.
    NewCharge::insert(conn, &charges)?;
    Ok(last)
}
