//! Charges: what this network has really taken from people, at most one per number, service and day.

use actix_web::web::{Data, Json, Query};
use chrono::{NaiveDate, NaiveDateTime, TimeZone};
use diesel::prelude::*;
use operator::JOHANNESBURG;
use serde::{Deserialize, Serialize};
use store::{DbConnection, on_each_backend};

use crate::{App, error::Error, schema::charges};

/// Which day.
#[derive(Deserialize)]
pub(crate) struct DayQuery {
    day: String,
}

/// One charge.
#[derive(Queryable, Serialize)]
pub(crate) struct Charge {
    msisdn: String,
    svc_id: i32,
    cents: i64,
    /// Names the charge; a second one of the same key is not made.
    key: String,
    /// Johannesburg's calendar day.
    day: String,
    #[serde(with = "web::timestamp")]
    at: NaiveDateTime,
}

/// What was charged for a day.
pub(crate) async fn list_charges(app: Data<App>, query: Query<DayQuery>) -> Result<Json<Vec<Charge>>, Error> {
    let day = query.day.parse::<NaiveDate>().map_err(|_| Error::BadDay)?.to_string();
    Ok(Json(app.db.run(move |conn| Charge::of_day(conn, &day)).await?))
}

/// Johannesburg's calendar day of a moment.
pub(crate) fn day_of(at: NaiveDateTime) -> String {
    JOHANNESBURG.from_utc_datetime(&at).date_naive().to_string()
}

impl Charge {
    fn of_day(conn: &mut DbConnection, day: &str) -> Result<Vec<Self>, Error> {
        Ok(charges::table
            .filter(charges::day.eq(day))
            .order(charges::id)
            .select((charges::msisdn, charges::svc_id, charges::cents, charges::charge_key, charges::day, charges::at))
            .load(conn)?)
    }

    /// Charges once under `key`; whether this was that once.
    pub fn make(
        conn: &mut DbConnection,
        key: &str,
        msisdn: &str,
        svc_id: i32,
        cents: i64,
        at: NaiveDateTime,
    ) -> Result<bool, Error> {
        let new = (
            charges::charge_key.eq(key),
            charges::msisdn.eq(msisdn),
            charges::svc_id.eq(svc_id),
            charges::cents.eq(cents),
            charges::day.eq(day_of(at)),
            charges::at.eq(at),
        );
        let made = on_each_backend!(conn, conn => diesel::insert_into(charges::table)
            .values(new)
            .on_conflict_do_nothing()
            .execute(conn))?;
        Ok(made > 0)
    }
}
