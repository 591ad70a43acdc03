//! What an address may learn: the different numbers of which it gets an answer that depends on the number, by a join or a proof, in an hour. A number
//! whose join its network confirms gives its place back, so that phones that share an address do not use up each other's.

use std::net::IpAddr;

use chrono::{NaiveDateTime, TimeDelta};
use diesel::{dsl::count_star, prelude::*};
use identity::SubscriberId;
use store::{DbConnection, on_each_backend};

use crate::{
    App,
    error::Error,
    schema::learned_numbers,
    subscribers::{limits::network_of, policy::ChargeSecret},
};

/// Different numbers that one address may learn of in `WINDOW`.
const ALLOWED: i64 = 30;

pub(crate) const WINDOW: TimeDelta = TimeDelta::hours(1);

/// Counts a number that an address is about to learn of; `TooManyAttempts` where it knows enough. A network's own addresses, which all of its phones
/// share, are not counted.
pub(crate) async fn learn(app: &App, address: &str, number: &SubscriberId) -> Result<(), Error> {
    let is_of_network = address.parse::<IpAddr>().is_ok_and(|at| app.brands.network_by_address(at).is_some());
    if !app.fraud.is_required() || is_of_network {
        return Ok(());
    }
    let secret = &app.policy.secret;
    let (address, number) = (digest(secret, &network_of(address)), digest(secret, number.as_str()));
    let now = app.clock.now();
    app.db.write(move |conn| insert(conn, &address, &number, now)).await
}

fn insert(conn: &mut DbConnection, address: &str, number: &str, now: NaiveDateTime) -> Result<(), Error> {
    if let DbConnection::Postgres(conn) = conn {
        // Requests at the same moment count one after another.
        diesel::sql_query("SELECT pg_advisory_xact_lock(hashtext($1))")
            .bind::<diesel::sql_types::Text, _>(address)
            .execute(conn)?;
    }
    let of_address = || learned_numbers::table.filter(learned_numbers::address.eq(address));
    diesel::delete(of_address().filter(learned_numbers::at.le(now - WINDOW))).execute(conn)?;
    let row = (learned_numbers::address.eq(address), learned_numbers::number.eq(number), learned_numbers::at.eq(now));
    on_each_backend!(conn, conn => diesel::insert_into(learned_numbers::table)
        .values(row)
        .on_conflict((learned_numbers::address, learned_numbers::number))
        .do_nothing()
        .execute(conn))?;
    let known: i64 = of_address().select(count_star()).first(conn)?;
    if known <= ALLOWED {
        return Ok(());
    }
    let oldest: NaiveDateTime = of_address().select(learned_numbers::at).order(learned_numbers::at).first(conn)?;
    let wait = (oldest + WINDOW - now).num_seconds().max(1);
    Err(Error::TooManyAttempts { retry_after_seconds: wait.unsigned_abs() })
}

/// Gives a number's place back, whose join its network has confirmed.
pub(crate) fn give_back(conn: &mut DbConnection, secret: &ChargeSecret, number: &SubscriberId) -> Result<(), Error> {
    let of_number = learned_numbers::number.eq(digest(secret, number.as_str()));
    diesel::delete(learned_numbers::table.filter(of_number)).execute(conn)?;
    Ok(())
}

/// A keyed digest: the numbers behind plain hashes could be found by trying all of them.
fn digest(secret: &ChargeSecret, text: &str) -> String {
    hex::encode(secret.digest(&format!("learned/{text}")))
}
