//! What every handler of the service works with.

use std::{sync::Arc, time::Duration};

use brands::{Brand, Brands};
use identity::{Enrichment, Msisdn, SessionMinter, SessionVerifier};
use operator::NotifySecret;
use store::Db;
use tokio::sync::{Notify, Semaphore};
use web::{AdminToken, Clock, StartError};

use crate::{
    Config, MIGRATIONS, NAME,
    billing::{BillingTimes, desk::Counter},
    error::Error,
    limits::Limits,
    networks::Networks,
    terms::Terms,
};

/// Of the pool's eight connections.
const NOTIFICATIONS_AT_ONCE: usize = 5;

const NOT_IN_PRODUCTION: &str = "must not be set together with PRODUCTION=1";

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
    pub(crate) terms: Arc<Terms>,
    pub(crate) enrichment: Enrichment,
    pub(crate) clock: Clock,
    pub(crate) billing_times: BillingTimes,
    /// Whether the clock may be moved.
    pub(crate) test_clock: bool,
    /// Where billing passes are asked for.
    pub(crate) counter: Counter,
    /// How many notifications may be worked on at once: fewer than there are connections, so that people get some.
    pub(crate) notification_turns: Arc<Semaphore>,
    /// Rung when something was put into the outbox.
    pub(crate) outbox_bell: Arc<Notify>,
    /// Rung when somebody may have become active.
    pub(crate) charge_bell: Arc<Notify>,
    /// Rung when time has passed at once.
    pub(crate) janitor_bell: Arc<Notify>,
    /// Gone once the server has stopped: what runs beside it then ends too.
    pub(crate) alive: Arc<()>,
}

impl App {
    /// Checks the settings, opens the database and brings its tables up to date.
    ///
    /// `counter` is where its handlers ask for billing passes.
    pub(crate) async fn open(config: &Config, counter: Counter) -> Result<Self, StartError> {
        // Parsed here and not by clap, whose messages would repeat a secret or a number.
        let setting = |name: &str, cause: &dyn std::fmt::Display| StartError::Setting(format!("{name}: {cause}"));
        let notify_secret =
            NotifySecret::parse(&config.notify_secret).map_err(|error| setting("NOTIFY_SECRET", &error))?;
        let test_msisdn = config.test_msisdn.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let test_msisdn = test_msisdn.map(Msisdn::parse).transpose().map_err(|error| setting("TEST_MSISDN", &error))?;
        if config.production && test_msisdn.is_some() {
            return Err(setting("TEST_MSISDN", &NOT_IN_PRODUCTION));
        }
        if config.production && config.test_clock {
            return Err(setting("TEST_CLOCK", &NOT_IN_PRODUCTION));
        }
        if config.production && config.crash_points.is_some() {
            return Err(setting("CRASH_POINTS", &NOT_IN_PRODUCTION));
        }
        let brands = Brands::load(&config.brands_file).map_err(|error| StartError::Setting(error.to_string()))?;
        let networks = Networks::new(&brands, &config.operator_url, Duration::from_millis(config.charge_timeout_ms))?;
        let adapters = networks.clone();
        brands
            .follow_with(&config.brands_file, move |brands| adapters.renew(brands).map_err(|error| error.to_string()));
        let minter =
            SessionMinter::parse(&config.session_secret_key).map_err(|error| setting("SESSION_SECRET_KEY", &error))?;
        let public_keys = match config.session_public_keys.as_deref() {
            Some(keys) => format!("{},{keys}", minter.public_key()),
            None => minter.public_key(),
        };
        let verifier = SessionVerifier::parse(&public_keys).map_err(|error| setting("SESSION_PUBLIC_KEYS", &error))?;
        Ok(Self {
            db: Db::open(&config.store, NAME, MIGRATIONS).await?,
            networks,
            limits: Limits::open(&config.store, notify_secret.clone()).await?,
            terms: Arc::new(Terms { brands: brands.clone(), secret: notify_secret.clone(), test_msisdn }),
            clock: Clock::default(),
            billing_times: config.billing_times.clone(),
            enrichment: config.enrichment.clone(),
            test_clock: config.test_clock,
            counter,
            brands,
            admin_token: AdminToken::new(config.admin_token.as_deref()),
            minter,
            verifier,
            notify_secret,
            public_port: config.public_port,
            notification_turns: Arc::new(Semaphore::new(NOTIFICATIONS_AT_ONCE)),
            outbox_bell: Arc::default(),
            charge_bell: Arc::default(),
            janitor_bell: Arc::default(),
            alive: Arc::default(),
        })
    }

    /// The brand whose service has this id.
    pub(crate) fn brand(&self, svc_id: i32) -> Result<Arc<Brand>, Error> {
        self.brands.by_svc_id(svc_id).ok_or(Error::UnknownService)
    }

    /// Whether this is the test number, and the test number is on.
    pub(crate) fn is_test(&self, msisdn: &Msisdn) -> bool {
        self.terms.is_test(msisdn.as_str())
    }

    /// Says that a subscription has moved: there may be something to send, and somebody to charge.
    pub(crate) fn ring(&self) {
        self.outbox_bell.notify_one();
        self.charge_bell.notify_one();
    }
}
