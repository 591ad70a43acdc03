//! The rows of charges: what this network has made, once per key.

use std::collections::BTreeMap;

use chrono::NaiveDateTime;
use diesel::prelude::*;
use operator::{ChargeRequest, ChargeStatus, ListedCharge};
use store::DbConnection;

use crate::{error::Error, schema::charges};

/// Whose charges and subscriptions a list has.
#[derive(Clone, Default)]
pub(crate) struct Listed {
    pub networks: Vec<String>,
    /// Of charges from before their network was kept.
    pub services: Vec<i32>,
}

impl Listed {
    /// With those of another list.
    pub fn extend(&mut self, other: Self) {
        self.networks.extend(other.networks);
        self.services.extend(other.services);
    }
}

/// Makes PostgreSQL plan each statement until the transaction ends: it would otherwise keep a plan made for a small table, with a full
/// scan, as long as the connection lives.
pub(crate) fn force_custom_plan(conn: &mut DbConnection) -> Result<(), Error> {
    if let DbConnection::Postgres(conn) = conn {
        diesel::sql_query("SET LOCAL plan_cache_mode = force_custom_plan").execute(conn)?;
    }
    Ok(())
}

/// A charge that is new.
#[derive(Clone, Insertable)]
#[diesel(table_name = charges)]
pub(crate) struct NewCharge {
    pub charge_key: String,
    pub msisdn: String,
    pub svc_id: i32,
    pub cents: i64,
    /// Johannesburg's calendar day.
    pub day: String,
    pub at: NaiveDateTime,
    pub network: String,
}

impl NewCharge {
    /// A charge as requested, at the network of its subscription.
    pub fn of(request: &ChargeRequest, network: &str, at: NaiveDateTime) -> Self {
        let ChargeRequest { key, msisdn, svc_id, cents, day, .. } = request.clone();
        Self { charge_key: key, msisdn, svc_id, cents, day, at, network: network.to_owned() }
    }

    /// Inserts them, except charges with a key that was charged before.
    pub fn make(conn: &mut DbConnection, charges: &[Self]) -> Result<(), Error> {
        match conn {
            DbConnection::Postgres(conn) if !charges.is_empty() => {
                diesel::insert_into(charges::table).values(charges).on_conflict_do_nothing().execute(conn)?;
            }
            DbConnection::Postgres(_) => {}
            // One by one, which costs nothing within a process: SQLite takes no batch that may meet a known key.
            DbConnection::Sqlite(conn) => {
                for charge in charges {
                    diesel::insert_into(charges::table).values(charge).on_conflict_do_nothing().execute(conn)?;
                }
            }
        }
        Ok(())
    }
}

/// The condition of a list: the charges of its networks, and of its services those from before the network was kept.
macro_rules! is_listed {
    ($listed:expr) => {
        charges::network
            .eq_any(&$listed.networks)
            .or(charges::network.eq("").and(charges::svc_id.eq_any(&$listed.services)))
    };
}

/// One charge.
#[derive(Clone, Queryable)]
pub(crate) struct Charge {
    pub id: i64,
    pub key: String,
    pub msisdn: String,
    pub svc_id: i32,
    pub cents: i64,
    pub day: String,
    pub at: NaiveDateTime,
    network: String,
}

impl Charge {
    /// Those of these keys that were made, by the network that was called, or by any.
    pub fn of_keys(
        conn: &mut DbConnection,
        called: Option<&str>,
        keys: &[&str],
    ) -> Result<BTreeMap<String, Self>, Error> {
        let found: Vec<Self> = charges::table.filter(charges::charge_key.eq_any(keys)).load(conn)?;
        let found = found.into_iter().filter(|charge| called.is_none_or(|called| called == charge.network));
        Ok(found.map(|charge| (charge.key.clone(), charge)).collect())
    }

    pub fn of_day(
        conn: &mut DbConnection,
        day: &str,
        listed: &Listed,
        after: i64,
        limit: i64,
    ) -> Result<Vec<Self>, Error> {
        Ok(charges::table
            .filter(charges::day.eq(day).and(charges::id.gt(after)))
            .filter(is_listed!(listed))
            .order(charges::id)
            .limit(limit)
            .load(conn)?)
    }

    /// A page of those made between two times, oldest or newest first, and how many there are.
    pub fn created_between(
        conn: &mut DbConnection,
        (from, until): (NaiveDateTime, NaiveDateTime),
        listed: &Listed,
        is_oldest_first: bool,
        (skip, limit): (i64, i64),
    ) -> Result<(Vec<Self>, i64), Error> {
        let made = || charges::table.filter(charges::at.between(from, until).and(is_listed!(listed))).into_boxed();
        let total = made().count().get_result(conn)?;
        let ordered = if is_oldest_first {
            made().order((charges::at.asc(), charges::id.asc()))
        } else {
            made().order((charges::at.desc(), charges::id.desc()))
        };
        Ok((ordered.offset(skip).limit(limit).load(conn)?, total))
    }

    /// The request that it was made for.
    pub fn request(&self) -> ChargeRequest {
        ChargeRequest {
            key: self.key.clone(),
            msisdn: self.msisdn.clone(),
            svc_id: self.svc_id,
            cents: self.cents,
            day: self.day.clone(),
            network_subscription_id: None,
            network_ref: None,
            sent_at: None,
        }
    }

    /// The reply about it.
    pub fn reply(&self) -> operator::Charge {
        operator::Charge {
            key: self.key.clone(),
            outcome: ChargeStatus::Charged,
            msisdn: Some(self.msisdn.clone()),
            svc_id: Some(self.svc_id),
            cents: Some(self.cents),
            network_ref: Some(format!("charge-{}", self.id)),
            at: Some(self.at.and_utc()),
        }
    }

    pub fn listed(self) -> ListedCharge {
        let at = self.at.format(service::timestamp::FORMAT).to_string();
        ListedCharge {
            msisdn: self.msisdn,
            svc_id: self.svc_id,
            cents: self.cents,
            key: self.key,
            day: self.day,
            at,
            network_ref: None,
        }
    }
}
