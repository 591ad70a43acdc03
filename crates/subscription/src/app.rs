//! The state shared by all handlers.

use std::{sync::Arc, time::Duration};

use brands::{Brand, Brands};
use identity::{Enrichment, Msisdn, SessionMinter, SessionVerifier, SubscriberId};
use operator::NotifySecret;
use service::{AdminToken, Clock, StartError, VerifyingKeys};
use store::Db;
use tokio::sync::{Notify, Semaphore, watch};

use crate::{
    Config, MIGRATIONS, NAME,
    billing::{context::BillingContext, scheduler::Scheduler},
    error::Error,
    ledger::{bounds::Bounds, partitions::Retention},
    networks::{
        NetworkSettings, Networks, Transport, check_address,
        lookup::{self, NumberLookup},
    },
    publishers::counts::FraudLimits,
    subscribers::{
        calendar::BillingTimes,
        ids::random_token,
        in_use,
        limits::Limits,
        policy::{ChargeSecret, Policy},
    },
    upkeep::gauges::LatestRowCounts,
};

/// The pool has eight connections.
const MAX_CONCURRENT_NOTIFICATIONS: usize = 5;

const NOT_IN_PRODUCTION: &str = "must not be set together with PRODUCTION=1";

/// The service's state: database, keys, networks.
#[derive(Clone)]
pub struct App {
    /// The database.
    pub db: Db,
    /// All brands.
    pub brands: Brands,
    /// The token for `/internal`.
    pub admin_token: AdminToken,
    pub(crate) networks: Networks,
    pub(crate) limits: Limits,
    pub(crate) minter: SessionMinter,
    pub(crate) verifier: SessionVerifier,
    pub(crate) public_port: u16,
    pub(crate) policy: Arc<Policy>,
    pub(crate) enrichment: Enrichment,
    /// Finds the network of a number.
    pub(crate) number_lookup: Arc<dyn NumberLookup>,
    pub(crate) clock: Clock,
    /// The limits against fraud.
    pub(crate) fraud: FraudLimits,
    pub(crate) billing_times: BillingTimes,
    /// For how long the ledger and the events are kept.
    pub(crate) retention: Retention,
    /// Whether the clock may be moved.
    pub(crate) test_clock: bool,
    /// The numbers of subscriptions, as they were counted last.
    pub(crate) row_counts: LatestRowCounts,
    /// Runs the billing passes.
    pub(crate) scheduler: Scheduler,
    /// Limits concurrent notifications to fewer than there are connections, so that browser requests get some.
    pub(crate) notification_slots: Arc<Semaphore>,
    /// Notified when a message was added to the outbox.
    pub(crate) outbox_wake: Arc<Notify>,
    /// Notified when a subscription may have become active.
    pub(crate) join_wake: Arc<Notify>,
    /// Notified when the clock was moved.
    pub(crate) clock_moved: Arc<watch::Sender<()>>,
    /// Dropped when the server stops: background tasks hold a weak reference and then end.
    pub(crate) alive: Arc<()>,
}

