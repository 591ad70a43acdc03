//! A family of two processes for each service, a gateway, and visitors that send requests without a pause.

use std::{
    cell::{Cell, RefCell},
    process::Command,
    rc::Rc,
};

use clap::Parser;
use identity::SessionMinter;
use reqwest::{Method, StatusCode};
use service::Running;
use testkit::{Client, Engine, Process, Reserved, TestStore, actix_web::rt::task::JoinHandle, eventually};

/// Set where this test's own program is to be a service.
pub const ROLE: &str = "ROLLING_ROLE";

/// Visitors of each service.
const VISITORS: usize = 3;

/// A service, the gateway's option for its addresses, and the request that visitors send to it, with the expected status.
pub struct Service {
    pub name: &'static str,
    variable: &'static str,
    host: &'static str,
    path: &'static str,
    expect: StatusCode,
}

const fn service(
    name: &'static str,
    variable: &'static str,
    host: &'static str,
    path: &'static str,
    expect: StatusCode,
) -> Service {
    Service { name, variable, host, path, expect }
}

/// All services, each with a request that needs no session; the subscription service answers it without a subscription.
pub const SERVICES: [Service; 5] = [
    service("comedy", "--comedy-url", "mcfunny", "/api/madfunny/fetchArtist?service=mcfunny", StatusCode::OK),
    service("diski", "--diski-url", "diski99", "/api/diski/fetchArtist?service=diski99", StatusCode::OK),
    service("meme", "--meme-url", "memeworld", "/api/meme/getMemeCategories", StatusCode::OK),
    service("tt", "--tt-url", "ttmbhatv", "/api/tt/getcatvideos/ttmbhatv", StatusCode::OK),
    service("subscription", "--subscription-url", "memeworld", "/api/subscribe/me", StatusCode::UNAUTHORIZED),
];

/// One place for a process, and the process there.
struct Replica {
    place: Reserved,
    process: RefCell<Option<Process>>,
}

/// Everything that runs.
pub struct Family {
    replicas: Vec<[Replica; 2]>,
    gateway: Running,
    visits: Rc<Visits>,
    visitors: Vec<JoinHandle<()>>,
    store: TestStore,
}

/// What the visitors saw.
#[derive(Default)]
struct Visits {
    done: Cell<bool>,
    answered: [Cell<usize>; 5],
    faults: [Cell<usize>; 5],
}

impl Family {
    pub async fn start(engine: Engine) -> Self {
        let store = testkit::store(engine).await;
        let mut replicas = Vec::new();
        for service in &SERVICES {
            let pair = [0, 1].map(|_| Replica { place: Reserved::any(), process: RefCell::new(None) });
            for replica in &pair {
                let process = start(service, replica, &store).await;
                replica.process.replace(Some(process));
            }
            replicas.push(pair);
        }
        let gateway = gateway(&replicas, &store).await;
        let visits = Rc::new(Visits::default());
        let visitors = (0..SERVICES.len() * VISITORS)
            .map(|number| actix_web::rt::spawn(visit(number % SERVICES.len(), gateway.addr, visits.clone())))
            .collect();
        let family = Self { replicas, gateway, visits, visitors, store };
        family.all_ready().await;
        family
    }

    /// Ends a process, starts it again at its address, and waits until the gateway sees all of them.
    pub async fn restart(&self, service: usize, replica: usize, end: impl AsyncFnOnce(Process)) {
        let replica = &self.replicas[service][replica];
        let process = replica.process.take().unwrap();
        end(process).await;
        self.all_services_answer().await;
        let process = start(&SERVICES[service], replica, &self.store).await;
        replica.process.replace(Some(process));
        self.all_ready().await;
        self.all_services_answer().await;
    }

    /// How often each service's visitors did not get the expected status.
    pub fn faults(&self) -> [usize; 5] {
        self.visits.faults.each_ref().map(Cell::get)
    }

    pub async fn close(self) {
        self.visits.done.set(true);
        for visitor in self.visitors {
            visitor.await.unwrap();
        }
        self.gateway.stop().await;
    }

