//! What every handler of the service works with.

use std::{sync::Arc, time::Duration};

use brands::{Brand, Brands};
use identity::{Enrichment, Msisdn, SessionMinter, SessionVerifier};
use operator::NotifySecret;
use service::{AdminToken, Clock, StartError};
use store::Db;
use tokio::sync::{Notify, Semaphore};

use crate::{
    Config, MIGRATIONS, NAME,
    billing::{BillingTimes, bounds::Bounds, parts::Parts, scheduler::Scheduler},
    error::Error,
    limits::Limits,
    networks::{NetworkSettings, Networks},
    terms::{ChargeSecret, Terms},
    tries::unguessable,
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
    pub(crate) public_port: u16,
    pub(crate) terms: Arc<Terms>,
    pub(crate) enrichment: Enrichment,
    pub(crate) clock: Clock,
    pub(crate) billing_times: BillingTimes,
    /// Whether the clock may be moved.
    pub(crate) test_clock: bool,
    /// Runs the billing passes.
    pub(crate) scheduler: Scheduler,
    /// How many notifications may be worked on at once: fewer than there are connections, so that people get some.
    pub(crate) notification_turns: Arc<Semaphore>,
    /// Woken when something was put into the outbox.
    pub(crate) outbox_wake: Arc<Notify>,
    /// Woken when a person may have become active.
    pub(crate) joined: Arc<Notify>,
    /// Woken when the clock was moved.
    pub(crate) clock_moved: Arc<Notify>,
    /// Gone once the server has stopped: what runs beside it then ends too.
    pub(crate) alive: Arc<()>,
}

impl App {
    /// Checks the settings, opens the database and brings its tables up to date.
    pub(crate) async fn open(config: &Config) -> Result<Self, StartError> {
        // Parsed here and not by clap, whose messages would repeat a secret or a number.
        let setting = |name: &str, cause: &dyn std::fmt::Display| StartError::Setting(format!("{name}: {cause}"));
        let charge_secret = charge_secret(config)?;
        let test_msisdn = config.test_msisdn.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let test_msisdn = test_msisdn.map(Msisdn::parse).transpose().map_err(|error| setting("TEST_MSISDN", &error))?;
        if config.production.on && test_msisdn.is_some() {
            return Err(setting("TEST_MSISDN", &NOT_IN_PRODUCTION));
        }
        if config.production.on && config.test_clock {
            return Err(setting("TEST_CLOCK", &NOT_IN_PRODUCTION));
        }
        if config.production.on && config.crash_points.is_some() {
            return Err(setting("CRASH_POINTS", &NOT_IN_PRODUCTION));
        }
        if config.production.on {
            service::refuse_weak_admin_token(config.admin_token.as_deref())?;
            service::refuse_published("SESSION_SECRET_KEY", config.session_secret_key.as_bytes())?;
            service::refuse_published(
                "SESSION_PUBLIC_KEYS",
                config.session_public_keys.as_deref().unwrap_or_default().as_bytes(),
            )?;
        }
        let brands = Brands::load(&config.brands_file).map_err(|error| StartError::Setting(error.to_string()))?;
        let patience = Duration::from_millis(config.charge_timeout_ms);
        let networks = Networks::new(
            &brands,
            NetworkSettings {
                default_url: config.operator_url.clone(),
                charge_patience: patience,
                notify_secret: config.notify_secret.clone(),
                production: config.production.on,
            },
        )?;
        let adapters = networks.clone();
        brands.watch_with(&config.brands_file, move |brands| adapters.renew(brands).map_err(|error| error.to_string()));
        let minter =
            SessionMinter::parse(&config.session_secret_key).map_err(|error| setting("SESSION_SECRET_KEY", &error))?;
        let public_keys = match config.session_public_keys.as_deref() {
            Some(keys) => format!("{},{keys}", minter.public_key()),
            None => minter.public_key(),
        };
        let verifier = SessionVerifier::parse(&public_keys).map_err(|error| setting("SESSION_PUBLIC_KEYS", &error))?;
        let (outbox_wake, joined, alive) = (Arc::<Notify>::default(), Arc::<Notify>::default(), Arc::<()>::default());
        let parts = Parts {
            db: Db::open(&config.store, NAME, MIGRATIONS).await?,
            networks: networks.clone(),
            terms: Arc::new(Terms { brands: brands.clone(), secret: charge_secret.clone(), test_msisdn }),
            clock: Clock::default(),
            bounds: Bounds {
                per_number: config.max_charges_per_number.into(),
                per_hour: config.max_charges_per_hour.into(),
            },
            patience,
            token: unguessable().into(),
            outbox_wake: outbox_wake.clone(),
            alive: Arc::downgrade(&alive),
        };
        Ok(Self {
            db: parts.db.clone(),
            networks,
            limits: Limits::open(&config.store, charge_secret).await?,
            terms: parts.terms.clone(),
            clock: parts.clock.clone(),
            scheduler: Scheduler::new(parts, config.billing_times.clone(), joined.clone()),
            billing_times: config.billing_times.clone(),
            enrichment: config.enrichment.clone(),
            test_clock: config.test_clock,
            brands,
            admin_token: AdminToken::new(config.admin_token.as_deref()),
            minter,
            verifier,
            public_port: config.public_port,
            notification_turns: Arc::new(Semaphore::new(NOTIFICATIONS_AT_ONCE)),
            outbox_wake,
            joined,
            clock_moved: Arc::default(),
            alive,
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

    /// A subscription has moved: there may be something to send, and a first charge to make.
    pub(crate) fn wake(&self) {
        self.outbox_wake.notify_one();
        self.joined.notify_one();
    }
}

/// `CHARGE_KEY_SECRET`; where it is not set, the first key of `NOTIFY_SECRET`, which then must never change.
fn charge_secret(config: &Config) -> Result<ChargeSecret, StartError> {
    const NAME: &str = "CHARGE_KEY_SECRET";
    let setting = |name: &str, cause: &str| StartError::Setting(format!("{name}: {cause}"));
    if let Some(secret) = config.charge_key_secret.as_deref().filter(|secret| !secret.is_empty()) {
        if config.production.on {
            service::refuse_weak_secret(NAME, secret.as_bytes())?;
        }
        return ChargeSecret::new(secret.as_bytes()).ok_or_else(|| setting(NAME, "cannot be used"));
    }
    if config.production.on {
        return Err(setting(NAME, "must be set together with PRODUCTION=1"));
    }
    let first = config.notify_secret.split(',').next().unwrap_or_default();
    let key = NotifySecret::key_of(first).map_err(|error| setting("NOTIFY_SECRET", &error.to_string()))?;
    ChargeSecret::new(&key).ok_or_else(|| setting("NOTIFY_SECRET", "is empty"))
}
