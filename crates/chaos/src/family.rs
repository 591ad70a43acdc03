//! The family as in production: two replicas of each service behind a gateway, the back office, and a sandbox that stands in for every network.

use std::{
    cell::Cell,
    path::{Path, PathBuf},
    process::Command,
    rc::Rc,
    time::Duration,
};

use anyhow::Context;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use brands::Brands;
use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use futures_util::future::try_join_all;
use identity::SessionMinter;
use operator::JOHANNESBURG;
use serde_json::{Value, json};
use testkit::{ADMIN_TOKEN, Reserved};

use crate::{
    fault_proxy::{FaultProxy, LinkFault},
    managed_process::{Endpoint, ManagedProcess},
    servers::Servers,
};

/// The services, each with the gateway's variable for its address.
pub(crate) const SERVICES: [(&str, &str); 5] = [
    ("comedy", "COMEDY_URL"),
    ("diski", "DISKI_URL"),
    ("meme", "MEME_URL"),
    ("tt", "TT_URL"),
    ("subscription", "SUBSCRIPTION_URL"),
];

/// Replicas of each service.
const REPLICAS: usize = 2;

/// The time that the clocks are set to on each new day: just after the first billing time.
const MORNING: (u32, u32) = (6, 1);

/// How long a process may take to set its clock.
const CLOCK_PATIENCE: Duration = Duration::from_secs(10);

/// All processes.
pub(crate) struct Family {
    /// The brands.
    pub brands: Brands,
    /// PostgreSQL and Redis.
    pub servers: Servers,
    /// Two replicas of each service.
    pub replicas: Vec<Rc<ManagedProcess>>,
    /// The gateway.
    pub gateway: Rc<ManagedProcess>,
    /// The networks' sandbox: services reach it through its first proxy, phones through its second.
    pub network: Rc<ManagedProcess>,
    /// The back office.
    pub backoffice: Rc<ManagedProcess>,
    programs: PathBuf,
    logs: PathBuf,
    http: reqwest::Client,
    /// The day on which the run began.
    first_day: NaiveDate,
    /// The difference between the family's clocks and the machine's.
    clock_offset: Cell<TimeDelta>,
}

