//! Inserts the ledger rows of a day: one for every subscription that is due.

use chrono::{NaiveDate, NaiveDateTime};
use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use store::DbConnection;

use super::ledger::NewCharge;
use crate::{error::Error, policy::Policy, schema::subscriptions};

/// Rows inserted in one transaction. A connection keeps the memory of its largest statement, and each row has thirteen values.
const PAGE: i64 = 500;

/// Inserts the rows of one page of a network's subscriptions with ids above `after`; the last id read, `None` for an empty page.
pub(crate) fn insert_page(
    conn: &mut DbConnection,
    policy: &Policy,
    network: &str,
    day: NaiveDate,
    after: i64,
    now: NaiveDateTime,
) -> Result<Option<i64>, Error> {
    let page: Vec<(i64, String, i32, i64)> = subscriptions::table
        // Literal SQL, so that the partial index applies.
        .filter(sql::<Bool>("subscriptions.state IN ('active', 'suspended')"))
        .filter(subscriptions::network.eq(network).and(subscriptions::id.gt(after)))
        .order(subscriptions::id)
        .limit(PAGE)
        .select((subscriptions::id, subscriptions::msisdn, subscriptions::svc_id, subscriptions::price_cents))
        .load(conn)?;
    let last = page.last().map(|(id, ..)| *id);
    let mut charges = Vec::with_capacity(page.len());
    for (id, msisdn, svc_id, cents) in page {
        // Without a brand there is no site that the subscriber could watch.
        if policy.brand(svc_id).is_some() && !policy.is_test(&msisdn) {
            let key = policy.charge_key(&msisdn, svc_id, day);
            charges.push(NewCharge::pending(id, network, day, (key, cents), now));
        }
    }
    // Rows of an earlier pass of the day stay unchanged.
    NewCharge::insert(conn, &charges)?;
    Ok(last)
}
