//! Settling: the only module that changes a charge's status. Outcomes are recorded in batches, each only by the process whose claim is
//! still valid.

use std::collections::{BTreeMap, BTreeSet};

use brands::Parts;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::{
    dsl::max,
    prelude::*,
    sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamp},
};
use store::DbConnection;

use crate::{
    error::Error,
    ledger::{
        rows::{IMMEDIATE_PASS, PASSES_THAT_SUSPEND, RowIds, key_of_day, key_of_part, rows},
        status::{FAILED, PENDING, SETTLED, UNKNOWN},
    },
    schema::{billing_passes, ledger},
    subscribers::{lifecycle::State, metrics},
};

/// The delay of the first status query: the sender has just made one.
const FIRST_STATUS_QUERY_DELAY: TimeDelta = TimeDelta::seconds(2);

/// The reason of a charge that the network has accepted.
pub(crate) const ACCEPTED: &str = "accepted: the network tells the result later";

/// The reason of a charge whose amount was more than the airtime, while the next smaller one is tried.
const IN_PART: &str = "insufficient funds: a part is tried";

/// The reason of a charge that the network wants later.
const LATER: &str = "the network said later";

/// A charge that this process has claimed, or queries.
#[derive(Clone, QueryableByName)]
pub(crate) struct Charge {
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    #[diesel(sql_type = BigInt)]
    pub subscription_id: i64,
    #[diesel(sql_type = Text)]
    pub charge_key: String,
    #[diesel(sql_type = BigInt)]
    pub cents: i64,
    #[diesel(sql_type = Text)]
    pub day: String,
    #[diesel(sql_type = Integer)]
    pub failures: i32,
    /// The number of claims including this one: it tells this claim from an older one of the same process.
    #[diesel(sql_type = Integer)]
    pub attempts: i32,
    #[diesel(sql_type = Text)]
    pub msisdn: String,
    #[diesel(sql_type = Integer)]
    pub svc_id: i32,
    /// The subscription's state when the charge was claimed.
    #[diesel(sql_type = Text)]
    pub state: String,
    /// The network's own id of the subscription, if it gave one.
    #[diesel(sql_type = Nullable<Text>)]
    pub network_subscription_id: Option<String>,
    /// The network's own reference of the charge, where an earlier reply had one.
    #[diesel(sql_type = Nullable<Text>)]
    pub network_ref: Option<String>,
    /// The amounts that the subscriber agreed to for a day, as `Parts` writes them.
    #[diesel(sql_type = Text)]
    pub parts: String,
    /// Whether an earlier request under its key got no answer: it may still be under way.
    #[diesel(sql_type = Bool)]
    pub unanswered: bool,
}

impl Charge {
    fn was_suspended(&self) -> bool {
        self.state == State::Suspended.as_str()
    }

    /// The amounts that may be charged for its day.
    pub fn parts(&self) -> Parts {
        Parts::parse(&self.parts)
    }

    /// The amount that is tried after the network's no to this one. None while a request under this key may still be under way: two amounts
    /// could be charged.
    fn next_part(&self) -> Option<i64> {
        self.parts().after(self.cents).filter(|_| !self.unanswered)
    }

    /// The whole price, where a smaller amount was tried last.
    fn price_after_parts(&self) -> Option<i64> {
        self.parts().amounts().next().filter(|price| *price > self.cents && !self.unanswered)
    }
}

/// The outcome of a charge.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The network made it.
    Charged {
        /// Its own reference.
        network_ref: Option<String>,
    },
    /// The network's clear no: no airtime. Counts as one of the failures that suspend.
    NoAirtime,
    /// The network has no such subscription.
    NotSubscribed,
    /// The network rejected the request. No failure of the subscriber.
    Rejected {
        /// For the ledger.
        reason: &'static str,
    },
    /// The network asked to retry, is unavailable, or never got the request. No failure of the subscriber.
    Unavailable {
        /// For the ledger.
        reason: &'static str,
    },
    /// The network wants the request later, and takes others: it is sent again in the same pass.
    Later,
    /// The network has accepted the request and tells the result later.
    Accepted,
    /// The network may have charged.
    Unknown {
        /// For the ledger.
        reason: &'static str,
    },
    /// It was not sent: the network is paused, or this process is stopping.
    NotSent,
    /// Interrupted before it may have been sent, and unknown to the network: to be sent immediately.
    Resend,
}

