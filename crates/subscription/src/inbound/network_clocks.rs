//! The networks' clocks (table `network_clocks`): how far the times of a network's newest notifications are behind their receipt.
//!
//! A clock that is off, or writes the times of another zone, is off by the same time again and again; notifications that are late are each late
//! by another time. So the median counts only where most of them agree.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use store::{DbConnection, on_each_backend};

use crate::{error::Error, networks::alarms, schema::network_clocks};

/// Measurements kept of each network.
const SLOTS: i64 = 32;

/// The fewest measurements that tell anything.
const MIN_MEASUREMENTS: usize = 3;

/// A notification that is later, or earlier, tells nothing of a clock.
const LONGEST: TimeDelta = TimeDelta::hours(12);

/// How far apart the middle half of the measurements may be.
const SPREAD: i64 = 60;

/// A smaller difference is the time that a notification takes.
const DELAY: i64 = 30;

/// A larger difference raises an alarm.
const ALARM: i64 = 60;

/// Keeps a measurement, the row's id deciding which older one it replaces.
pub(crate) fn record(conn: &mut DbConnection, network: &str, row: i64, lag: TimeDelta) -> Result<(), Error> {
    if lag.abs() > LONGEST {
        return Ok(());
    }
    let slot = i32::try_from(row.rem_euclid(SLOTS)).unwrap_or_default();
    let lag_seconds = network_clocks::lag_seconds.eq(lag.num_seconds());
    let new = (network_clocks::network.eq(network), network_clocks::slot.eq(slot), lag_seconds);
    on_each_backend!(conn, conn => diesel::insert_into(network_clocks::table)
        .values(new)
        .on_conflict((network_clocks::network, network_clocks::slot))
        .do_update()
        .set(lag_seconds)
        .execute(conn))?;
    Ok(())
}

/// What has to be added to a network's times; zero where its clock is right, or not known.
pub(crate) fn offset(conn: &mut DbConnection, network: &str) -> Result<TimeDelta, Error> {
    let lags = network_clocks::table.filter(network_clocks::network.eq(network));
    let mut lags: Vec<i64> = lags.select(network_clocks::lag_seconds).load(conn)?;
    lags.sort_unstable();
    let at = |quarter: usize| lags.get((lags.len() - 1) * quarter / 4).copied();
    if lags.len() < MIN_MEASUREMENTS {
        return Ok(TimeDelta::zero());
    }
    let (Some(low), Some(median), Some(high)) = (at(1), at(2), at(3)) else { return Ok(TimeDelta::zero()) };
    let is_off = high - low <= SPREAD && median.abs() >= DELAY;
    Ok(if is_off { TimeDelta::seconds(median) } else { TimeDelta::zero() })
}

/// Raises the alarm about a network's clock, once a day.
pub(crate) fn check(network: &str, offset: TimeDelta, now: NaiveDateTime) {
    let behind = offset.num_seconds();
    if behind.abs() > ALARM
        && let Some(alarm) = alarms::daily("network_clock", network, now)
    {
        tracing::error!(
            alarm,
            network.name = network,
            clock.behind_seconds = behind,
            "the times of {network} are {behind} seconds behind; they are corrected"
        );
    }
}
