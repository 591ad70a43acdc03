//! Totals: how much of a day's list and ledger agrees, and whether the list is credible.

use diesel::{
    prelude::*,
    sql_types::{BigInt, Text, Timestamp},
};
use store::{DbConnection, on_each_backend};

use super::{
    diff_queries::{countered, near, not_listed, settled_charges},
    runs::Run,
};
use crate::error::Error;

/// The totals of a day, counted before any repair.
#[derive(Clone, Copy, Default)]
pub(super) struct Totals {
    pub listed: i64,
    pub agreed: i64,
    /// Our settled charges that were not refunded.
    pub settled: i64,
    /// Those of them that the list lacks, or has with other data.
    pub contradictions: i64,
}

impl Totals {
    /// Whether more than 1 % of our settled charges are contradicted.
    pub fn exceeds_threshold(&self) -> bool {
        self.contradictions.saturating_mul(100) > self.settled
    }
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// Counts the whole day.
pub(super) fn totals(conn: &mut DbConnection, run: &Run) -> Result<Totals, Error> {
    let of_list = |conn: &mut DbConnection, text: String| {
        let query = diesel::sql_query(text).bind::<Text, _>(&run.network).bind::<Text, _>(run.day.to_string());
        Ok::<_, Error>(on_each_backend!(conn, conn => query.get_result::<Count>(conn))?.n)
    };
    let of_ledger = |conn: &mut DbConnection, condition: &str| {
        let query = diesel::sql_query(format!("SELECT COUNT(*) AS n {} {condition}", settled_charges(run)))
            .bind::<Text, _>(&run.network)
            .bind::<Text, _>(run.day.to_string())
            .bind::<Timestamp, _>(run.began);
        Ok::<_, Error>(on_each_backend!(conn, conn => query.get_result::<Count>(conn))?.n)
    };
    let own = "WHERE l.network = $1 AND l.day = $2 AND l.status = 'own'";
    let agreed = format!(
        "SELECT COUNT(*) AS n FROM listed_charges l JOIN ledger g ON g.network = l.network AND g.charge_key = l.charge_key \
         JOIN subscriptions s ON s.id = g.subscription_id {own} AND g.kind = 'charge' AND g.status = 'settled' \
         AND g.cents = l.cents AND s.msisdn = l.msisdn AND s.svc_id = l.svc_id AND {} AND NOT {}",
        near("g", run),
        countered(run)
    );
    let named_otherwise = "AND EXISTS (SELECT 1 FROM listed_charges l WHERE l.network = g.network AND l.day = g.day \
         AND l.charge_key = g.charge_key AND l.status = 'own' \
         AND (l.cents <> g.cents OR l.msisdn <> s.msisdn OR l.svc_id <> s.svc_id))";
    let missing = of_ledger(conn, &format!("AND {}", not_listed(run)))?;
    Ok(Totals {
        listed: of_list(conn, format!("SELECT COUNT(*) AS n FROM listed_charges l {own}"))?,
        agreed: of_list(conn, agreed)?,
        settled: of_ledger(conn, "")?,
        contradictions: missing + of_ledger(conn, named_otherwise)?,
    })
}
