//! What every handler of the sandbox works with.

use std::sync::Arc;

use brands::{Brand, Brands, Shape};
use chrono::{NaiveDateTime, SubsecRound, Utc};
use store::Db;
use tokio::sync::Notify;
use web::StartError;

use crate::{Config, MIGRATIONS, OWNER, error::Error};

/// The imitated network.
#[derive(Clone)]
pub struct App {
    /// The tables.
    pub db: Db,
    /// The family's brands.
    pub brands: Brands,
    pub(crate) public_url: String,
    pub(crate) public_port: u16,
    /// Rung when there is a notification to deliver.
    pub(crate) bell: Arc<Notify>,
    /// Gone once the server has stopped: what runs beside it then ends too.
    pub(crate) alive: Arc<()>,
}

impl App {
    /// Reads the brands, opens the database and brings its tables up to date.
    pub async fn open(config: &Config) -> Result<Self, StartError> {
        let brands = Brands::load(&config.brands_file).map_err(|error| StartError::Setting(error.to_string()))?;
        let public_url =
            url::Url::parse(&config.public_url).map_err(|error| StartError::Setting(format!("PUBLIC_URL: {error}")))?;
        Ok(Self {
            db: Db::open(&config.store, OWNER, MIGRATIONS).await?,
            brands,
            public_url: public_url.as_str().trim_end_matches('/').to_owned(),
            public_port: config.public_port,
            bell: Arc::default(),
            alive: Arc::default(),
        })
    }

    /// The brand of a service, and the shape of the network that bills it.
    pub(crate) fn brand(&self, svc_id: i32) -> Result<(&Brand, Shape), Error> {
        let brand = self.brands.by_svc_id(svc_id).ok_or(Error::UnknownService)?;
        let network = self.brands.network_of(brand).ok_or(Error::UnknownService)?;
        Ok((brand, network.shape))
    }
}

/// Now, UTC, to the microsecond: the finest that both engines keep.
pub(crate) fn now() -> NaiveDateTime {
    Utc::now().naive_utc().trunc_subsecs(6)
}
