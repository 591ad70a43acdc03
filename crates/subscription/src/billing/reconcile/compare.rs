//! Looking charges up: a page of a network's list in the ledger, and a page of the ledger for what no list named.

use std::collections::{BTreeSet, HashMap};

use chrono::{NaiveDate, NaiveDateTime};
use diesel::{
    dsl::{exists, not},
    prelude::*,
    sql_types::Text,
};
use identity::Msisdn;
use operator::ChargeListed;
use store::DbConnection;

use super::{Findings, Kind, Repair, repair};
use crate::{
    billing::ledger::{CHARGE, SETTLED},
    error::Error,
    schema::{ledger, subscriptions},
    subscriptions::Subscription,
    terms::Terms,
};

/// A charge of ours.
#[derive(Queryable)]
pub(super) struct Row {
    pub id: i64,
    pub subscription_id: i64,
    pub network: String,
    pub charge_key: String,
    pub status: String,
    pub cents: i64,
    pub attempts: i32,
    pub msisdn: String,
    pub svc_id: i32,
}

diesel::alias!(ledger as counters: Counters);

type Columns = (
    ledger::id,
    ledger::subscription_id,
    ledger::network,
    ledger::charge_key,
    ledger::status,
    ledger::cents,
    ledger::attempts,
    subscriptions::msisdn,
    subscriptions::svc_id,
);
const COLUMNS: Columns = (
    ledger::id,
    ledger::subscription_id,
    ledger::network,
    ledger::charge_key,
    ledger::status,
    ledger::cents,
    ledger::attempts,
    subscriptions::msisdn,
    subscriptions::svc_id,
);

/// A page of a list, by key.
pub(super) fn page(
    conn: &mut DbConnection,
    terms: &Terms,
    day: NaiveDate,
    listed: &[ChargeListed],
    found: &mut Findings,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let day = day.to_string();
    let keys: Vec<&str> = listed.iter().map(|charge| charge.key.as_str()).collect();
    // A key is known by its network, and found by no index without it.
    let services: BTreeSet<i32> = listed.iter().map(|charge| charge.svc_id).collect();
    let networks: Vec<String> =
        services.into_iter().filter_map(|svc_id| Some(terms.brand(svc_id)?.network.clone())).collect();
    let rows: Vec<Row> = ledger::table
        .inner_join(subscriptions::table)
        .filter(ledger::network.eq_any(&networks).and(ledger::charge_key.eq_any(&keys)))
        .filter(ledger::kind.eq(CHARGE))
        .select(COLUMNS)
        .load(conn)?;
    let rows: HashMap<(&str, &str), &Row> =
        rows.iter().map(|row| ((row.network.as_str(), row.charge_key.as_str()), row)).collect();
    for charge in listed.iter().filter(|charge| charge.day == day) {
        found.listed += 1;
        let Some(brand) = terms.brand(charge.svc_id) else {
            found.add(charge, None, Kind::UnknownService, Repair::None);
            continue;
        };
        match rows.get(&(brand.network.as_str(), charge.key.as_str())) {
            Some(row) if row.svc_id == charge.svc_id && row.msisdn == charge.msisdn => {
                known(conn, row, charge, found, now)?;
            }
            _ => found.strangers.push(charge.clone()),
        }
    }
    Ok(())
}

/// A charge whose row we have.
fn known(
    conn: &mut DbConnection,
    row: &Row,
    charge: &ChargeListed,
    found: &mut Findings,
    now: NaiveDateTime,
) -> Result<(), Error> {
    if !found.seen.insert(row.id) {
        // One charge that the list names twice, and not two: a key is charged once.
        if row.charge_key == charge.key {
            return Ok(());
        }
        return repair::surplus(conn, &row.network, charge, Some(row.id), found, now);
    }
    if row.status != SETTLED {
        return repair::settle(conn, row, charge, found, now);
    }
    if row.cents == charge.cents {
        found.agreed += 1;
    } else {
        found.add(charge, Some(row.id), Kind::AmountDiffers, Repair::None);
    }
    Ok(())
}

