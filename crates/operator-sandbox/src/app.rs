//! What every handler of the sandbox works with.

use std::{sync::Arc, time::Duration};

use brands::{Adapter, Brand, Brands, Shape};
use service::{AdminToken, Clock, StartError};
use store::Db;
use tokio::sync::{Mutex, Notify, watch};

use crate::{
    Config, MIGRATIONS, OWNER,
    camara::{Payments, Sims},
    charge_batcher::ChargeBatcher,
    charge_rows::Listed,
    error::Error,
    faults::Faults,
    misbehaviour::{ListFault, Misbehaviour, Misbehaviours},
    moved_numbers::MovedNumbers,
    soap::Callers,
};

/// The imitated network.
#[derive(Clone)]
pub struct App {
    /// The tables.
    pub db: Db,
    /// The family's brands.
    pub brands: Brands,
    /// Opens `/internal`.
    pub admin_token: AdminToken,
    pub(crate) public_url: String,
    pub(crate) public_port: u16,
    pub(crate) clock: Clock,
    /// Whether the clock may be moved.
    pub(crate) test_clock: bool,
    pub(crate) faults: Arc<Faults>,
    /// Who may call SOAP networks.
    pub(crate) callers: Arc<Callers>,
    /// The network at whose own address this call has arrived; none at the address that all share.
    pub(crate) called: Option<Arc<str>>,
    /// The numbers that have moved to another network.
    pub(crate) moved_numbers: Arc<MovedNumbers>,
    /// Access tokens of CAMARA networks, and payments that are no charges.
    pub(crate) payments: Arc<Payments>,
    /// Codes and tokens of browsers whose SIM was recognised.
    pub(crate) sims: Arc<Sims>,
    /// What single networks do wrong.
    pub(crate) misbehaviours: Arc<Misbehaviours>,
    /// Where charges are made.
    pub(crate) charge_batcher: ChargeBatcher,
    /// Held while a day is billed: one day at a time.
    pub(crate) billing: Arc<Mutex<()>>,
    /// Notified when there is a notification to deliver.
    pub(crate) wake: Arc<Notify>,
    /// True once the server is to stop: replies that were to be late are not waited for.
    pub(crate) stopping: watch::Sender<bool>,
    /// Dropped when the server stops; the notification sender then ends too.
    pub(crate) alive: Arc<()>,
}

impl App {
    /// Reads the brands, opens the database and brings its tables up to date.
    pub async fn open(config: &Config) -> Result<Self, StartError> {
        if config.production.on {
            return Err(StartError::Setting(
                "PRODUCTION: the operator sandbox imitates a network, and serves no real customers".to_owned(),
            ));
        }
        let brands = Brands::load(&config.brands_file).map_err(|error| StartError::Setting(error.to_string()))?;
        brands.watch(&config.brands_file);
        let public_url =
            url::Url::parse(&config.public_url).map_err(|error| StartError::Setting(format!("PUBLIC_URL: {error}")))?;
        let db = Db::open(&config.store, OWNER, MIGRATIONS).await?;
        let clock = Clock::default();
        Ok(Self {
            charge_batcher: ChargeBatcher::start(db.clone(), clock.clone()),
            db,
            brands,
            admin_token: AdminToken::new(config.admin_token.as_deref()),
            public_url: public_url.as_str().trim_end_matches('/').to_owned(),
            public_port: config.public_port,
            clock,
            test_clock: config.test_clock,
            faults: Arc::default(),
            called: None,
            moved_numbers: Arc::default(),
            callers: Arc::new(Callers::new(config.network_credentials.clone())),
            payments: Arc::new(Payments::new(config.network_credentials.clone())),
            sims: Arc::default(),
            misbehaviours: Arc::default(),
            billing: Arc::default(),
            wake: Arc::default(),
            stopping: watch::Sender::new(false),
            alive: Arc::default(),
        })
    }

    /// Lets a caller wait, until the server is to stop.
    pub(crate) async fn keep_waiting(&self, delay: Duration) {
        let _ = tokio::time::timeout(delay, self.stopping.subscribe().wait_for(|stopping| *stopping)).await;
    }

    /// The brand of a service as it is sold on the network of this call, and the shape of that network.
    pub(crate) fn brand(&self, svc_id: i32) -> Result<(Arc<Brand>, Shape), Error> {
        let mut brand = self.brands.by_svc_id(svc_id).ok_or(Error::UnknownService)?;
        if let Some(called) = &self.called {
            Arc::make_mut(&mut brand).network = called.to_string();
        }
        let network = self.brands.network_of(&brand).ok_or(Error::UnknownService)?;
        Ok((brand, network.shape()))
    }

    /// The API of a network.
    pub(crate) fn adapter(&self, network: &str) -> Result<Adapter, Error> {
        self.brands.network(network).map(|network| network.adapter()).ok_or(Error::UnknownNetwork)
    }

    /// What the network of a service does wrong.
    pub(crate) fn misbehaviour(&self, svc_id: i32) -> Arc<Misbehaviour> {
        self.network_of(svc_id).map(|network| self.misbehaviours.of(&network)).unwrap_or_default()
    }

    /// The network of a call about a service: the one that was called, or the one that bills the service.
    pub(crate) fn network_of(&self, svc_id: i32) -> Option<String> {
        let called = self.called.as_deref().map(str::to_owned);
        called.or_else(|| self.brands.by_svc_id(svc_id).map(|brand| brand.network.clone()))
    }

    /// The networks and services in the list of a network, of the called one or of all, except what is missing on purpose.
    pub(crate) fn listed(&self, network: Option<&str>) -> Listed {
        let network = network.or(self.called.as_deref());
        let is_listed = |name: &String| {
            network.is_none_or(|network| network == name) && self.misbehaviours.of(name).list != Some(ListFault::Empty)
        };
        let services = self.brands.iter().filter(|brand| is_listed(&brand.network)).map(|brand| brand.svc_id);
        Listed {
            networks: self.brands.networks().map(|(name, _)| name).filter(is_listed).collect(),
            services: services.collect(),
        }
    }

    /// Begins a call about a service: its network may leave it without an answer, or refuse it.
    pub(crate) async fn begin_call(&self, svc_id: i32) -> Result<Arc<Misbehaviour>, Error> {
        if let Some(network) = self.network_of(svc_id) {
            self.misbehaviours.begin_call(Some(&network)).await?;
        }
        Ok(self.misbehaviour(svc_id))
    }

    /// The networks that bill by themselves.
    pub(crate) fn push_networks(&self) -> Vec<String> {
        self.brands.networks().filter(|(_, network)| network.shape() == Shape::Push).map(|(name, _)| name).collect()
    }
}