impl App {
    /// Validates the settings, opens the database and migrates its tables. `transport`: in the place of HTTP to the networks.
    pub(crate) async fn open(config: &Config, transport: Option<Arc<dyn Transport>>) -> Result<Self, StartError> {
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
            service::refuse_published(
                "STAFF_TOKEN_PUBLIC_KEYS",
                config.staff_token_public_keys.as_deref().unwrap_or_default().as_bytes(),
            )?;
        }
        let brands = Brands::load(&config.brands_file).map_err(|error| StartError::Setting(error.to_string()))?;
        let charge_timeout = Duration::from_millis(config.charge_timeout_ms);
        let networks = Networks::new(
            &brands,
            NetworkSettings {
                default_url: config.operator_url.clone(),
                charge_timeout,
                notify_secret: config.notify_secret.clone(),
                credentials: config.network_credentials.clone(),
                production: config.production.on,
                transport,
            },
        )?;
        let minter =
            SessionMinter::parse(&config.session_secret_key).map_err(|error| setting("SESSION_SECRET_KEY", &error))?;
        let public_keys = match config.session_public_keys.as_deref() {
            Some(keys) => format!("{},{keys}", minter.public_key()),
            None => minter.public_key(),
        };
        let verifier = SessionVerifier::parse(&public_keys).map_err(|error| setting("SESSION_PUBLIC_KEYS", &error))?;
        let staff_keys = config.staff_token_public_keys.as_deref().filter(|keys| !keys.is_empty());
        let staff_keys = staff_keys
            .map(VerifyingKeys::parse)
            .transpose()
            .map_err(|error| setting("STAFF_TOKEN_PUBLIC_KEYS", &error))?;
        let (outbox_wake, join_wake, alive) =
            (Arc::<Notify>::default(), Arc::<Notify>::default(), Arc::<()>::default());
        let context = BillingContext {
            db: Db::open(&config.store, NAME, MIGRATIONS).await?,
            networks: networks.clone(),
            policy: Arc::new(Policy { brands: brands.clone(), secret: charge_secret.clone(), test_msisdn }),
            clock: Clock::default(),
            bounds: Bounds {
                per_number: config.max_charges_per_number.into(),
                per_hour: config.max_charges_per_hour.into(),
            },
            charge_timeout,
            token: random_token().into(),
            outbox_wake: outbox_wake.clone(),
            alive: Arc::downgrade(&alive),
        };
        check_in_use(&context.db, &brands).await.map_err(StartError::Setting)?;
        let (adapters, db) = (networks.clone(), context.db.clone());
        brands.watch_with(&config.brands_file, move |brands| {
            let (adapters, db) = (adapters.clone(), db.clone());
            async move {
                check_in_use(&db, &brands).await?;
                adapters.reload(&brands).map_err(|error| error.to_string())
            }
        });
        Ok(Self {
            number_lookup: number_lookup(config, &brands)?,
            db: context.db.clone(),
            networks,
            limits: Limits::open(&config.store, charge_secret).await?,
            policy: context.policy.clone(),
            clock: context.clock.clone(),
            scheduler: Scheduler::new(context, config.billing_times.clone(), join_wake.clone()),
            billing_times: config.billing_times.clone(),
            retention: Retention { ledger: config.ledger_months, events: config.events_months },
            enrichment: config.enrichment.clone(),
            fraud: config.fraud.clone(),
            test_clock: config.test_clock,
            brands,
            admin_token: AdminToken::new(config.admin_token.as_deref()).with_staff_keys(staff_keys),
            minter,
            verifier,
            public_port: config.public_port,
            row_counts: Arc::default(),
            notification_slots: Arc::new(Semaphore::new(MAX_CONCURRENT_NOTIFICATIONS)),
            outbox_wake,
            join_wake,
            clock_moved: Arc::new(watch::Sender::new(())),
            alive,
        })
    }

    /// The brand whose service has this id.
    pub(crate) fn brand(&self, svc_id: i32) -> Result<Arc<Brand>, Error> {
        self.brands.by_svc_id(svc_id).ok_or(Error::UnknownService)
    }

    /// Whether this is the configured test number.
    pub(crate) fn is_test(&self, msisdn: &SubscriberId) -> bool {
        self.policy.is_test(msisdn.as_str())
    }

    /// Wakes the outbox and the first charges after a state change.
    pub(crate) fn wake(&self) {
        self.outbox_wake.notify_one();
        self.join_wake.notify_one();
    }
}

/// Refuses a table without what subscriptions run on, or with another API or other names of subscribers for it: nothing could be charged,
/// stopped or refunded there.
async fn check_in_use(db: &Db, brands: &Brands) -> Result<(), String> {
    let brands = brands.clone();
    let problem = db.write(move |conn| in_use::problem_of(conn, &brands)).await.map_err(|error| error.to_string())?;
    problem.map_or(Ok(()), |problem| Err(format!("BRANDS_FILE: {problem}")))
}

/// `NUMBER_LOOKUP_URL`, or the ranges alone.
fn number_lookup(config: &Config, brands: &Brands) -> Result<Arc<dyn NumberLookup>, StartError> {
    const NAME: &str = "NUMBER_LOOKUP_URL";
    let url = config.number_lookup_url.as_deref().map(str::trim).filter(|url| !url.is_empty());
    if let Some(url) = url {
        check_address(url).map_err(|cause| StartError::Setting(format!("{NAME}: {cause}")))?;
        if config.production.on {
            service::refuse_plain_http(NAME, url)?;
        }
    }
    lookup::source(brands, url)
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
