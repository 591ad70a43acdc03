//! Fetches a network's own list of a day into `listed_charges`, page by page, before the comparison.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use diesel::{prelude::*, sql_types::Bool};
use identity::SubscriberId;
use operator::{ListedCharge, UnreadableRow};
use store::DbConnection;

use crate::{
    billing::reconcile::{
        diff_queries::DAYS_APART,
        difference::{Difference, Kind, Repair},
        reconciler::Reconciler,
        runs::Run,
    },
    error::Error,
    ledger::partitions::{self, Table},
    networks::ListPage,
    schema::{holds, ledger, listed_charges, subscriptions},
    subscribers::{metrics, policy::Policy},
};

/// The most pages of one list.
const MAX_PAGES: usize = 100_000;

/// Rows inserted in one transaction, and keys in one query of the ledger: for more keys a planner without the day's statistics reads all
/// of a network's charges.
const BATCH_SIZE: usize = 200;

/// Older lists are deleted.
const RETENTION_DAYS: i64 = 30;

/// A charge of this network.
pub(super) const OWN: &str = "own";
/// A charge of another network with the same base URL.
const OTHER: &str = "other";
/// Only the key was readable.
const UNREADABLE: &str = "unreadable";

/// A row of the list before it is inserted.
#[derive(Clone)]
struct Row {
    key: Option<String>,
    msisdn: String,
    svc_id: i32,
    cents: i64,
    at: Option<NaiveDateTime>,
    network_ref: String,
    is_readable: bool,
}

#[derive(Insertable)]
#[diesel(table_name = listed_charges)]
struct NewListed<'a> {
    network: &'a str,
    day: &'a str,
    charge_key: &'a str,
    msisdn: &'a str,
    svc_id: i32,
    cents: i64,
    at: Option<NaiveDateTime>,
    status: &'static str,
    network_ref: &'a str,
    of_key: &'a str,
}

/// The result of inserting rows.
#[derive(Default)]
struct Stored {
    /// Whether any row was not on an earlier page.
    has_new_rows: bool,
    unreadable: Vec<Difference>,
}

/// Replaces the stored list by the network's current one; returns the unreadable rows. A list without an end is an error.
pub(super) async fn fetch(reconciler: &Reconciler, run: &Run) -> Result<Vec<Difference>, Error> {
    let operator = reconciler.networks.operator(&run.network)?;
    let siblings = reconciler.networks_at(operator.address());
    let (network, listed_day) = (run.network.clone(), run.day);
    reconciler.write(run, move |conn, _| delete_previous(conn, &network, listed_day)).await?;
    let mut unreadable = Vec::new();
    let (day, mut visited, mut next) = (run.day.to_string(), HashSet::new(), None::<String>);
    for _ in 0..MAX_PAGES {
        let fetched = operator.charges_of_day(&day, next.as_deref()).await;
        metrics::network_call(&run.network, "list", &fetched);
        let (page, link) = fetched?;
        let mut has_new_rows = false;
        let mut rows = rows_of(page, &day).into_iter().peekable();
        while rows.peek().is_some() {
            let rows: Vec<Row> = rows.by_ref().take(BATCH_SIZE).collect();
            let (kept, policy, siblings) = (run.clone(), reconciler.policy.clone(), siblings.clone());
            let stored = reconciler.write(run, move |conn, _| store(conn, &policy, &kept, &siblings, &rows)).await?;
            has_new_rows |= stored.has_new_rows;
            unreadable.extend(stored.unreadable);
        }
        match link {
            None => {
                let day = run.day;
                reconciler.write(run, move |conn, _| analyze_tables(conn, day)).await?;
                return Ok(unreadable);
            }
            Some(link) if has_new_rows && visited.insert(link.clone()) => next = Some(link),
            Some(_) => break,
        }
    }
    Err(Error::NetworkUnavailable("the list does not end".to_owned()))
}

