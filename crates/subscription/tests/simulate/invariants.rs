//! The invariants: at the end of each day those that are cheap to see, and all at a simulation's end, when nothing is on its way. Those of a
//! request are checked when it is sent (`World::check_request`).

use std::collections::BTreeMap;

use chrono::{NaiveDate, TimeDelta};
use diesel::{QueryableByName, RunQueryDsl, sql_types::Text};

use crate::{
    network::{Charge, Shape},
    people::{SERVICES, SHARED},
    world::{PLENTY, World},
};

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    line: String,
}

impl World {
    /// The column `line` of a query.
    pub fn rows(&self, query: &str) -> Vec<String> {
        let rows: Vec<Row> = diesel::sql_query(query).load(&mut *self.reader.borrow_mut()).unwrap();
        rows.into_iter().map(|row| row.line).collect()
    }

    /// The rows of a number.
    pub fn rows_of(&self, msisdn: &str) -> Vec<String> {
        let of = format!("FROM subscriptions s WHERE s.msisdn = '{msisdn}'");
        let joined = |columns: &str, table: &str| {
            format!(
                "SELECT '{table} ' || {columns} AS line FROM {table} t JOIN subscriptions s ON s.id = t.subscription_id WHERE s.msisdn = '{msisdn}' ORDER BY t.id"
            )
        };
        let queries = [
            format!(
                "SELECT 'subscription ' || s.id || ' ' || s.svc_id || ' ' || s.state || ' since ' || s.since || ' left ' || COALESCE(s.left_at, '-') AS line {of}"
            ),
            joined("s.svc_id || ' ' || t.at || ' ' || t.to_state || ' ' || t.cause", "events"),
            joined(
                "s.svc_id || ' ' || t.network || ' ' || t.network_ref || ' ' || t.started_at || ' ' || COALESCE(t.ended_at, 'runs')",
                "holds",
            ),
            joined(
                "t.id || ' ' || s.svc_id || ' ' || t.day || ' ' || t.kind || ' ' || t.cents || ' ' || t.status || ' ' || t.charge_key || ' ' || t.reason || ' ' || t.at",
                "ledger",
            ),
            format!(
                "SELECT 'outbox ' || kind || ' ' || body || ' tried ' || attempts || ' done ' || COALESCE(done_at, '-') || ' ' || last_error AS line FROM outbox WHERE msisdn = '{msisdn}' AND kind <> 'sms'"
            ),
        ];
        queries.iter().flat_map(|query| self.rows(query)).collect()
    }

    /// Fails where a query finds anything. Its line begins with a number, or with a blank.
    fn none(&self, what: &str, query: &str) {
        if let Some(line) = self.rows(query).first() {
            self.fail(line.split(' ').next().unwrap_or_default(), format_args!("{what}: {line}"));
        }
    }
}

pub fn of_a_day(world: &World) {
    world.none(
        "a day has two charges",
        "SELECT s.msisdn || ' ' || l.day AS line FROM ledger l JOIN subscriptions s ON s.id = l.subscription_id \
         WHERE l.kind = 'charge' AND l.status IN ('settled', 'unknown') GROUP BY l.subscription_id, l.day HAVING COUNT(*) > 1",
    );
    world.none(
        "a charge that is kept names no consent of its price",
        "SELECT s.msisdn || ' ' || l.day AS line FROM ledger l JOIN subscriptions s ON s.id = l.subscription_id \
         LEFT JOIN consents c ON c.id = l.consent_id WHERE l.kind = 'charge' AND l.status = 'settled' \
         AND (c.id IS NULL OR ',' || c.price_cents || ',' || c.parts || ',' NOT LIKE '%,' || l.cents || ',%' OR c.subscription_id <> s.id) \
         AND NOT EXISTS (SELECT 1 FROM ledger r WHERE r.refund_of = l.id)",
    );
    world.none(
        "a state change starts from another state",
        "SELECT s.msisdn || ' ' || e.at AS line FROM (SELECT *, LAG(to_state, 1, 'new') OVER (PARTITION BY subscription_id ORDER BY id) AS before \
         FROM events) e JOIN subscriptions s ON s.id = e.subscription_id WHERE e.before <> e.from_state",
    );
    airtime_keeps_from_suspension(world);
}