    /// Waits until every service has answered ten more times.
    async fn all_services_answer(&self) {
        let before = self.visits.answered.each_ref().map(Cell::get);
        eventually("every service answers", async || {
            let now = self.visits.answered.each_ref().map(Cell::get);
            now.iter().zip(before).all(|(now, before)| *now >= before + 10)
        })
        .await;
    }

    async fn all_ready(&self) {
        let operators = Client::new(self.gateway.companions[0].addr, "localhost");
        eventually("all are ready", async || {
            let parts = operators.get("/readyz").await.json();
            let parts = parts["parts"].as_array().unwrap();
            parts.iter().all(|part| {
                let replicas = part["replicas"].as_array().unwrap();
                replicas.len() == 2 && replicas.iter().all(|replica| replica["ready"] == true)
            })
        })
        .await;
    }
}

/// Starts this test's own program as that service.
async fn start(service: &Service, replica: &Replica, store: &TestStore) -> Process {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "run_service_as_process", "--ignored", "--nocapture"]).env(ROLE, service.name);
    let config = &store.config;
    let mut settings = vec![
        ("BIND", replica.place.addr.to_string()),
        ("BRANDS_FILE", brands_file()),
        ("ADMIN_TOKEN", testkit::ADMIN_TOKEN.to_owned()),
        ("NOTIFY_SECRET", format!("whsec_{}", "cm9sbGlu".repeat(4))),
        ("SESSION_PUBLIC_KEYS", testkit::minter().public_key()),
        ("SESSION_SECRET_KEY", SessionMinter::generate().unwrap()),
        ("WORKERS", "1".to_owned()),
        ("DATA_DIR", config.data_dir.display().to_string()),
    ];
    settings.extend(config.database_url.clone().map(|url| ("DATABASE_URL", url)));
    settings.extend(config.redis_url.clone().map(|url| ("REDIS_URL", url)));
    let log = config.data_dir.join(format!("{}-{}.log", service.name, replica.place.addr.port()));
    let started = Process::start(command, service.name, &settings, &log).await;
    started.unwrap_or_else(|status| panic!("{status}: {}", std::fs::read_to_string(&log).unwrap()))
}

fn brands_file() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml").to_owned()
}

async fn gateway(replicas: &[[Replica; 2]], store: &TestStore) -> Running {
    let pages = store.config.data_dir.join("pages");
    testkit::write_pages(&pages);
    let demo = |name: &str| format!("{}/../../deploy/demo/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut words: Vec<String> = vec!["gateway".to_owned()];
    let settings = [
        ("--bind", "127.0.0.1:0".to_owned()),
        ("--ops-bind", "127.0.0.1:0".to_owned()),
        ("--session-public-keys", testkit::minter().public_key()),
        ("--brands-file", brands_file()),
        ("--frontend-dir", pages.display().to_string()),
        ("--media-dir", demo("media")),
        ("--image-origins", format!("https://images.spaza.example={}", demo("images"))),
        ("--workers", "1".to_owned()),
    ];
    let urls = SERVICES.iter().zip(replicas).map(|(service, pair)| {
        (service.variable, pair.each_ref().map(|replica| format!("http://{}", replica.place.addr)).join(","))
    });
    for (name, value) in settings.into_iter().chain(urls) {
        words.extend([name.to_owned(), value]);
    }
    gateway::start(gateway::Config::try_parse_from(words).unwrap()).await.unwrap()
}

/// Requests one service until the test is done. The header keeps the gateway from answering from its cache.
async fn visit(service: usize, gateway_addr: std::net::SocketAddr, visits: Rc<Visits>) {
    let service_under_test = &SERVICES[service];
    let browser = Client::new(gateway_addr, &format!("{}.localhost", service_under_test.host));
    while !visits.done.get() {
        let request = browser.request(Method::GET, service_under_test.path).header("authorization", "Bearer none");
        let right = browser.send(request).await.status == service_under_test.expect.as_u16();
        let count = if right { &visits.answered[service] } else { &visits.faults[service] };
        count.set(count.get() + 1);
    }
}