/// Without it PostgreSQL would plan the comparison with the statistics from before this day, and scan all of a list, or all of a day's
/// charges, for each charge. Statistics of the whole ledger, which joins are planned by, change slowly, and nothing else gathers them.
fn analyze_tables(conn: &mut DbConnection, day: NaiveDate) -> Result<(), Error> {
    let month = partitions::partition_of(conn, Table::Ledger, day)?;
    if let DbConnection::Postgres(conn) = conn {
        let is_outdated: Answer = diesel::sql_query(
            "SELECT COALESCE((SELECT last_analyze FROM pg_stat_user_tables WHERE relid = to_regclass('ledger')) < now() - interval '30 days', TRUE) AS yes",
        )
        .get_result(conn)?;
        let ledger = if is_outdated.yes { Table::Ledger.name() } else { month.as_str() };
        diesel::sql_query(format!("ANALYZE listed_charges, {ledger}")).execute(conn)?;
    }
    Ok(())
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

/// The rows of this day.
fn rows_of(page: ListPage, day: &str) -> Vec<Row> {
    let of_day = page.into_iter().filter(|row| row.as_ref().map_or(true, |charge| charge.day == day));
    of_day.map(|row| row.map_or_else(Row::unreadable, Row::of)).collect()
}

impl Row {
    fn of(charge: ListedCharge) -> Self {
        let at = charge.charged_at();
        Self {
            key: Some(charge.key),
            msisdn: normalised(charge.msisdn),
            svc_id: charge.svc_id,
            cents: charge.cents,
            at,
            network_ref: charge.network_ref.unwrap_or_default(),
            is_readable: true,
        }
    }

    fn unreadable(row: UnreadableRow) -> Self {
        Self {
            key: row.key,
            msisdn: row.msisdn.map(normalised).unwrap_or_default(),
            svc_id: row.svc_id.unwrap_or_default(),
            cents: row.cents.unwrap_or_default(),
            at: None,
            network_ref: String::new(),
            is_readable: false,
        }
    }
}

fn normalised(msisdn: String) -> String {
    SubscriberId::parse(&msisdn).map_or(msisdn, |parsed| parsed.as_str().to_owned())
}

fn delete_previous(conn: &mut DbConnection, network: &str, day: NaiveDate) -> Result<(), Error> {
    let of_network = || listed_charges::table.filter(listed_charges::network.eq(network));
    diesel::delete(of_network().filter(listed_charges::day.eq(day.to_string()))).execute(conn)?;
    let before = day - TimeDelta::days(RETENTION_DAYS);
    diesel::delete(of_network().filter(listed_charges::day.lt(before.to_string()))).execute(conn)?;
    Ok(())
}

fn store(
    conn: &mut DbConnection,
    policy: &Policy,
    run: &Run,
    siblings: &[String],
    rows: &[Row],
) -> Result<Stored, Error> {
    let day = run.day.to_string();
    let is_own = owned_rows(conn, policy, run, siblings, rows)?;
    let second_keys = second_debits(conn, &run.network, &day, rows)?;
    let mut stored = Stored::default();
    let mut new = Vec::with_capacity(rows.len());
    for ((row, is_own), second_key) in rows.iter().zip(is_own).zip(&second_keys) {
        if is_own && !row.is_readable {
            let (kind, repair) = (Kind::UnreadableRow, Repair::None);
            let (msisdn, key) = (row.msisdn.clone(), row.key.clone().unwrap_or_default());
            let network = run.network.clone();
            let (svc_id, cents) = (row.svc_id, row.cents);
            stored.unreadable.push(Difference { kind, repair, ledger_id: None, msisdn, svc_id, key, cents, network });
        }
        // Rows without a key cannot be compared with earlier ones.
        let Some(charge_key) = &row.key else {
            stored.has_new_rows = true;
            continue;
        };
        let status = match (is_own, row.is_readable) {
            (false, _) => OTHER,
            (true, true) => OWN,
            (true, false) => UNREADABLE,
        };
        let Row { msisdn, network_ref, .. } = row;
        let (network, day) = (run.network.as_str(), day.as_str());
        let (charge_key, of_key) = match second_key {
            Some(second_key) => (second_key.as_str(), charge_key.as_str()),
            None => (charge_key.as_str(), ""),
        };
        let (svc_id, cents, at) = (row.svc_id, row.cents, row.at);
        new.push(NewListed { network, day, charge_key, msisdn, svc_id, cents, at, status, network_ref, of_key });
    }
    stored.has_new_rows |= insert(conn, &new)? > 0;
    Ok(stored)
}

/// Of each row the key of its own in our tables, where an earlier row has its key and is another debit: each has its own reference or, without
/// references, its own time. The same row on two pages is one charge.
fn second_debits(
    conn: &mut DbConnection,
    network: &str,
    day: &str,
    rows: &[Row],
) -> Result<Vec<Option<String>>, Error> {
    let keys: Vec<&str> = rows.iter().filter_map(|row| row.key.as_deref()).collect();
    type Debit = (String, Option<NaiveDateTime>);
    let mut first: BTreeMap<String, Debit> = listed_charges::table
        .filter(listed_charges::network.eq(network).and(listed_charges::day.eq(day)))
        .filter(listed_charges::charge_key.eq_any(keys))
        .select((listed_charges::charge_key, (listed_charges::network_ref, listed_charges::at)))
        .load::<(String, Debit)>(conn)?
        .into_iter()
        .collect();
    let mut second = |row: &Row| {
        let key = row.key.as_ref().filter(|_| row.is_readable)?;
        let Some((network_ref, at)) = first.get(key) else {
            first.insert(key.clone(), (row.network_ref.clone(), row.at));
            return None;
        };
        if !network_ref.is_empty() && !row.network_ref.is_empty() {
            return (*network_ref != row.network_ref).then(|| format!("{key}~{}", row.network_ref));
        }
        let (other, own) = at.zip(row.at)?;
        (other != own).then(|| format!("{key}~{}", own.format("%H%M%S")))
    };
    Ok(rows.iter().map(&mut second).collect())
}

/// A row that is listed twice is one charge.
fn insert(conn: &mut DbConnection, rows: &[NewListed<'_>]) -> Result<usize, Error> {
    match conn {
        DbConnection::Postgres(_) if rows.is_empty() => Ok(0),
        DbConnection::Postgres(conn) => {
            Ok(diesel::insert_into(listed_charges::table).values(rows).on_conflict_do_nothing().execute(conn)?)
        }
        // SQLite cannot insert a batch with conflicts.
        DbConnection::Sqlite(conn) => rows.iter().try_fold(0, |inserted, row| {
            let insert = diesel::insert_into(listed_charges::table).values(row).on_conflict_do_nothing();
            Ok(inserted + insert.execute(conn)?)
        }),
    }
}

/// Whether each row is this network's. Networks with one base URL list each other's charges, and each charge belongs to one of them: the
/// one in the ledger, else the one of the number's network subscription, else the one that bills the subscription; else the first.
fn owned_rows(
    conn: &mut DbConnection,
    policy: &Policy,
    run: &Run,
    siblings: &[String],
    rows: &[Row],
) -> Result<Vec<bool>, Error> {
    if siblings.len() < 2 {
        return Ok(vec![true; rows.len()]);
    }
    let keys: Vec<&str> = rows.iter().filter_map(|row| row.key.as_deref()).collect();
    let numbers: Vec<&str> = rows.iter().map(|row| row.msisdn.as_str()).collect();
    let (first, last) = (run.day - DAYS_APART, run.day + DAYS_APART);
    let entered: Vec<(String, String)> = ledger::table
        .filter(ledger::network.eq_any(siblings).and(ledger::charge_key.eq_any(&keys)))
        .filter(ledger::day.between(first.to_string(), last.to_string()))
        .select((ledger::charge_key, ledger::network))
        .load(conn)?;
    let subscribed: Vec<((String, i32), String)> = holds::table
        .inner_join(subscriptions::table)
        .filter(subscriptions::msisdn.eq_any(&numbers).and(holds::network.eq_any(siblings)))
        .select(((subscriptions::msisdn, subscriptions::svc_id), holds::network))
        .load(conn)?;
    let billed: BTreeMap<(String, i32), String> = subscriptions::table
        .filter(subscriptions::msisdn.eq_any(&numbers).and(subscriptions::network.ne("")))
        .select(((subscriptions::msisdn, subscriptions::svc_id), subscriptions::network))
        .load::<((String, i32), String)>(conn)?
        .into_iter()
        .collect();
    let (entered, subscribed) = (grouped(entered), grouped(subscribed));
    let is_own = |row: &Row| {
        let of_brand = || policy.brand(row.svc_id).map(|brand| brand.network.clone());
        let billed_by = billed.get(&(row.msisdn.clone(), row.svc_id)).cloned().or_else(of_brand);
        let entered = row.key.as_ref().and_then(|key| entered.get(key));
        let status = entered.or_else(|| subscribed.get(&(row.msisdn.clone(), row.svc_id)));
        let owner = match (status, &billed_by) {
            (Some(status), Some(network)) if status.contains(network) => Some(network),
            (Some(status), _) => status.first(),
            (None, Some(network)) if siblings.contains(network) => Some(network),
            (None, _) => siblings.first(),
        };
        owner == Some(&run.network)
    };
    Ok(rows.iter().map(is_own).collect())
}

fn grouped<K: Ord>(pairs: Vec<(K, String)>) -> BTreeMap<K, BTreeSet<String>> {
    let mut groups: BTreeMap<K, BTreeSet<String>> = BTreeMap::new();
    for (key, network) in pairs {
        groups.entry(key).or_default().insert(network);
    }
    groups
}
