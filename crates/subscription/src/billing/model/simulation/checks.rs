//! The invariants at a simulation's end, when nothing is in flight any more.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use diesel::prelude::*;

use crate::{
    billing::model::{network::MadeCharge, simulation::Simulation},
    ledger::{newest::NewestCharges, periods, rows as billing_ledger},
    schema::{events, ledger, subscriptions},
    subscribers::{
        calendar,
        lifecycle::{self, Cause, State},
        subscriptions::Subscription,
    },
};

impl Simulation {
    /// Delivers everything in flight and verifies the invariants. Returns how many charges there were.
    pub fn end(mut self) -> u64 {
        self.batches.clear();
        self.system_now += TimeDelta::minutes(11);
        for _ in 0..8 {
            while !self.network.notifications.is_empty() {
                self.deliver();
            }
            self.dispatch_outbox();
            self.query_unknown(true);
            self.run_maintenance();
        }
        let lost: i64 = ledger::table
            .filter(ledger::status.eq("unknown").or(ledger::claim.is_not_null()))
            .count()
            .get_result(&mut self.conn)
            .unwrap();
        assert_eq!(lost, 0, "charges stay unknown, or claimed by the dead");
        self.ledger_matches_networks();
        self.transitions_are_valid();
        self.left_subscribers_are_cancelled();
        self.subscriptions_ended_by_network_are_cancelled();
        self.only_refused_charges_suspend();
        self.free_days_have_no_rows();
        self.one_network_runs_each_subscription();
        self.tokens_stay_at_their_network();
        u64::try_from(self.network.charges.len()).unwrap()
    }

