//! The world around the service: networks, people, staff, crashes and time, in an order that the seed decides.

use std::{
    cell::RefCell, collections::BTreeMap, fmt::Display, future::poll_fn, path::PathBuf, pin::pin, sync::LazyLock,
    task::Poll, time::Duration,
};

use actix_web::test::TestRequest;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use clap::Parser as _;
use diesel::{Connection as _, SqliteConnection};
use operator::NotifySecret;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use reqwest::Request;
use service::machine;
use store::DbConnection;
use subscription::{Config, NoReply, Reply};
use tempfile::TempDir;
use tokio::{
    sync::{
        mpsc::{self, UnboundedReceiver, UnboundedSender},
        oneshot,
    },
    time::Instant,
};

use crate::{
    network::{Network, Shape, day_of},
    people::{Membership, Person, SERVICES},
    process::{Message, Process},
    staff,
    wire::Note,
};

pub const PEOPLE: usize = 50;

/// Airtime for each price.
pub const PLENTY: i64 = 100_000;

const SECRET: &str = "whsec_c2ltdWxhdGVkLW5ldHdvcmtz";

pub const ADMIN: &str = "simulated-admin";

/// How long a process may work at a call.
const LONGEST_CALL: Duration = Duration::from_secs(60);

/// A database with the service's tables: a migration takes longer than a day.
static TABLES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let file = tempfile::NamedTempFile::new().unwrap();
    let conn = SqliteConnection::establish(&file.path().display().to_string()).unwrap();
    store::migrate(&mut DbConnection::Sqlite(conn), subscription::NAME, subscription::MIGRATIONS).unwrap();
    std::fs::read(file.path()).unwrap()
});

static SESSION_KEY: LazyLock<String> = LazyLock::new(|| {
    let pair = subscription::new_session_key().unwrap();
    pair.lines().next().unwrap().replace("SESSION_SECRET_KEY=", "")
});

/// Something that happens later.
pub enum Event {
    Arrive(
        usize,
        Box<Request>,
        oneshot::Sender<Result<Reply, NoReply>>,
        Result<Duration, (Duration, NoReply)>,
        Option<u16>,
    ),
    Reply(oneshot::Sender<Result<Reply, NoReply>>, Result<Reply, NoReply>),
    Notify(Note),
    Answer {
        person: usize,
        svc_id: i32,
        reference: String,
        confirms: bool,
    },
    Check {
        person: usize,
        svc_id: i32,
        attempt: String,
    },
    Bill(usize, i32),
    Act,
    Restart(usize),
}

/// Why a process was called.
pub enum Purpose {
    Notify(Note),
    Join(usize, i32),
    Check(usize, i32),
    Leave(usize, i32),
    Staff,
}

pub struct World {
    pub seed: u64,
    pub rng: StdRng,
    pub log: Vec<String>,
    pub networks: Vec<Network>,
    pub people: Vec<Person>,
    pub processes: Vec<Option<Process>>,
    pub events: BTreeMap<(Instant, u64), Event>,
    pub calls: BTreeMap<u64, (usize, Purpose)>,
    pub count: u64,
    pub messages: UnboundedReceiver<Message>,
    pub sender: UnboundedSender<Message>,
    pub config: Config,
    pub secret: NotifySecret,
    pub is_calm: bool,
    pub brands_file: PathBuf,
    pub offers: [usize; 3],
    pub reader: RefCell<SqliteConnection>,
    _folder: TempDir,
}

/// A seed's first moment.
pub fn first_moment(seed: u64) -> DateTime<Utc> {
    let mut rng = StdRng::seed_from_u64(seed);
    let day = NaiveDate::from_ymd_opt(2027, 1, 20).unwrap() + TimeDelta::days(rng.random_range(0..800));
    day.and_hms_opt(2, 0, 0).unwrap().and_utc()
}

pub fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

