//! What every handler of the sandbox works with.

use std::sync::Arc;

use brands::{Brand, Brands, Shape};
use store::Db;
use tokio::sync::{Mutex, Notify};
use web::{AdminToken, Clock, StartError};

use crate::{Config, MIGRATIONS, OWNER, error::Error, faults::Faults, till::Till};

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
    /// Where charges are made.
    pub(crate) till: Till,
    /// Held while a day is billed: one day at a time.
    pub(crate) billing: Arc<Mutex<()>>,
    /// Rung when there is a notification to deliver.
    pub(crate) bell: Arc<Notify>,
    /// Gone once the server has stopped: what runs beside it then ends too.
    pub(crate) alive: Arc<()>,
}

impl App {
    /// Reads the brands, opens the database and brings its tables up to date.
    pub async fn open(config: &Config) -> Result<Self, StartError> {
        let brands = Brands::load(&config.brands_file).map_err(|error| StartError::Setting(error.to_string()))?;
        brands.follow(&config.brands_file);
        let public_url =
            url::Url::parse(&config.public_url).map_err(|error| StartError::Setting(format!("PUBLIC_URL: {error}")))?;
        let db = Db::open(&config.store, OWNER, MIGRATIONS).await?;
        let clock = Clock::default();
        Ok(Self {
            till: Till::open(db.clone(), clock.clone()),
            db,
            brands,
            admin_token: AdminToken::new(config.admin_token.as_deref()),
            public_url: public_url.as_str().trim_end_matches('/').to_owned(),
            public_port: config.public_port,
            clock,
            test_clock: config.test_clock,
            faults: Arc::default(),
            billing: Arc::default(),
            bell: Arc::default(),
            alive: Arc::default(),
        })
    }

    /// The brand of a service, and the shape of the network that bills it.
    pub(crate) fn brand(&self, svc_id: i32) -> Result<(Arc<Brand>, Shape), Error> {
        let brand = self.brands.by_svc_id(svc_id).ok_or(Error::UnknownService)?;
        let network = self.brands.network_of(&brand).ok_or(Error::UnknownService)?;
        Ok((brand, network.shape))
    }

    /// The services that this network bills by itself.
    pub(crate) fn push_services(&self) -> Vec<i32> {
        let is_push =
            |brand: &Arc<Brand>| self.brands.network_of(brand).is_some_and(|network| network.shape == Shape::Push);
        self.brands.iter().filter(is_push).map(|brand| brand.svc_id).collect()
    }
}
