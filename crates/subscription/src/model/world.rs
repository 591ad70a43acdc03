//! One world: some numbers, both networks, two processes that bill, a clock that jumps. `checks` says what must hold at its end.

mod checks;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use diesel::{Connection, SqliteConnection, connection::SimpleConnection, prelude::*};
use identity::Msisdn;
use operator::{Notification, RefundRequest, StopRequest};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use store::DbConnection;

use super::network::{Network, Taken};
use crate::{
    billing::{
        bounds::Bounds,
        calendar, due, follow, gone,
        lease::{self, BEGIN_WINDOW, Query},
        ledger::{self as books, Charge, Outcome, Writer, settle},
        passes, questions, refund,
    },
    leave,
    life::{Cause, State},
    notifications::Envelope,
    schema::{events, ledger, outbox, subscriptions},
    subscriptions::Subscription,
    terms::{ChargeSecret, Terms},
};

pub(super) const PULL: &str = "sandbox-pull";
const PUSH: &str = "sandbox-push";
const SERVICES: [(i32, &str); 4] = [(150, PULL), (151, PULL), (152, PUSH), (153, PUSH)];
const BOUNDS: Bounds = Bounds { per_number: 5, per_hour: 1_000_000 };

/// How long the network may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Charges that a process has claimed, and what came of those it has sent.
struct Batch {
    process: usize,
    claimed_at: NaiveDateTime,
    charges: Vec<(Charge, Option<Outcome>)>,
}

pub(super) struct World {
    dice: StdRng,
    conn: DbConnection,
    terms: Terms,
    network: Network,
    numbers: Vec<(Msisdn, i32, &'static str)>,
    now: NaiveDateTime,
    /// The real clock: it only ever creeps.
    system_now: NaiveDateTime,
    batches: Vec<Batch>,
    /// When somebody last told us that it is over.
    left: BTreeMap<(String, i32), NaiveDateTime>,
}

impl World {
    pub fn new(seed: u64, numbers: u64) -> Self {
        let mut dice = StdRng::seed_from_u64(seed);
        let mut sqlite = SqliteConnection::establish(":memory:").unwrap();
        sqlite.batch_execute("PRAGMA foreign_keys = ON").unwrap();
        let mut conn = DbConnection::Sqlite(sqlite);
        store::migrate(&mut conn, crate::NAME, crate::MIGRATIONS).unwrap();
        let secret = ChargeSecret::new(b"dev-notify").unwrap();
        let numbers = (0..numbers)
            .map(|n| {
                let (svc_id, network) = SERVICES[dice.random_range(0..SERVICES.len())];
                // Some numbers hold more than one service.
                (Msisdn::parse(&format!("2782{:07}", 1_000_000 + n / 2)).unwrap(), svc_id, network)
            })
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let start = [(2027, 2, 27), (2027, 12, 30), (2028, 2, 27), (2028, 4, 29)][dice.random_range(0..4)];
        let day = NaiveDate::from_ymd_opt(start.0, start.1, start.2).unwrap();
        let now = day.and_hms_opt(dice.random_range(0..24), 59, 58).unwrap();
        Self {
            dice,
            conn,
            terms: Terms { brands: testkit::brands(), secret, test_msisdn: None },
            network: Network::default(),
            numbers,
            now,
            system_now: now,
            batches: Vec::new(),
            left: BTreeMap::new(),
        }
    }

    fn somebody(&mut self) -> (Msisdn, i32, &'static str) {
        self.numbers[self.dice.random_range(0..self.numbers.len())].clone()
    }

    /// Something happens.
    pub fn step(&mut self) {
        self.now += TimeDelta::milliseconds(self.dice.random_range(1..2000));
        self.system_now += TimeDelta::milliseconds(10);
        match self.dice.random_range(0..100) {
            0..8 => self.join(),
            8..24 => self.confirm(),
            24..44 => self.deliver(),
            44..48 => self.leave(),
            48..51 => self.stop(),
            51..56 => self.carry(),
            56..64 => self.take_in_pass(),
            64..70 => self.take_at_once(),
            70..80 => self.send(),
            80..87 => self.settle(),
            87..89 => self.crash(),
            89..92 => self.find_out(0.7),
            92..94 => self.bill_push(),
            94 => self.refund(),
            95..97 => self.clean(),
            _ => self.jump(),
        }
    }