impl Outcome {
    /// The metric label.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Charged { .. } => metrics::CHARGED,
            Self::NoAirtime => metrics::NO_AIRTIME,
            Self::NotSubscribed => metrics::REFUSED,
            Self::Rejected { .. } => metrics::REJECTED,
            Self::Unavailable { .. } => metrics::UNAVAILABLE,
            Self::Accepted => metrics::ACCEPTED,
            Self::Unknown { .. } => metrics::UNKNOWN,
            Self::Later | Self::NotSent | Self::Resend => metrics::UNSENT,
        }
    }
}

/// The process that reports an outcome.
#[derive(Clone, Copy)]
pub(crate) enum OutcomeSource {
    /// The sender: the charge is pending, and its claim is still valid.
    Sender,
    /// A status query: the charge is unknown.
    StatusQuery,
}

/// The consequences of recorded outcomes.
#[derive(Default)]
pub(crate) struct Settled {
    /// Subscriptions whose state may have to change.
    pub moved: Vec<i64>,
    /// Subscriptions that the network does not have.
    pub unknown_to_network: Vec<i64>,
    /// The ids of charges that are newly settled.
    pub charged: BTreeSet<i64>,
    /// Every charge whose outcome was recorded.
    pub counted: BTreeSet<i64>,
    /// How many charges wait in this pass: with a smaller amount, or because the network wants them later.
    pub in_part: usize,
}

/// Charges with the same update.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Failed {
        reason: &'static str,
        counts: bool,
    },
    Unknown {
        reason: &'static str,
    },
    NotSent,
    Resend,
    /// To be sent again in this pass.
    Again {
        reason: &'static str,
    },
}