/// Only a network's clear no suspends.
fn airtime_keeps_from_suspension(world: &World) {
    let since = world.now() - TimeDelta::days(1);
    let suspended = world.rows(&format!(
        "SELECT s.msisdn AS line FROM events e JOIN subscriptions s ON s.id = e.subscription_id \
         WHERE e.cause = 'unpaid' AND e.at > '{}' AND s.network <> 'sandbox-push'",
        since.format("%F %T")
    ));
    let has_funds = |msisdn: &&String| {
        world.people.iter().any(|person| person.msisdn == **msisdn && person.funds.min(person.former_funds) == PLENTY)
    };
    if let Some(msisdn) = suspended.iter().find(has_funds) {
        world.fail(msisdn, "is suspended with airtime");
    }
}

pub fn at_the_end(world: &World) {
    world.none(
        "a charge stays open",
        "SELECT s.msisdn || ' ' || l.day AS line FROM ledger l JOIN subscriptions s ON s.id = l.subscription_id \
         WHERE l.status = 'unknown' OR l.claim IS NOT NULL",
    );
    world.none("a stop or refund is not done", "SELECT msisdn || ' ' || kind || ' ' || body || ' ' || last_error AS line FROM outbox WHERE kind <> 'sms' AND done_at IS NULL");
    ledger_is_the_networks(world);
    no_day_is_paid_twice(world);
    states_are_the_networks(world);
}

/// Settled charges and refunds, to the cent.
fn ledger_is_the_networks(world: &World) {
    for network in &world.networks {
        let mut theirs: BTreeMap<String, (i64, i64)> = BTreeMap::new();
        for (key, Charge { msisdn, svc_id, cents, day, refunded, .. }) in &network.charges {
            // A push network has names of its own for charges.
            let name = match network.shape {
                Shape::Push => format!("{msisdn} {svc_id}"),
                Shape::Rest | Shape::Soap => format!("{msisdn} {svc_id} {day} {key}"),
            };
            let sums = theirs.entry(name).or_default();
            *sums = match network.shape {
                Shape::Push => (sums.0 + cents - refunded, 0),
                Shape::Rest | Shape::Soap => (sums.0 + cents, sums.1 + refunded),
            };
        }
        let name = match network.shape {
            Shape::Push => "s.msisdn || ' ' || s.svc_id",
            Shape::Rest | Shape::Soap => "s.msisdn || ' ' || s.svc_id || ' ' || l.day || ' ' || l.charge_key",
        };
        let refunded =
            "COALESCE((SELECT SUM(r.cents) FROM ledger r WHERE r.refund_of = l.id AND r.status = 'settled'), 0)";
        // The ledger has one charge a day: a second one, which is given back, is not in it.
        let sums = match network.shape {
            Shape::Push => format!("SUM(l.cents - {refunded}) || '=0'"),
            Shape::Rest | Shape::Soap => format!("SUM(l.cents) || '=' || SUM({refunded})"),
        };
        let query = format!(
            "SELECT {name} || '=' || {sums} AS line FROM ledger l JOIN subscriptions s ON s.id = l.subscription_id \
             WHERE l.kind = 'charge' AND l.status = 'settled' AND l.network = '{}' GROUP BY {name}",
            network.name
        );
        let ours: BTreeMap<String, (i64, i64)> = world
            .rows(&query)
            .iter()
            .map(|line| {
                let parts: Vec<&str> = line.split('=').collect();
                (parts[0].to_owned(), (parts[1].parse().unwrap(), parts[2].parse().unwrap()))
            })
            .collect();
        let all: std::collections::BTreeSet<&String> = theirs.keys().chain(ours.keys()).collect();
        for name in all {
            let of = |side: &BTreeMap<String, (i64, i64)>| side.get(name).copied().unwrap_or_default();
            if of(&theirs) != of(&ours) {
                let (msisdn, theirs, ours) = (name.split(' ').next().unwrap(), of(&theirs), of(&ours));
                world.fail(
                    msisdn,
                    format_args!("{}: {name}: charged and refunded {theirs:?}, in the ledger {ours:?}", network.name),
                );
            }
        }
    }
}