impl World {
    /// Needs a simulated machine.
    pub async fn new(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed ^ 0x5eed);
        let shm = std::path::Path::new("/dev/shm");
        let folder = if shm.is_dir() { TempDir::new_in(shm) } else { TempDir::new() }.unwrap();
        let offers = [0; 3];
        let file = folder.path().join("brands.toml");
        std::fs::write(&file, staff::brands(offers)).unwrap();
        let database = folder.path().join("subscription.db");
        std::fs::write(&database, &*TABLES).unwrap();
        let reader = SqliteConnection::establish(&database.display().to_string()).unwrap();
        let settings = [
            ("brands-file", file.display().to_string()),
            ("session-secret-key", SESSION_KEY.clone()),
            ("operator-url", "http://network/{network}".to_owned()),
            ("notify-secret", SECRET.to_owned()),
            ("network-credentials", "spaza:simulated".to_owned()),
            ("charge-key-secret", STANDARD.encode("simulated")),
            ("admin-token", ADMIN.to_owned()),
            ("join-signals", "observed".to_owned()),
            ("crash-points", "0.0005".to_owned()),
            ("data-dir", folder.path().display().to_string()),
        ];
        let settings = settings.iter().map(|(name, value)| format!("--{name}={value}"));
        let config = Config::try_parse_from(std::iter::once("subscription".to_owned()).chain(settings))
            .unwrap_or_else(|error| panic!("{error}"));
        let (sender, messages) = mpsc::unbounded_channel();
        let mut rudeness = || [0, 20, 100, 250].choose(&mut rng).copied().unwrap();
        let networks = vec![
            Network::new("sandbox-pull", Shape::Rest, rudeness()),
            Network::new("sandbox-push", Shape::Push, rudeness()),
            Network::new("parlay", Shape::Soap, rudeness()),
            Network::new("second", Shape::Rest, rudeness()),
        ];
        let person = |n: usize| Person {
            msisdn: format!("2782{n:07}"),
            memberships: SERVICES.iter().map(|(svc_id, _)| (*svc_id, Membership::default())).collect(),
            network: if n.is_multiple_of(2) { 0 } else { 3 },
            funds: PLENTY,
            former_funds: PLENTY,
            acted: None,
        };
        let replicas = if rng.random_bool(0.5) { 1 } else { 2 };
        let mut world = Self {
            seed,
            log: Vec::new(),
            networks,
            people: (0..PEOPLE).map(person).collect(),
            processes: (0..replicas).map(|_| None).collect(),
            events: BTreeMap::new(),
            calls: BTreeMap::new(),
            count: 0,
            messages,
            sender,
            config,
            secret: NotifySecret::parse(SECRET).unwrap(),
            is_calm: false,
            brands_file: file,
            offers,
            reader: RefCell::new(reader),
            _folder: folder,
            rng,
        };
        for process in 0..replicas {
            world.restart(process).await;
        }
        world
    }

    pub fn now(&self) -> DateTime<Utc> {
        machine::now()
    }

    pub fn today(&self) -> String {
        day_of(self.now())
    }

    pub fn note(&mut self, line: impl Display) {
        let line = format!("{} {line}", self.now().format("%F %T%.3f"));
        if std::env::var_os("SIMULATION_LOG").is_some() {
            println!("{line}");
        }
        self.log.push(line);
    }

    /// Fails with all that is needed to find the cause. `about`: a number, or empty.
    pub fn fail(&self, about: &str, what: impl Display) -> ! {
        let of = |line: &&String| about.is_empty() || line.contains(about.trim_start_matches("27"));
        let lines: Vec<&str> = self.log.iter().filter(of).map(String::as_str).collect();
        let lines = lines[lines.len().saturating_sub(60)..].join("\n");
        panic!(
            "{what}\nSEED={} step {} at {}\n{lines}\n{}",
            self.seed,
            self.log.len(),
            self.now(),
            self.rows_of(about).join("\n")
        );
    }

    pub fn later(&mut self, after: Duration, event: Event) {
        self.count += 1;
        self.events.insert((Instant::now() + after, self.count), event);
    }

    pub fn millis(&mut self, most: u64) -> Duration {
        Duration::from_millis(self.rng.random_range(1..most))
    }

    /// Lets everything run until there was no event or message for this long.
    pub async fn run(&mut self, quiet: Duration) {
        let mut last = Instant::now();
        loop {
            while let Some(due) = self.events.first_entry().filter(|first| first.key().0 <= Instant::now()) {
                let event = due.remove();
                self.happen(event).await;
                last = Instant::now();
            }
            let until = last + if self.calls.is_empty() { quiet } else { quiet.max(LONGEST_CALL) };
            if Instant::now() >= until {
                return;
            }
            let next = self.events.keys().next().map_or(until, |(at, _)| until.min(*at));
            let mut pause = pin!(tokio::time::sleep_until(next));
            let (processes, messages) = (&mut self.processes, &mut self.messages);
            let (crashed, message) = poll_fn(|cx| {
                let mut crashed = None;
                for (n, process) in processes.iter_mut().enumerate() {
                    if process.as_mut().is_some_and(|process| process.poll(cx)) {
                        crashed = Some(n);
                        break;
                    }
                }
                match messages.poll_recv(cx) {
                    Poll::Ready(message) => Poll::Ready((crashed, message)),
                    Poll::Pending if crashed.is_some() => Poll::Ready((crashed, None)),
                    Poll::Pending => pause.as_mut().poll(cx).map(|()| (None, None)),
                }
            })
            .await;
            if message.is_some() || crashed.is_some() {
                last = Instant::now();
            }
            if let Some(message) = message {
                self.hear(message);
            }
            if let Some(process) = crashed {
                self.crash(process);
            }
        }
    }

    /// Lets time pass until then: processes and networks do what is due, as if they had slept meanwhile.
    async fn sleep_until(&mut self, until: Instant) {
        loop {
            let next = self.events.keys().next().map_or(until, |(at, _)| until.min(*at));
            let pause = next.saturating_duration_since(Instant::now());
            if !pause.is_zero() {
                tokio::time::advance(pause).await;
            }
            if next >= until {
                return;
            }
            let quiet = self.quiet();
            self.run(quiet).await;
        }
    }

    /// How long nothing happens before hours pass at once. Every task is due after hours, so that a rest is long only at times.
    fn quiet(&mut self) -> Duration {
        let millis = [400; 28].into_iter().chain([3000, 12_000]).collect::<Vec<_>>();
        Duration::from_millis(millis.choose(&mut self.rng).copied().unwrap())
    }

    /// A day, from four in the morning.
    pub async fn day(&mut self) {
        let began = Instant::now();
        let today = self.today();
        self.note(format_args!("day {today}"));
        for person in &mut self.people {
            person.former_funds = person.funds;
            // A little is enough for a part.
            person.funds = if self.is_calm {
                PLENTY
            } else {
                [0, 0, 150, 250]
                    .into_iter()
                    .chain([PLENTY; 12])
                    .collect::<Vec<_>>()
                    .choose(&mut self.rng)
                    .copied()
                    .unwrap()
            };
        }
        let mut plan: Vec<(u64, bool)> = [2, 9, 14].into_iter().map(|hour| (hour * 3600 + 1, false)).collect();
        let acts = if self.is_calm { 0 } else { self.rng.random_range(1..4) };
        plan.extend((0..acts).map(|_| (self.rng.random_range(0..86_400), true)));
        plan.sort_unstable();
        self.plan_push();
        if !self.is_calm {
            for network in &mut self.networks {
                network.decide(&mut self.rng, false);
                if network.rudeness > 0 && self.rng.random_bool(0.05) {
                    network.away_until = machine::now() + TimeDelta::hours(self.rng.random_range(1..20));
                }
            }
        }
        for (at, is_act) in plan {
            self.sleep_until(began + seconds(at)).await;
            if is_act {
                for _ in 0..self.rng.random_range(1..8) {
                    self.act();
                }
            }
            // In the middle of a pass, too.
            if !is_act && !self.is_calm && self.rng.random_bool(0.5) {
                let after = self.millis(10_000);
                self.later(after, Event::Act);
            }
            let quiet = self.quiet();
            self.run(quiet).await;
        }
        self.sleep_until(began + seconds(86_400)).await;
        self.run(seconds(1)).await;
        crate::invariants::of_a_day(self);
    }

    /// The last days, without anything new: what is open is settled.
    pub async fn end(&mut self) {
        self.is_calm = true;
        for network in &mut self.networks {
            network.rudeness = 0;
            network.away_until = DateTime::UNIX_EPOCH;
            network.decide(&mut self.rng, true);
        }
        self.note("the end begins");
        for _ in 0..4 {
            self.day().await;
        }
        self.run(seconds(10)).await;
        crate::invariants::at_the_end(self);
    }

    /// A push network charges its subscribers today: at the hours of our passes, or at one of its own.
    fn plan_push(&mut self) {
        let running: Vec<(usize, i32)> = (0..PEOPLE)
            .flat_map(|person| [(person, 152), (person, 153)])
            .filter(|(person, svc_id)| self.networks[1].running(&self.people[*person].msisdn, *svc_id).is_some())
            .collect();
        let hours = [2, 9, 14, self.rng.random_range(0..19)];
        for (person, svc_id) in running {
            let at = seconds(hours.choose(&mut self.rng).unwrap() * 3600 + 2) + self.millis(3000);
            self.later(at, Event::Bill(person, svc_id));
            if self.networks[1].is_rude(&mut self.rng) {
                self.later(at + seconds(5), Event::Bill(person, svc_id));
            }
        }
    }

    async fn happen(&mut self, event: Event) {
        match event {
            Event::Arrive(network, request, reply, then, status) => {
                let now = self.now();
                let people = &self.people;
                let funds = |msisdn: &str| {
                    people.iter().find(|person| person.msisdn == msisdn).map_or(0, |person| person.funds)
                };
                let answer = self.networks[network].process(&mut self.rng, &request, now, &funds);
                let line =
                    format!("{} answers {} {}", self.networks[network].name, answer.status, request.url().path());
                self.note(line);
                match then {
                    Ok(after) => {
                        let answer = status.map_or(answer, |status| Network::refusal(&mut self.rng, status));
                        self.later(after, Event::Reply(reply, Ok(answer)));
                    }
                    Err((after, cause)) => self.later(after, Event::Reply(reply, Err(cause))),
                }
            }
            Event::Reply(reply, answer) => _ = reply.send(answer),
            Event::Notify(note) => self.notify(note),
            Event::Answer { person, svc_id, reference, confirms } => {
                self.answer_page(person, svc_id, &reference, confirms);
            }
            Event::Check { person, svc_id, attempt } => {
                let path =
                    format!("/api/subscribe/check-sub?msisdn={}&subscription_id={attempt}", self.people[person].msisdn);
                self.visit(person, svc_id, TestRequest::get().uri(&path), Purpose::Check(person, svc_id));
            }
            Event::Bill(person, svc_id) => {
                let (now, has_funds) = (self.now(), self.people[person].funds >= 300);
                let msisdn = self.people[person].msisdn.clone();
                let billed = self.networks[1].bill(&mut self.rng, (&msisdn, svc_id), now, has_funds);
                if let Some(body) = billed {
                    let is_lost = self.networks[1].is_rude(&mut self.rng);
                    let lost = if is_lost { ", unheard" } else { "" };
                    self.note(format_args!("sandbox-push bills {msisdn} {svc_id}: {has_funds}{lost}"));
                    if !is_lost {
                        self.send_note(1, body, None);
                    }
                }
            }
            Event::Act => self.act(),
            Event::Restart(process) => self.restart(process).await,
        }
    }
}