/// Records outcomes.
///
/// `Charged` is true whichever process reports it, and settles any unsettled charge; other outcomes are recorded only from the process
/// with the current claim, because another process may know a newer outcome.
pub(crate) fn settle(
    conn: &mut DbConnection,
    source: OutcomeSource,
    outcomes: &[(Charge, Outcome)],
    now: NaiveDateTime,
    system_now: NaiveDateTime,
) -> Result<Settled, Error> {
    let mut settled = Settled::default();
    let (mut charged, mut network_refs) = (RowIds::default(), Vec::new());
    let mut new_refs: Vec<(&Charge, Option<&str>)> = Vec::new();
    let mut groups: BTreeMap<Group, RowIds> = BTreeMap::new();
    let claimed = still_claimed(conn, source, outcomes)?;
    let mut amounts: Vec<(&Charge, Option<i64>)> = Vec::new();
    for (charge, outcome) in outcomes {
        if let Outcome::Charged { network_ref } = outcome {
            charged.push(charge.id, &charge.day);
            network_refs.push(network_ref.clone());
            if charge.was_suspended() {
                settled.moved.push(charge.subscription_id);
            }
            continue;
        }
        let Some(network_ref) = claimed.get(&charge.id) else { continue };
        settled.counted.insert(charge.id);
        if *network_ref != charge.network_ref {
            new_refs.push((charge, charge.network_ref.as_deref()));
        }
        let group = match outcome {
            Outcome::Charged { .. } => continue,
            Outcome::NoAirtime if charge.next_part().is_some() => {
                amounts.push((charge, charge.next_part()));
                settled.in_part += 1;
                Group::Again { reason: IN_PART }
            }
            Outcome::Later => {
                settled.in_part += 1;
                Group::Again { reason: LATER }
            }
            Outcome::NoAirtime => {
                if charge.price_after_parts().is_some() {
                    amounts.push((charge, None));
                }
                if charge.was_suspended() || charge.failures + 1 >= PASSES_THAT_SUSPEND {
                    settled.moved.push(charge.subscription_id);
                }
                Group::Failed { reason: "insufficient funds", counts: true }
            }
            Outcome::NotSubscribed => {
                settled.unknown_to_network.push(charge.subscription_id);
                Group::Failed { reason: "the network knows no such subscription", counts: false }
            }
            Outcome::Rejected { reason } | Outcome::Unavailable { reason } => {
                if charge.was_suspended() {
                    settled.moved.push(charge.subscription_id);
                }
                Group::Failed { reason, counts: false }
            }
            Outcome::Accepted => Group::Unknown { reason: ACCEPTED },
            Outcome::Unknown { reason } => Group::Unknown { reason },
            Outcome::NotSent => Group::NotSent,
            Outcome::Resend => Group::Resend,
        };
        groups.entry(group).or_default().push(charge.id, &charge.day);
    }
    settled.charged = settle_charged(conn, &charged, &network_refs, now)?;
    record_charged_amounts(conn, outcomes, &settled.charged)?;
    settled.counted.extend(&settled.charged);
    for (group, ids) in groups {
        let rows = diesel::update(rows(&ids));
        let free =
            |reason: &'static str| (ledger::claim.eq(None::<String>), ledger::reason.eq(reason), ledger::at.eq(now));
        match group {
            Group::Failed { reason, counts } => {
                let failures = ledger::failures.eq(ledger::failures + i32::from(counts));
                let changed = rows.set((ledger::status.eq(FAILED), failures, free(reason))).execute(conn)?;
                // What a query finds not charged may be a request that is still under way.
                if matches!(source, OutcomeSource::StatusQuery) {
                    record_unanswered(conn, outcomes, &ids)?;
                }
                changed
            }
            // In this pass once more, or at once where the answer came later than its pass.
            Group::Again { reason } => {
                let waiting = (ledger::status.eq(PENDING), free(reason));
                match source {
                    OutcomeSource::Sender => rows.set((ledger::pass.eq(ledger::pass - 1), waiting)).execute(conn)?,
                    OutcomeSource::StatusQuery => rows.set((ledger::pass.eq(IMMEDIATE_PASS), waiting)).execute(conn)?,
                }
            }
            Group::Unknown { reason } => rows
                .set((
                    ledger::status.eq(UNKNOWN),
                    (
                        ledger::sent_at.eq(system_now),
                        ledger::ask_at.eq(system_now + FIRST_STATUS_QUERY_DELAY),
                        ledger::status_queries.eq(0),
                    ),
                    free(reason),
                ))
                .execute(conn)?,
            Group::NotSent => {
                rows.set((ledger::status.eq(PENDING), ledger::pass.eq(0), free("not sent"))).execute(conn)?
            }
            Group::Resend => {
                let resent = (ledger::status.eq(PENDING), ledger::pass.eq(IMMEDIATE_PASS), ledger::unanswered.eq(true));
                rows.set((resent, free(""))).execute(conn)?
            }
        };
    }
    // Kept, because some networks are queried, or tell the result, by their own reference alone.
    for (charge, network_ref) in new_refs {
        let row = ledger::table.filter(ledger::id.eq(charge.id).and(ledger::day.eq(&charge.day)));
        diesel::update(row).set(ledger::network_ref.eq(network_ref)).execute(conn)?;
    }
    for (charge, next) in amounts {
        change_amount(conn, charge, next)?;
    }
    Ok(settled)
}