    fn join(&mut self) {
        let (msisdn, svc_id, _) = self.somebody();
        let mut subscription = Subscription::lock(&mut self.conn, &msisdn, svc_id, self.now).unwrap();
        let was = subscription.state;
        subscription.advance(&mut self.conn, &self.terms, Cause::Joined, self.now, &json!({}), self.now).unwrap();
        assert!(subscription.state != State::Active || was == State::Active, "asking to join made somebody active");
    }

    fn confirm(&mut self) {
        let (msisdn, svc_id, network) = self.somebody();
        if self.network.kept.get(&(msisdn.as_str().to_owned(), svc_id)).is_none_or(|kept| !kept.running) {
            self.network.confirm(&mut self.dice, network, msisdn.as_str(), svc_id, self.now);
        }
    }

    /// Some mail arrives, in any order.
    fn deliver(&mut self) {
        for _ in 0..3 {
            if !self.network.mail.is_empty() {
                let at = self.dice.random_range(0..self.network.mail.len());
                let (network, id, body) = self.network.mail.swap_remove(at);
                self.hear(network, &id, &body.to_string());
            }
        }
    }

    fn hear(&mut self, network: &str, id: &str, body: &str) {
        let envelope = Envelope {
            network: network.to_owned(),
            webhook_id: id.to_owned(),
            timestamp: String::new(),
            signature: String::new(),
            received_at: self.now,
        };
        let kept = envelope.keep(&mut self.conn, body).unwrap();
        let terms = &self.terms;
        // As `Db::write` does it: all of it, or nothing.
        self.conn
            .transaction(|conn| envelope.believe(conn, kept, terms, Notification::parse(body.as_bytes())))
            .unwrap();
        self.wait_for_claims();
    }

    fn leave(&mut self) {
        let (msisdn, svc_id, _) = self.somebody();
        if let Some(subscription) = Subscription::of_number(&mut self.conn, &msisdn, svc_id).unwrap() {
            leave::end(&mut self.conn, &self.terms, subscription, &json!({}), self.now).unwrap();
            self.left.insert((msisdn.as_str().to_owned(), svc_id), self.now);
            self.wait_for_claims();
        }
    }

    /// As an acknowledgement of an end waits until nothing can be sent for it any more.
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

    fn stop(&mut self) {
        let (msisdn, svc_id, network) = self.somebody();
        if network == PULL && self.dice.random_bool(0.2) {
            let services = SERVICES.iter().filter(|(_, network)| *network == PULL).map(|(svc_id, _)| *svc_id);
            let services: Vec<i32> = services.collect();
            self.network.end_all(&mut self.dice, msisdn.as_str(), &services, self.now);
        } else {
            self.network.end(&mut self.dice, network, msisdn.as_str(), svc_id, self.now);
        }
    }

    /// The dispatcher delivers what waits in the outbox.
    fn carry(&mut self) {
        let letters: Vec<(i64, String, String, String)> = outbox::table
            .filter(outbox::done_at.is_null())
            .select((outbox::id, outbox::network, outbox::kind, outbox::body))
            .load(&mut self.conn)
            .unwrap();
        for (id, to, kind, body) in letters {
            match kind.as_str() {
                "stop" => {
                    let stop: StopRequest = serde_json::from_str(&body).unwrap();
                    let key = (stop.msisdn.clone(), stop.svc_id);
                    let network = SERVICES.iter().find(|(svc_id, _)| *svc_id == stop.svc_id).unwrap().1;
                    let same = self
                        .network
                        .kept
                        .get(&key)
                        .is_some_and(|kept| kept.id.to_string() == stop.network_subscription_id);
                    if same {
                        self.network.end(&mut self.dice, network, &stop.msisdn, stop.svc_id, self.now);
                    }
                }
                "refund" => {
                    let letter: RefundRequest = serde_json::from_str(&body).unwrap();
                    let of_charge = ledger::table.filter(ledger::charge_key.eq(&letter.charge_key));
                    if of_charge.count().get_result::<i64>(&mut self.conn).unwrap() == 0 {
                        // One too many: the ledger has the one that was owed.
                        assert!(self.network.taken.remove(&letter.charge_key).is_some(), "given back and never taken");
                    }
                    let made = refund::RefundAnswer::Made { network_ref: Some("given back".to_owned()), cents: None };
                    refund::conclude(&mut self.conn, &to, &letter.key, &made, self.now).unwrap();
                }
                _ => {}
            }
            diesel::update(outbox::table.find(id)).set(outbox::done_at.eq(self.now)).execute(&mut self.conn).unwrap();
        }
    }

