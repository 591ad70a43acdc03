//! Settling: what became of charges is written down, many in one transaction, each only if it is still ours to say.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDateTime;
use diesel::{
    prelude::*,
    sql_types::{Array, BigInt, Nullable, Text, Timestamp},
};
use store::DbConnection;

use super::{
    claim::{Claimed, PASSES_THAT_SUSPEND},
    ledger::{AT_ONCE, FAILED, PENDING, SETTLED, UNKNOWN},
};
use crate::{error::Error, figures, schema::ledger, terms::Terms};

/// What became of a charge.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The network made it.
    Charged {
        /// Its own name for it.
        network_ref: Option<String>,
    },
    /// The network did not. Counts as one of the failures that suspend, unless the network itself was at fault.
    Failed {
        /// For whoever reads the ledger.
        reason: &'static str,
        /// Whether the person could not pay.
        counts: bool,
    },
    /// Nobody knows yet.
    Unknown {
        /// Why not.
        reason: &'static str,
    },
    /// It was not sent: its subscription ended first.
    Left,
    /// It was not sent: the network is away, or this process is stopping.
    NotSent,
    /// It may never have been sent, and the network does not know it: to be charged at once.
    Again,
}

/// Whose word counts on a charge.
#[derive(Clone, Copy)]
pub(crate) enum Held {
    /// It is pending, and the claim under which it was sent is still on it.
    BySender,
    /// It is unknown.
    ByNobody,
}