/// Gives a charge the key of the next smaller amount, or after the smallest that of the whole price again, which waits for the next pass.
fn change_amount(conn: &mut DbConnection, charge: &Charge, next: Option<i64>) -> Result<(), Error> {
    let row = ledger::table.filter(ledger::id.eq(charge.id).and(ledger::day.eq(&charge.day)));
    let (key, cents) = match (next, charge.price_after_parts()) {
        (Some(cents), _) => (key_of_part(&charge.charge_key, cents), cents),
        (None, Some(price)) => {
            let newest: Option<i64> = billing_passes::table
                .filter(billing_passes::day.eq(&charge.day))
                .select(max(billing_passes::id))
                .first(conn)?;
            let waiting = row.filter(ledger::pass.lt(newest.unwrap_or(0)));
            diesel::update(waiting).set(ledger::pass.eq(newest.unwrap_or(0))).execute(conn)?;
            (key_of_day(&charge.charge_key).to_owned(), price)
        }
        (None, None) => return Ok(()),
    };
    // A network's reference is that of an attempt at another amount.
    diesel::update(row)
        .set((ledger::charge_key.eq(key), ledger::cents.eq(cents), ledger::network_ref.eq(None::<String>)))
        .execute(conn)?;
    Ok(())
}

/// Marks the charges of a day in parts whose request got no answer, although the network knows of no charge: until the day is over only
/// its key is sent again.
fn record_unanswered(conn: &mut DbConnection, outcomes: &[(Charge, Outcome)], ids: &RowIds) -> Result<(), Error> {
    let in_parts = outcomes.iter().filter(|(charge, _)| !charge.parts.is_empty() && ids.ids.contains(&charge.id));
    let unanswered = in_parts.filter(|(charge, outcome)| {
        // The smallest amount, or one whose earlier request is under way: see `next_part`.
        *outcome != Outcome::NoAirtime || charge.unanswered
    });
    let unanswered: RowIds = unanswered.map(|(charge, _)| (charge.id, charge.day.as_str())).collect();
    diesel::update(rows(&unanswered)).set(ledger::unanswered.eq(true)).execute(conn)?;
    Ok(())
}

/// Of days in parts, records the amount and the key that the network charged, where the row has another by now: a process was slow to report.
fn record_charged_amounts(
    conn: &mut DbConnection,
    outcomes: &[(Charge, Outcome)],
    settled: &BTreeSet<i64>,
) -> Result<(), Error> {
    let in_parts = || outcomes.iter().filter(|(charge, _)| !charge.parts.is_empty() && settled.contains(&charge.id));
    let ids: RowIds = in_parts().map(|(charge, _)| (charge.id, charge.day.as_str())).collect();
    if ids.ids.is_empty() {
        return Ok(());
    }
    let keys: BTreeMap<i64, String> =
        rows(&ids).select((ledger::id, ledger::charge_key)).load::<(i64, String)>(conn)?.into_iter().collect();
    for (charge, _) in in_parts().filter(|(charge, _)| keys.get(&charge.id) != Some(&charge.charge_key)) {
        let row = ledger::table.filter(ledger::id.eq(charge.id).and(ledger::day.eq(&charge.day)));
        diesel::update(row)
            .set((ledger::charge_key.eq(&charge.charge_key), ledger::cents.eq(charge.cents)))
            .execute(conn)?;
    }
    Ok(())
}

/// A charge that no outcome has settled yet, as its row has it now.
#[derive(Queryable, Selectable)]
#[diesel(table_name = ledger)]
struct OpenCharge {
    id: i64,
    attempts: i32,
    status: String,
    claim: Option<String>,
    network_ref: Option<String>,
}

/// The charges that no other process has changed since they were claimed, or found unknown, with the network's reference in their rows;
/// locked until the transaction ends.
fn still_claimed(
    conn: &mut DbConnection,
    source: OutcomeSource,
    outcomes: &[(Charge, Outcome)],
) -> Result<BTreeMap<i64, Option<String>>, Error> {
    let open = || outcomes.iter().filter(|(_, outcome)| !matches!(outcome, Outcome::Charged { .. }));
    let attempts: BTreeMap<i64, i32> = open().map(|(charge, _)| (charge.id, charge.attempts)).collect();
    if attempts.is_empty() {
        return Ok(BTreeMap::new());
    }
    let ids: RowIds = open().map(|(charge, _)| (charge.id, charge.day.as_str())).collect();
    let rows = rows(&ids).order(ledger::id);
    let rows = match conn {
        DbConnection::Postgres(conn) => rows.for_update().select(OpenCharge::as_select()).load(conn)?,
        DbConnection::Sqlite(conn) => rows.select(OpenCharge::as_select()).load(conn)?,
    };
    let is_claimed_by_writer = |row: &OpenCharge| match source {
        OutcomeSource::Sender => row.status == PENDING && row.claim.is_some(),
        OutcomeSource::StatusQuery => row.status == UNKNOWN,
    };
    // Each claim increments the attempts: the same number means the same claim.
    let of_writer =
        rows.into_iter().filter(|row| attempts.get(&row.id) == Some(&row.attempts) && is_claimed_by_writer(row));
    Ok(of_writer.map(|row| (row.id, row.network_ref)).collect())
}

