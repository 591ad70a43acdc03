//! The table `charge_pauses`: which charges staff have paused, with reason and person. Resuming ends a row, and none is deleted.
//!
//! A claim reads the pauses in its own transaction, so that on every replica no later claim than the pause takes a paused charge. What was
//! claimed before is still sent, at most `billing::lease::SEND_WINDOW` later.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use store::{DbConnection, on_each_backend};

use crate::{error::Error, schema::charge_pauses};

/// The charges of a pause: all, or those of one network, or those of one service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PauseScope {
    /// Empty: those of all networks.
    pub network: String,
    /// 0: those of all services.
    pub svc_id: i32,
}

/// A pause of charges.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = charge_pauses)]
pub(crate) struct Pause {
    pub network: String,
    pub svc_id: i32,
    pub reason: String,
    pub made_by: String,
    pub since: NaiveDateTime,
    /// Absent while it lasts.
    pub ended_at: Option<NaiveDateTime>,
    pub ended_by: String,
    pub end_reason: String,
}

#[diesel::dsl::auto_type(no_type_alias)]
fn of_scope(scope: &'_ PauseScope) -> _ {
    let (network, svc_id): (&'_ str, i32) = (scope.network.as_str(), scope.svc_id);
    charge_pauses::table.filter(charge_pauses::network.eq(network).and(charge_pauses::svc_id.eq(svc_id)))
}

impl Pause {
    /// The pauses that last, oldest first.
    pub fn that_last(conn: &mut DbConnection) -> Result<Vec<Self>, Error> {
        Ok(charge_pauses::table
            .filter(charge_pauses::ended_at.is_null())
            .order(charge_pauses::id)
            .select(Self::as_select())
            .load(conn)?)
    }

    /// The last pauses that were ended, newest first.
    pub fn ended(conn: &mut DbConnection, limit: i64) -> Result<Vec<Self>, Error> {
        Ok(charge_pauses::table
            .filter(charge_pauses::ended_at.is_not_null())
            .order(charge_pauses::id.desc())
            .limit(limit)
            .select(Self::as_select())
            .load(conn)?)
    }

    /// Begins a pause; one of the same scope that lasts stays as it is. Returns the one that lasts.
    pub fn begin(
        conn: &mut DbConnection,
        scope: &PauseScope,
        (reason, made_by): (&str, &str),
        now: NaiveDateTime,
    ) -> Result<Self, Error> {
        let new = (
            (charge_pauses::network.eq(&scope.network), charge_pauses::svc_id.eq(scope.svc_id)),
            (charge_pauses::reason.eq(reason), charge_pauses::made_by.eq(made_by), charge_pauses::since.eq(now)),
            (charge_pauses::ended_by.eq(""), charge_pauses::end_reason.eq("")),
        );
        on_each_backend!(conn, conn => diesel::insert_into(charge_pauses::table)
            .values(new)
            .on_conflict_do_nothing()
            .execute(conn))?;
        Self::newest(conn, scope)
    }

    /// Ends the pause of a scope that lasts; a repetition changes nothing. Returns the newest one of the scope.
    pub fn end(
        conn: &mut DbConnection,
        scope: &PauseScope,
        (reason, ended_by): (&str, &str),
        now: NaiveDateTime,
    ) -> Result<Self, Error> {
        diesel::update(of_scope(scope).filter(charge_pauses::ended_at.is_null()))
            .set((
                charge_pauses::ended_at.eq(now),
                charge_pauses::ended_by.eq(ended_by),
                charge_pauses::end_reason.eq(reason),
            ))
            .execute(conn)?;
        Self::newest(conn, scope)
    }

    fn newest(conn: &mut DbConnection, scope: &PauseScope) -> Result<Self, Error> {
        let newest =
            of_scope(scope).order(charge_pauses::id.desc()).select(Self::as_select()).first(conn).optional()?;
        newest.ok_or(Error::NotPaused)
    }
}

/// Which charges of one network are paused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paused {
    /// All.
    pub whole: bool,
    /// Those of these services.
    pub services: Vec<i32>,
}

impl Paused {
    /// Now, at this network.
    pub fn at(conn: &mut DbConnection, network: &str) -> Result<Self, Error> {
        let pauses = Pause::that_last(conn)?.into_iter();
        let (whole, of_services): (Vec<_>, Vec<_>) = pauses
            .filter(|pause| pause.network.is_empty() || pause.network == network)
            .partition(|pause| pause.svc_id == 0);
        Ok(Self { whole: !whole.is_empty(), services: of_services.iter().map(|pause| pause.svc_id).collect() })
    }
}