#[derive(QueryableByName)]
struct Settled {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Writes outcomes down. Answers the subscriptions whose state may have to follow.
///
/// That a charge was made is true whoever says so, and settles any charge that is not settled; everything else counts only
/// from whoever holds the charge, for another may know better by now.
pub(crate) fn settle(
    conn: &mut DbConnection,
    terms: &Terms,
    held: Held,
    outcomes: &[(Claimed, Outcome)],
    now: NaiveDateTime,
    system_now: NaiveDateTime,
) -> Result<Vec<i64>, Error> {
    let (mut charged, mut refs) = (Vec::new(), Vec::new());
    let mut others: BTreeMap<(u8, &str, bool), Vec<i64>> = BTreeMap::new();
    let mut moved = Vec::new();
    let still_ours = still_held(conn, held, outcomes)?;
    for (charge, outcome) in outcomes {
        let group = match outcome {
            Outcome::Charged { network_ref } => {
                charged.push(charge.id);
                refs.push(network_ref.clone());
                if charge.is_suspended() {
                    moved.push(charge.subscription_id);
                }
                continue;
            }
            _ if !still_ours.contains(&charge.id) => continue,
            Outcome::Failed { reason, counts } => {
                if charge.is_suspended() || (*counts && charge.failures + 1 >= PASSES_THAT_SUSPEND) {
                    moved.push(charge.subscription_id);
                }
                (0, *reason, *counts)
            }
            Outcome::Unknown { reason } => (1, *reason, false),
            Outcome::Left => (2, "left before it was charged", false),
            Outcome::NotSent => (3, "not sent", false),
            Outcome::Again => (4, "", false),
        };
        others.entry(group).or_default().push(charge.id);
    }
    let charged = settle_charged(conn, &charged, &refs, now)?;
    let counted = |(charge, outcome): &&(Claimed, Outcome)| match outcome {
        Outcome::Charged { .. } => charged.contains(&charge.id),
        _ => still_ours.contains(&charge.id),
    };
    figures::charged(terms, outcomes.iter().filter(counted));
    for ((kind, reason, counts), ids) in others {
        let rows = diesel::update(ledger::table.filter(ledger::id.eq_any(&ids)));
        let free = (ledger::claim.eq(None::<String>), ledger::reason.eq(reason), ledger::at.eq(now));
        match kind {
            0 => {
                let failures = ledger::failures.eq(ledger::failures + i32::from(counts));
                rows.set((ledger::status.eq(FAILED), failures, free)).execute(conn)?
            }
            1 => rows.set((ledger::status.eq(UNKNOWN), ledger::sent_at.eq(system_now), free)).execute(conn)?,
            2 => {
                rows.set((ledger::status.eq(FAILED), ledger::sent_at.eq(None::<NaiveDateTime>), free)).execute(conn)?
            }
            3 => rows.set((ledger::status.eq(PENDING), ledger::pass.eq(0), free)).execute(conn)?,
            _ => rows.set((ledger::status.eq(PENDING), ledger::pass.eq(AT_ONCE), free)).execute(conn)?,
        };
    }
    Ok(moved)
}

/// Which of these charges nobody has touched since they were claimed, or found unknown; locked until the transaction ends.
fn still_held(conn: &mut DbConnection, held: Held, outcomes: &[(Claimed, Outcome)]) -> Result<BTreeSet<i64>, Error> {
    let open = outcomes.iter().filter(|(_, outcome)| !matches!(outcome, Outcome::Charged { .. }));
    let attempts: BTreeMap<i64, i32> = open.map(|(charge, _)| (charge.id, charge.attempts)).collect();
    if attempts.is_empty() {
        return Ok(BTreeSet::new());
    }
    let rows = ledger::table
        .filter(ledger::id.eq_any(attempts.keys().copied().collect::<Vec<_>>()))
        .order(ledger::id)
        .select((ledger::id, ledger::attempts, ledger::status, ledger::claim.is_not_null()));
    let rows: Vec<(i64, i32, String, bool)> = match conn {
        DbConnection::Postgres(conn) => rows.for_update().load(conn)?,
        DbConnection::Sqlite(conn) => rows.load(conn)?,
    };
    let is_held = |status: &str, is_claimed: bool| match held {
        Held::BySender => status == PENDING && is_claimed,
        Held::ByNobody => status == UNKNOWN,
    };
    // Each claim is another attempt: claimed as often as then, it is that claim.
    Ok(rows
        .into_iter()
        .filter(|(id, tried, status, is_claimed)| attempts.get(id) == Some(tried) && is_held(status, *is_claimed))
        .map(|(id, ..)| id)
        .collect())
}

/// The settled many: each with the network's own name for it. Answers those that were not settled before.
fn settle_charged(
    conn: &mut DbConnection,
    ids: &[i64],
    refs: &[Option<String>],
    now: NaiveDateTime,
) -> Result<BTreeSet<i64>, Error> {
    if ids.is_empty() {
        return Ok(BTreeSet::new());
    }
    match conn {
        DbConnection::Postgres(conn) => {
            let settled: Vec<Settled> = diesel::sql_query(
                "UPDATE ledger SET status = 'settled', claim = NULL, reason = '', network_ref = told.ref, at = $3 \
                 FROM unnest($1::bigint[], $2::text[]) AS told (id, ref) WHERE ledger.id = told.id AND ledger.status <> 'settled' RETURNING ledger.id",
            )
            .bind::<Array<BigInt>, _>(ids)
            .bind::<Array<Nullable<Text>>, _>(refs)
            .bind::<Timestamp, _>(now)
            .load(conn)?;
            Ok(settled.into_iter().map(|row| row.id).collect())
        }
        DbConnection::Sqlite(conn) => {
            let mut settled = BTreeSet::new();
            for (id, network_ref) in ids.iter().zip(refs) {
                let open = ledger::table.filter(ledger::id.eq(id).and(ledger::status.ne(SETTLED)));
                let changed = diesel::update(open)
                    .set((
                        ledger::status.eq(SETTLED),
                        ledger::claim.eq(None::<String>),
                        ledger::reason.eq(""),
                        ledger::network_ref.eq(network_ref),
                        ledger::at.eq(now),
                    ))
                    .execute(conn)?;
                if changed > 0 {
                    settled.insert(*id);
                }
            }
            Ok(settled)
        }
    }
}
