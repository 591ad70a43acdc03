//! The world around the service: networks, people, staff, crashes and time, in an order that the seed decides.

use std::{
    cell::RefCell, collections::BTreeMap, fmt::Display, future::poll_fn, pin::pin, sync::LazyLock, task::Poll,
    time::Duration,
};

use actix_web::test::TestRequest;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, NaiveDate, TimeDelta, Timelike, Utc};
use clap::Parser as _;
use diesel::{Connection as _, SqliteConnection};
use operator::{NotifySecret, SmsRequest, soap};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use reqwest::{Method, Request};
use serde_json::{Value, json};
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
    process::{Answer, Message, Process},
};

/// Each service: its id, label, network and price in cents.
pub const SERVICES: [(i32, &str, usize, i64); 5] = [
    (148, "mcfunny", 0, 300),
    (150, "memeworld", 0, 300),
    (151, "diski99", 2, 1500),
    (152, "ttmbhatv", 1, 300),
    (153, "racedaytv", 1, 300),
];

const PEOPLE: usize = 50;

const SECRET: &str = "whsec_c2ltdWxhdGVkLW5ldHdvcmtz";

const ADMIN: &str = "simulated-admin";

/// How long an SMS may still be the answer to what a person did, at night: an hour until the service hears of it, and an hour until it is sent.
const ANSWER: TimeDelta = TimeDelta::minutes(125);

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

/// One subscription, as the person and the networks know it.
#[derive(Clone, Default)]
pub struct Membership {
    /// When a leave was acknowledged.
    pub left: Option<DateTime<Utc>>,
    /// When the person last confirmed at the network.
    pub confirmed: Option<DateTime<Utc>>,
    cookies: BTreeMap<String, String>,
}

pub struct Person {
    pub msisdn: String,
    pub memberships: BTreeMap<i32, Membership>,
    /// Airtime, today and yesterday.
    pub has_funds: bool,
    pub had_funds: bool,
    acted: Option<DateTime<Utc>>,
}

/// A notification on its way.
#[derive(Clone)]
struct Note {
    network: usize,
    id: String,
    body: Vec<u8>,
    tries: u32,
    /// The person and service of the subscription that it ends, and when that was.
    ends: Option<(usize, i32, DateTime<Utc>)>,
}