impl Family {
    /// Starts all processes; state below `state`, logs below `logs`.
    pub async fn start(programs: &Path, state: &Path, logs: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(logs)?;
        let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let servers = Servers::start(state).await?;
        let minter = SessionMinter::generate()?;
        let public_key = SessionMinter::parse(&minter)?.public_key();
        let secret = format!("whsec_{}", STANDARD.encode(rand::random::<[u8; 24]>()));
        let (services_proxy, phones_proxy, gateway_address) = (FaultProxy::bind(), FaultProxy::bind(), Reserved::any());
        let text = str::to_owned;
        let (brands_file, brands) = write_brands(&root.join("deploy"), state)?;
        let [staff_secret, staff_public] =
            printed(programs, "--new-token-key", ["STAFF_TOKEN_SECRET_KEY", "STAFF_TOKEN_PUBLIC_KEYS"])?;
        let [second_factor] = printed(programs, "--new-second-factor-key", ["SECOND_FACTOR_KEYS"])?;
        let common = vec![
            ("BRANDS_FILE", brands_file.display().to_string()),
            ("ADMIN_TOKEN", text(ADMIN_TOKEN)),
            ("SESSION_PUBLIC_KEYS", public_key),
            ("SESSION_SECRET_KEY", minter),
            ("NOTIFY_SECRET", secret),
            ("NOTIFY_URL", format!("http://{}", gateway_address.addr)),
            ("STAFF_TOKEN_PUBLIC_KEYS", staff_public),
            ("NETWORK_CREDENTIALS", text("chaos:chaos-network")),
            // Each network at an address of its own.
            ("OPERATOR_URL", format!("{}/networks/{{network}}", services_proxy.url())),
            ("PUBLIC_URL", phones_proxy.url()),
            ("PUBLIC_PORT", gateway_address.addr.port().to_string()),
            ("TEST_CLOCK", text("1")),
            ("JOIN_SIGNALS", text("observed")),
            ("WORKERS", text("1")),
            ("DATABASE_URL", servers.database_url()),
            ("REDIS_URL", servers.redis_url()),
        ];
        let replicas: Vec<_> = SERVICES
            .iter()
            .flat_map(|(program, _)| (0..REPLICAS).map(move |replica| (*program, replica)))
            .map(|(program, replica)| {
                let endpoint = match program {
                    "subscription" => Endpoint::Proxied(vec![FaultProxy::bind()]),
                    _ => Endpoint::Direct(Reserved::any()),
                };
                Rc::new(ManagedProcess::new(program, Some(replica), endpoint, common.clone()))
            })
            .collect();
        let network = ManagedProcess::new(
            "operator-sandbox",
            None,
            Endpoint::Proxied(vec![services_proxy, phones_proxy]),
            common.clone(),
        );
        let pages = state.join("pages");
        testkit::write_pages(&pages);
        let urls = SERVICES.map(|(program, variable)| {
            let of_service = replicas.iter().filter(|process| process.program == program);
            (variable, of_service.map(|process| process.url()).collect::<Vec<_>>())
        });
        let mut settings = common.clone();
        settings.extend([
            ("STAFF_TOKEN_SECRET_KEY", staff_secret),
            ("SECOND_FACTOR_KEYS", second_factor),
            ("BACKOFFICE_DIR", pages.display().to_string()),
        ]);
        // Unlike the gateway it does not choose between replicas: in production a service's address does.
        settings.extend(urls.iter().map(|(variable, urls)| (*variable, urls.first().cloned().unwrap_or_default())));
        let backoffice = ManagedProcess::new("backoffice", None, Endpoint::Direct(Reserved::any()), settings);
        let mut settings = common;
        settings.extend([
            ("OPS_BIND", text("127.0.0.1:0")),
            ("FRONTEND_DIR", pages.display().to_string()),
            ("MEDIA_DIR", root.join("deploy/demo/media").display().to_string()),
            ("IMAGE_ORIGINS", format!("https://images.spaza.example={}", root.join("deploy/demo/images").display())),
        ]);
        settings.extend(urls.map(|(variable, urls)| (variable, urls.join(","))));
        let gateway = ManagedProcess::new("gateway", None, Endpoint::Direct(gateway_address), settings);
        let family = Self {
            brands,
            servers,
            replicas,
            gateway: Rc::new(gateway),
            network: Rc::new(network),
            backoffice: Rc::new(backoffice),
            programs: programs.to_owned(),
            logs: logs.to_owned(),
            http: reqwest::Client::builder().no_proxy().timeout(CLOCK_PATIENCE).build()?,
            first_day: Utc::now().with_timezone(&JOHANNESBURG).date_naive(),
            clock_offset: Cell::new(TimeDelta::zero()),
        };
        try_join_all(family.processes().map(|process| family.bring_up(process))).await?;
        family.load(&root.join("deploy/demo/manifest.json")).await?;
        Ok(family)
    }

    /// All processes.
    pub fn processes(&self) -> impl Iterator<Item = &Rc<ManagedProcess>> {
        self.replicas.iter().chain([&self.network, &self.gateway, &self.backoffice])
    }

    /// Starts a process, sets its clock and connects its proxies.
    pub async fn bring_up(&self, process: &ManagedProcess) -> anyhow::Result<()> {
        process.start(&self.programs, &self.logs).await?;
        self.set_clock(process).await?;
        process.connect_proxies();
        Ok(())
    }

    /// Sets the fault of the link between services and network.
    pub fn set_link_fault(&self, fault: LinkFault) {
        if let Endpoint::Proxied(proxies) = &self.network.endpoint {
            proxies.iter().take(1).for_each(|proxy| proxy.set_fault(fault));
        }
    }

    /// Sets the clocks to the next morning: the network's first, as the services send it charges.
    pub async fn next_day(&self) -> anyhow::Result<()> {
        let day = self.today().succ_opt().context("no next day")?;
        let morning = NaiveTime::from_hms_opt(MORNING.0, MORNING.1, 0).unwrap_or_default();
        let morning = JOHANNESBURG.from_local_datetime(&day.and_time(morning)).earliest();
        let morning = morning.context("no such morning")?;
        self.clock_offset.set(morning.with_timezone(&Utc) - Utc::now());
        self.set_clock(&self.network).await?;
        for process in &self.replicas {
            self.set_clock(process).await?;
        }
        Ok(())
    }

