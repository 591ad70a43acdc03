//! What every handler of the service works with.

use std::sync::Arc;

use brands::{Brand, Brands};
use identity::{Msisdn, SessionMinter, SessionVerifier};
use operator::NotifySecret;
use store::Db;
use tokio::sync::Notify;
use web::{AdminToken, StartError};

use crate::{Config, MIGRATIONS, NAME, error::Error, limits::Limits, network::Networks};

/// The service: its tables, its keys, the networks it speaks to.
#[derive(Clone)]
pub struct App {
    /// The tables.
    pub db: Db,
    /// The family's brands.
    pub brands: Brands,
    /// Opens `/internal`.
    pub admin_token: AdminToken,
    pub(crate) networks: Networks,
    pub(crate) limits: Limits,
    pub(crate) minter: SessionMinter,
    pub(crate) verifier: SessionVerifier,
    pub(crate) notify_secret: NotifySecret,
    pub(crate) public_port: u16,
    pub(crate) test_msisdn: Option<Msisdn>,
    /// Rung when something was put into the outbox.
    pub(crate) outbox_bell: Arc<Notify>,
    /// Gone once the server has stopped: what runs beside it then ends too.
    pub(crate) alive: Arc<()>,
}

impl App {
    /// Checks the settings, opens the database and brings its tables up to date.
    pub async fn open(config: &Config) -> Result<Self, StartError> {
        // Parsed here and not by clap, whose messages would repeat a secret or a number.
        let setting = |name: &str, cause: &dyn std::fmt::Display| StartError::Setting(format!("{name}: {cause}"));
        let notify_secret =
            NotifySecret::parse(&config.notify_secret).map_err(|error| setting("NOTIFY_SECRET", &error))?;
        let test_msisdn = config.test_msisdn.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let test_msisdn = test_msisdn.map(Msisdn::parse).transpose().map_err(|error| setting("TEST_MSISDN", &error))?;
        if config.production && test_msisdn.is_some() {
            return Err(setting("TEST_MSISDN", &"must not be set together with PRODUCTION=1"));
        }
        let brands = Brands::load(&config.brands_file).map_err(|error| StartError::Setting(error.to_string()))?;
        let minter =
            SessionMinter::parse(&config.session_secret_key).map_err(|error| setting("SESSION_SECRET_KEY", &error))?;
        let public_keys = match config.session_public_keys.as_deref() {
            Some(keys) => format!("{},{keys}", minter.public_key()),
            None => minter.public_key(),
        };
        let verifier = SessionVerifier::parse(&public_keys).map_err(|error| setting("SESSION_PUBLIC_KEYS", &error))?;
        Ok(Self {
            db: Db::open(&config.store, NAME, MIGRATIONS).await?,
            networks: Networks::new(&brands, &config.operator_url)?,
            limits: Limits::open(&config.store, notify_secret.clone()).await?,
            brands,
            admin_token: AdminToken::new(config.admin_token.as_deref()),
            minter,
            verifier,
            notify_secret,
            public_port: config.public_port,
            test_msisdn,
            outbox_bell: Arc::default(),
            alive: Arc::default(),
        })
    }

    /// The brand whose service has this id.
    pub(crate) fn brand(&self, svc_id: i32) -> Result<&Brand, Error> {
        self.brands.by_svc_id(svc_id).ok_or(Error::UnknownService)
    }

    /// Whether this is the test number, and the test number is on.
    pub(crate) fn is_test(&self, msisdn: &Msisdn) -> bool {
        self.test_msisdn.as_ref() == Some(msisdn)
    }
}
