//! A run: processes that are killed and restarted at random, with clocks that jump from day to day.

use std::{
    cell::{Cell, RefCell},
    net::SocketAddr,
    path::Path,
    rc::Rc,
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use operator::JOHANNESBURG;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use testkit::{Process, TestStore, actix_web::rt};
use tokio::sync::RwLock;

use crate::{
    http::HttpClient,
    process::{self, End, Settings},
    proxy::Proxy,
};

/// The probability of an abort at each crash point.
const CRASH_CHANCE: &str = "0.02";

/// The percentage of the network's replies that get lost.
const LOST_REPLIES: u8 = 10;

/// The shortest and longest lifetime of a replica before it is killed, in milliseconds: many are short, some long.
const LIFETIME_MS: [f64; 2] = [50.0, 8000.0];

/// How many subscribers join before the first kill, and how long that may take: on a busy machine it is two minutes.
const JOINS_BEFORE_KILLS: usize = 24;
const WARM_UP: Duration = Duration::from_secs(240);

/// The shortest and longest lifetime of the network, in milliseconds.
const NETWORK_LIFETIME_MS: [u64; 2] = [4_000, 12_000];

/// The timeout of a charge: shorter than the network's downtime, so that timeouts are frequent.
const CHARGE_TIMEOUT_MS: u64 = 1500;

/// A clock whose setting took longer is set again.
const CLOCK_DELAY_LIMIT: Duration = Duration::from_millis(200);

/// How long a live process may fail to set its clock.
const TIMEOUT: Duration = Duration::from_secs(120);

/// How many processes ended in each way.
#[derive(Default)]
pub struct RequestCounters {
    pub killed: Cell<usize>,
    pub crashed: Cell<usize>,
    pub network_killed: Cell<usize>,
}

/// The state shared by all tasks of a run.
pub struct CrashRun {
    pub seed: u64,
    pub http: HttpClient,
    /// The proxy before the replicas of the service.
    pub services: Proxy,
    /// The proxy before the network.
    pub network: Proxy,
    pub tally: RequestCounters,
    /// The first day of the run.
    pub first_day: NaiveDate,
    /// How many days the clocks are ahead of the system's. Each action holds a read lock, so that none spans a change of day.
    pub days: RwLock<i64>,
    /// The largest difference between two clocks.
    pub skew: Cell<Duration>,
    /// How many subscribers have joined.
    pub joined: Cell<usize>,
    began: Instant,
    stopped: Cell<bool>,
    service_setting: Settings,
    network_setting: Settings,
    /// The processes that survive the run.
    pub survivors: RefCell<Vec<Process>>,
}

impl CrashRun {
    pub async fn new(store: &TestStore, logs: &Path, seed: u64) -> Rc<Self> {
        let (services, network) = (Proxy::start().await, Proxy::start().await);
        // Counters in Redis are keyed by this secret, so that runs do not share them.
        let secret = ("NOTIFY_SECRET", format!("whsec_{}", STANDARD.encode(rand::random::<[u8; 16]>())));
        let setting = Settings::new(store, logs).with([secret]);
        let keys = [
            ("SESSION_SECRET_KEY", identity::SessionMinter::generate().unwrap()),
            ("SESSION_PUBLIC_KEYS", testkit::minter().public_key()),
            ("OPERATOR_URL", network.url()),
            ("BILLING_TIMES", String::new()),
            ("CHARGE_TIMEOUT_MS", CHARGE_TIMEOUT_MS.to_string()),
        ];
        let addresses = [("NOTIFY_URL", services.url()), ("PUBLIC_URL", network.url())];
        Rc::new(Self {
            seed,
            http: HttpClient::new(),
            first_day: Utc::now().with_timezone(&JOHANNESBURG).date_naive(),
            service_setting: setting.with(keys),
            network_setting: setting.with(addresses),
            services,
            network,
            tally: RequestCounters::default(),
            days: RwLock::default(),
            skew: Cell::default(),
            joined: Cell::default(),
            began: Instant::now(),
            stopped: Cell::new(false),
            survivors: RefCell::default(),
        })
    }

    /// A random number generator for a stream, reproducible by the seed.
    pub fn rng(&self, stream: u64) -> StdRng {
        StdRng::seed_from_u64(self.seed.wrapping_add(stream.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.get()
    }

    /// From here on no process is killed, and no reply gets lost.
    pub fn end(&self) {
        self.stopped.set(true);
    }

    /// How many processes of the service have died.
    pub fn deaths(&self) -> usize {
        self.tally.killed.get() + self.tally.crashed.get()
    }

    /// The day by the moved clocks.
    pub fn day(&self, days: i64) -> NaiveDate {
        self.now(days).with_timezone(&JOHANNESBURG).date_naive()
    }

    /// The time by the moved clocks.
    pub fn now(&self, days: i64) -> DateTime<Utc> {
        Utc::now() + TimeDelta::days(days)
    }

    /// Moves all clocks to the next day, while no action runs.
    pub async fn next_day(&self) {
        let mut days = self.days.write().await;
        *days += 1;
        for proxy in [&self.services, &self.network] {
            for addr in proxy.backends() {
                if !self.set_clock(addr, *days).await {
                    proxy.remove_backend(addr);
                }
            }
        }
    }

    /// The pause between two actions of a subscriber, so that their order is the same by all clocks.
    pub fn pause(&self) -> Duration {
        Duration::from_secs(1).max(self.skew.get() * 3)
    }

    /// Starts and kills one replica repeatedly; at the end starts one that survives.
    pub async fn run_replica(self: Rc<Self>, place: u64) {
        let mut rng = self.rng(place);
        let name = format!("subscription-{place}");
        loop {
            let stopped = self.is_stopped();
            let points = (!stopped).then(|| ("CRASH_POINTS", CRASH_CHANCE.to_owned()));
            let process = match process::subscription(&name, &self.service_setting.with(points)).await {
                Ok(process) => process,
                Err(end) => {
                    self.count_end(&name, end);
                    continue;
                }
            };
            if stopped {
                assert!(self.add_to_proxy(&self.services, process.addr).await, "{name} died after the run");
                return self.survivors.borrow_mut().push(process);
            }
            // Some are killed before their first request.
            if rng.random_ratio(9, 10) {
                self.add_to_proxy(&self.services, process.addr).await;
            }
            let life = LIFETIME_MS[0] * (LIFETIME_MS[1] / LIFETIME_MS[0]).powf(rng.random::<f64>());
            let life = Duration::from_secs_f64(life / 1000.0);
            let addr = process.addr;
            match self.run_and_kill(process, life).await {
                Some(end) => self.count_end(&name, end),
                None => self.tally.killed.set(self.tally.killed.get() + 1),
            }
            self.services.remove_backend(addr);
        }
    }

    /// Starts and kills the network repeatedly; at the end starts one that survives and loses no replies.
    pub async fn run_network(self: Rc<Self>) {
        let mut rng = self.rng(u64::MAX);
        loop {
            let stopped = self.is_stopped();
            let process = match process::sandbox(&self.network_setting).await {
                Ok(process) => process,
                Err(end) => panic!("the network could not start: {end:?}"),
            };
            let lost =
                json!({"lose_replies_percent": if stopped { 0 } else { LOST_REPLIES }, "seed": rng.random::<u64>()});
            let url = format!("http://{}/internal/chaos", process.addr);
            let set = self.http.post(&url, &lost).await;
            assert_eq!(set.map(|reply| reply.status), Some(200), "the network loses no replies");
            assert!(self.add_to_proxy(&self.network, process.addr).await, "the network died by itself");
            if stopped {
                return self.survivors.borrow_mut().push(process);
            }
            let life = Duration::from_millis(rng.random_range(NETWORK_LIFETIME_MS[0]..NETWORK_LIFETIME_MS[1]));
            let addr = process.addr;
            if let Some(end) = self.run_and_kill(process, life).await {
                panic!("the network ended by itself: {end:?}");
            }
            self.tally.network_killed.set(self.tally.network_killed.get() + 1);
            self.network.remove_backend(addr);
        }
    }

    /// Kills a process after its lifetime, or at the end of the run; returns how it ended if it did by itself.
    async fn run_and_kill(&self, mut process: Process, life: Duration) -> Option<End> {
        let started_at = Instant::now();
        while (started_at.elapsed() < life || self.is_warming_up()) && !self.is_stopped() {
            if let Some(status) = process.ended() {
                return Some(status.into());
            }
            rt::time::sleep(Duration::from_millis(5)).await;
        }
        process.kill();
        None
    }

    /// Whether the kills have yet to begin.
    fn is_warming_up(&self) -> bool {
        self.joined.get() < JOINS_BEFORE_KILLS && self.began.elapsed() < WARM_UP
    }

    fn count_end(&self, name: &str, end: End) {
        assert_eq!(end, End::Crashed, "{name} ended by itself, and not at a crash point");
        self.tally.crashed.set(self.tally.crashed.get() + 1);
    }

    /// Sets a process's clock and adds it to the proxy; false if it has died.
    async fn add_to_proxy(&self, proxy: &Proxy, addr: SocketAddr) -> bool {
        let days = self.days.read().await;
        let there = self.set_clock(addr, *days).await;
        if there {
            proxy.add_backend(addr);
        }
        there
    }

    /// False if the process has died. Repeats a slow request, because the clocks would differ.
    async fn set_clock(&self, addr: SocketAddr, days: i64) -> bool {
        let url = format!("http://{addr}/internal/clock");
        let (began, mut slowest) = (Instant::now(), Duration::MAX);
        while slowest > CLOCK_DELAY_LIMIT && began.elapsed() < TIMEOUT {
            let sent_at = Instant::now();
            let now = self.now(days);
            match self.http.post(&url, &json!({"now": now.to_rfc3339()})).await {
                // 422: the clock has this time already, or a later one.
                Some(reply) if reply.status == 200 || reply.status == 422 => slowest = slowest.min(sent_at.elapsed()),
                _ if tokio::net::TcpStream::connect(addr).await.is_err() => return false,
                _ => {}
            }
        }
        if slowest < Duration::MAX {
            self.skew.set(self.skew.get().max(slowest));
        }
        slowest < Duration::MAX
    }
}