/// Something that happens later.
enum Event {
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
enum Purpose {
    Notify(Note),
    Join(usize, i32),
    Check(usize, i32),
    Leave(usize, i32),
    Staff,
}

pub struct World {
    seed: u64,
    rng: StdRng,
    pub log: Vec<String>,
    pub networks: Vec<Network>,
    pub people: Vec<Person>,
    processes: Vec<Option<Process>>,
    events: BTreeMap<(Instant, u64), Event>,
    calls: BTreeMap<u64, (usize, Purpose)>,
    count: u64,
    messages: UnboundedReceiver<Message>,
    sender: UnboundedSender<Message>,
    config: Config,
    secret: NotifySecret,
    is_calm: bool,
    pub reader: RefCell<SqliteConnection>,
    _folder: TempDir,
}

/// A seed's first moment.
pub fn first_moment(seed: u64) -> DateTime<Utc> {
    let mut rng = StdRng::seed_from_u64(seed);
    let day = NaiveDate::from_ymd_opt(2027, 1, 20).unwrap() + TimeDelta::days(rng.random_range(0..800));
    day.and_hms_opt(2, 0, 0).unwrap().and_utc()
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

impl World {
    /// Needs a simulated machine.
    pub async fn new(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed ^ 0x5eed);
        let shm = std::path::Path::new("/dev/shm");
        let folder = if shm.is_dir() { TempDir::new_in(shm) } else { TempDir::new() }.unwrap();
        let brands = include_str!("../../../../deploy/brands.toml")
            .replacen("[[brand]]\n", "[network.parlay]\nadapter = \"soap\"\n\n[[brand]]\n", 1)
            .replace(
                "svc_id = 151\nnetwork = \"sandbox-pull\"",
                "svc_id = 151\nnetwork = \"parlay\"\noffer = { price_cents = 1500, period = \"week\" }",
            );
        let file = folder.path().join("brands.toml");
        std::fs::write(&file, brands).unwrap();
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
        ];
        let person = |n: usize| Person {
            msisdn: format!("2782{n:07}"),
            memberships: SERVICES.iter().map(|(svc_id, ..)| (*svc_id, Membership::default())).collect(),
            has_funds: true,
            had_funds: true,
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

    fn note(&mut self, line: impl Display) {
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

    fn later(&mut self, after: Duration, event: Event) {
        self.count += 1;
        self.events.insert((Instant::now() + after, self.count), event);
    }

    fn millis(&mut self, most: u64) -> Duration {
        Duration::from_millis(self.rng.random_range(1..most))
    }

    async fn restart(&mut self, process: usize) {
        let started = Process::start(&self.config, &self.sender).await;
        self.note(format_args!(
            "process {process} {}",
            if started.is_some() { "starts" } else { "crashes at its start" }
        ));
        if started.is_none() {
            self.later(seconds(2), Event::Restart(process));
        }
        self.processes[process] = started;
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

    fn crash(&mut self, process: usize) {
        self.processes[process] = None;
        // Its messages from before have arrived.
        while let Ok(message) = self.messages.try_recv() {
            self.hear(message);
        }
        self.note(format_args!("process {process} crashes"));
        let cut: Vec<u64> = self.calls.iter().filter(|(_, (of, _))| *of == process).map(|(id, _)| *id).collect();
        for id in cut {
            self.answered(id, None);
        }
        let pause = self.millis(30_000);
        self.later(pause, Event::Restart(process));
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
            person.had_funds = person.has_funds;
            person.has_funds = self.is_calm || self.rng.random_bool(0.8);
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
                let funds = |msisdn: &str| people.iter().any(|person| person.msisdn == msisdn && person.has_funds);
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
                let (now, has_funds) = (self.now(), self.people[person].has_funds);
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

    fn hear(&mut self, message: Message) {
        match message {
            Message::Answer(id, answer) => self.answered(id, Some(answer)),
            Message::Request(request, reply) => {
                let name = request.url().path().split('/').nth(1).unwrap_or_default().to_owned();
                let network = self.networks.iter().position(|network| network.name == name).unwrap();
                self.note(format_args!("{} {}", request.method(), request.url().path()));
                self.check_request(&request);
                let manner = self.networks[network].manner(&mut self.rng, machine::now(), &request);
                match (manner.arrives, manner.reply) {
                    (Some(after), then) => {
                        self.later(after, Event::Arrive(network, request, reply, then, manner.status))
                    }
                    (None, Ok(after)) => match manner.status {
                        Some(status) => {
                            let refusal = Network::refusal(&mut self.rng, status);
                            self.later(after, Event::Reply(reply, Ok(refusal)));
                        }
                        // It never answers, and the client gives up before.
                        None => self.later(after, Event::Reply(reply, Err(NoReply::Cut(String::new())))),
                    },
                    (None, Err((after, cause))) => self.later(after, Event::Reply(reply, Err(cause))),
                }
            }
        }
    }

    /// Checks a request at the moment it is sent.
    fn check_request(&mut self, request: &Request) {
        let body = request.body().and_then(|body| body.as_bytes()).unwrap_or_default();
        let path = request.url().path();
        let parlay = path.contains("/services/").then(|| soap::Request::parse(body).expect("a request").0);
        let (charge, sms) = match parlay {
            Some(soap::Request::Charge(charge)) => (Some((charge.msisdn, charge.svc_id, charge.cents)), None),
            Some(soap::Request::Sms(sms)) => (None, Some(sms)),
            Some(_) => (None, None),
            None if request.method() == Method::POST && path.ends_with("/charges") => {
                let charge: Value = serde_json::from_slice(body).unwrap();
                let svc_id = i32::try_from(charge["svc_id"].as_i64().unwrap()).unwrap();
                (Some((charge["msisdn"].as_str().unwrap().to_owned(), svc_id, charge["cents"].as_i64().unwrap())), None)
            }
            None if path.ends_with("/messages") => {
                let sms: SmsRequest = serde_json::from_slice(body).unwrap();
                if sms.valid_seconds.is_none() {
                    self.fail(&sms.msisdn, "an SMS has no validity");
                }
                (None, Some(sms))
            }
            None => (None, None),
        };
        if let Some((msisdn, svc_id, cents)) = charge {
            self.note(format_args!("charge {msisdn} {svc_id} {cents}"));
            let Some(person) = self.people.iter().find(|person| person.msisdn == msisdn) else {
                self.fail(&msisdn, "a stranger is charged");
            };
            let membership = &person.memberships[&svc_id];
            let Some(confirmed) = membership.confirmed else { self.fail(&msisdn, "charged without a consent") };
            if membership.left.is_some_and(|left| confirmed <= left) {
                self.fail(&msisdn, format_args!("a charge of {svc_id} is sent after an acknowledged leave"));
            }
            if SERVICES.iter().any(|(of, _, _, price)| *of == svc_id && *price != cents) {
                self.fail(&msisdn, format_args!("{cents} cents are not the price of {svc_id}"));
            }
        }
        if let Some(SmsRequest { msisdn, text, .. }) = sms {
            self.note(format_args!("SMS to {msisdn}: {text}"));
            if !text.is_ascii() || text.len() > 160 {
                self.fail(&msisdn, format_args!("not one SMS: {text}"));
            }
            let (now, hour) = (self.now(), (self.now() + TimeDelta::hours(2)).hour());
            let acted = self.people.iter().find(|person| person.msisdn == msisdn).and_then(|person| person.acted);
            if !(8..20).contains(&hour) && acted.is_none_or(|acted| now - acted > ANSWER) {
                self.fail(&msisdn, format_args!("an SMS at night that is no answer: {text}"));
            }
        }
    }

    fn process(&mut self) -> Option<usize> {
        let up: Vec<usize> = (0..self.processes.len()).filter(|n| self.processes[*n].is_some()).collect();
        up.choose(&mut self.rng).copied()
    }

    fn call(&mut self, request: TestRequest, purpose: Purpose) {
        self.count += 1;
        let id = self.count;
        let process = self.process();
        self.calls.insert(id, (process.unwrap_or(usize::MAX), purpose));
        match process.and_then(|process| self.processes[process].as_ref()) {
            Some(process) => process.call(id, request),
            None => self.answered(id, None),
        }
    }

    /// A person's browser sends a request, from an address of its own.
    fn visit(&mut self, person: usize, svc_id: i32, request: TestRequest, purpose: Purpose) {
        let label = SERVICES.iter().find(|service| service.0 == svc_id).unwrap().1;
        let cookies = &self.people[person].memberships[&svc_id].cookies;
        let cookies: Vec<String> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let address = format!("10.{}.{}.{}", self.rng.random::<u8>(), self.rng.random::<u8>(), self.rng.random::<u8>());
        let request = request
            .insert_header(("host", format!("{label}.localhost")))
            .insert_header(("x-forwarded-for", address))
            .insert_header(("cookie", cookies.join("; ")));
        self.call(request, purpose);
    }

    fn answered(&mut self, id: u64, answer: Option<Answer>) {
        let Some((_, purpose)) = self.calls.remove(&id) else { return };
        let status = answer.as_ref().map_or(0, |answer| answer.status);
        let body: Value =
            answer.as_ref().and_then(|answer| serde_json::from_slice(&answer.body).ok()).unwrap_or_default();
        match purpose {
            Purpose::Notify(mut note) => {
                if status != 200 {
                    if (400..500).contains(&status) {
                        self.fail("", format_args!("{status} to a signed notification"));
                    }
                    note.tries += 1;
                    let pause = seconds((5_u64 << note.tries.min(9)).min(1800));
                    self.later(pause, Event::Notify(note));
                    return;
                }
                if let Some((person, svc_id, at)) = note.ends {
                    let now = self.now();
                    let membership = self.people[person].memberships.get_mut(&svc_id).unwrap();
                    if membership.confirmed.is_some_and(|confirmed| confirmed <= at) {
                        membership.left = Some(now);
                        let line = format!("{} has left {svc_id}", self.people[person].msisdn);
                        self.note(line);
                    }
                }
            }
            Purpose::Join(person, svc_id) => {
                let line = format!("{} joins {svc_id}: {status} {}", self.people[person].msisdn, body["result"]);
                self.note(line);
                self.keep_cookies(person, svc_id, answer);
                let (Some(page), Some(attempt)) = (body["redirectUrl"].as_str(), body["subscriptionId"].as_str())
                else {
                    return;
                };
                let (reference, attempt) = (page.rsplit('/').next().unwrap().to_owned(), attempt.to_owned());
                let pause = self.pause_of_person();
                let confirms = self.rng.random_bool(0.85);
                self.later(pause, Event::Answer { person, svc_id, reference, confirms });
                for after in [2, 8] {
                    let attempt = attempt.clone();
                    self.later(pause + seconds(after), Event::Check { person, svc_id, attempt });
                }
            }
            Purpose::Check(person, svc_id) => {
                let line = format!("{} checks {svc_id}: {status} {}", self.people[person].msisdn, body["state"]);
                self.note(line);
                self.keep_cookies(person, svc_id, answer);
            }
            Purpose::Leave(person, svc_id) => {
                let msisdn = self.people[person].msisdn.clone();
                self.note(format_args!("{msisdn} leaves {svc_id}: {status} {}", body["state"]));
                if body["state"] == "cancelled" {
                    let now = self.now();
                    self.people[person].memberships.get_mut(&svc_id).unwrap().left = Some(now);
                } else if let Some(page) = body["redirectUrl"].as_str() {
                    let reference = page.rsplit('/').next().unwrap().to_owned();
                    let pause = self.pause_of_person();
                    self.later(pause, Event::Answer { person, svc_id, reference, confirms: true });
                } else if status == 500 {
                    self.fail(&msisdn, "cannot leave");
                }
            }
            Purpose::Staff => self.note(format_args!("staff: {status}")),
        }
    }

    /// Seconds, and sometimes hours.
    fn pause_of_person(&mut self) -> Duration {
        if self.rng.random_bool(0.9) { self.millis(20_000) } else { seconds(self.rng.random_range(60..40_000)) }
    }

    fn keep_cookies(&mut self, person: usize, svc_id: i32, answer: Option<Answer>) {
        let cookies = &mut self.people[person].memberships.get_mut(&svc_id).unwrap().cookies;
        cookies.extend(answer.into_iter().flat_map(|answer| answer.cookies));
    }

    fn answer_page(&mut self, person: usize, svc_id: i32, reference: &str, confirms: bool) {
        let (now, network) = (self.now(), network_of(svc_id));
        let Some(page) = self.networks[network].opt_ins.get(reference).cloned() else { return };
        let sent = self.networks[network].decide_page(&mut self.rng, reference, confirms, now);
        if sent.is_empty() {
            return;
        }
        let who = &mut self.people[person];
        who.acted = Some(now);
        let joins = page.kind == operator::OptInKind::OptIn;
        if confirms && joins {
            who.memberships.get_mut(&svc_id).unwrap().confirmed = Some(now);
        }
        let line = format!("{} answers {svc_id} {:?}: {confirms}", who.msisdn, page.kind);
        self.note(line);
        let ends = (confirms && page.kind == operator::OptInKind::Leave).then_some((person, svc_id, now));
        for body in sent {
            self.send_note(network, body, ends);
        }
    }

    /// Sends a notification some time later, perhaps twice, perhaps under another id.
    fn send_note(&mut self, network: usize, body: Vec<u8>, ends: Option<(usize, i32, DateTime<Utc>)>) {
        self.count += 1;
        let note = Note { network, id: format!("m-{}", self.count), body, tries: 0, ends };
        let is_rude = self.networks[network].is_rude(&mut self.rng);
        let most = if is_rude { 20_000_000 } else { 2_000 };
        if is_rude && self.rng.random_bool(0.5) {
            let mut copy = note.clone();
            if self.rng.random_bool(0.5) {
                copy.id.push_str("-again");
            }
            let after = self.millis(60_000);
            self.later(after, Event::Notify(copy));
        }
        let after = self.millis(most);
        self.later(after, Event::Notify(note));
    }

    fn notify(&mut self, note: Note) {
        let timestamp = self.now().timestamp();
        let name = self.networks[note.network].name;
        self.note(format_args!("{name} sends {} {}", note.id, String::from_utf8_lossy(&note.body)));
        let request = TestRequest::post()
            .uri(&format!("/api/subscribe/notify/{name}"))
            .insert_header(("webhook-id", note.id.clone()))
            .insert_header(("webhook-timestamp", timestamp))
            .insert_header(("webhook-signature", self.secret.sign(&note.id, timestamp, &note.body)))
            .set_payload(note.body.clone());
        self.call(request, Purpose::Notify(note));
    }

    /// A person, or staff, does something.
    fn act(&mut self) {
        if self.rng.random_bool(0.1) {
            return self.staff();
        }
        let person = self.rng.random_range(0..PEOPLE);
        let (svc_id, _, network, _) = *SERVICES.choose(&mut self.rng).unwrap();
        let (now, msisdn) = (self.now(), self.people[person].msisdn.clone());
        self.people[person].acted = Some(now);
        let runs = self.networks[network].running(&msisdn, svc_id).is_some();
        match (runs, self.rng.random_range(0..10)) {
            (false, 0..6) | (true, 0) => {
                let body = json!({"msisdn": msisdn, "ext_ref": "simulated", "channel": "WAP", "svc_id": svc_id});
                let request = || TestRequest::post().uri("/api/subscribe").set_json(&body);
                self.visit(person, svc_id, request(), Purpose::Join(person, svc_id));
                if self.rng.random_bool(0.1) {
                    self.visit(person, svc_id, request(), Purpose::Join(person, svc_id));
                }
            }
            (false, 6..9) => {
                self.note(format_args!("{msisdn} opts in to {svc_id} at the network"));
                self.people[person].memberships.get_mut(&svc_id).unwrap().confirmed = Some(now);
                let (_, sent) = self.networks[network].begin(&mut self.rng, (&msisdn, svc_id), None, now);
                for body in sent {
                    self.send_note(network, body, None);
                }
            }
            (_, 1..3) => {
                let body = json!({"svc_id": svc_id});
                let request = TestRequest::post().uri("/api/subscribe/unsubscribe").set_json(&body);
                self.visit(person, svc_id, request, Purpose::Leave(person, svc_id));
            }
            (true, 3) => {
                let body = json!({"svc_id": svc_id, "msisdn": msisdn});
                let request = TestRequest::post().uri("/api/subscribe/unsubscribe").set_json(&body);
                self.visit(person, svc_id, request, Purpose::Leave(person, svc_id));
            }
            (true, 4..6) => {
                self.note(format_args!("{msisdn} sends STOP of {svc_id}"));
                if let Some(body) = self.networks[network].stop(&mut self.rng, (&msisdn, svc_id), now) {
                    self.send_note(network, body, Some((person, svc_id, now)));
                }
            }
            _ => {}
        }
    }

    /// Staff give a charge back.
    fn staff(&mut self) {
        let settled = self.rows("SELECT CAST(id AS TEXT) AS line FROM ledger WHERE kind = 'charge' AND status = 'settled' ORDER BY id DESC LIMIT 50");
        let Some(id) = settled.choose(&mut self.rng).and_then(|id| id.parse::<i64>().ok()) else { return };
        self.note(format_args!("staff give {id} back"));
        // A second click gives back once.
        for _ in 0..self.rng.random_range(1..3) {
            let request = TestRequest::post()
                .uri("/internal/refund")
                .insert_header(("authorization", format!("Bearer {ADMIN}")))
                .set_json(json!({"ledger_id": id, "reason": "simulated"}));
            self.call(request, Purpose::Staff);
        }
    }
}

/// The network of a service.
pub fn network_of(svc_id: i32) -> usize {
    SERVICES.iter().find(|service| service.0 == svc_id).unwrap().2
}