    /// The ledger's settled charges are the networks' charges, one a day at most; balances are their sums.
    fn ledger_matches_networks(&mut self) {
        #[derive(Queryable, Selectable)]
        #[diesel(table_name = ledger)]
        struct Row {
            subscription_id: i64,
            day: String,
            network: String,
            kind: String,
            cents: i64,
            status: String,
            #[diesel(select_expression = subscriptions::msisdn)]
            msisdn: String,
            #[diesel(select_expression = subscriptions::svc_id)]
            svc_id: i32,
            charge_key: String,
        }
        let rows =
            ledger::table.inner_join(subscriptions::table).select(Row::as_select()).load(&mut self.conn).unwrap();
        let mut settled = BTreeMap::new();
        let mut days = BTreeSet::new();
        let mut balances: BTreeMap<i64, i64> = BTreeMap::new();
        for Row { subscription_id: subscription, day, network, kind, cents, status, msisdn, svc_id, charge_key: key } in
            rows
        {
            if kind == "refund" {
                if status == "settled" {
                    *balances.entry(subscription).or_default() -= cents;
                }
                continue;
            }
            assert!(days.insert((subscription, day.clone())), "two charges of subscription {subscription} on {day}");
            if status == "settled" {
                *balances.entry(subscription).or_default() += cents;
                settled.insert(key, MadeCharge { network, msisdn, svc_id, day, cents });
            }
        }
        let differ = |one: &BTreeMap<String, MadeCharge>, other: &BTreeMap<String, MadeCharge>| {
            one.iter()
                .filter(|(key, charge)| other.get(*key) != Some(charge))
                .map(|(key, _)| key.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(differ(&settled, &self.network.charges), [""; 0], "settled, and never charged");
        assert_eq!(differ(&self.network.charges, &settled), [""; 0], "charged, and not settled");
        let each: BTreeSet<_> =
            self.network.charges.values().map(|charge| (&charge.msisdn, charge.svc_id, &charge.day)).collect();
        assert_eq!(each.len(), self.network.charges.len(), "a day was charged twice");
        for later in self.network.charges.values() {
            let earlier = self.network.charges.values().find(|charge| charge.pays_for(later));
            assert!(earlier.is_none(), "{later:?} was charged within the period of {earlier:?}");
        }
        for (subscription, balance) in balances {
            assert_eq!(billing_ledger::paid(&mut self.conn, subscription).unwrap(), balance);
            assert!(balance >= 0, "more was refunded than charged");
        }
    }

    /// Every state change is in the transition table and starts from the last state; states agree with the ledger.
    fn transitions_are_valid(&mut self) {
        let states: Vec<(i64, String)> =
            subscriptions::table.select((subscriptions::id, subscriptions::state)).load(&mut self.conn).unwrap();
        let today = calendar::day_of(self.now).to_string();
        for (id, state) in states {
            let moves: Vec<(String, String)> = events::table
                .filter(events::subscription_id.eq(id))
                .order(events::id)
                .select((events::to_state, events::cause))
                .load(&mut self.conn)
                .unwrap();
            let mut at = State::New;
            for (to, cause) in moves {
                let cause = Cause::ALL.into_iter().find(|known| known.as_str() == cause).unwrap();
                assert_eq!(lifecycle::next(at, cause).map(State::as_str), Some(to.as_str()), "{at:?} × {cause:?}");
                at = State::parse(&to).unwrap();
            }
            assert_eq!(at.as_str(), state);
            if !matches!(at, State::Active | State::Suspended) {
                continue;
            }
            let day = calendar::day_of(self.now);
            let is_paid = |conn: &mut _, day| periods::paid_until(conn, id, day).unwrap().is_some();
            if is_paid(&mut self.conn, day) {
                assert_ne!(at, State::Suspended, "suspended in a paid period");
                continue;
            }
            let subscription = Subscription::lock_all(&mut self.conn, &[id]).unwrap();
            let charges = NewestCharges::of(&mut self.conn, &subscription, day).unwrap().remove(&id).unwrap();
            let (past, Some(newest)) = (charges.before_today, charges.newest) else { continue };
            if at == State::Active && newest.status != "settled" {
                let since: chrono::NaiveDateTime =
                    subscriptions::table.find(id).select(subscriptions::since).first(&mut self.conn).unwrap();
                let began = calendar::day_of(since).to_string();
                assert!(
                    past.is_none_or(|past| past.day < began
                        || !past.is_unpaid()
                        || is_paid(&mut self.conn, past.day.parse().unwrap())),
                    "active after a day that ended unpaid"
                );
            }
            if newest.day == today && at == State::Active {
                assert!(newest.status != "failed" || newest.failures < 3, "unpaid and active");
            }
            if newest.day == today && at == State::Suspended {
                assert_ne!(newest.status, "settled", "paid and suspended");
            }
        }
    }

    /// A subscriber who left on our site and has not confirmed since is cancelled here and at the network, in any order of events.
    fn left_subscribers_are_cancelled(&mut self) {
        for ((msisdn, svc_id), left) in &self.left {
            let at_networks = self.network.subscriptions.iter();
            let existing = at_networks.filter(|((_, name, of), _)| (name, of) == (msisdn, svc_id));
            let (earlier, later): (Vec<_>, Vec<_>) = existing.partition(|(_, existing)| existing.began < *left);
            for ((network, ..), existing) in &earlier {
                assert!(!existing.running, "{msisdn} left at {left}, and {network} got no stop");
            }
            if earlier.is_empty() || !later.is_empty() {
                continue;
            }
            let state: String = subscriptions::table
                .filter(subscriptions::msisdn.eq(msisdn).and(subscriptions::svc_id.eq(svc_id)))
                .select(subscriptions::state)
                .first(&mut self.conn)
                .unwrap();
            assert_eq!(state, State::Cancelled.as_str(), "{msisdn} left at {left}, and has not confirmed since");
        }
    }

    /// A subscription without an active network subscription is cancelled, whatever the format of the network's stop.
    fn subscriptions_ended_by_network_are_cancelled(&mut self) {
        let in_now: Vec<(String, i32, String)> = subscriptions::table
            .filter(subscriptions::state.eq_any([State::Active.as_str(), State::Suspended.as_str()]))
            .select((subscriptions::msisdn, subscriptions::svc_id, subscriptions::network))
            .load(&mut self.conn)
            .unwrap();
        for (msisdn, svc_id, network) in in_now {
            let runs = self.network.runs(&network, &msisdn, svc_id);
            assert!(runs, "{msisdn} has access, and {network} has ended {svc_id}");
        }
    }

    /// A subscriber has one subscription at most to a service, at one network: two would both charge.
    fn one_network_runs_each_subscription(&self) {
        let mut running = BTreeMap::new();
        for ((network, msisdn, svc_id), _) in self.network.subscriptions.iter().filter(|(_, existing)| existing.running)
        {
            let other = running.insert((msisdn, svc_id), network);
            assert_eq!(other, None, "{msisdn} has {svc_id} at {network}, too");
        }
    }

    /// A token is a subscriber at its own network alone, and no number that was typed for it is kept.
    fn tokens_stay_at_their_network(&mut self) {
        let elsewhere = subscriptions::table
            .filter(subscriptions::msisdn.like("tokens:%").and(subscriptions::network.ne_all(["", "tokens"])))
            .count();
        assert_eq!(elsewhere.get_result::<i64>(&mut self.conn).unwrap(), 0);
        let unnamed =
            subscriptions::table.filter(subscriptions::msisdn.eq("tokens:").and(subscriptions::state.ne("new")));
        assert_eq!(unnamed.count().get_result::<i64>(&mut self.conn).unwrap(), 0, "an attempt without a token runs");
    }

    /// A number that had a free day was charged for no day before its end.
    fn free_days_have_no_rows(&mut self) {
        self.check_free_days();
        for (subscription, (_, until, newest)) in self.free_until.clone() {
            let rows: i64 = ledger::table
                .filter(ledger::subscription_id.eq(subscription).and(ledger::kind.eq("charge")))
                .filter(ledger::id.gt(newest).and(ledger::day.lt(until.to_string())))
                .count()
                .get_result(&mut self.conn)
                .unwrap();
            assert_eq!(rows, 0, "a free day has a row");
        }
    }

    /// Only the network's clear no suspends a subscription.
    fn only_refused_charges_suspend(&mut self) {
        let refused = ledger::table.filter(ledger::failures.gt(0)).select(ledger::subscription_id);
        let others: i64 = events::table
            .filter(events::cause.eq(Cause::Unpaid.as_str()))
            .filter(events::subscription_id.ne_all(refused))
            .count()
            .get_result(&mut self.conn)
            .unwrap();
        assert_eq!(others, 0, "somebody was suspended whom the network never refused");
    }
}
