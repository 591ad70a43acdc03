//! The state shared by all handlers.

use std::sync::Arc;

use content::doctor::Doctor;
use service::{AdminToken, Cidrs, Clock, EncryptionKeys, SigningKey, StartError};
use store::{Db, DbConnection};
use tokio::sync::Notify;
use url::Url;

use crate::{
    Config, MIGRATIONS, NAME, audit, catalogues::Catalogues, content::media, error::Error, members::is_email,
    passkeys::Passkeys, password::Passwords, provider::Provider, subscription::SubscriptionClient, uploads::Uploads,
};

/// The service's state.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    pub(crate) passwords: Passwords,
    pub(crate) subscription: SubscriptionClient,
    pub(crate) catalogues: Catalogues,
    /// Signs links to previews.
    pub(crate) signing_key: SigningKey,
    /// They encrypt the secrets of second factors.
    pub(crate) second_factor_keys: EncryptionKeys,
    /// Verifies passkeys.
    pub(crate) passkeys: Passkeys,
    /// The provider of single sign-on, where there is one.
    pub(crate) provider: Option<Provider>,
    /// Films that editors upload.
    pub(crate) uploads: Uploads,
    /// Checks films and pictures before records that name them go live.
    pub(crate) doctor: Arc<Doctor>,
    /// The proxies that name a request's client.
    pub(crate) proxies: Cidrs,
    /// Notified when an erasure was approved, or refunds are open.
    pub(crate) support_wake: Arc<Notify>,
    /// Dropped when the server stops: background tasks hold a weak reference and then end.
    pub(crate) alive: Arc<()>,
    /// Where tests may move the clock: what opens the call that does.
    pub(crate) test_clock: Option<AdminToken>,
    /// Without a slash at the end.
    base_url: Arc<str>,
}

impl App {
    /// Validates the settings, opens the database and migrates its tables.
    pub(crate) async fn open(config: &Config) -> Result<Self, StartError> {
        let setting = |name: &str, cause: &str| StartError::Setting(format!("{name}: {cause}"));
        if config.production.on {
            service::refuse_plain_http("BACKOFFICE_URL", &config.backoffice_url)?;
            if config.test_clock {
                return Err(setting("TEST_CLOCK", "must not be set in production"));
            }
            service::refuse_published("STAFF_TOKEN_SECRET_KEY", config.staff_token_secret_key.as_bytes())?;
        }
        let address = |name: &str, text: &str| {
            let url = Url::parse(text).map_err(|error| setting(name, &error.to_string()))?;
            match url.scheme() {
                "http" | "https" => Ok(url),
                _ => Err(setting(name, "is no http or https address")),
            }
        };
        let url = address("BACKOFFICE_URL", &config.backoffice_url)?;
        let subscription_url = address("SUBSCRIPTION_URL", &config.subscription_url)?;
        let catalogues = [
            ("comedy", address("COMEDY_URL", &config.comedy_url)?),
            ("diski", address("DISKI_URL", &config.diski_url)?),
            ("meme", address("MEME_URL", &config.meme_url)?),
            ("tt", address("TT_URL", &config.tt_url)?),
        ];
        let key = SigningKey::parse(&config.staff_token_secret_key)
            .map_err(|error| setting("STAFF_TOKEN_SECRET_KEY", &error.to_string()))?;
        let second_factor_keys = EncryptionKeys::parse(&config.second_factor_keys)
            .map_err(|error| setting("SECOND_FACTOR_KEYS", &error.to_string()))?;
        if !is_email(&config.first_administrator) {
            return Err(setting("FIRST_ADMINISTRATOR", "is no email address"));
        }
        let base_url = url.as_str().trim_end_matches('/');
        let redirect_uri = format!("{base_url}/api/sign-in/callback");
        let provider = Provider::new(&config.single_sign_on, redirect_uri, config.production.on)?;
        Ok(Self {
            db: Db::open(&config.store, NAME, MIGRATIONS).await?,
            clock: Clock::default(),
            catalogues: Catalogues::new(&catalogues, &key)?,
            subscription: SubscriptionClient::new(&subscription_url, &key)?,
            signing_key: key,
            second_factor_keys,
            passkeys: Passkeys::new(&url)?,
            provider,
            uploads: Uploads::open(&config.uploads, &config.store.data_dir)?,
            doctor: Arc::new(media::doctor(&config.uploads)?),
            proxies: config.trusted_proxies.clone(),
            support_wake: Arc::default(),
            alive: Arc::default(),
            passwords: Passwords::new().map_err(|error| StartError::other(NAME, error))?,
            test_clock: config.test_clock.then(|| AdminToken::new(config.admin_token.as_deref())),
            base_url: base_url.into(),
        })
    }

    /// Runs writes that end in an entry of the audit log, one such transaction at a time. All take the log's lock first, so that they
    /// cannot deadlock, and a rule that reads several rows (the last administrator) sees no concurrent change.
    pub(crate) async fn audited<T, F>(&self, writes: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut DbConnection) -> Result<T, Error> + Send + 'static,
    {
        self.db
            .write(|conn| {
                audit::lock(conn)?;
                writes(conn)
            })
            .await
    }

    /// The link of an invitation.
    pub(crate) fn link(&self, token: &str) -> String {
        format!("{}/invitation/{token}", self.base_url)
    }

    /// The issuer of single sign-on.
    pub(crate) fn issuer(&self) -> Option<String> {
        self.provider.as_ref().map(|provider| provider.issuer().to_owned())
    }

    /// The name of a cookie: by https, with the prefix by which browsers let no other host set it.
    pub(crate) fn cookie_name(&self, name: &str) -> String {
        format!("{}{name}", if self.is_https() { "__Host-" } else { "" })
    }

    /// Whether staff open the back office by https.
    pub(crate) fn is_https(&self) -> bool {
        self.base_url.starts_with("https://")
    }
}
