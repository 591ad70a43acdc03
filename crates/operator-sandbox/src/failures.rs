//! Charges that were tried and not made: how the last try of each key ended, and how many there were.

use std::collections::BTreeMap;

use chrono::NaiveDateTime;
use diesel::{prelude::*, upsert::excluded};
use operator::{ChargeRequest, ChargeStatus};
use store::DbConnection;

use crate::{error::Error, schema::failed_charges};

const INSUFFICIENT_FUNDS: &str = "insufficient_funds";
const REFUSED: &str = "refused";
/// Replied with 503: no outcome is known, neither then nor when the key is asked for later.
const BUSY: &str = "busy";

/// Why a charge was not made.
#[derive(Clone, Copy)]
pub(crate) enum Reason {
    InsufficientFunds,
    Refused,
    Busy,
}

/// How often a charge was tried, and how it ended last.
#[derive(Clone, Insertable, Queryable)]
#[diesel(table_name = failed_charges)]
pub(crate) struct Failure {
    charge_key: String,
    outcome: String,
    pub tries: i32,
    at: NaiveDateTime,
}

impl Failure {
    /// The failures of these keys.
    pub fn of_keys(conn: &mut DbConnection, keys: &[&str]) -> Result<BTreeMap<String, Self>, Error> {
        let found: Vec<Self> = failed_charges::table.filter(failed_charges::charge_key.eq_any(keys)).load(conn)?;
        Ok(found.into_iter().map(|failure| (failure.charge_key.clone(), failure)).collect())
    }

    /// One more try of `key` that failed.
    pub fn again(before: Option<&Self>, key: &str, reason: Reason, at: NaiveDateTime) -> Self {
        let outcome = match reason {
            Reason::InsufficientFunds => INSUFFICIENT_FUNDS,
            Reason::Refused => REFUSED,
            Reason::Busy => BUSY,
        };
        let tries = before.map_or(0, |before| before.tries).saturating_add(1);
        Self { charge_key: key.to_owned(), outcome: outcome.to_owned(), tries, at }
    }

    /// Keeps them, each in the place of its key's last.
    pub fn keep(conn: &mut DbConnection, failures: &[Self]) -> Result<(), Error> {
        let newest = (
            failed_charges::outcome.eq(excluded(failed_charges::outcome)),
            failed_charges::tries.eq(excluded(failed_charges::tries)),
            failed_charges::at.eq(excluded(failed_charges::at)),
        );
        match conn {
            DbConnection::Postgres(conn) => {
                let new = diesel::insert_into(failed_charges::table).values(failures);
                new.on_conflict(failed_charges::charge_key).do_update().set(newest).execute(conn)?;
            }
            // One by one: SQLite takes no batch that may update.
            DbConnection::Sqlite(conn) => {
                for failure in failures {
                    let new = diesel::insert_into(failed_charges::table).values(failure);
                    new.on_conflict(failed_charges::charge_key).do_update().set(newest).execute(conn)?;
                }
            }
        }
        Ok(())
    }

    /// The reply to the request that failed.
    pub fn reply_to(&self, request: &ChargeRequest) -> Option<operator::Charge> {
        let named = |reply| operator::Charge {
            msisdn: Some(request.msisdn.clone()),
            svc_id: Some(request.svc_id),
            cents: Some(request.cents),
            ..reply
        };
        self.reply(request.key.clone()).map(named)
    }

    /// The reply about its key, whose number, service and amount are not kept; nothing where the network was only busy.
    pub fn reply(&self, key: String) -> Option<operator::Charge> {
        let outcome = match self.outcome.as_str() {
            INSUFFICIENT_FUNDS => ChargeStatus::InsufficientFunds,
            REFUSED => ChargeStatus::Refused,
            _ => return None,
        };
        Some(operator::Charge {
            key,
            outcome,
            msisdn: None,
            svc_id: None,
            cents: None,
            network_ref: None,
            at: Some(self.at.and_utc()),
        })
    }
}
