//! The family as it runs in production: two processes of each service, a gateway before them, and a network beside them.

use std::{
    cell::Cell,
    path::{Path, PathBuf},
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
use serde_json::json;
use testkit::{ADMIN_TOKEN, Reserved};

use crate::{
    door::{Door, Weather},
    place::{Entrance, Place},
    servers::Servers,
};

/// The services, each with the gateway's variable for it.
pub(crate) const SERVICES: [(&str, &str); 5] = [
    ("comedy", "COMEDY_URL"),
    ("diski", "DISKI_URL"),
    ("meme", "MEME_URL"),
    ("tt", "TT_URL"),
    ("subscription", "SUBSCRIPTION_URL"),
];

/// How many processes each has.
const REPLICAS: usize = 2;

/// When on each new day the clocks are set to: just after the first billing time.
const MORNING: (u32, u32) = (6, 1);

/// How long a process may take to set its clock.
const CLOCK_PATIENCE: Duration = Duration::from_secs(10);

/// Everything that runs.
pub(crate) struct Family {
    /// The brands it shows.
    pub brands: Brands,
    /// PostgreSQL and Redis.
    pub servers: Servers,
    /// Two of each service, side by side.
    pub replicas: Vec<Rc<Place>>,
    /// The public door.
    pub gateway: Rc<Place>,
    /// The network: reached by services through its first door, by people through its second.
    pub network: Rc<Place>,
    programs: PathBuf,
    logs: PathBuf,
    http: reqwest::Client,
    /// The first day that the books know.
    first_day: NaiveDate,
    /// How far the clocks are ahead of the machine's.
    ahead: Cell<TimeDelta>,
}

impl Family {
    /// Starts everything; state below `state`, logs below `logs`.
    pub async fn start(programs: &Path, state: &Path, logs: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(logs)?;
        let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let servers = Servers::start(state).await?;
        let minter = SessionMinter::generate()?;
        let public_key = SessionMinter::parse(&minter)?.public_key();
        let secret = format!("whsec_{}", STANDARD.encode(rand::random::<[u8; 24]>()));
        let (services_door, people_door, gateway_place) = (Door::hang(), Door::hang(), Reserved::any());
        let text = str::to_owned;
        let every = vec![
            ("BRANDS_FILE", root.join("deploy/brands.toml").display().to_string()),
            ("ADMIN_TOKEN", text(ADMIN_TOKEN)),
            ("SESSION_PUBLIC_KEYS", public_key),
            ("SESSION_SECRET_KEY", minter),
            ("NOTIFY_SECRET", secret),
            ("NOTIFY_URL", format!("http://{}", gateway_place.addr)),
            ("OPERATOR_URL", services_door.url()),
            ("PUBLIC_URL", people_door.url()),
            ("PUBLIC_PORT", gateway_place.addr.port().to_string()),
            ("TEST_CLOCK", text("1")),
            ("WORKERS", text("1")),
            ("DATABASE_URL", servers.database_url()),
            ("REDIS_URL", servers.redis_url()),
        ];
        let replicas: Vec<_> = SERVICES
            .iter()
            .flat_map(|(program, _)| (0..REPLICAS).map(move |replica| (*program, replica)))
            .map(|(program, replica)| {
                let entrance = match program {
                    "subscription" => Entrance::Doors(vec![Door::hang()]),
                    _ => Entrance::Own(Reserved::any()),
                };
                Rc::new(Place::new(program, Some(replica), entrance, every.clone()))
            })
            .collect();
        let network =
            Place::new("operator-sandbox", None, Entrance::Doors(vec![services_door, people_door]), every.clone());
        let pages = state.join("pages");
        testkit::write_pages(&pages);
        let mut settings = every;
        settings.extend([
            ("OPS_BIND", text("127.0.0.1:0")),
            ("FRONTEND_DIR", pages.display().to_string()),
            ("MEDIA_DIR", root.join("deploy/demo/media").display().to_string()),
            ("IMAGE_ORIGINS", format!("https://images.spaza.example={}", root.join("deploy/demo/images").display())),
        ]);
        settings.extend(SERVICES.iter().map(|(program, variable)| {
            let urls: Vec<_> = replicas.iter().filter(|place| place.program == *program).map(|it| it.url()).collect();
            (*variable, urls.join(","))
        }));
        let gateway = Place::new("gateway", None, Entrance::Own(gateway_place), settings);
        let family = Self {
            brands: testkit::brands(),
            servers,
            replicas,
            gateway: Rc::new(gateway),
            network: Rc::new(network),
            programs: programs.to_owned(),
            logs: logs.to_owned(),
            http: reqwest::Client::builder().no_proxy().timeout(CLOCK_PATIENCE).build()?,
            first_day: Utc::now().with_timezone(&JOHANNESBURG).date_naive(),
            ahead: Cell::new(TimeDelta::zero()),
        };
        try_join_all(family.places().map(|place| family.bring_up(place))).await?;
        family.load(&root.join("deploy/demo/manifest.json")).await?;
        Ok(family)
    }

    /// Every process's place.
    pub fn places(&self) -> impl Iterator<Item = &Rc<Place>> {
        self.replicas.iter().chain([&self.network, &self.gateway])
    }

    /// Starts a place's process, sets its clock and lets people in.
    pub async fn bring_up(&self, place: &Place) -> anyhow::Result<()> {
        place.start(&self.programs, &self.logs).await?;
        self.set_clock(place).await?;
        place.open();
        Ok(())
    }

    /// The weather between the services and the network.
    pub fn set_weather(&self, weather: Weather) {
        if let Entrance::Doors(doors) = &self.network.entrance {
            doors.iter().take(1).for_each(|door| door.set(weather));
        }
    }

    /// The next morning dawns: for the network first, then for those who ask it.
    pub async fn next_day(&self) -> anyhow::Result<()> {
        let day = self.today().succ_opt().context("no next day")?;
        let morning = NaiveTime::from_hms_opt(MORNING.0, MORNING.1, 0).unwrap_or_default();
        let morning = JOHANNESBURG.from_local_datetime(&day.and_time(morning)).earliest();
        let morning = morning.context("no such morning")?;
        self.ahead.set(morning.with_timezone(&Utc) - Utc::now());
        self.set_clock(&self.network).await?;
        for place in &self.replicas {
            self.set_clock(place).await?;
        }
        Ok(())
    }

    /// Johannesburg's day by the family's clocks.
    pub fn today(&self) -> NaiveDate {
        self.now().with_timezone(&JOHANNESBURG).date_naive()
    }

    /// Every day from the first to today.
    pub fn days(&self) -> Vec<NaiveDate> {
        let today = self.today();
        self.first_day.iter_days().take_while(|day| *day <= today).collect()
    }

    /// A service's first replica, as operators reach it.
    pub fn operators_url(&self, program: &str) -> String {
        let place = self.replicas.iter().find(|place| place.program == program);
        place.and_then(|place| place.addr()).map(|addr| format!("http://{addr}")).unwrap_or_default()
    }

    fn now(&self) -> DateTime<Utc> {
        Utc::now() + self.ahead.get()
    }

    async fn set_clock(&self, place: &Place) -> anyhow::Result<()> {
        let (Entrance::Doors(_), Some(addr), true) = (&place.entrance, place.addr(), !self.ahead.get().is_zero())
        else {
            return Ok(());
        };
        let request = self.http.post(format!("http://{addr}/internal/clock")).bearer_auth(ADMIN_TOKEN);
        let reply = request.json(&json!({ "now": self.now().to_rfc3339() })).send().await?;
        // 422: it stands there already, or a moment later.
        if reply.status() == 200 || reply.status() == 422 {
            return Ok(());
        }
        Err(anyhow::anyhow!("{}: its clock was not set: {}", place.name, reply.status()))
    }

    async fn load(&self, manifest: &Path) -> anyhow::Result<()> {
        let services = content::Services {
            comedy: self.operators_url("comedy"),
            diski: self.operators_url("diski"),
            meme: self.operators_url("meme"),
            tt: self.operators_url("tt"),
            admin_token: ADMIN_TOKEN.to_owned(),
        };
        let manifest = content::Manifest::read(manifest, &self.brands)?;
        content::import(&manifest, &services, content::Options::default(), |_| {}).await?;
        Ok(())
    }
}