/// No day is paid twice, nor within a paid period, nor after a leave; nothing is given back twice.
fn no_day_is_paid_twice(world: &World) {
    let mut kept: BTreeMap<(&str, i32), Vec<&Charge>> = BTreeMap::new();
    for charge in world.networks.iter().flat_map(|network| network.charges.values()) {
        let Charge { msisdn, svc_id, cents, at, refunded, .. } = charge;
        if refunded > cents {
            world.fail(msisdn, format_args!("more is given back than charged: {charge:?}"));
        }
        if refunded == cents {
            continue;
        }
        kept.entry((msisdn.as_str(), *svc_id)).or_default().push(charge);
        let person = world.people.iter().find(|person| person.msisdn == *msisdn).unwrap();
        let membership = &person.memberships[svc_id];
        if membership
            .left
            .is_some_and(|left| left < *at && membership.confirmed.is_some_and(|confirmed| confirmed < left))
        {
            world.fail(msisdn, format_args!("charged after a leave, and not given back: {charge:?}"));
        }
    }
    for ((msisdn, svc_id), mut charges) in kept {
        charges.sort_unstable_by_key(|charge| &charge.day);
        let is_paid = |pair: &&[&Charge]| pair[1].day.parse::<NaiveDate>().unwrap() < pair[0].paid_until();
        if let Some(pair) = charges.windows(2).find(is_paid) {
            world.fail(msisdn, format_args!("{svc_id} was paid twice: {pair:?}"));
        }
    }
}

/// A person who has left is out, here and at the network; one who is in has paid.
fn states_are_the_networks(world: &World) {
    let states: BTreeMap<(String, i32), String> = world
        .rows("SELECT msisdn || ' ' || svc_id || ' ' || state AS line FROM subscriptions WHERE msisdn <> ''")
        .iter()
        .filter_map(|line| {
            let mut parts = line.split(' ');
            Some(((parts.next()?.to_owned(), parts.next()?.parse().ok()?), parts.next()?.to_owned()))
        })
        .collect();
    let yesterday = (world.now() + TimeDelta::hours(2)).date_naive() - TimeDelta::days(1);
    for person in &world.people {
        for (svc_id, _) in SERVICES {
            let at_each = world.networks.iter().filter_map(|network| network.running(&person.msisdn, svc_id));
            let mut running: Vec<_> = at_each.collect();
            if running.len() > 1 {
                world.fail(&person.msisdn, format_args!("two networks run {svc_id}: {running:?}"));
            }
            let running = running.pop();
            let state = states.get(&(person.msisdn.clone(), svc_id)).map_or("none", String::as_str);
            let is_in = matches!(state, "active" | "suspended");
            let membership = &person.memberships[&svc_id];
            let has_left =
                membership.left.is_some_and(|left| membership.confirmed.is_none_or(|confirmed| confirmed <= left));
            if has_left && (is_in || running.is_some()) {
                world.fail(
                    &person.msisdn,
                    format_args!("has left {svc_id}, and is {state}; the network runs {running:?}"),
                );
            }
            let paid_days = |day: NaiveDate| {
                world.networks.iter().flat_map(|network| network.charges.values()).any(|charge| {
                    (charge.msisdn.as_str(), charge.svc_id) == (person.msisdn.as_str(), svc_id)
                        && (charge.day.parse().unwrap()..charge.paid_until()).contains(&day)
                })
            };
            // An end without a word is found out by the next charge.
            let is_unheard = running.is_none() && SHARED.contains(&svc_id) && paid_days(yesterday + TimeDelta::days(1));
            if is_in != running.is_some() && !is_unheard {
                world.fail(&person.msisdn, format_args!("is {state} in {svc_id}; the network runs {running:?}"));
            }
            let Some(running) = running.filter(|running| running.began.date_naive() < yesterday) else { continue };
            let paid = paid_days(yesterday);
            if !paid || state != "active" {
                world.fail(
                    &person.msisdn,
                    format_args!("is {state} in {svc_id}, and paid for {yesterday}: {paid}; {running:?}"),
                );
            }
        }
    }
}
