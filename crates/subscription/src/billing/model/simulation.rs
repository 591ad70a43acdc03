//! One simulation: some subscribers, four networks, two billing processes, a clock that jumps. `checks` verifies the invariants at its end.
//!
//! A number belongs to one of two networks that request charges from us, and moves between them; a network with tokens has subscribers of its
//! own, who cannot move.

mod checks;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
    time::Duration,
};

use brands::Brands;
use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use diesel::{Connection, SqliteConnection, connection::SimpleConnection, prelude::*};
use identity::SubscriberId;
use operator::{Notification, RefundRequest, StopRequest};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use store::DbConnection;

use crate::{
    billing::{
        due,
        lease::{self, BEGIN_WINDOW, ClaimQuery},
        model::network::{MadeCharge, Network},
        refund, status_queries, suspend, unknown_subscriptions,
    },
    inbound::notifications::NotificationHeaders,
    joins::ending,
    ledger::{
        bounds::Bounds,
        partitions, passes, refunds, rows as billing_ledger,
        rows::{Charge, Outcome, OutcomeSource},
        settle::settle,
    },
    messages::texts,
    publishers::announce,
    schema::{events, ledger, outbox, subscriptions},
    subscribers::{
        agreement::Terms,
        attempts::OptInAttempt,
        calendar,
        lifecycle::{Cause, State},
        policy::{ChargeSecret, Policy},
        subscriptions::Subscription,
    },
};

const PULL: &str = "sandbox-pull";
pub(crate) const PUSH: &str = "sandbox-push";
pub(crate) const CAMARA: &str = "camara";
const TOKENS: &str = "tokens";

/// The networks that charge at our request.
const PULL_NETWORKS: [&str; 3] = [PULL, CAMARA, TOKENS];

/// Their entries, beside those of the sandbox.
const NETWORKS: &str = "[network.camara]\nadapter = \"camara\"\n\n\
    [network.tokens]\nadapter = \"rest\"\nsubscribers = \"token\"\nsms_to_tokens = true\n\n[[brand]]\n";

/// The services of the push network.
const PUSHED: [i32; 2] = [152, 153];
/// The services whose offer changes, and the offers: each period has a price of its own, by which a charge's period is known.
const CHANGING: [i32; 2] = [150, 151];
const OFFERS: [&str; 5] = [
    "price_cents = 300, period = \"day\"",
    "price_cents = 300, period = \"day\", free_days = 1, parts = [300, 200, 100]",
    "price_cents = 300, period = \"day\", parts = [300, 100]",
    "price_cents = 1500, period = \"week\", free_days = 1",
    "price_cents = 5000, period = \"month\"",
];

/// The brands with each combination of those offers, on each network.
static BRANDS: LazyLock<Vec<Brands>> = LazyLock::new(|| {
    let file = include_str!("../../../../../deploy/brands.toml").replacen("[[brand]]\n", NETWORKS, 1);
    let with = |text: &str, svc_id: i32, offer: &str| {
        let entry = format!("svc_id = {svc_id}\n");
        assert!(text.contains(&entry));
        // A network with tokens has no free days.
        let of_tokens = offer.replace(", free_days = 1", "");
        let each = [(PULL, offer), (CAMARA, offer), (TOKENS, of_tokens.as_str())];
        let each = each.map(|(network, offer)| format!("{{ network = \"{network}\", {offer} }}"));
        text.replace(&entry, &format!("{entry}offer = [{}]\n", each.join(", ")))
    };
    let [one, other] = CHANGING;
    let each = OFFERS.into_iter().flat_map(|first| OFFERS.into_iter().map(move |second| (first, second)));
    each.map(|(first, second)| Brands::parse(&with(&with(&file, one, first), other, second), "").unwrap()).collect()
});

const BOUNDS: Bounds = Bounds { per_number: 5, per_hour: 1_000_000 };

/// How long the network may take to answer.
const CHARGE_TIMEOUT: Duration = Duration::from_secs(5);