    fn take_in_pass(&mut self) {
        let day = calendar::day_of(self.now);
        let pass = passes::join_or_begin(&mut self.conn, day, None, self.now).unwrap();
        for (network, services) in self.terms.pull_networks() {
            due::enter_page(&mut self.conn, &self.terms, (&network, &services), day, 0, self.now).unwrap();
        }
        if !self.take(Some(pass)) {
            passes::finish(&mut self.conn, pass, self.now).unwrap();
        }
    }

    fn take_at_once(&mut self) {
        self.take(None);
    }

    fn take(&mut self, pass: Option<i64>) -> bool {
        let process = self.dice.random_range(0..2);
        let day = calendar::day_of(self.now).to_string();
        let limit = self.dice.random_range(1..20);
        let query = Query { network: PULL, day: &day, pass, after: 0, limit };
        let token = format!("process-{process}");
        let taken =
            lease::claim(&mut self.conn, (&self.terms, BOUNDS), &token, &query, self.now, self.system_now).unwrap();
        for charge in &taken.charges {
            let subscription = Subscription::lock_by_id(&mut self.conn, charge.subscription_id).unwrap().unwrap();
            assert!(
                matches!(subscription.state, State::Active | State::Suspended),
                "charging who is {:?}",
                subscription.state
            );
            assert!(
                !self.network.taken.contains_key(&charge.charge_key) || !self.is_settled(charge.id),
                "a settled charge was claimed"
            );
        }
        let charges = taken.charges.into_iter().map(|charge| (charge, None)).collect();
        self.batches.push(Batch { process, claimed_at: self.system_now, charges });
        taken.last.is_some()
    }

    fn is_settled(&mut self, id: i64) -> bool {
        ledger::table.find(id).select(ledger::status).first::<String>(&mut self.conn).unwrap() == "settled"
    }

    fn send(&mut self) {
        if self.batches.is_empty() {
            return;
        }
        let at = self.dice.random_range(0..self.batches.len());
        let today = calendar::day_of(self.now).to_string();
        let window = TimeDelta::from_std(BEGIN_WINDOW).unwrap();
        let too_late = self.system_now - self.batches[at].claimed_at > window;
        for (charge, outcome) in &mut self.batches[at].charges {
            if outcome.is_some() || self.dice.random_bool(0.2) {
                continue;
            }
            *outcome = Some(if charge.day == today && !too_late {
                let cause: String = events::table
                    .filter(events::subscription_id.eq(charge.subscription_id))
                    .order(events::id.desc())
                    .select(events::cause)
                    .first(&mut self.conn)
                    .unwrap();
                let acknowledged = [Cause::Left, Cause::Stopped, Cause::Churned].map(Cause::as_str);
                assert!(!acknowledged.contains(&cause.as_str()), "a charge is sent after a leave was acknowledged");
                let taken = Taken {
                    msisdn: charge.msisdn.clone(),
                    svc_id: charge.svc_id,
                    day: charge.day.clone(),
                    cents: charge.cents,
                };
                self.network.charge(&mut self.dice, &charge.charge_key, taken)
            } else {
                Outcome::NotSent
            });
        }
    }

    /// A process writes down what it knows; sometimes it dies before the subscriptions have followed.
    fn settle(&mut self) {
        if self.batches.is_empty() {
            return;
        }
        let at = self.dice.random_range(0..self.batches.len());
        let Batch { process, claimed_at, charges } = self.batches.swap_remove(at);
        let (known, unsent): (Vec<_>, Vec<_>) = charges.into_iter().partition(|(_, outcome)| outcome.is_some());
        let known: Vec<_> = known.into_iter().filter_map(|(charge, outcome)| Some((charge, outcome?))).collect();
        let follows = self.dice.random_bool(0.9);
        self.write_down(Writer::Sender, &known, follows);
        if !unsent.is_empty() {
            self.batches.push(Batch { process, claimed_at, charges: unsent });
        }
    }