#[derive(QueryableByName)]
struct SettledId {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Settles charges, each with the network's own reference. Returns those that were not settled before.
fn settle_charged(
    conn: &mut DbConnection,
    charges: &RowIds,
    network_refs: &[Option<String>],
    now: NaiveDateTime,
) -> Result<BTreeSet<i64>, Error> {
    if charges.ids.is_empty() {
        return Ok(BTreeSet::new());
    }
    match conn {
        DbConnection::Postgres(conn) => {
            let settled: Vec<SettledId> = diesel::sql_query(
                "UPDATE ledger SET status = 'settled', claim = NULL, reason = '', network_ref = known.ref, at = $3 \
                 FROM unnest($1::bigint[], $2::text[]) AS known (id, ref) WHERE ledger.id = known.id AND ledger.day BETWEEN $4 AND $5 \
                 AND ledger.status <> 'settled' RETURNING ledger.id",
            )
            .bind::<Array<BigInt>, _>(&charges.ids)
            .bind::<Array<Nullable<Text>>, _>(network_refs)
            .bind::<Timestamp, _>(now)
            .bind::<Text, _>(charges.first_day())
            .bind::<Text, _>(charges.last_day())
            .load(conn)?;
            Ok(settled.into_iter().map(|row| row.id).collect())
        }
        DbConnection::Sqlite(conn) => {
            let mut settled = BTreeSet::new();
            for (id, network_ref) in charges.ids.iter().zip(network_refs) {
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

/// A charge that the network reports by itself or lists, settled under the network's own reference.
pub(crate) struct NetworkCharge<'a> {
    pub key: &'a str,
    pub cents: i64,
    pub reason: &'a str,
}

/// Settles an unsettled row; whether it was unsettled.
pub(crate) fn settle_by_network(
    conn: &mut DbConnection,
    (id, day): (i64, &str),
    charge: &NetworkCharge<'_>,
    now: NaiveDateTime,
) -> Result<bool, Error> {
    let open = ledger::table.filter(ledger::id.eq(id).and(ledger::day.eq(day)).and(ledger::status.ne(SETTLED)));
    let settled = diesel::update(open)
        .set((
            ledger::status.eq(SETTLED),
            ledger::cents.eq(charge.cents),
            ledger::charge_key.eq(charge.key),
            ledger::network_ref.eq(charge.key),
            (ledger::claim.eq(None::<String>), ledger::pass.eq(0)),
            ledger::reason.eq(charge.reason),
            ledger::at.eq(now),
        ))
        .execute(conn)?;
    Ok(settled > 0)
}

/// Adds a failure to a day that a push network could not charge.
pub(crate) fn fail_by_network(
    conn: &mut DbConnection,
    (id, day): (i64, &str),
    reason: &str,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let open = ledger::table.filter(ledger::id.eq(id).and(ledger::day.eq(day)).and(ledger::status.ne(SETTLED)));
    diesel::update(open)
        .set((
            ledger::status.eq(FAILED),
            ledger::attempts.eq(ledger::attempts + 1),
            ledger::failures.eq(ledger::failures + 1),
            (ledger::reason.eq(reason), ledger::at.eq(now)),
        ))
        .execute(conn)?;
    Ok(())
}