/// The charges that a process has claimed, and the outcomes of those it has sent.
struct Batch {
    process: usize,
    network: &'static str,
    claimed_at: NaiveDateTime,
    charges: Vec<(Charge, Option<Outcome>)>,
}

pub(crate) struct Simulation {
    rng: StdRng,
    conn: DbConnection,
    policy: Policy,
    network: Network,
    /// Subscribers, each with a service and the network that it belongs to now.
    subscribers: Vec<(SubscriberId, i32, &'static str)>,
    now: NaiveDateTime,
    /// The system's clock: it advances slowly.
    system_now: NaiveDateTime,
    batches: Vec<Batch>,
    /// The last leave on our site, by number and service.
    left: BTreeMap<(String, i32), NaiveDateTime>,
    /// The first day that may be charged, and the ledger's newest row when the free days began, by subscription.
    free_until: BTreeMap<i64, (i32, NaiveDate, i64)>,
    attempts: u64,
}

/// The network to which a number can move.
fn other_network(network: &'static str) -> &'static str {
    match network {
        PULL => CAMARA,
        CAMARA => PULL,
        other => other,
    }
}

impl Simulation {
    pub fn new(seed: u64, subscribers: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut sqlite = SqliteConnection::establish(":memory:").unwrap();
        sqlite.batch_execute("PRAGMA foreign_keys = ON").unwrap();
        let mut conn = DbConnection::Sqlite(sqlite);
        store::migrate(&mut conn, crate::NAME, crate::MIGRATIONS).unwrap();
        let secret = ChargeSecret::new(b"dev-notify").unwrap();
        let subscribers = (0..subscribers)
            .map(|n| {
                // Some have more than one service.
                let person = 1_000_000 + n / 2;
                let number = SubscriberId::parse(&format!("2782{person}")).unwrap();
                let changing = CHANGING[rng.random_range(0..CHANGING.len())];
                match rng.random_range(0..6) {
                    0 | 1 => (number, PUSHED[rng.random_range(0..PUSHED.len())], PUSH),
                    2 => (SubscriberId::token(TOKENS, &format!("Token-{person}")).unwrap(), changing, TOKENS),
                    _ => (number, changing, if person % 2 == 0 { PULL } else { CAMARA }),
                }
            })
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let start = [(2027, 2, 27), (2027, 12, 30), (2028, 2, 27), (2028, 4, 29)][rng.random_range(0..4)];
        let day = NaiveDate::from_ymd_opt(start.0, start.1, start.2).unwrap();
        let now = day.and_hms_opt(rng.random_range(0..24), 59, 58).unwrap();
        let brands = BRANDS[rng.random_range(0..BRANDS.len())].clone();
        Self {
            rng,
            conn,
            policy: Policy { brands, secret, test_msisdn: None },
            network: Network::default(),
            subscribers,
            now,
            system_now: now,
            batches: Vec::new(),
            left: BTreeMap::new(),
            free_until: BTreeMap::new(),
            attempts: 0,
        }
    }

    fn random_subscriber(&mut self) -> (SubscriberId, i32, &'static str) {
        self.subscribers[self.rng.random_range(0..self.subscribers.len())].clone()
    }

    /// Executes one random step.
    pub fn step(&mut self) {
        self.now += TimeDelta::milliseconds(self.rng.random_range(1..2000));
        self.system_now += TimeDelta::milliseconds(10);
        match self.rng.random_range(0..100) {
            0..8 => self.join(),
            8..24 => self.confirm(),
            24..44 => self.deliver(),
            44..48 => self.leave(),
            48..51 => self.stop(),
            51..56 => self.dispatch_outbox(),
            56..64 => self.claim_in_pass(),
            64..70 => self.claim_immediate(),
            70..80 => self.send(),
            80..87 => self.settle(),
            87..89 => self.crash(),
            89..92 => self.query_unknown(false),
            92..94 => self.bill_push(),
            94 => self.refund(),
            95 => self.run_maintenance(),
            96 => self.move_number(),
            97 => self.change_offers(),
            _ => self.advance_clock(),
        }
    }

    /// The brands are sold at other prices and for other periods from now on; what runs keeps what it consented to.
    fn change_offers(&mut self) {
        self.policy.brands = BRANDS[self.rng.random_range(0..BRANDS.len())].clone();
    }

    fn join(&mut self) {
        let (msisdn, svc_id, _) = self.random_subscriber();
        let mut subscription = Subscription::lock(&mut self.conn, &msisdn, svc_id, self.now).unwrap();
        let was = subscription.state;
        announce::advance(
            &mut self.conn,
            &self.policy,
            &mut subscription,
            Cause::Joined,
            self.now,
            &json!({}),
            self.now,
        )
        .unwrap();
        assert!(subscription.state != State::Active || was == State::Active, "asking to join made somebody active");
    }

    fn confirm(&mut self) {
        let (msisdn, svc_id, network) = self.random_subscriber();
        if !self.network.runs(network, msisdn.as_str(), svc_id) {
            let attempt = self.rng.random_bool(0.7).then(|| self.attempt(&msisdn, svc_id, network));
            self.network.confirm(&mut self.rng, network, (msisdn.as_str(), svc_id), attempt, self.now);
        }
    }

    /// Stores what our page has shown of today's offer; returns the attempt's id.
    fn attempt(&mut self, msisdn: &SubscriberId, svc_id: i32, network: &str) -> String {
        self.attempts += 1;
        let today = calendar::day_of(self.now);
        let offer = self.policy.brand(svc_id).unwrap().offer_on(network).unwrap().clone();
        let terms = Terms::of_number(&mut self.conn, (msisdn, svc_id), &offer, today).unwrap();
        // A number that was typed, for a network that will name its token.
        let is_unnamed = network == TOKENS && self.rng.random_bool(0.5);
        let subscription_id = if is_unnamed {
            Subscription::of_unknown(&mut self.conn, network, svc_id, self.now).unwrap()
        } else {
            Subscription::lock(&mut self.conn, msisdn, svc_id, self.now).unwrap().id
        };
        let attempt = OptInAttempt {
            id: format!("attempt-{}", self.attempts),
            subscription_id,
            kind: "opt_in".to_owned(),
            status: "pending".to_owned(),
            network: network.to_owned(),
            reference: String::new(),
            label: String::new(),
            browser_hash: String::new(),
            ext_ref: String::new(),
            page: String::new(),
            terms_version: String::new(),
            address: String::new(),
            agent: String::new(),
            created_at: self.now,
            decided_at: None,
            opened_at: None,
            price_cents: offer.price_cents,
            period: offer.period.as_str().to_owned(),
            wording: String::new(),
            wording_hash: String::new(),
            network_ref: None,
            language: "en".to_owned(),
            price_source: String::new(),
            free_days: terms.started_days(offer.free_days, today),
            parts: terms.parts.to_string(),
            sim_swapped: false,
            translation: String::new(),
            continue_to: String::new(),
        };
        attempt.insert(&mut self.conn).unwrap();
        attempt.id
    }

    /// Free days are fixed once they have begun, for each person who has the number.
    fn check_free_days(&mut self) {
        let begun: Vec<(i64, i32, String)> = subscriptions::table
            .filter(subscriptions::free_until.ne(""))
            .select((subscriptions::id, subscriptions::person, subscriptions::free_until))
            .load(&mut self.conn)
            .unwrap();
        let newest: Option<i64> = ledger::table.select(diesel::dsl::max(ledger::id)).first(&mut self.conn).unwrap();
        for (id, person, until) in begun {
            let until = until.parse().unwrap();
            let begin = (person, until, newest.unwrap_or(0));
            let first = self.free_until.entry(id).or_insert(begin);
            if first.0 != person {
                *first = begin;
            }
            assert_eq!(first.1, until, "subscription {id} is free again");
        }
    }

    /// Delivers some notifications in random order.
    fn deliver(&mut self) {
        for _ in 0..3 {
            if !self.network.notifications.is_empty() {
                let at = self.rng.random_range(0..self.network.notifications.len());
                let (network, id, body) = self.network.notifications.swap_remove(at);
                self.receive(network, &id, &body.to_string());
            }
        }
        self.check_free_days();
    }

    fn receive(&mut self, network: &str, id: &str, body: &str) {
        let headers = NotificationHeaders {
            network: network.to_owned(),
            webhook_id: id.to_owned(),
            timestamp: String::new(),
            signature: String::new(),
            received_at: self.now,
            sends_sms: true,
        };
        let existing = headers.insert(&mut self.conn, body).unwrap();
        let policy = &self.policy;
        // In one transaction, as `Db::write` does.
        self.conn
            .transaction(|conn| headers.process(conn, existing, policy, Notification::parse(body.as_bytes())))
            .unwrap();
        self.wait_for_claims();
    }

    fn leave(&mut self) {
        let (msisdn, svc_id, _) = self.random_subscriber();
        if let Some(subscription) = Subscription::of_number(&mut self.conn, &msisdn, svc_id).unwrap() {
            ending::end(&mut self.conn, &self.policy, subscription, &json!({}), self.now).unwrap();
            self.left.insert((msisdn.as_str().to_owned(), svc_id), self.now);
            self.wait_for_claims();
        }
    }

    /// Like the acknowledgement of a leave: waits until nothing can be sent for it any more.
    fn wait_for_claims(&mut self) {
        let claimed: i64 = ledger::table
            .inner_join(subscriptions::table)
            .filter(ledger::claim.is_not_null().and(subscriptions::state.eq(State::Cancelled.as_str())))
            .count()
            .get_result(&mut self.conn)
            .unwrap();
        if claimed > 0 {
            self.system_now += TimeDelta::from_std(lease::SEND_WINDOW).unwrap();
        }
    }

    /// A subscriber sends STOP to its network, or to the one that it has moved away from.
    fn stop(&mut self) {
        let (msisdn, svc_id, network) = self.random_subscriber();
        let network = if network != PUSH && self.rng.random_bool(0.1) { other_network(network) } else { network };
        if network != PUSH && self.rng.random_bool(0.2) {
            self.network.end_all(&mut self.rng, network, msisdn.as_str(), self.now);
        } else {
            self.network.end(&mut self.rng, network, msisdn.as_str(), svc_id, self.now);
        }
    }

    /// A number moves to the other network, with all of its services there. Its next join ends what runs at the old one, which may also end
    /// it by itself, or not at all.
    fn move_number(&mut self) {
        let (msisdn, _, from) = self.random_subscriber();
        if msisdn.number().is_none() || from == PUSH {
            return;
        }
        let to = other_network(from);
        let of_number = self.subscribers.iter_mut().filter(|(name, _, at)| *name == msisdn && *at != PUSH);
        let moved = of_number.map(|(_, svc_id, at)| {
            *at = to;
            *svc_id
        });
        let (services, joins): (Vec<i32>, bool) = (moved.collect(), self.rng.random_bool(0.6));
        for svc_id in services {
            if self.rng.random_bool(0.3) {
                self.network.end(&mut self.rng, from, msisdn.as_str(), svc_id, self.now);
            }
            let subscription = Subscription::of_number(&mut self.conn, &msisdn, svc_id).unwrap();
            if let Some(subscription) = subscription.filter(|subscription| joins && subscription.runs_elsewhere(to)) {
                ending::end_as(&mut self.conn, &self.policy, subscription, Cause::Moved, &json!({}), self.now).unwrap();
                self.left.insert((msisdn.as_str().to_owned(), svc_id), self.now);
                self.wait_for_claims();
            }
        }
    }

    /// Delivers the waiting messages of the outbox.
    fn dispatch_outbox(&mut self) {
        #[derive(Queryable, Selectable)]
        #[diesel(table_name = outbox)]
        struct Row {
            id: i64,
            network: String,
            kind: String,
            body: String,
        }
        let messages =
            outbox::table.filter(outbox::done_at.is_null()).select(Row::as_select()).load(&mut self.conn).unwrap();
        for Row { id, network: to, kind, body } in messages {
            match kind.as_str() {
                "stop" => {
                    let stop: StopRequest = serde_json::from_str(&body).unwrap();
                    let network = *[PULL, PUSH, CAMARA, TOKENS].iter().find(|name| **name == to).unwrap();
                    let key = (network, stop.msisdn.clone(), stop.svc_id);
                    let same = self
                        .network
                        .subscriptions
                        .get(&key)
                        .is_some_and(|existing| existing.id.to_string() == stop.network_subscription_id);
                    if same {
                        self.network.end(&mut self.rng, network, &stop.msisdn, stop.svc_id, self.now);
                    }
                }
                "refund" => {
                    let refund_request: RefundRequest = serde_json::from_str(&body).unwrap();
                    let made = &self.network.charges[&refund_request.charge_key];
                    assert_eq!((&made.network, made.cents), (&to, refund_request.cents), "refunded as it was charged");
                    let of_charge = ledger::table.filter(ledger::charge_key.eq(&refund_request.charge_key));
                    if of_charge.count().get_result::<i64>(&mut self.conn).unwrap() == 0 {
                        // A surplus charge: the ledger has the one that was due.
                        assert!(
                            self.network.charges.remove(&refund_request.charge_key).is_some(),
                            "refunded and never charged"
                        );
                    }
                    let made =
                        refunds::RefundOutcome::Refunded { network_ref: Some("given back".to_owned()), cents: None };
                    texts::record_refund(&mut self.conn, &self.policy, (&to, &refund_request.key), &made, self.now)
                        .unwrap();
                }
                _ => {}
            }
            diesel::update(outbox::table.find(id)).set(outbox::done_at.eq(self.now)).execute(&mut self.conn).unwrap();
        }
    }

    fn claim_in_pass(&mut self) {
        let day = calendar::day_of(self.now);
        let pass = passes::open_or_create(&mut self.conn, day, None, self.now).unwrap();
        for network in self.policy.pull_networks() {
            due::insert_page(&mut self.conn, &self.policy, &network, day, 0, self.now).unwrap();
        }
        let claimed = PULL_NETWORKS.map(|network| self.rng.random_bool(0.7) && self.claim(network, Some(pass)));
        if claimed == [false; 3] && !PULL_NETWORKS.map(|network| self.claim(network, Some(pass))).contains(&true) {
            passes::finish(&mut self.conn, pass, self.now).unwrap();
        }
    }

    fn claim_immediate(&mut self) {
        for network in PULL_NETWORKS {
            self.claim(network, None);
        }
    }

    fn claim(&mut self, network: &'static str, pass: Option<i64>) -> bool {
        let process = self.rng.random_range(0..2);
        let day = calendar::day_of(self.now).to_string();
        let limit = self.rng.random_range(1..20);
        let query = ClaimQuery { network, day: &day, pass, after: 0, limit };
        let token = format!("process-{process}");
        let charge =
            lease::claim(&mut self.conn, (&self.policy, BOUNDS), &token, &query, self.now, self.system_now).unwrap();
        for charge in &charge.charges {
            let subscription = Subscription::lock_by_id(&mut self.conn, charge.subscription_id).unwrap().unwrap();
            assert!(
                matches!(subscription.state, State::Active | State::Suspended),
                "charging a subscriber who is {:?}",
                subscription.state
            );
            let mut agreed = std::iter::once(subscription.price_cents).chain(subscription.parts.amounts());
            assert!(
                charge.unanswered || agreed.any(|cents| cents == charge.cents),
                "{} cents were not agreed to",
                charge.cents
            );
            assert!(
                !self.network.charges.contains_key(&charge.charge_key) || !self.is_settled(charge.id),
                "a settled charge was claimed"
            );
            let name = (&subscription.msisdn, subscription.svc_id);
            assert_eq!(subscription.network, network, "{name:?} is charged by a network that does not bill it");
        }
        let charges = charge.charges.into_iter().map(|charge| (charge, None)).collect();
        self.batches.push(Batch { process, network, claimed_at: self.system_now, charges });
        charge.last.is_some()
    }

    fn is_settled(&mut self, id: i64) -> bool {
        ledger::table.find(id).select(ledger::status).first::<String>(&mut self.conn).unwrap() == "settled"
    }

    fn send(&mut self) {
        if self.batches.is_empty() {
            return;
        }
        let at = self.rng.random_range(0..self.batches.len());
        let today = calendar::day_of(self.now).to_string();
        let window = TimeDelta::from_std(BEGIN_WINDOW).unwrap();
        let window_is_over = self.system_now - self.batches[at].claimed_at > window;
        let network = self.batches[at].network;
        for (charge, outcome) in &mut self.batches[at].charges {
            if outcome.is_some() || self.rng.random_bool(0.2) {
                continue;
            }
            *outcome = Some(if charge.day == today && !window_is_over {
                let cause: String = events::table
                    .filter(events::subscription_id.eq(charge.subscription_id))
                    .order(events::id.desc())
                    .select(events::cause)
                    .first(&mut self.conn)
                    .unwrap();
                let acknowledged = [Cause::Left, Cause::Stopped, Cause::Churned, Cause::Moved].map(Cause::as_str);
                assert!(!acknowledged.contains(&cause.as_str()), "a charge is sent after a leave was acknowledged");
                let free_until = self.free_until.get(&charge.subscription_id);
                assert!(
                    free_until.is_none_or(|(_, until, _)| charge.day >= until.to_string()),
                    "a free day is charged"
                );
                let made = MadeCharge {
                    network: network.to_owned(),
                    msisdn: charge.msisdn.clone(),
                    svc_id: charge.svc_id,
                    day: charge.day.clone(),
                    cents: charge.cents,
                };
                for other in self.network.charges.values() {
                    assert!(!other.pays_for(&made), "{made:?} is sent although {other:?} was made");
                }
                self.network.charge(&mut self.rng, network, &charge.charge_key, made)
            } else {
                Outcome::NotSent
            });
        }
    }

    /// A process records its outcomes; sometimes it dies before the subscriptions' states are updated.
    fn settle(&mut self) {
        if self.batches.is_empty() {
            return;
        }
        let at = self.rng.random_range(0..self.batches.len());
        let Batch { process, network, claimed_at, charges } = self.batches.swap_remove(at);
        let (known, unsent): (Vec<_>, Vec<_>) = charges.into_iter().partition(|(_, outcome)| outcome.is_some());
        let known: Vec<_> = known.into_iter().filter_map(|(charge, outcome)| Some((charge, outcome?))).collect();
        let follows = self.rng.random_bool(0.9);
        self.record_outcomes(network, OutcomeSource::Sender, &known, follows);
        if !unsent.is_empty() {
            self.batches.push(Batch { process, network, claimed_at, charges: unsent });
        }
    }

    fn record_outcomes(&mut self, network: &str, source: OutcomeSource, outcomes: &[(Charge, Outcome)], follows: bool) {
        let settled = settle(&mut self.conn, source, outcomes, self.now, self.system_now).unwrap();
        let charged = outcomes.iter().filter(|(charge, _)| settled.charged.contains(&charge.id));
        let charged = charged.map(|(charge, _)| (charge.id, charge.day.as_str())).collect();
        refund::refund_charged_after_leaving(&mut self.conn, &self.policy, &charged, self.now).unwrap();
        refund::refund_charged_within_period(&mut self.conn, &charged, self.now).unwrap();
        if follows {
            suspend::sync_states(&mut self.conn, &self.policy, settled.moved, self.now).unwrap();
            for id in settled.unknown_to_network {
                let subscription = Subscription::lock_by_id(&mut self.conn, id).unwrap().unwrap();
                if !self.network.runs(network, subscription.msisdn.as_str(), subscription.svc_id) {
                    unknown_subscriptions::end(&mut self.conn, &self.policy, network, id, self.now).unwrap();
                }
            }
        }
    }

    /// A process dies without recording anything; its claims expire later.
    fn crash(&mut self) {
        let dead = self.rng.random_range(0..2);
        self.batches.retain(|batch| batch.process != dead);
        self.system_now += TimeDelta::seconds(self.rng.random_range(0..40));
    }

    /// Queries the unknown charges; sent charges have arrived by then (all of them at the end), or may still be in flight.
    fn query_unknown(&mut self, is_end: bool) {
        lease::expire_claims(&mut self.conn, CHARGE_TIMEOUT, self.system_now).unwrap();
        let today = calendar::day_of(self.now);
        let due = self.system_now + TimeDelta::minutes(20);
        for network in PULL_NETWORKS {
            let queries = status_queries::claim_due(&mut self.conn, network, 1000, CHARGE_TIMEOUT, due).unwrap();
            let outcomes: Vec<_> = queries
                .into_iter()
                .filter_map(|query| {
                    let has_arrived = is_end || self.rng.random_bool(0.7);
                    let key = &query.charge.charge_key;
                    let known = self.network.charge_status(&mut self.rng, network, key, is_end);
                    let outcome = query.outcome(known, has_arrived, today)?;
                    Some((query.charge, outcome))
                })
                .collect();
            self.record_outcomes(network, OutcomeSource::StatusQuery, &outcomes, true);
        }
    }

    fn bill_push(&mut self) {
        for (msisdn, svc_id, network) in self.subscribers.clone() {
            if network == PUSH {
                self.network.bill(&mut self.rng, PUSH, msisdn.as_str(), svc_id, self.now);
            }
        }
    }

    fn refund(&mut self) {
        let settled: Vec<(i64, String)> = ledger::table
            .filter(ledger::status.eq("settled").and(ledger::kind.eq("charge")))
            .select((ledger::id, ledger::day))
            .load(&mut self.conn)
            .unwrap();
        if !settled.is_empty() {
            let (id, day) = &settled[self.rng.random_range(0..settled.len())];
            let refund_reason = refund::RefundReason { reason: "a test", made_by: "model", network_charged: true };
            refund::refund_charge(&mut self.conn, (*id, day), &refund_reason, self.now).unwrap();
        }
    }

    fn run_maintenance(&mut self) {
        partitions::move_open_since(&mut self.conn, self.now).unwrap();
        ending::expire_joins(&mut self.conn, &self.policy, self.now).unwrap();
        billing_ledger::close_days_before(&mut self.conn, calendar::day_of(self.now), self.now).unwrap();
        let (out_of_sync, _) = suspend::out_of_sync(&mut self.conn, self.now, 40, 0).unwrap();
        suspend::sync_states(&mut self.conn, &self.policy, out_of_sync, self.now).unwrap();
    }

    /// Advances the clock: minutes, hours, around a midnight (Johannesburg's or UTC's), a month's end, a month.
    fn advance_clock(&mut self) {
        let today = calendar::day_of(self.now);
        let midnight = |day: NaiveDate| calendar::moment(day, NaiveTime::MIN).unwrap();
        let next_month = today.checked_add_months(chrono::Months::new(1)).unwrap().with_day(1).unwrap();
        let to = match self.rng.random_range(0..8) {
            0 => self.now + TimeDelta::minutes(self.rng.random_range(1..90)),
            1 => self.now + TimeDelta::hours(self.rng.random_range(1..12)),
            2 => midnight(today + Days::new(1)) - TimeDelta::seconds(1),
            3 => midnight(today + Days::new(1)),
            4 => self.now.date().succ_opt().unwrap().and_time(NaiveTime::MIN),
            5 => calendar::moment(today + Days::new(1), NaiveTime::from_hms_opt(6, 0, 0).unwrap()).unwrap(),
            6 => midnight(next_month) - TimeDelta::milliseconds(1),
            _ => self.now + TimeDelta::days(self.rng.random_range(1..12)),
        };
        self.now = self.now.max(to);
    }
}