    fn write_down(&mut self, writer: Writer, outcomes: &[(Charge, Outcome)], follows: bool) {
        let settled = settle(&mut self.conn, writer, outcomes, self.now, self.system_now).unwrap();
        refund::give_back_after_leaving(&mut self.conn, &self.terms, &settled.charged, self.now).unwrap();
        if follows {
            follow::follow(&mut self.conn, &self.terms, settled.moved, self.now).unwrap();
            for id in settled.unknown_to_network {
                let subscription = Subscription::lock_by_id(&mut self.conn, id).unwrap().unwrap();
                if !self.network.runs(subscription.msisdn.as_str(), subscription.svc_id) {
                    gone::end(&mut self.conn, &self.terms, PULL, id, self.now).unwrap();
                }
            }
        }
    }

    /// A process dies with all it knew, and is missed after a while.
    fn crash(&mut self) {
        let dead = self.dice.random_range(0..2);
        self.batches.retain(|batch| batch.process != dead);
        self.system_now += TimeDelta::seconds(self.dice.random_range(0..40));
    }

    /// The network is asked about what is unknown; what was sent has arrived by then, or may still be on its way.
    fn find_out(&mut self, arrived: f64) {
        lease::take_over_expired(&mut self.conn, PATIENCE, self.system_now).unwrap();
        let today = calendar::day_of(self.now);
        let due = self.system_now + TimeDelta::minutes(20);
        let questions = questions::due(&mut self.conn, PULL, 1000, PATIENCE, due).unwrap();
        let outcomes: Vec<_> = questions
            .into_iter()
            .filter_map(|question| {
                let has_arrived = self.dice.random_bool(arrived);
                let outcome = question.verdict(self.network.asked(&question.charge.charge_key), has_arrived, today)?;
                Some((question.charge, outcome))
            })
            .collect();
        self.write_down(Writer::Inquirer, &outcomes, true);
    }

    fn bill_push(&mut self) {
        for (msisdn, svc_id, network) in self.numbers.clone() {
            if network == PUSH {
                self.network.bill(&mut self.dice, PUSH, msisdn.as_str(), svc_id, self.now);
            }
        }
    }

    fn refund(&mut self) {
        let settled: Vec<i64> = ledger::table
            .filter(ledger::status.eq("settled").and(ledger::kind.eq("charge")))
            .select(ledger::id)
            .load(&mut self.conn)
            .unwrap();
        if !settled.is_empty() {
            let id = settled[self.dice.random_range(0..settled.len())];
            let ground = refund::Ground { reason: "a test", made_by: "model", took_money: true };
            refund::give_back(&mut self.conn, id, &ground, self.now).unwrap();
        }
    }

    fn clean(&mut self) {
        Subscription::expire_joins(&mut self.conn, &self.terms, self.now).unwrap();
        books::close_days_before(&mut self.conn, calendar::day_of(self.now), self.now).unwrap();
        let behind = follow::behind(&mut self.conn, self.now, 40).unwrap();
        follow::follow(&mut self.conn, &self.terms, behind, self.now).unwrap();
    }

    /// Time passes: minutes, hours, to either side of a midnight (Johannesburg's or UTC's), to a month's end, a month.
    fn jump(&mut self) {
        let today = calendar::day_of(self.now);
        let midnight = |day: NaiveDate| calendar::moment(day, NaiveTime::MIN).unwrap();
        let next_month = today.checked_add_months(chrono::Months::new(1)).unwrap().with_day(1).unwrap();
        let to = match self.dice.random_range(0..8) {
            0 => self.now + TimeDelta::minutes(self.dice.random_range(1..90)),
            1 => self.now + TimeDelta::hours(self.dice.random_range(1..12)),
            2 => midnight(today + Days::new(1)) - TimeDelta::seconds(1),
            3 => midnight(today + Days::new(1)),
            4 => self.now.date().succ_opt().unwrap().and_time(NaiveTime::MIN),
            5 => calendar::moment(today + Days::new(1), NaiveTime::from_hms_opt(6, 0, 0).unwrap()).unwrap(),
            6 => midnight(next_month) - TimeDelta::milliseconds(1),
            _ => self.now + TimeDelta::days(self.dice.random_range(1..12)),
        };
        self.now = self.now.max(to);
    }
}