    /// Johannesburg's date by the family's clocks.
    pub fn today(&self) -> NaiveDate {
        self.now().with_timezone(&JOHANNESBURG).date_naive()
    }

    /// Every day from the first to today.
    pub fn days(&self) -> Vec<NaiveDate> {
        let today = self.today();
        self.first_day.iter_days().take_while(|day| *day <= today).collect()
    }

    /// The link by which the back office's first administrator makes an account, from its log.
    pub fn first_administrators_link(&self) -> anyhow::Result<String> {
        let log = std::fs::read_to_string(self.logs.join("backoffice-1.log"))?;
        let mut lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let link = lines.find_map(|line| line.get("link")?.as_str().map(str::to_owned));
        link.context("the back office's log has no link for its first administrator")
    }

    /// Gives a member of staff a role, on the machine of the back office.
    pub fn grant(&self, email: &str, role: &str) -> anyhow::Result<()> {
        let mut grant = Command::new(self.programs.join("backoffice"));
        let status = grant.env("DATABASE_URL", self.servers.database_url()).args(["grant", email, role]).status()?;
        anyhow::ensure!(status.success(), "backoffice grant {email} {role}: {status}");
        Ok(())
    }

    /// The base URL of a service's first replica, for `/internal`.
    pub fn internal_url(&self, program: &str) -> String {
        let process = self.replicas.iter().find(|process| process.program == program);
        process.and_then(|process| process.addr()).map(|addr| format!("http://{addr}")).unwrap_or_default()
    }

    fn now(&self) -> DateTime<Utc> {
        Utc::now() + self.clock_offset.get()
    }

    async fn set_clock(&self, process: &ManagedProcess) -> anyhow::Result<()> {
        let (Endpoint::Proxied(_), Some(addr), true) =
            (&process.endpoint, process.addr(), !self.clock_offset.get().is_zero())
        else {
            return Ok(());
        };
        let request = self.http.post(format!("http://{addr}/internal/clock")).bearer_auth(ADMIN_TOKEN);
        let reply = request.json(&json!({ "now": self.now().to_rfc3339() })).send().await?;
        // 422: the clock is at this time already, or later.
        if reply.status() == 200 || reply.status() == 422 {
            return Ok(());
        }
        Err(anyhow::anyhow!("{}: its clock was not set: {}", process.name, reply.status()))
    }

    async fn load(&self, manifest: &Path) -> anyhow::Result<()> {
        let services = content::Services {
            comedy: self.internal_url("comedy"),
            diski: self.internal_url("diski"),
            meme: self.internal_url("meme"),
            tt: self.internal_url("tt"),
            admin_token: ADMIN_TOKEN.to_owned(),
        };
        let manifest = content::Manifest::read(manifest, &self.brands)?;
        content::import(&manifest, &services, content::Options::default(), |_| {}).await?;
        Ok(())
    }
}

/// The brands of `make run`, with the demo's networks, so that MEMEWORLD is sold on several; and the file that has them.
fn write_brands(deploy: &Path, state: &Path) -> anyhow::Result<(PathBuf, Brands)> {
    let read = |name: &str| std::fs::read_to_string(deploy.join(name));
    let text =
        brands::with_networks(&read("brands.toml")?, &read("demo/networks.toml")?).map_err(anyhow::Error::msg)?;
    let file = state.join("brands.toml");
    std::fs::write(&file, text)?;
    let brands = Brands::load(&file)?;
    Ok((file, brands))
}

/// The settings that the back office's program prints with an argument.
fn printed<const N: usize>(programs: &Path, argument: &str, names: [&str; N]) -> anyhow::Result<[String; N]> {
    let output = Command::new(programs.join("backoffice")).arg(argument).output()?;
    let text = String::from_utf8(output.stdout)?;
    let values = names.map(|name| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        line.map(str::to_owned).with_context(|| format!("backoffice {argument} prints no {name}"))
    });
    let values = values.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    values.try_into().map_err(|_| anyhow::Error::msg("another number of settings"))
}