/// A charge under a key that we never gave: a push network's own, or one that nobody should have made.
pub(super) fn stranger(
    conn: &mut DbConnection,
    terms: &Terms,
    day: NaiveDate,
    charge: &ChargeListed,
    found: &mut Findings,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let (Some(brand), Ok(msisdn)) = (terms.brand(charge.svc_id), Msisdn::parse(&charge.msisdn)) else {
        found.add(charge, None, Kind::UnknownService, Repair::None);
        return Ok(());
    };
    let row: Option<Row> = ledger::table
        .inner_join(subscriptions::table)
        .filter(subscriptions::msisdn.eq(msisdn.as_str()).and(subscriptions::svc_id.eq(charge.svc_id)))
        .filter(ledger::day.eq(day.to_string()).and(ledger::kind.eq(CHARGE)))
        .select(COLUMNS)
        .first(conn)
        .optional()?;
    match row {
        Some(row) => known(conn, &row, charge, found, now),
        None => {
            let subscription = Subscription::lock(conn, &msisdn, charge.svc_id, now)?;
            repair::record(conn, &brand.network, &subscription, charge, day, found, now)
        }
    }
}

/// Settled charges of a day that were not given back, with ids above `after`, from before the comparison began.
pub(super) fn settled_page(
    conn: &mut DbConnection,
    day: NaiveDate,
    after: i64,
    began: NaiveDateTime,
    limit: usize,
) -> Result<Vec<Row>, Error> {
    let key = "refund-".into_sql::<Text>().concat(ledger::charge_key);
    let countered = counters
        .filter(counters.field(ledger::charge_key).eq(key))
        .filter(counters.field(ledger::network).eq(ledger::network));
    Ok(ledger::table
        .inner_join(subscriptions::table)
        .filter(ledger::day.eq(day.to_string()).and(ledger::kind.eq(CHARGE)).and(ledger::status.eq(SETTLED)))
        .filter(ledger::id.gt(after).and(ledger::at.lt(began)))
        .filter(not(exists(countered)))
        .order(ledger::id)
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(COLUMNS)
        .load(conn)?)
}

#[cfg(test)]
mod tests {
    use diesel::{Connection, SqliteConnection};
    use operator::NotifySecret;

    use super::*;
    use crate::billing::ledger::NewCharge;

    #[test]
    fn a_charge_that_a_list_names_twice_is_one() {
        let mut conn = DbConnection::Sqlite(SqliteConnection::establish(":memory:").unwrap());
        store::migrate(&mut conn, crate::NAME, crate::MIGRATIONS).unwrap();
        let secret = NotifySecret::parse("whsec_ZGV2LW5vdGlmeQ==").unwrap();
        let terms = Terms { brands: testkit::brands(), secret, test_msisdn: None };
        let day: NaiveDate = "2060-02-27".parse().unwrap();
        let now = day.and_hms_opt(12, 0, 0).unwrap();
        let msisdn = Msisdn::parse("0812345678").unwrap();
        let subscription = Subscription::lock(&mut conn, &msisdn, 150, now).unwrap();
        let pending = NewCharge::pending(subscription.id, "sandbox-pull", day, "k1".to_owned(), now);
        NewCharge::insert(&mut conn, &[NewCharge { status: SETTLED, ..pending }]).unwrap();
        let listed = ChargeListed {
            msisdn: msisdn.as_str().to_owned(),
            svc_id: 150,
            cents: 300,
            key: "k1".to_owned(),
            day: day.to_string(),
            at: "2060-02-27 10:00:00".to_owned(),
        };
        let mut found = Findings::default();
        page(&mut conn, &terms, day, &[listed.clone(), listed], &mut found, now).unwrap();
        assert_eq!((found.listed, found.agreed, found.differences.len()), (2, 1, 0));
    }
}
